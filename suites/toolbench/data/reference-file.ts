/** A run's answers as reference answers for other runs, which `reference: NAME` compares with. */
import type { Json, Step, Task } from "../../../source/engine/types.ts";
import { answerOf } from "../score/answer-conversion.ts";
import { answerSteps } from "../score/execution.ts";

type Played = { readonly task: Task; readonly answer: Json | undefined; readonly steps?: readonly Step[] };

/** A run's answers, one a line, with their steps in ToolEval's converted form: `{set, query_id, query, answer}`. */
export function writeReferences(rows: readonly Played[]): string {
  const lines = rows.map(({ task, answer, steps = [] }) => {
    const { set, id } = task.input as { readonly set: string; readonly id: number };
    const said = typeof answer === "string" ? answer : "";
    const form = answerOf("planwright", answerSteps({ steps }), said);
    return JSON.stringify({ set, query_id: id, query: task.question, answer: form });
  });
  return lines.map((line) => `${line}\n`).join("");
}
