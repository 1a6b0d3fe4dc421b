/** Reads the answer of a conversation as the official program scores it. */
import type { ConversationAnswer, ConversationEnd } from "../../../source/engine/protocol.ts";
import type { Step } from "../../../source/engine/types.ts";
import { argumentsOf, sides } from "../ask/conversation.ts";
import type { Turn } from "./evaluate.ts";

const limits = new Map([
  ["step limit", "max_steps"],
  ["error limit", "too_many_errors"],
]);

/** Returns the turns of a conversation that are scored. */
export function turnsOf({ turns }: ConversationAnswer): readonly Turn[] {
  return turns.map(({ by, text, calls = [] }) => ({
    by: sides[by],
    ...(text !== undefined && { text }),
    calls: calls.map(({ name, arguments: written }) => ({ name, args: argumentsOf({ text: written }) })),
  }));
}

/** Returns the official name of an end. */
export function officialEnd({ by, reason }: ConversationEnd): string {
  if (by === "limit") return limits.get(reason) ?? reason;
  if (reason === "user_stop") return reason;
  return by === "model" ? "agent_error" : "user_error";
}

/** Counts replies, and executions of their calls. */
export function countedSteps(steps: readonly Step[]): number {
  const executed = steps.flatMap((step) => (step.type === "result" ? [step.asked] : []));
  return steps.filter(({ type }) => type === "finish").length + new Set(executed).size;
}
