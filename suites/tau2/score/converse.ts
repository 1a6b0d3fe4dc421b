/** The official order of turns: who is asked next, and what ends a conversation. */
import { strip } from "../../../source/engine/python/text.ts";
import { pythonJson } from "../environment/value.ts";
import { respond, type Side, type ToolResult, type World } from "../environment/world.ts";
import { type Call, greeting, type Turn } from "./evaluate.ts";

export type Said = { readonly text?: string | null; readonly calls?: readonly Call[] };

/** A message as it is sent to a model's server. */
export type Sent =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls: readonly SentCall[] | null;
    };
type SentCall = {
  readonly id: string;
  readonly name: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type Limits = { readonly steps: number; readonly errors: number; readonly validate: boolean };

/** A message of the whole conversation, in order. */
export type Message =
  | { readonly by: Side; readonly text: string | null; readonly calls: readonly Call[] }
  | { readonly to: Side; readonly id: string; readonly result: ToolResult };

export type Conversation = {
  /** Why it ended; undefined if a reply without text and calls broke it off. */
  readonly end: string | undefined;
  readonly steps: number;
  readonly errors: number;
  readonly messages: readonly Message[];
};

const stopWords = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];

/** Plays a conversation in a world. `ask` returns a side's next reply to what that side has seen. */
export function converse(world: World, limits: Limits, ask: (side: Side, seen: readonly Sent[]) => Said): Conversation {
  const seen: Record<Side, Sent[]> = {
    assistant: [{ role: "assistant", content: greeting, tool_calls: null }],
    user: [{ role: "user", content: greeting }],
  };
  const messages: Message[] = [{ by: "assistant", text: greeting, calls: [] }];
  let [steps, errors, asked] = [0, 0, 0];
  let side: Side = "user";
  let end: string | undefined;
  while (end === undefined) {
    const { text = null, calls = [] } = ask(side, seen[side]);
    const isEmpty = text === null || strip(text) === "";
    if (isEmpty && calls.length === 0) return { end: undefined, steps, errors, messages };
    steps += 1;
    messages.push({ by: side, text, calls });
    const sent = calls.map((call, index) => sentCall(call, asked + index));
    asked += calls.length;
    seen[side].push({ role: "assistant", content: text, tool_calls: sent.length === 0 ? null : sent });
    if (calls.length > 0) {
      if (limits.validate && !isEmpty) {
        end = side === "user" ? "user_error" : "agent_error";
        break;
      }
      for (const [index, { name, args }] of calls.entries()) {
        const result = respond(world, side, name, args);
        if (result.failed) errors += 1;
        messages.push({ to: side, id: sent[index]!.id, result });
        seen[side].push({ role: "tool", content: result.text, tool_call_id: sent[index]!.id });
      }
      steps += 1;
    } else {
      if (side === "user" && stopWords.some((word) => text!.includes(word))) end = "user_stop";
      side = side === "user" ? "assistant" : "user";
      seen[side].push({ role: "user", content: text! });
    }
    // A limit overrides a stop.
    if (steps >= limits.steps) end = "max_steps";
    if (errors >= limits.errors) end = "too_many_errors";
  }
  return { end, steps, errors, messages };
}

const sentCall = ({ name, args }: Call, number: number): SentCall => ({
  id: `call_${number}`,
  name,
  type: "function",
  function: { name, arguments: pythonJson(args) },
});

/** Returns the turns of a conversation, which are scored. */
export function turnsOf({ messages }: Conversation): readonly Turn[] {
  return messages.flatMap((message) =>
    "by" in message ? [{ by: message.by, text: message.text, calls: message.calls }] : [],
  );
}
