/**
 * The two-stage environment: six searches, a notebook, a planner, and the rules that stop a run early, as in the
 * published tool agent (`agents/tool_agents.py`).
 */
import type { Environment } from "../../../source/engine/protocol.ts";
import { tokensIn } from "../../../source/engine/strategies/episode.ts";
import type { ToolCall, ToolResult, Json, RunSpec } from "../../../source/engine/types.ts";
import { parseAction } from "./action.ts";
import { plannerPrompt, toolAgentPrompt } from "./prompts.ts";
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";
import type { Sandbox } from "../data/sandbox.ts";
import { OVERFLOW, REPEATED, TOOL_SPECS } from "./tool-specs.ts";
import * as search from "./searches.ts";

export const MAX_STEPS = 30;
export const MAX_PROMPT_TOKENS = 30_000;
const MAX_PLANNER_TOKENS = 12_000;
const MAX_FAILURES = 3;
const MASK = "Masked due to limited length. Make sure the data has been written in Notebook.";
const INVALID =
  "Invalid Action. Valid Actions are  FlightSearch[Departure City, Destination City, Date] / AccommodationSearch[City] /  RestaurantSearch[City] / NotebookWrite[Short Description] / AttractionSearch[City] / CitySearch[State] / GoogleDistanceMatrix[Origin, Destination, Mode] and Planner[Query].";
const NO_ACTION =
  "No feedback from the environment due to the null action. Please make sure your action does not start with [Thought, Action, Observation].";

/**
 * The failure counter checked for each tool. AccommodationSearch never stops a run: its check reads the counter of
 * invalid actions.
 */
const COUNTERS: Readonly<Record<string, string>> = {
  FlightSearch: "flights",
  AttractionSearch: "attractions",
  AccommodationSearch: "invalidAction",
  RestaurantSearch: "restaurants",
  CitySearch: "cities",
  GoogleDistanceMatrix: "googleDistanceMatrix",
  NotebookWrite: "notebook",
};

type Found = { readonly observation: string; readonly status?: string; readonly data?: string };
type ToolSession = Environment & { readonly notebook: Notebook };

/** Data of an episode that affect later observations. */
type Memory = {
  readonly notebook: Notebook;
  /** The last search result, which the notebook takes. */
  current: string | undefined;
  /** Text to mask in the scratchpad before the next observation. */
  masked: string | undefined;
};

type Tools = Readonly<Record<string, (argument: string) => Found | undefined>>;

/** Returns the searches and the notebook by name; they return undefined for unreadable arguments. */
function toolsOf(sandbox: Sandbox, memory: Memory): Tools {
  const known = new Set(sandbox.accepted);
  const city = (name: string): Found | undefined =>
    known.has(name)
      ? undefined
      : {
          observation: `${name} is not valid city in ${pythonReprOfJson(sandbox.accepted)}.`,
          status: "Illegal args. City Error",
        };
  const found = (data: string, strips: boolean): Found => ({ observation: strips ? data.trim() : data, data });

  return {
    FlightSearch(argument) {
      const [origin, destination, date] = argument.split(", ");
      if (date === undefined) return undefined;
      // Python's `\d` matches digits of any script.
      if (!/^\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}$/u.test(date)) {
        return { observation: `'${date}' is not in the format YYYY-MM-DD`, status: "Illegal args. DateError" };
      }
      const wrong = city(origin!) ?? city(destination!);
      return wrong ?? found(search.searchFlights(sandbox, origin!, destination!, date), false);
    },
    AttractionSearch: (argument) => city(argument) ?? found(search.searchAttractions(sandbox, argument), true),
    AccommodationSearch: (argument) => city(argument) ?? found(search.searchLodgings(sandbox, argument), true),
    RestaurantSearch: (argument) => city(argument) ?? found(search.searchRestaurants(sandbox, argument), true),
    CitySearch: (argument) => ({ observation: search.searchCities(sandbox, argument) }),
    GoogleDistanceMatrix(argument) {
      // Masked before the arguments are read, so also for wrong ones.
      memory.masked = memory.current ?? "None";
      const [origin, destination, mode] = argument.split(", ");
      return mode === undefined ? undefined : found(search.searchDistance(sandbox, origin!, destination!, mode), false);
    },
    NotebookWrite: (argument) => ({ observation: memory.notebook.write(memory.current, argument) }),
  };
}

type Asking = Pick<RunSpec, "prompts" | "options">;

