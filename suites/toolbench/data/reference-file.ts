/** Reference answers for the win rate: writes a run's answers as references, which `reference: NAME` compares with. */
import type { Json, Step, Task, RunSpec } from "../../../source/engine/types.ts";
import type { QueryTask } from "./records.ts";
import { answerOf } from "../score/answer-conversion.ts";
import { answerSteps } from "../score/execution.ts";

type ExecutedTask = { readonly task: Task; readonly answer: Json | undefined; readonly steps?: readonly Step[] };

/**
 * Writes a run's answers, one per line, with their steps in ToolEval's converted form: `{set, query_id, query,
 * answer}`.
 */
export function writeReferences(rows: readonly ExecutedTask[]): string {
  const lines = rows.map(({ task, answer, steps = [] }) => {
    // Exporters receive the tasks that this suite loaded.
    const { set, id } = (task as QueryTask).input;
    const text = typeof answer === "string" ? answer : "";
    const form = answerOf("planwright", answerSteps({ steps }), text);
    return JSON.stringify({ set, query_id: id, query: task.question, answer: form });
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The name of the reference for runs that do not name one: the publisher's answers, or those of the sample. */
export const usualReference = "usual";

/** Returns the reference a run is compared with. */
export const referenceOf = ({ options }: Pick<RunSpec, "options">): string =>
  String(options["reference"] ?? usualReference);
