/**
 * The sole-planning environment of ReAct and Reflexion: cost enquiries about single days, and submission
 * (`tools/planner/env.py`). It differs from the evaluator: names must be equal, unreadable names cost nothing, flights are
 * identified only by number.
 */
import type { Environment } from "../../../source/engine/protocol.ts";
import type { Json, RunSpec, ToolResult } from "../../../source/engine/types.ts";
import { parseAction } from "./action.ts";
import { readLiteral } from "../data/literal.ts";
import { MEALS } from "../score/plan.ts";
import { costAgentPrompt, lessonPrompt } from "./prompts.ts";
import { type Sandbox, drivingCost, CARS } from "../data/sandbox.ts";
import { fromTo, nameCity } from "../score/text.ts";
import { SOLE_TOOL_SPECS } from "./tool-specs.ts";

const UNPARSED = "The sub plan can not be parsed into json format, please check.";
const NO_FLIGHT = "The filght information is not valid";
const NO_TRANSPORT = "The transporation information is not valid, please check.";
const NO_CITIES = `${NO_TRANSPORT} You have to make sure there are two cities (from A to B) in your transportation plan.`;
const STUCK_AFTER = 3;

/** Maximum prompt of an agent that only plans, in tokens (the published agents' limit). */
export const MAX_COST_TOKENS = 14_000;

/**
 * Runs one episode. With `reflects`, as in Reflexion's environment, flights without a route are rejected, and the environment
 * reports when the episode makes no progress.
 */
export function costSession(
  sandbox: Sandbox,
  information: string,
  query: string,
  reflects: boolean,
  spec: Pick<RunSpec, "prompts" | "options"> = { options: {} },
): Environment {
  let refusals = 0;
  const enquire = (argument: string): ToolResult => {
    const day = readLiteral(argument);
    if (day === undefined) return refused(UNPARSED);
    if (typeof day !== "object" || day === null || Array.isArray(day)) {
      return refused(`${UNPARSED} Only one day plan is supported.`);
    }
    const cost = enquiredCost(sandbox, new Map(Object.entries(day)), reflects);
    if (cost === undefined) return refused(UNPARSED);
    if (typeof cost === "string") {
      refusals = 0;
      return { ok: true, observation: `Cost: The cost of your plan is ${cost} dollars.`, status: "Successful" };
    }
    refusals += 1;
    const reasons = cost.map((reason, index) => `${index + 1}. ${reason} \t`).join("");
    const observation = `Cost: Sorry, the cost of your plan is not available because of the following reasons:${reasons}`;
    return { ok: false, observation, status: "cost not available" };
  };
  return {
    tools: SOLE_TOOL_SPECS,
    async call({ name, arguments: given }) {
      const argument = String(given);
      if (name === "CostEnquiry") return enquire(argument);
      if (name !== "Finish") return refused(`Action ${name === "" ? "None" : name} is not supported.`, "invalidAction");
      const end = { reason: "finished", answer: argument };
      return { ok: true, observation: "The plan is finished.", status: "Successful", end };
    },
    ...(reflects ? { stuck: () => refusals >= STUCK_AFTER } : {}),
    dialect: {
      messages: (part, step, scratchpad, lessons) =>
        costAgentPrompt(information, query, lessons, { part, step, scratchpad }, spec),
      parse: parseAction,
      maxSteps: 30,
      maxPromptTokens: MAX_COST_TOKENS,
      maxTokens: 1024,
      stop: ["\nAction", "\nThought", "\nObservation"],
      reflect: (scratchpad) => lessonPrompt(information, query, scratchpad, spec),
    },
  };
}

const refused = (observation: string, status = "Illegal args"): ToolResult => ({ ok: false, observation, status });

/**
 * Returns the cost of one day as Python writes the number, or the reasons why it is unknown. Returns undefined if the
 * published code fails (no number of people, or values that are not texts).
 */
function enquiredCost(
  sandbox: Sandbox,
  day: ReadonlyMap<string, Json>,
  reflects: boolean,
): string | readonly string[] | undefined {
  const people = day.get("people_number");
  if (typeof people !== "number" || !Number.isFinite(people)) return undefined;
  const fields = [...MEALS, "transportation", "accommodation", "current_city"].map((field) => day.get(field) ?? null);
  if (fields.some((value) => value !== null && typeof value !== "string")) return undefined;
  const filled = (field: string) => {
    const text = day.get(field);
    return typeof text !== "string" || text === "" || text === "-" ? undefined : text;
  };
  const reasons: string[] = [];
  let sum = 0;
  const transport = filled("transportation");
  if (transport !== undefined) {
    const cost = transportCost(sandbox, transport, filled("current_city") ?? "", people, reflects);
    if (typeof cost === "string") reasons.push(cost);
    else sum += cost;
  }
  for (const meal of MEALS) {
    const place = placeOf(filled(meal));
    if (place === undefined) continue;
    const row = sandbox.restaurantsIn(place.city).find(({ name }) => name === place.name);
    // The published code misspells breakfast.
    if (row === undefined)
      reasons.push(`The ${meal === "breakfast" ? "breakfase" : meal} information is not valid, please check.`);
    else sum += row.cost * people;
  }
  const place = placeOf(filled("accommodation"));
  const room = place && sandbox.lodgingsIn(place.city).find(({ name }) => name === place.name);
  if (room !== undefined) sum += room.price * Math.ceil(people / room.occupancy);
  else if (place !== undefined) reasons.push("The accommodation information is not valid, please check.");
  if (reasons.length > 0) return reasons;
  // Lodging prices are floats in Python, all others integers.
  return room !== undefined && Number.isInteger(sum) ? `${sum}.0` : String(sum);
}

function placeOf(text: string | undefined): { name: string; city: string } | undefined {
  const place = nameCity(text ?? "");
  return place.name === "-" || place.city === "-" ? undefined : place;
}

/** Returns the dollars for all people, or why they are unknown. */
function transportCost(
  sandbox: Sandbox,
  text: string,
  current: string,
  people: number,
  reflects: boolean,
): number | string {
  const route = fromTo(text) ?? fromTo(current);
  if (reflects && route === undefined) return NO_TRANSPORT;
  const lower = text.toLowerCase();
  if (lower.includes("flight number")) {
    const number = text.split("Flight Number: ")[1]?.split(",")[0];
    const flight = number === undefined ? undefined : sandbox.flightNumbered(number);
    return flight === undefined ? NO_FLIGHT : flight.price * people;
  }
  for (const [mode, seats] of CARS) {
    if (!lower.includes(mode)) continue;
    if (route === undefined) return NO_CITIES;
    const cost = drivingCost(sandbox, route.from, route.to, mode);
    return cost === undefined ? NO_TRANSPORT : cost * Math.ceil(people / seats);
  }
  return 0;
}
