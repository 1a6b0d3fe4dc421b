/** The five hard checks of the official evaluator (`hard_constraint.py`), and the cost of a plan. */
import { type Verdict, flightNumber } from "./commonsense.ts";
import { type ForeignDay, type Query, MEALS, NotEvaluable } from "./plan.ts";
import { type Lodging, type Sandbox, drivingCost, named, CARS } from "../data/sandbox.ts";
import { fromTo, nameCity } from "./text.ts";

/** Returns undefined if the query does not request it. */
export type HardCheck = (query: Query, days: readonly ForeignDay[], sandbox: Sandbox) => Verdict | undefined;

const KEPT: Verdict = { kept: true };

/** Checks by official name, in the official order. */
export const HARD: Readonly<Record<string, HardCheck>> = {
  valid_cuisine: cuisine,
  valid_room_rule: roomRule,
  valid_transportation: transport,
  valid_room_type: roomType,
  valid_cost: (query, days, sandbox) => ({ kept: totalCost(query, days, sandbox) <= query.budget }),
};

/** Returns the dollars of the whole trip for all people. Raises what the official code raises. */
export function totalCost(query: Query, days: readonly ForeignDay[], sandbox: Sandbox): number {
  let sum = 0;
  for (const day of days) sum += dayCost(query.people_number, day, sandbox).total;
  return sum;
}

/**
 * Returns the dollars of one day for all people. The first table row of each name counts; an unknown name costs
 * nothing.
 */
export function dayCost(people: number, day: ForeignDay, sandbox: Sandbox) {
  const leg = day.filled("transportation", false);
  const transported = leg === undefined ? 0 : legCost(people, leg, day, sandbox);
  let meals = 0;
  for (const meal of MEALS) {
    const text = day.filled(meal, false);
    if (text === undefined) continue;
    const { name, city } = nameCity(text);
    meals += (named(sandbox.restaurantsIn(city), name)?.cost ?? 0) * people;
  }
  const room = lodgingOf(day, sandbox);
  const lodging = room === undefined ? 0 : room.price * Math.ceil(people / room.occupancy);
  return { transport: transported, meals, lodging, total: transported + meals + lodging };
}

function legCost(people: number, text: string, day: ForeignDay, sandbox: Sandbox): number {
  const route = fromTo(text) ?? fromTo(day.text("current_city"));
  if (route === undefined) return 0;
  const lower = text.toLowerCase();
  if (lower.includes("flight number")) return (sandbox.flightNumbered(flightNumber(text))?.price ?? 0) * people;
  for (const [mode, seats] of CARS) {
    if (!lower.includes(mode)) continue;
    const cost = drivingCost(sandbox, route.from, route.to, mode);
    if (cost === undefined)
      throw new NotEvaluable("TypeError", `Expected a known cost of ${mode} on day ${day.number}, found none`);
    return cost * Math.ceil(people / seats);
  }
  return 0;
}

function lodgingOf(day: ForeignDay, sandbox: Sandbox): Lodging | undefined {
  const text = day.filled("accommodation", false);
  if (text === undefined) return undefined;
  const { name, city } = nameCity(text);
  return named(sandbox.lodgingsIn(city), name);
}

/** House rules a request may contain; the official code ignores others. */
const HOUSE_RULES: ReadonlySet<string> = new Set(["smoking", "parties", "children under 10", "visitors", "pets"]);

function roomRule({ local_constraint }: Query, days: readonly ForeignDay[], sandbox: Sandbox): Verdict | undefined {
  const wanted = local_constraint["house rule"];
  if (wanted === null) return undefined;
  if (!HOUSE_RULES.has(wanted)) return KEPT;
  for (const [day, unit] of days.entries()) {
    if (lodgingOf(unit, sandbox)?.rules.includes(`No ${wanted}`) === true)
      return { kept: false, message: `The house rule should be ${wanted}.`, day };
  }
  return KEPT;
}

const ROOM_TYPES: Readonly<Record<string, (type: string) => boolean>> = {
  "not shared room": (type) => type !== "Shared room",
  "shared room": (type) => type === "Shared room",
  "private room": (type) => type === "Private room",
  "entire room": (type) => type === "Entire home/apt",
};

function roomType({ local_constraint }: Query, days: readonly ForeignDay[], sandbox: Sandbox): Verdict | undefined {
  const wanted = local_constraint["room type"];
  if (wanted === null) return undefined;
  const fits = Object.hasOwn(ROOM_TYPES, wanted) ? ROOM_TYPES[wanted]! : () => true;
  for (const [day, unit] of days.entries()) {
    const room = lodgingOf(unit, sandbox);
    if (room !== undefined && !fits(room.type))
      return { kept: false, message: `The room type should be ${wanted}.`, day };
  }
  return KEPT;
}

function transport({ local_constraint }: Query, days: readonly ForeignDay[]): Verdict | undefined {
  const wanted = local_constraint.transportation;
  if (wanted === null) return undefined;
  const banned = wanted === "no flight" ? "Flight" : wanted === "no self-driving" ? "Self-driving" : undefined;
  for (const [day, unit] of days.entries()) {
    const text = unit.filled("transportation", false);
    if (banned !== undefined && text?.includes(banned) === true)
      return { kept: false, message: `The transportation should not be ${wanted}.`, day };
  }
  return KEPT;
}

function cuisine({ local_constraint, org }: Query, days: readonly ForeignDay[], sandbox: Sandbox): Verdict | undefined {
  const wanted = local_constraint.cuisine ?? [];
  if (wanted.length === 0) return undefined;
  const eaten = new Set<string>();
  for (const day of days) {
    for (const meal of MEALS) {
      const text = day.filled(meal, false);
      if (text === undefined) continue;
      const { name, city } = nameCity(text);
      // The official code skips the whole day here, not only this meal.
      if (city === org) break;
      const offered = named(sandbox.restaurantsIn(city), name)?.cuisines ?? "";
      for (const kind of wanted) if (offered.includes(kind)) eaten.add(kind);
    }
  }
  const missing = wanted.find((kind) => !eaten.has(kind));
  return missing === undefined ? KEPT : { kept: false, message: `The cuisine ${missing} is not satisfied.` };
}
