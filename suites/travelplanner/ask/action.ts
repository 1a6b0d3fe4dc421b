/** Actions as agents write them, `Name[arguments]`, and the same tools for agents that call functions. */
import type { ToolCall, Json, Message, ToolSpec } from "../../../source/engine/types.ts";
import type { Environment } from "../../../source/engine/protocol.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";

/**
 * Parses one action: a name, `[`, at least one character, `]`, all on one line. An unreadable action has an empty name.
 * `text` is the action as written, `arguments` the text in the brackets.
 */
export function parseAction(action: string): ToolCall {
  const open = action.indexOf("[");
  const name = action.slice(0, Math.max(open, 0));
  const end = action.endsWith("\n") ? action.length - 1 : action.length;
  const isAction = /^[\p{L}\p{N}_]+$/u.test(name) && action[end - 1] === "]" && end - 1 > open + 1;
  const inside = action.slice(open + 1, end - 1);
  if (!isAction || inside.includes("\n")) return { id: "", name: "", text: action, arguments: undefined };
  return { id: "", name, text: action, arguments: inside };
}

/**
 * Adapts an environment to function calls: it starts with `opening`, and named arguments become the bracketed text of
 * an action.
 */
export function byFunctions(environment: Environment, opening: readonly Message[]): Environment {
  const { tools } = environment;
  const written = (call: ToolCall) => asAction(call, tools);
  const handsIn = tools.find(({ name }) => name === "Finish");
  return {
    tools,
    opening: () => opening,
    consult: (call) => environment.consult?.(written(call)),
    call: (call, signal, reply) => environment.call(written(call), signal, reply),
    ...(handsIn && { finish: finishing(handsIn) }),
  };
}

function asAction(call: ToolCall, tools: readonly ToolSpec[]): ToolCall {
  const properties = field(tools.find(({ name }) => name === call.name)?.parameters, "properties");
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const given = names.map((name) => field(call.arguments, name)).filter((value) => value !== undefined);
  const inside = given.map(textOf).join(", ");
  return { ...call, text: `${call.name}[${inside}]`, arguments: inside };
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function finishing(tool: ToolSpec): NonNullable<Environment["finish"]> {
  const call = (plan: string): ToolCall => {
    const given = { plan };
    return { id: "finish", name: tool.name, text: JSON.stringify(given), arguments: given };
  };
  return { tool, answer: call, giveUp: () => call("") };
}
