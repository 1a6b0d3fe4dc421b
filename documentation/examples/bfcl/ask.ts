/** How a task is put to a model, and how its reply is read: calls as JSON, which is one of BFCL's formats (`ret_fmt=json`). */
import type { Message, Stage } from "planwright";
import type { Call } from "./checker.ts";
import type { FunctionTask } from "./tasks.ts";
import { isList, isRecord, parsed, type Value, written } from "./value.ts";

const form = '[{"function": "NAME", "parameters": {"ARGUMENT": VALUE}}]';
const hints = {
  python: "",
  java: " Write each value as a string that holds a Java literal; of a String or a variable, the bare text.",
  javascript:
    " Write each value as a string that holds a JavaScript literal; of a String or a variable, the bare text.",
};
const instruction = `You answer requests by calling functions. Reply with the calls as JSON and nothing else: ${form}. Where no function fits, or a required argument is not given, reply with [].`;

export function stageOf({ input: { messages, functions, category } }: FunctionTask): Stage {
  return {
    name: "calls",
    messages: (_, reasoning): readonly Message[] => {
      const steps = reasoning === "steps" ? "\n\nThink step by step first; then write the JSON behind `Answer:`." : "";
      const content = `${instruction}${hints[category.language]}\n\nFunctions:\n${JSON.stringify(functions)}${steps}`;
      return [{ role: "system", content }, ...messages];
    },
    answer: (reply) => (reply.split("Answer:").at(-1) ?? "").trim(),
  };
}

/** The calls in a reply, from its first bracket to its last; undefined where it is no list of calls. */
export function readCalls(reply: string): readonly Call[] | undefined {
  const [from, to] = [reply.indexOf("["), reply.lastIndexOf("]")];
  if (from === -1 || to < from) return undefined;
  let value: Value;
  try {
    value = parsed(reply.slice(from, to + 1));
  } catch {
    return undefined;
  }
  const calls = isList(value) ? value.map(callOf) : [];
  const known = calls.filter((call) => call !== undefined);
  return isList(value) && known.length === calls.length ? known : undefined;
}

function callOf(value: Value): Call | undefined {
  if (!isRecord(value)) return undefined;
  const { function: name, parameters } = value;
  return typeof name === "string" && isRecord(parameters) ? { [name]: parameters } : undefined;
}

/** The reply that says these calls. */
export function replyOf(calls: readonly Call[]): string {
  const each = calls.flatMap((call) =>
    Object.entries(call).map(([name, given]) => written({ function: name, parameters: given })),
  );
  return `[${each.join(", ")}]`;
}
