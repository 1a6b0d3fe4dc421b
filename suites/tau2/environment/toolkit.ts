/** Tools of one side: calls are bound to named arguments as Python binds them. */
import { entriesOf, fail, type Fields, refuse, type Value } from "./value.ts";

/** A function of a side: its arguments in order, those with a default, and its implementation. */
export type Tool = {
  readonly takes: readonly string[];
  readonly defaults?: Fields;
  readonly kind: "read" | "write" | "generic";
  readonly run: (values: readonly Value[]) => Value;
};

export type Tools = Readonly<Record<string, Tool>>;

/** Returns a tool that calls `run`. `takes` lists its parameters, separated by blanks. */
export function tool(kind: Tool["kind"], takes: string, run: Tool["run"], defaults: Fields = {}): Tool {
  return { takes: takes === "" ? [] : takes.split(" "), defaults, kind, run };
}

/** Executes a call. Throws `ToolFailure`; `title` is the official name of the toolkit, which Python's messages contain. */
export function execute(tools: Tools, title: string, name: string, given: Fields): Value {
  const found = Object.hasOwn(tools, name) ? tools[name]! : refuse(`Tool '${name}' not found.`);
  const { takes, defaults = {}, run } = found;
  const values = new Map(entriesOf(given));
  const foreign = [...values.keys()].find((key) => !takes.includes(key));
  if (foreign !== undefined) fail(`${title}.${name}() got an unexpected keyword argument '${foreign}'`);
  const missing = takes.filter((each) => !values.has(each) && !Object.hasOwn(defaults, each));
  if (missing.length > 0) fail(`${title}.${name}() ${missingText(missing)}`);
  return run(takes.map((each) => (values.has(each) ? values.get(each)! : defaults[each]!)));
}

function missingText(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const list = quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
  return `missing ${names.length} required positional argument${names.length === 1 ? "" : "s"}: ${list}`;
}
