/** The user's questions as read from a file. */
import type { LoadedTask, SimpleTask, TaskFile } from "../../../source/engine/simple-suite/simple-task.ts";
import type { JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Facets } from "../../../source/engine/types.ts";
import type { CheckName } from "../score/checks.ts";

export type Question = SimpleTask & {
  /** The right answer as text, or as JSON if the value in the file is not a string. */
  readonly answer: string;
  readonly facets: Facets;
  /** For tool server tasks: the tools offered to this task, and the check of its answer. */
  readonly tools?: readonly string[];
  readonly check?: CheckName;
  readonly rubric?: string;
};

export type QuestionTask = LoadedTask<Question>;

/** Writes the task as a line that reads back as the same task. */
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

/** Questions of a file, with its other columns as facets. */
export type QuestionFile = ReturnType<TaskFile<Question>["read"]>;

/** `tasks` are questions that may have their own tools, check and rubric. */
export type QuestionKind = "questions" | "tasks";
