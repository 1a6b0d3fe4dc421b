/**
 * The eight commonsense checks of the official evaluator (OSU-NLP-Group/TravelPlanner, `commonsense_constraint.py`),
 * bugs included: a day's last attraction is ignored unless it ends in `;`, static days are compared letter by letter,
 * and neither flight dates nor the destination of a 3-day trip are checked.
 */
import { type ForeignDay, type Query, MEALS, NotEvaluable, isTruthy } from "./plan.ts";
import { type Sandbox, drivingCost, named } from "../data/sandbox.ts";
import { type Route, attractionsOf, cut, fromTo, modeOf, nameCity } from "./text.ts";

export type Verdict = {
  readonly kept: boolean;
  readonly message?: string;
  /** Zero-based index of the day, if the verdict is about one day. */
  readonly day?: number;
};
export type Check = (query: Query, days: readonly ForeignDay[], sandbox: Sandbox) => Verdict;

const KEPT: Verdict = { kept: true };
const NO_PLAN = "You don't need to fill in the information for this or later days.";

/** Checks by official name, in the official order. */
export const COMMONSENSE: Readonly<Record<string, Check>> = {
  is_reasonable_visiting_city: reasonableRoute,
  is_valid_restaurants: diverseRestaurants,
  is_valid_attractions: diverseAttractions,
  is_valid_accommodation: minimumNights,
  is_valid_transportation: steadyTransport,
  is_valid_information_in_current_city: withinCurrentCity,
  is_valid_information_in_sandbox: withinSandbox,
  is_not_absent: completeInformation,
};

const broken = (message: string, day?: number): Verdict =>
  day === undefined ? { kept: false, message } : { kept: false, message, day };

/** Returns the route of a `from A to B` day; raises a TypeError if it contains `from` without a readable route. */
function routeOf(text: string): Route {
  const route = fromTo(text);
  if (route === undefined)
    throw new NotEvaluable("TypeError", `Expected \`from A to B\`, got \`${text.slice(0, 80)}\``);
  return { from: cut(route.from), to: cut(route.to) };
}

/**
 * Returns the cities in the order of the days, two for a travel day, each with its day; stops early at a wrong start.
 */
function citiesOf(
  query: Query,
  days: readonly ForeignDay[],
): { cities: { city: string; day: number }[]; start: boolean } {
  const cities: { city: string; day: number }[] = [];
  for (const [day, unit] of days.entries()) {
    const current = unit.text("current_city");
    if (!current.includes("from")) {
      cities.push({ city: cut(current), day });
      continue;
    }
    const { from, to } = routeOf(current);
    if (day === 0 && from !== query.org) return { cities, start: false };
    cities.push({ city: from, day }, { city: to, day });
  }
  return { cities, start: true };
}

function reasonableRoute(query: Query, days: readonly ForeignDay[], { states }: Sandbox): Verdict {
  const { cities, start } = citiesOf(query, days);
  if (!start) return broken(`The first day's city should be ${query.org}.`, 0);
  const first = cities[0];
  if (first === undefined) throw new NotEvaluable("IndexError", "Expected at least one day, got none");
  if (first.city !== cities.at(-1)!.city) return broken("The trip should be a closed circle.", days.length - 1);
  const bad = badStop(cities);
  if (bad !== undefined) return broken("The city sequence is invalid.", bad);
  for (const [index, { city, day }] of cities.entries()) {
    if (!states.has(city)) return broken(`${city} is not a valid city.`, day);
    const between = index !== 0 && index !== cities.length - 1;
    if (between && query.days > 3 && states.get(city) !== query.dest)
      return broken(`${city} is not in ${query.dest}.`, day);
  }
  return KEPT;
}

/** Returns the day of the first city that is visited twice or named only once; undefined if the sequence is valid. */
function badStop(cities: readonly { city: string; day: number }[]): number | undefined {
  if (cities.length < 3) return cities.at(-1)!.day;
  const visited = new Set<string>();
  for (let index = 0; index < cities.length - 1;) {
    const from = index;
    const { city, day } = cities[from]!;
    if (visited.has(city)) return day;
    while (cities[index]?.city === city) index += 1;
    if (index - from === 1 && from > 0) return day;
    visited.add(city);
  }
  return undefined;
}

