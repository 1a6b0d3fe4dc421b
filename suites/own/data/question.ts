/** A question of the user's, as it stands in a file. */
import type { JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Task } from "../../../source/engine/types.ts";
import type { CheckName } from "../score/checks.ts";

export type Question = {
  readonly question: string;
  /** In a file of tasks for tool servers: the tools this task is offered, and how its answer is found right. */
  readonly tools?: readonly string[];
  readonly check?: CheckName;
  readonly rubric?: string;
};

/** What is right, as text; JSON where the file has a value that is no text. */
export type QuestionTask = Task<Question, string>;

/** The task as a line of a file that is read as the same task. */
export function questionRecord({ id, answer, input, facets }: QuestionTask): JsonRecord {
  const { question, tools, check, rubric } = input;
  return {
    ...facets,
    id,
    question,
    ...(answer === "" ? {} : { answer }),
    ...(tools === undefined ? {} : { tools }),
    ...(check === undefined ? {} : { check }),
    ...(rubric === undefined ? {} : { rubric }),
  };
}

/** What a file holds: its questions, and the other columns, which are facets. */
export type QuestionFile = { readonly tasks: readonly QuestionTask[]; readonly facets: readonly string[] };

/** What a file is read as: plain questions, or tasks that may say more of themselves. */
export type QuestionKind = "questions" | "tasks";
