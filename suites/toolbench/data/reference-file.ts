/** A run's answers as reference answers for other runs, which `reference: NAME` compares with. */
import type { Json, Step, Task } from "../../../source/engine/types.ts";
import type { QueryTask } from "./world.ts";
import { answerOf } from "../score/answer-conversion.ts";
import { answerSteps } from "../score/execution.ts";

type ExecutedTask = { readonly task: Task; readonly answer: Json | undefined; readonly steps?: readonly Step[] };

/** A run's answers, one a line, with their steps in ToolEval's converted form: `{set, query_id, query, answer}`. */
export function writeReferences(rows: readonly ExecutedTask[]): string {
  const lines = rows.map(({ task, answer, steps = [] }) => {
    // Exporters are handed the tasks this suite loaded itself.
    const { set, id } = (task as QueryTask).input;
    const text = typeof answer === "string" ? answer : "";
    const form = answerOf("planwright", answerSteps({ steps }), text);
    return JSON.stringify({ set, query_id: id, query: task.question, answer: form });
  });
  return lines.map((line) => `${line}\n`).join("");
}