function diverseRestaurants(_query: Query, days: readonly ForeignDay[]): Verdict {
  const seen = new Set<string>();
  for (const [day, unit] of days.entries()) {
    for (const meal of MEALS) {
      const value = unit.has(meal) ? unit.get(meal) : null;
      if (!isTruthy(value) || value === "-") continue;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const which = meal === "lunch" ? `lunch ${text}` : meal;
      if (seen.has(text)) return broken(`The restaurant in day ${day + 1} ${which} is repeated.`, day);
      seen.add(text);
    }
  }
  return KEPT;
}

function diverseAttractions(_query: Query, days: readonly ForeignDay[]): Verdict {
  const seen = new Set<string>();
  for (const [day, unit] of days.entries()) {
    for (const attraction of attractionsOf(unit.filled("attraction", true, "AttributeError") ?? "")) {
      if (seen.has(attraction)) return broken(`The attraction '${attraction}' in day ${day + 1} is repeated.`, day);
      seen.add(attraction);
    }
  }
  return KEPT;
}

function minimumNights(_query: Query, days: readonly ForeignDay[], sandbox: Sandbox): Verdict {
  const missing = days.findIndex((day) => !day.has("accommodation"));
  if (missing !== -1) return broken("No Accommodation Info.", missing);
  for (let day = 0; day < days.length;) {
    const from = day;
    const value = days[from]!.get("accommodation");
    while (day < days.length && days[day]!.get("accommodation") === value) day += 1;
    if (value === "-" || value === "") continue;
    const text = days[from]!.text("accommodation");
    const { name, city } = nameCity(text);
    const [only, ...others] = sandbox.lodgingsIn(city).filter((row) => row.name.includes(name));
    if (only !== undefined && others.length === 0 && day - from < only.nights) {
      return broken(`The accommodation ${text} do not obey the minumum nights rule.`, from);
    }
  }
  return KEPT;
}

function steadyTransport(_query: Query, days: readonly ForeignDay[]): Verdict {
  const [first] = days;
  if (first === undefined) throw new NotEvaluable("IndexError", "Expected at least one day, got none");
  if (first.filled("transportation", false, "AttributeError") === undefined)
    return broken("The transportation in day 1 should not be empty.", 0);
  const used = new Set<string | undefined>();
  for (const [day, unit] of days.entries()) {
    const text = unit.filled("transportation", true, "AttributeError");
    if (text !== undefined) used.add(modeOf(text));
    if (used.has("Self-driving") && (used.has("Flight") || used.has("Taxi"))) {
      // Later days are still read, since an unreadable one makes the plan unevaluable.
      for (const later of days) later.filled("transportation", true, "AttributeError");
      return broken("The transportation is conflicting.", day);
    }
  }
  return KEPT;
}

function withinCurrentCity(_query: Query, days: readonly ForeignDay[]): Verdict {
  for (const [day, unit] of days.entries()) {
    const current = unit.text("current_city");
    const travels = current.includes("from");
    const route = travels ? routeOf(current) : undefined;
    // On static days the official code iterates over the letters of the city's name.
    const cities = route === undefined ? [...cut(current)] : [route.from, route.to];
    const wrong = (what: string) => broken(`The ${what} in day ${day + 1} is invalid city choice.`, day);
    const isNear = (text: string) => cities.some((city) => text.includes(city));
    const transport = unit.filled("transportation", true);
    if (transport !== undefined && !cities.every((city) => transport.includes(city))) return wrong("transportation");
    for (const meal of MEALS) {
      const text = unit.filled(meal, true);
      if (text !== undefined && !isNear(text)) return wrong(meal);
    }
    if (!attractionsOf(unit.filled("attraction", true, "AttributeError") ?? "").every(isNear))
      return wrong("attraction");
    const lodging = unit.filled("accommodation", true);
    if (lodging === undefined) continue;
    const last = cities.at(-1);
    if (last === undefined) throw new NotEvaluable("IndexError", `Expected a city on day ${day + 1}, got none`);
    if (!lodging.includes(last)) return wrong("accommodation");
  }
  return KEPT;
}

