/** The tasks of a category, read from the wheel's files: JSON objects, one a line. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Message, Problem, type Task } from "planwright";
import { answerFile, type Category, questionFile } from "./categories.ts";
import type { Expected, FunctionDescription } from "./checker.ts";
import { parsed, written } from "./value.ts";

export type Input = {
  readonly category: Category;
  readonly messages: readonly Message[];
  readonly functions: readonly FunctionDescription[];
};
/** The answer key is the text of the expected calls, since JSON cannot tell 5 from 5.0; `[]` where any call is right, or none. */
export type FunctionTask = Task<Input, string>;

export function expectedOf({ answer }: FunctionTask): readonly Expected[] {
  return parsed(answer) as readonly Expected[];
}

type QuestionRecord = {
  readonly id: string;
  readonly question: readonly (readonly Message[])[];
  readonly function: readonly FunctionDescription[];
};
type AnswerRecord = { readonly id: string; readonly ground_truth: readonly Expected[] };

/** Throws `Problem` where questions and answers do not belong together. */
export async function readTasks(folder: string, category: Category): Promise<readonly FunctionTask[]> {
  const read = async (file: string) => {
    const text = await readFile(join(folder, file), "utf8");
    return text.split("\n").filter((line) => line.trim() !== "");
  };
  const questions = (await read(questionFile(category))).map((line) => JSON.parse(line) as QuestionRecord);
  const answers =
    category.right === "expected"
      ? (await read(answerFile(category))).map((line) => parsed(line) as AnswerRecord)
      : undefined;
  return questions.map(({ id, question, function: functions }, index): FunctionTask => {
    const answer = answers?.[index];
    if (answer !== undefined && answer.id !== id)
      throw new Problem(
        "bug",
        `Expected the answer to ${id} in line ${index + 1} of ${answerFile(category)}, got ${answer.id}`,
      );
    const [messages = []] = question;
    const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
    return {
      id,
      question: asked,
      input: { category, messages, functions },
      answer: written(answer?.ground_truth ?? []),
      facets: { category: category.name, language: category.language, live: String(category.name.startsWith("live_")) },
    };
  });
}