/** Runs one episode of the two-stage mode for the request `query`. */
export function toolSession(sandbox: Sandbox, query: string, spec: Asking = { options: {} }): ToolSession {
  const notebook = new Notebook();
  const memory: Memory = { notebook, current: undefined, masked: undefined };
  const tools = toolsOf(sandbox, memory);
  const failures = new Map<string, number>();
  let lastAction: string | undefined;
  let repeats = 0;

  const fail = (counter: string, observation: string, status: string): ToolResult => {
    failures.set(counter, (failures.get(counter) ?? 0) + 1);
    return { ok: false, observation, status };
  };
  const repeatsNow = (action: string) => (action === lastAction ? repeats + 1 : 1);

  const consult = (call: ToolCall) => {
    if (call.name !== "Planner" || repeatsNow(call.text) === 3) return undefined;
    const messages = plannerPrompt(notebook.written(), String(call.arguments), spec);
    const tooLong = tokensIn(messages) > MAX_PLANNER_TOKENS;
    return tooLong ? undefined : { role: "model" as const, stage: "planner", messages, maxTokens: 4096 };
  };

  return {
    notebook,
    tools: TOOL_SPECS,
    consult,
    async call(call, _signal, reply) {
      memory.masked = undefined;
      repeats = repeatsNow(call.text);
      lastAction = call.text;
      if (repeats === 3) return stop(REPEATED);
      if (call.text === "") return { ok: false, observation: NO_ACTION, status: "" };
      if (call.name === "Planner") {
        failures.clear();
        return planned(reply);
      }
      const run = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
      const watched = run === undefined ? "invalidAction" : COUNTERS[call.name]!;
      if ((failures.get(watched) ?? 0) >= MAX_FAILURES)
        return stop(`${watched} early stop due to ${MAX_FAILURES} max retries.`);
      if (run === undefined) return fail("invalidAction", INVALID, "invalidAction");
      const counter = call.name === "AccommodationSearch" ? "accommodations" : watched;
      const result = run(String(call.arguments));
      if (result === undefined) return fail(counter, refusal(call.name), "Illegal args. Other Error");
      if (result.status !== undefined) return fail(counter, result.observation, result.status);
      memory.masked = memory.current ?? "None";
      memory.current = result.data ?? memory.current;
      failures.clear();
      return { ok: true, observation: result.observation, status: "Successful" };
    },
    dialect: {
      messages: (part, step, scratchpad) => toolAgentPrompt(query, { part, step, scratchpad }, spec),
      parse: parseAction,
      revise: (scratchpad) =>
        memory.masked === undefined ? scratchpad : scratchpad.replaceAll(memory.masked.trim(), MASK),
      maxSteps: MAX_STEPS,
      maxPromptTokens: MAX_PROMPT_TOKENS,
      maxTokens: 256,
    },
  };
}

function stop(status: string): ToolResult {
  const end = { reason: status, answer: undefined };
  return { ok: false, observation: `The run was stopped: ${status}`, status, end };
}

/** Ends the run with the planner's reply; a prompt that was too long got none. */
function planned(reply: string | undefined): ToolResult {
  const observation = reply ?? "Max Token Length Exceeded.";
  const ok = reply !== undefined;
  const end = { reason: ok ? "planned" : OVERFLOW, answer: reply };
  return { ok, observation, status: ok ? "Successful" : OVERFLOW, value: observation, end };
}

function refusal(tool: string): string {
  const names: Readonly<Record<string, string>> = {
    FlightSearch: "Flight Search",
    GoogleDistanceMatrix: "GoogleDistanceMatrix",
  };
  return `Illegal ${names[tool] ?? tool}. Please try again.`;
}

type Entry = { readonly description: string; readonly content: string | undefined };

/**
 * The agent's notebook, the only information that reaches the planner. Entries are numbered from 0 in the order
 * written; `content` is undefined before the first search.
 */
export class Notebook {
  readonly #entries: Entry[] = [];

  write(content: string | undefined, description: string): string {
    this.#entries.push({ content, description });
    return `The information has been recorded in Notebook, and its index is ${this.#entries.length - 1}.`;
  }

  /** Replaces an entry. Throws a RangeError if the index does not exist. */
  update(content: string | undefined, index: number, description: string): string {
    if (this.#entries[index] === undefined)
      throw new RangeError(`Expected a notebook index below ${this.#entries.length}, got \`${index}\``);
    this.#entries[index] = { content, description };
    return "The information has been updated in Notebook.";
  }

  list(): readonly Json[] {
    return this.#entries.map(({ description }, index) => ({ index, "Short Description": description }));
  }

  listAll(): readonly Json[] {
    return this.#entries.map(({ description, content }, index) => ({
      index,
      "Short Description": description,
      Content: content ?? null,
    }));
  }

  /** Returns the Python `repr` of all entries, for the planner. */
  written(): string {
    return pythonReprOfJson(this.listAll());
  }
}