function withinSandbox(_query: Query, days: readonly ForeignDay[], sandbox: Sandbox): Verdict {
  for (const [day, unit] of days.entries()) {
    const wrong = (what: string) => broken(`The ${what} in day ${day + 1} is invalid in the sandbox.`, day);
    const transport = unit.filled("transportation", false);
    const badLeg = transport === undefined ? undefined : unknownLeg(transport, unit, sandbox);
    if (badLeg !== undefined) return wrong(badLeg);
    for (const meal of MEALS) {
      const text = unit.filled(meal, true);
      if (text !== undefined && !isThere(sandbox.restaurantsIn, text)) return wrong(meal);
    }
    for (const attraction of attractionsOf(unit.filled("attraction", true, "AttributeError") ?? "")) {
      if (!isThere(sandbox.attractionsIn, attraction)) return wrong(`attraction ${attraction}`);
    }
    const lodging = unit.filled("accommodation", true);
    if (lodging !== undefined && !isThere(sandbox.lodgingsIn, lodging)) return wrong("accommodation");
  }
  return KEPT;
}

function isThere(rowsIn: (city: string) => readonly { readonly name: string }[], text: string): boolean {
  const { name, city } = nameCity(text);
  return named(rowsIn(city), name) !== undefined;
}

/** Returns the kind of a leg that is not in the sandbox. */
function unknownLeg(transport: string, unit: ForeignDay, sandbox: Sandbox): string | undefined {
  const route = fromTo(transport) ?? fromTo(unit.text("current_city"));
  const lower = transport.toLowerCase();
  if (lower.includes("flight number")) {
    if (route === undefined) {
      throw new NotEvaluable("ValueError", `Expected a route in the flight of day ${unit.number}, found none`);
    }
    const flight = sandbox.flightNumbered(flightNumber(transport));
    return flight?.origin === cut(route.from) && flight.destination === cut(route.to) ? undefined : "flight number";
  }
  for (const mode of ["self-driving", "taxi"] as const) {
    if (!lower.includes(mode)) continue;
    const cost = route === undefined ? undefined : drivingCost(sandbox, route.from, route.to, mode);
    return cost === undefined ? mode : undefined;
  }
  return undefined;
}

/** Returns the text between `Flight Number: ` and the next comma; raises an IndexError for another spelling. */
export function flightNumber(transport: string): string {
  const after = transport.split("Flight Number: ")[1];
  if (after === undefined) throw new NotEvaluable("IndexError", "Expected the spelling `Flight Number: `, got another");
  return after.split(",")[0]!;
}

const LABELS = {
  transportation: "Transportation",
  breakfast: "Breakfast",
  lunch: "Lunch",
  dinner: "Dinner",
  attraction: "Attraction",
  accommodation: "Accommodation",
} as const;

function completeInformation(query: Query, days: readonly ForeignDay[]): Verdict {
  const planned = days.filter((day) => day.fields?.size !== 0 && day.get("current_city") !== NO_PLAN);
  if (planned.length !== query.days) return broken("Invalid Days");
  const { cities, start } = citiesOf(query, days);
  const visited = new Set(cities.map(({ city }) => city));
  visited.delete(query.org);
  if (!start || visited.size !== query.visiting_city_number) return broken("Invalid City Number");
  let given = 0;
  for (const [day, unit] of days.entries()) {
    const gap = gapOf(query, unit, day);
    if (gap !== undefined) return broken(gap, day);
    for (const value of unit.fields?.values() ?? []) if (isTruthy(value) && value !== "-") given += 1;
  }
  return given / (6 * query.days) < 0.5 ? broken("The absent information is more than 50%.") : KEPT;
}

/** Returns the official message for the missing part of a day. Null does not count as missing here. */
function gapOf(query: Query, unit: ForeignDay, day: number): string | undefined {
  for (const [field, label] of Object.entries(LABELS)) if (!unit.has(field)) return `No ${label} Info.`;
  const current = unit.text("current_city");
  const empty = (field: string) => unit.get(field) === "" || unit.get(field) === "-";
  const missing = (what: string) => `No ${what} in day ${day + 1} is not allowed.`;
  const from = current.includes("from ");
  if ((from || current.includes("to ")) && empty("transportation")) return missing("transportation");
  if (!from && !current.includes(" to ") && empty("attraction")) return missing("attaction");
  if (day !== query.days - 1 && empty("accommodation")) return missing("accommodation");
  return !from && MEALS.some(empty) ? missing("meal") : undefined;
}
