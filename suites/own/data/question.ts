/** The user's questions, as a file has them. */
import type { LoadedTask, SimpleTask, TaskFile } from "../../../source/engine/simple-suite/simple-task.ts";
import type { JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Facets } from "../../../source/engine/types.ts";
import type { CheckName } from "../score/checks.ts";

export type Question = SimpleTask & {
  /** The right answer as text; JSON if the file has a value that is no text. */
  readonly answer: string;
  readonly facets: Facets;
  /** In a file of tasks for tool servers: the tools this task is offered, and how its answer is checked. */
  readonly tools?: readonly string[];
  readonly check?: CheckName;
  readonly rubric?: string;
};

export type QuestionTask = LoadedTask<Question>;

/** The task as a line of a file that is read as the same task. */
export function questionRecord({ input }: QuestionTask): JsonRecord {
  const { id, question, answer, facets, tools, check, rubric } = input;
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

/** Questions of a file, and its other columns, which are facets. */
export type QuestionFile = ReturnType<TaskFile<Question>["read"]>;

/** `tasks`: questions that may name tools, a check and a rubric of their own. */
export type QuestionKind = "questions" | "tasks";
