/**
 * StableToolBench's virtual API server, in process: it answers from the cache, then, if the run requests it, from a
 * model that simulates the server. No real API is ever called. Code answers for the sample's own APIs.
 */
import { promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Consultation } from "../../../source/engine/protocol.ts";
import type { Json, RunSpec } from "../../../source/engine/types.ts";
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";
import type { Api } from "../data/records.ts";
import type { ResponseCache } from "../data/response-cache.ts";
import { isReadable, readSimulated, simulateStage } from "./simulated-reply.ts";
import { simulating } from "./templates.ts";
import { callSample, sampleApi, type Response } from "../data/sample-apis/call.ts";

export type Answer = Response & { readonly from: "sample" | "cache" | "nearest" | "simulated" | "none" };

/** Maximum length of the examples shown to the simulator, in characters, and maximum number of examples. */
const longestExamples = 2048;
const mostExamples = 5;

const noCached: Answer = { error: "No cached response", response: "", from: "none" };

export class VirtualServer {
  readonly #cache: ResponseCache | undefined;
  readonly #spec: Pick<RunSpec, "options" | "prompts">;
  readonly #draw: string;
  readonly #calls = new Map<string, number>();

  /** `draw` names run and task and decides when the sample's flaky APIs fail. `cache` is absent for the sample. */
  constructor(cache: ResponseCache | undefined, spec: Pick<RunSpec, "options" | "prompts">, draw: string) {
    this.#cache = cache;
    this.#spec = spec;
    this.#draw = draw;
  }

  /** Returns the request to the simulating model that must precede `answer`; undefined if none is needed or wanted. */
  consult(api: Api, source: string): Consultation | undefined {
    if (this.#spec.options["server"] !== "simulate" || this.#cache === undefined) return undefined;
    if (readInput(source) === undefined || this.#known(api, source) !== undefined) return undefined;
    const messages = simulation(api, source, this.#cache, this.#spec);
    return { role: "responder", stage: simulateStage, messages, readable: isReadable };
  }

  /** Answers a call, given the simulator's reply if `consult` requested one. */
  answer(api: Api, source: string, reply: string | undefined): Answer {
    if (api.api === "chat_with_user") return { error: "", response: "Chat with user.", from: "sample" };
    const input = readInput(source);
    if (input === undefined) return { error: "Tool input parse error...\n", response: "", from: "none" };
    const own = this.#cache === undefined ? sampleApi(api.tool, api.api) : undefined;
    if (own !== undefined) {
      const count = this.#calls.get(api.spec.name) ?? 0;
      this.#calls.set(api.spec.name, count + 1);
      return { ...callSample(own, input, `${this.#draw} ${count}`), from: "sample" };
    }
    const known = this.#known(api, source);
    if (known !== undefined) return known;
    if (reply !== undefined) return { ...readSimulated(reply), from: "simulated" };
    const nearest =
      this.#spec.options["cache.fuzzy"] === "on" ? this.#cache?.nearest(this.#cache.entries(api), source) : undefined;
    return nearest === undefined ? noCached : { error: nearest.error, response: nearest.response, from: "nearest" };
  }

  #known(api: Api, source: string): Answer | undefined {
    const cache = this.#cache;
    const match = this.#spec.options["cache.match"] === "text" ? "text" : "values";
    const found = cache?.find(cache.entries(api), source.trim() === "" ? "{}" : source, match);
    return found === undefined ? undefined : { error: found.error, response: found.response, from: "cache" };
  }
}

/** Parses arguments: empty text means no arguments; returns undefined if the text is not JSON. */
const readInput = (source: string): Json | undefined => (source.trim() === "" ? {} : parseJson(source));

function simulation(
  api: Api,
  call: string,
  cache: ResponseCache,
  spec: Pick<RunSpec, "prompts">,
): Consultation["messages"] {
  const { api_name, tool_name, category_name, api_description } = api.record;
  let examples = cache.entries(api).slice(0, mostExamples);
  const shown = () => examples.map(({ key, response }) => `${key} -> ${pythonReprOfJson(response)}`).join("\n");
  while (examples.length > 1 && shown().length > longestExamples) examples = examples.slice(0, -1);
  return promptMessages(spec, simulating, {
    api: api_name,
    tool: tool_name,
    category: category_name,
    description: api_description,
    examples: shown().slice(0, longestExamples),
    call,
  });
}
