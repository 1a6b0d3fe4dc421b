/** Executes a task as a conversation: sends requests to both sides, and lets calls change its world. */
import type { Conversation, ConversationSide } from "../../../source/engine/protocol.ts";
import type { ToolCall, ToolSpec } from "../../../source/engine/types.ts";
import { type Fields, parseValue, pythonJson } from "../environment/value.ts";
import { respond, type Side, type World } from "../environment/world.ts";
import { greeting } from "../score/evaluate.ts";

/** The prompt of a side, and its tools. */
export type Told = { readonly prompt: string; readonly tools: readonly ToolSpec[] };

export type Rules = Pick<Conversation, "limits" | "separate">;

const stopWords = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];
/** Sides by their roles. */
export const sides: Readonly<Record<ConversationSide, Side>> = { model: "assistant", user: "user" };

/** Returns a conversation; its calls change the world. */
export function conversationIn(
  world: World,
  told: Readonly<Record<ConversationSide, Told>>,
  rules: Rules,
): Conversation {
  const sideOf = ({ prompt, tools }: Told) => ({ opening: [{ role: "system", content: prompt }] as const, tools });
  return {
    sides: { model: sideOf(told.model), user: sideOf(told.user) },
    greeting,
    async call(by, call) {
      const { text, failed } = respond(world, sides[by], call.name, argumentsOf(call));
      return { ok: !failed, observation: text, status: failed ? "error" : "ok" };
    },
    sees: (by) => (by === "user" ? world.screen?.() : undefined),
    written: (call) => pythonJson(argumentsOf(call)),
    // The agent cannot stop: a stop word of its own does nothing.
    ends: (by, text) => (by === "user" && stopWords.some((word) => text.includes(word)) ? "user_stop" : undefined),
    ...rules,
  };
}

/** Returns arguments in which 2.0 differs from 2, which only their text distinguishes. */
export function argumentsOf({ text }: Pick<ToolCall, "text">): Fields {
  return parseValue(text) as Fields;
}
