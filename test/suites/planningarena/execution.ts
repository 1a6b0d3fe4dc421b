/** Runs dialogues on a loaded suite directly, without a network. */
import type { Asked, DialogueAnswer, Reply } from "../../../source/engine/protocol.ts";
import { bareSpec } from "../../bare-spec.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Json, Message, RunSpec, Score, Task } from "../../../source/engine/types.ts";

export const spec = bareSpec("planningarena", { trial: 0 });

/** The answer of one dialogue. `planner` can replace the perfect one. */
export function runDialogue<T extends Task>(
  loaded: LoadedSuite<T>,
  task: T,
  planner: (asked: Asked) => Reply | undefined = () => undefined,
  options: RunSpec["options"] = {},
): DialogueAnswer {
  const own = { ...spec, options };
  const dialogue = loaded.asks.dialogue!(task, own);
  const plans: Message[] = [...dialogue.opening];
  const responses: Message[] = [...dialogue.responderOpening];
  const records: Json[] = [];
  let announced = 0;
  for (let round = 1; ; round++) {
    const asked = { role: "model", stage: "plan", messages: plans, tools: [], spec: own } as const;
    const plan = (planner(asked) ?? loaded.oracle!(task, asked)).text;
    const read = dialogue.readPlanner(plan);
    if (read === undefined) {
      const unread = { role: "planner", content: plan } as const;
      return { end: "planner-unparsable", dialogue: records, unread };
    }
    if (round === 1) announced = read.totalSteps;
    responses.push(dialogue.askResponder(round, plan));
    const reply = loaded.oracle!(task, { ...asked, role: "responder", stage: "respond", messages: responses }).text;
    const { record, stepNumber } = dialogue.readResponder(plan, reply)!;
    records.push(record);
    if (stepNumber === announced) return { end: "complete", dialogue: records };
    if (round >= Math.min(announced, dialogue.maxRounds)) return { end: "step-limit", dialogue: records };
    responses.push({ role: "assistant", content: reply });
    plans.push({ role: "assistant", content: plan }, dialogue.askPlanner(round, reply));
  }
}

export function scoreDialogue<T extends Task>(
  loaded: LoadedSuite<T>,
  task: T,
  answer: DialogueAnswer,
  more = {},
): Promise<Score> {
  const outcome = { answer: answer, steps: [], failure: undefined };
  return loaded.score(task, outcome, { spec, signal: new AbortController().signal, ...more });
}
