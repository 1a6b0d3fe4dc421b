/**
 * Presents a hub as an environment: every API is a function that takes a call. Calls are checked by matching, never
 * run.
 */
import { prompted } from "../../../source/engine/settings/prompt-template.ts";
import type { Environment, Toolkit } from "../../../source/engine/protocol.ts";
import { field, isRecord, parseJson } from "../../../source/engine/text/json-record.ts";
import type { RunSpec, ToolCall, ToolResult, ToolSpec } from "../../../source/engine/types.ts";
import type { HubApi, HubData } from "../data/catalogue.ts";
import { isStrictly, matchCall, type FindNodes } from "../score/extraction.ts";
import { functionMessages, idling } from "./prompts.ts";

/** Maximum length of a description, in characters. */
export const longest = 300;
export const maxDepth = 12;

export const finishTool: ToolSpec = {
  name: "Finish",
  description: "Ends with the API call that serves the request; without `api_call` it gives up.",
  parameters: {
    type: "object",
    properties: {
      api_call: { type: "string", description: "The one call that loads the model asked for" },
      domain: { type: "string", description: "Its domain" },
    },
  },
};

/** Builds the function name of an API from its catalogue index and the first 40 characters of its own name. */
export function toolName(api: HubApi): string {
  const slug = api.api_name.replace(/[^A-Za-z0-9]+/g, "_").slice(0, 40);
  return `api_${api.index}_${slug}`;
}

/** Finds the API behind a function name; returns undefined for an unknown name. */
export function apiNamed({ apis }: Pick<HubData, "apis">, name: string): HubApi | undefined {
  const api = apis[Number(/^api_(\d{1,9})_/.exec(name)?.[1])];
  return api !== undefined && toolName(api) === name ? api : undefined;
}

export function toolOf(api: HubApi): ToolSpec {
  const description = `${api.domain}. ${api.functionality}. ${api.description}`.slice(0, longest);
  return {
    name: toolName(api),
    description: `${description} Call: ${api.api_call.slice(0, longest)}`,
    parameters: {
      type: "object",
      properties: { api_call: { type: "string", description: "The whole call, as the document shows it" } },
      required: ["api_call"],
    },
  };
}

export type Offer = {
  readonly question: string;
  /** APIs offered to the model as functions. */
  readonly apis: readonly HubApi[];
  /** Toolkits whose APIs can be called as well. */
  readonly toolkits?: readonly Toolkit[];
};

export function environmentOf(
  offer: Offer,
  data: HubData,
  findNodes: FindNodes,
  spec: Pick<RunSpec, "prompts">,
): Environment {
  const grouped = offer.toolkits?.flatMap(({ tools }) => tools.map(({ name }) => name)) ?? [];
  const callable = new Set([...offer.apis.map(toolName), ...grouped]);
  let trouble: string | undefined;
  return {
    tools: [...offer.apis.map(toolOf), finishTool],
    ...(offer.toolkits === undefined ? {} : { toolkits: offer.toolkits }),
    finish: {
      tool: finishTool,
      answer: (text) => ending({ api_call: text }),
      giveUp: () => ending({}),
    },
    maxDepth,
    idle: prompted(spec, idling, {}),
    opening: (lessons) => functionMessages(spec, offer.question, data.hub, lessons),
    complaint: () => trouble,
    async call({ name, text }): Promise<ToolResult> {
      if (name === finishTool.name) return finished(text);
      const result = await execute(callable.has(name) ? apiNamed(data, name) : undefined, text, data, findNodes);
      trouble = result.ok ? undefined : `The last call, ${name}, failed: ${result.observation}`;
      return result;
    },
  };
}

const ending = (value: { readonly [name: string]: string }): ToolCall => ({
  id: "finish",
  name: finishTool.name,
  text: JSON.stringify(value),
  arguments: value,
});

/** Builds the answer in the layout the scorer reads, with the call in the field `api_call`. */
function finished(text: string): ToolResult {
  const value = parseJson(text.trim() === "" ? "{}" : text);
  if (!isRecord(value)) return problem("Finish takes a JSON object", 2);
  const call = field(value, "api_call");
  if (typeof call !== "string" || call.trim() === "")
    return { ok: true, observation: "gave up", status: 4, end: { reason: "gave up", answer: undefined } };
  const domain = field(value, "domain");
  const answer = `${typeof domain === "string" ? `<<<domain>>>: ${domain}, ` : ""}<<<api_call>>>: ${call}`;
  return { ok: true, observation: "answered", status: 3, end: { reason: "answered", answer } };
}

async function execute(
  api: HubApi | undefined,
  text: string,
  data: HubData,
  findNodes: FindNodes,
): Promise<ToolResult> {
  if (api === undefined) return problem("No such function", 1);
  const call = field(parseJson(text), "api_call");
  if (typeof call !== "string") return problem("Missing required parameter 'api_call'", 0);
  const nodes = await findNodes(call);
  if (isStrictly(nodes, data.keys[api.index])) {
    const { api_name: name, domain, functionality, api_call } = api;
    const response = { api_name: name, domain, functionality, api_call };
    return { ok: true, observation: JSON.stringify({ error: "", response }), status: 0, value: response };
  }
  const other = matchCall(nodes, data.keys);
  return other < 0
    ? problem("No such API in this hub: the call does not exist", 1)
    : problem(`Invalid call: not the one of this document, which is ${api.api_call.slice(0, longest)}`, 0);
}

const problem = (error: string, status: number): ToolResult => ({
  ok: false,
  observation: JSON.stringify({ error, response: "" }),
  status,
});
