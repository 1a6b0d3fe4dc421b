/** Describes tools in a prompt, for a server that does not accept tools. */
import type { Message, ToolSpec } from "../types.ts";
import { parseJson } from "./json-record.ts";

const heading = "You can call these functions, one JSON object a line:";
const rule = `To call one, write nothing but
<tool_call>
{"name": "NAME", "arguments": {...}}
</tool_call>
and wait for its result, which is given to you as <tool_response>.`;

/** Returns the description of the tools, which begins a system message. */
export function describeTools(tools: readonly ToolSpec[]): string {
  const listed = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return `${heading}\n${listed.join("\n")}\n\n${rule}`;
}

/**
 * Returns the tools that the first message describes, and the text after them; undefined if it describes no tools in this form.
 */
export function describedTools([first]: readonly Message[]): { tools: readonly ToolSpec[]; rest: string } | undefined {
  const ruled = first?.content.indexOf(`\n\n${rule}`) ?? -1;
  if (first?.role !== "system" || !first.content.startsWith(`${heading}\n`) || ruled === -1) return undefined;
  const listed = first.content.slice(heading.length + 1, ruled).split("\n");
  const read = listed.map((line) => parseJson(line) as ToolSpec | undefined);
  const tools = read.filter((tool) => typeof tool?.name === "string") as readonly ToolSpec[];
  return tools.length < read.length
    ? undefined
    : { tools, rest: first.content.slice(ruled + 2 + rule.length).replace(/^\n\n/, "") };
}
