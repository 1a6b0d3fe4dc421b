/** Scores the calls of a task, and says what is wrong with them. */
import { type ErrorKind, type Json, meanMeasure, type Score } from "planwright";
import { type Refusal, refusalOf, type Turns } from "./check.ts";
import type { TurnsAnswer } from "./strategy.ts";
import type { TurnsTask } from "./tasks.ts";

export const turnMeasures = [
  meanMeasure("right", { name: "official.accuracy", title: "Accuracy", mode: "official", note: "Mean over tasks" }),
];

export const turnErrorKinds: readonly ErrorKind[] = [
  { name: "step-limit", title: "Too many steps in a turn" },
  { name: "empty-turn", title: "No call in a turn that wants one" },
  { name: "state", title: "Another state of a system" },
  { name: "results", title: "A result is missing" },
];

/** Reads an answer of the strategy; undefined if there is none. */
export function answerOf(answer: Json | undefined): TurnsAnswer | undefined {
  const { turns } = (answer ?? {}) as { readonly turns?: unknown };
  return Array.isArray(turns) ? (answer as unknown as TurnsAnswer) : undefined;
}

export type Wrong = Pick<Refusal, "turn"> & { readonly kind: Refusal["kind"] | "step-limit"; readonly message: string };

/** Returns what is wrong with the calls of a task; undefined if they are right. */
export function wrongIn({ input, answer }: TurnsTask, turns: Turns): Wrong | undefined {
  if (turns.length !== answer.length)
    return { kind: "step-limit", turn: turns.length - 1, message: `Ended in turn ${turns.length} of ${answer.length}` };
  const refusal = refusalOf(input.world, turns, answer);
  return refusal && { kind: refusal.kind, turn: refusal.turn, message: messageOf(refusal) };
}

function messageOf({ kind, turn, system, attributes = [], missing = [] }: Refusal): string {
  const where = `turn ${turn + 1}`;
  if (kind === "empty-turn") return `No call in ${where}`;
  if (kind === "state") return `After ${where}, ${system} has another ${attributes.join(", ")}`;
  return `Up to ${where}, no call had the result ${missing.map((each) => each.slice(0, 200)).join("; ")}`;
}

export function scoreTurns(task: TurnsTask, answer: Json | undefined): Score {
  const wrong = wrongIn(task, answerOf(answer)?.turns ?? task.answer.map(() => []));
  const right = wrong === undefined ? 1 : 0;
  return {
    value: right,
    metrics: { right },
    checks: [],
    errors: wrong === undefined ? [] : [{ kind: wrong.kind, step: wrong.turn, got: wrong.message }],
  };
}
