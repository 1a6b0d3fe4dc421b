/** The tools for who calls functions, such as an agent of the user's, where the published agents write actions: `Name[arguments]`. */
import type { Environment } from "../../../source/engine/protocol.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json, Message, ToolCall, ToolSpec } from "../../../source/engine/types.ts";

/** The same world, asked by `opening`; arguments by name become the text an action has in its brackets. */
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
