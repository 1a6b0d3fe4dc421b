/** The environment of one query: its functions, the server that answers them, and `Finish`. */
import { prompted, promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import { pythonText } from "../../../source/engine/text/json-text.ts";
import type { Environment, Toolkit } from "../../../source/engine/protocol.ts";
import type { Json, Message, RunSpec, ToolCall, ToolResult } from "../../../source/engine/types.ts";
import { finish, finishTool } from "./finish.ts";
import { resolveCall } from "./names.ts";
import { described, idling, learnt, opening } from "./templates.ts";
import type { Api } from "../data/records.ts";
import { statusOf } from "../data/response-filter.ts";
import type { Answer, VirtualServer } from "./virtual-server.ts";

/** Maximum length of an observation (the official setting) and of a tool description, in characters. */
export const longestObservation = 1024;
const longestDescription = 512;
/** Nodes in a chain; a thought, an action and its input count one each. */
export const maxDepth = 12;

export type Offer = {
  readonly question: string;
  /** Functions offered to the model. */
  readonly apis: readonly Api[];
  /** All callable APIs: `apis` and those of all toolkits. */
  readonly callable: ReadonlyMap<string, Api>;
  readonly toolkits: readonly Toolkit[] | undefined;
  readonly tools: ReadonlyMap<string, string>;
};

type Spec = Pick<RunSpec, "prompts">;

export function environmentOf(offer: Offer, server: VirtualServer, spec: Spec): Environment {
  const names = offer.apis.map(({ spec }) => spec.name);
  let trouble: string | undefined;
  const apiFor = (name: string): Api | undefined => {
    const index = name === "" ? -1 : resolveCall(names, name);
    return index < 0 ? offer.callable.get(name) : offer.apis[index];
  };
  return {
    tools: [...offer.apis.map(({ spec }) => spec), finishTool],
    ...(offer.toolkits === undefined ? {} : { toolkits: offer.toolkits }),
    finish: {
      tool: finishTool,
      answer: (text) => finishing({ return_type: "give_answer", final_answer: text }),
      giveUp: () => finishing({ return_type: "give_up_and_restart" }),
    },
    maxDepth,
    idle: prompted(spec, idling, {}),
    opening: (lessons) => openingOf(offer, lessons, spec),
    complaint: () => trouble,
    consult({ name, text }) {
      const api = name === finishTool.name ? undefined : apiFor(name);
      return api === undefined ? undefined : server.consult(api, text);
    },
    async call({ name, text }, _signal, reply): Promise<ToolResult> {
      if (name === finishTool.name) return ending(text);
      const api = apiFor(name);
      if (api === undefined) {
        trouble = `${name} is not a function that was offered.`;
        return shown({ error: `No such function name: ${name}`, response: "", from: "none" }, 1);
      }
      const answer = server.answer(api, text, reply);
      const status = answer.from === "none" && answer.error === "No cached response" ? 12 : statusOf(answer.error);
      const result = shown(answer, status);
      trouble = result.ok ? undefined : `The last call, ${name}, failed: ${result.observation}`;
      return result;
    },
  };
}

function finishing(value: { readonly [name: string]: string }): ToolCall {
  return { id: "finish", name: finishTool.name, text: JSON.stringify(value), arguments: value };
}

function ending(text: string): ToolResult {
  const { observation, status, answer } = finish(text);
  if (status === 2) return { ok: false, observation, status };
  return { ok: true, observation, status, end: { reason: status === 3 ? "answered" : "gave up", answer } };
}

/** Converts a response for the model; `ok` only with status 0, no error and a non-empty response. */
function shown({ error, response, from }: Answer, status: number): ToolResult {
  const text = pythonJson({ error, response });
  const characters = [...text];
  const observation =
    characters.length > longestObservation ? `${characters.slice(0, longestObservation).join("")}...` : text;
  const ok = status === 0 && error === "" && !isEmpty(response);
  return { ok, observation, status, value: { response, from } };
}

const isEmpty = (response: Json): boolean => response === "" || response === null;

function openingOf(offer: Offer, lessons: readonly string[], spec: Spec): readonly Message[] {
  const tools = [...new Set(offer.apis.map(({ tool }) => tool))].map((tool, index) => {
    const description = [...(offer.tools.get(tool) ?? "")]
      .slice(0, longestDescription)
      .join("")
      .replaceAll("\n", "")
      .trim();
    return `${index + 1}. ${tool}: ${description === "" ? "None" : description}`;
  });
  return promptMessages(spec, opening, {
    question: offer.question,
    tools: offer.toolkits === undefined ? `\n${prompted(spec, described, { list: tools.join("\n") })}` : "",
    lessons: lessons.map((lesson) => `\n${prompted(spec, learnt, { lesson })}`).join(""),
  });
}

/** Deeper values are truncated, because a simulated server may answer with anything. */
const deepest = 100;

export function pythonJson(value: Json, depth = 0): string {
  if (depth > deepest) return '"..."';
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonJson(item, depth + 1)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${pythonText(key)}: ${pythonJson(item, depth + 1)}`);
    return `{${entries.join(", ")}}`;
  }
  return typeof value === "string" ? pythonText(value) : JSON.stringify(value);
}
