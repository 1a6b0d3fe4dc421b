/** Breaks exactly one constraint of the reference plan, confirmed by the evaluator. */
import { shuffled } from "../../../source/engine/statistics/random.ts";
import { CONSTRAINTS, asks } from "../score/constraints.ts";
import { slug } from "../score/error-kinds.ts";
import { evaluate, hasRaised } from "../score/evaluate.ts";
import { type Day, type Field, type Query, MEALS } from "../score/plan.ts";
import { type Sandbox, costOf } from "../data/sandbox.ts";
import { attractionsOf, cut, fromTo, nameCity } from "../score/text.ts";

type Trip = { readonly query: Query; readonly plan: readonly Day[]; readonly sandbox: Sandbox };
type Maker = (trip: Trip) => Iterable<readonly Day[]>;

/** Maximum number of variants per injected fault. */
const TRIES = 400;

/** Returns the reference plan with only this constraint violated; undefined if no such plan is found. */
export function faultyPlan(kind: string, trip: Trip, random: () => number): readonly Day[] | undefined {
  const constraint = CONSTRAINTS.find(({ title }) => slug(title) === kind);
  if (constraint === undefined || !asks(trip.query, constraint)) return undefined;
  const variants: (readonly Day[])[] = [];
  for (const variant of MAKERS[constraint.check]!(trip)) {
    variants.push(variant);
    if (variants.length === TRIES) break;
  }
  return shuffled(variants, random).find((variant) => {
    const broken = brokenBy(trip, variant);
    return broken?.length === 1 && broken[0] === constraint.check;
  });
}

/**
 * Names the checks that a plan fails, including hard constraints that the gate excludes; returns undefined if the plan cannot be
 * evaluated.
 */
function brokenBy({ query, sandbox }: Trip, plan: readonly Day[]): readonly string[] | undefined {
  const { commonsense, hard, raises } = evaluate(query, plan, sandbox);
  if (raises !== undefined) return undefined;
  const results = [...commonsense, ...hard];
  if (results.some(([, result]) => hasRaised(result))) return undefined;
  return results.flatMap(([name, result]) =>
    result !== undefined && !hasRaised(result) && !result.kept ? [name] : [],
  );
}

const MAKERS: Readonly<Record<string, Maker>> = {
  is_reasonable_visiting_city: stayingOn,
  is_valid_restaurants: ({ plan }) => mealsFrom(plan, () => plan.flatMap((day) => MEALS.map((meal) => day[meal]))),
  *is_valid_attractions({ plan }) {
    for (const [index, { attraction }] of plan.entries()) {
      const [first] = attractionsOf(attraction);
      if (first !== undefined) yield changed(plan, index, { attraction: `${attraction}${first};` });
    }
  },
  is_valid_accommodation: (trip) => otherLodgings(trip),
  *is_valid_transportation({ plan }) {
    for (const [index, route] of legs(plan)) {
      for (const mode of ["Self-driving", "Taxi"]) {
        yield changed(plan, index, { transportation: `${mode}, from ${route.from} to ${route.to}` });
      }
    }
  },
  is_valid_information_in_current_city: ({ plan, sandbox, query }) => {
    const away = [...sandbox.states.keys()].filter((city) => city !== query.org).slice(0, 40);
    const meals = away.flatMap((city) =>
      sandbox
        .restaurantsIn(city)
        .slice(0, 3)
        .map(({ name }) => `${name}, ${city}`),
    );
    return mealsFrom(plan, () => meals);
  },
  is_valid_information_in_sandbox: ({ plan }) => mealsFrom(plan, (city) => [`The Table That Never Was, ${city}`]),
  *is_not_absent({ plan }) {
    for (const [index, day] of plan.entries()) {
      for (const meal of MEALS) if (day[meal] !== "-") yield changed(plan, index, { [meal]: "-" });
      yield changed(plan, index, { attraction: "-" });
    }
  },
  valid_cuisine: (trip) => withoutCuisine(trip),
  valid_room_rule: (trip) => otherLodgings(trip),
  valid_room_type: (trip) => otherLodgings(trip),
  valid_transportation: (trip) =>
    [otherWays(trip, "Flight"), otherWays(trip, "Self-driving")].filter((plan) => plan !== undefined),
  valid_cost: (trip) => dearer(trip),
};

const changed = (
  plan: readonly Day[],
  index: number,
  fields: Partial<Record<Field | "current_city", string>>,
): readonly Day[] => plan.with(index, { ...plan[index]!, ...fields });

function* legs(plan: readonly Day[]): Generator<[number, { from: string; to: string }]> {
  for (const [index, { current_city }] of plan.entries()) {
    const route = fromTo(current_city);
    if (route !== undefined) yield [index, { from: cut(route.from), to: cut(route.to) }];
  }
}

/** Yields every plan with one meal replaced by another meal that its city offers. */
function* mealsFrom(plan: readonly Day[], offered: (city: string) => readonly string[]): Generator<readonly Day[]> {
  for (const [index, day] of plan.entries()) {
    for (const meal of MEALS) {
      if (day[meal] === "-") continue;
      for (const other of offered(nameCity(day[meal]).city)) {
        if (other !== "-" && other !== day[meal]) yield changed(plan, index, { [meal]: other });
      }
    }
  }
}

/** Yields plans whose last day is spent on the spot instead of travelling home. */
function* stayingOn({ plan, sandbox }: Trip): Generator<readonly Day[]> {
  const last = plan.length - 1;
  const route = fromTo(plan[last]!.current_city);
  if (route === undefined) return;
  const city = cut(route.from);
  const used = new Set(plan.flatMap((day) => MEALS.map((meal) => day[meal])));
  const seen = new Set(plan.flatMap(({ attraction }) => attractionsOf(attraction)));
  const free = sandbox
    .restaurantsIn(city)
    .map(({ name }) => `${name}, ${city}`)
    .filter((meal) => !used.has(meal));
  const unseen = sandbox
    .attractionsIn(city)
    .map(({ name }) => `${name}, ${city}`)
    .find((attraction) => !seen.has(attraction));
  for (let from = 0; from < Math.max(1, free.length - 2); from++) {
    const meals = free.slice(from);
    const fields = MEALS.map((meal) => [meal, plan[last]![meal] === "-" ? (meals.shift() ?? "-") : plan[last]![meal]]);
    const attraction = plan[last]!.attraction === "-" && unseen !== undefined ? `${unseen};` : plan[last]!.attraction;
    yield changed(plan, last, { ...Object.fromEntries(fields), attraction, current_city: city, transportation: "-" });
  }
}

/** Yields every plan with the lodging of one stop replaced by another in the same city. */
function* otherLodgings({ plan, sandbox }: Trip): Generator<readonly Day[]> {
  for (const lodging of new Set(plan.map(({ accommodation }) => accommodation))) {
    if (lodging === "-") continue;
    const { name, city } = nameCity(lodging);
    for (const other of sandbox.lodgingsIn(city)) {
      if (other.name === name) continue;
      yield plan.map((day) =>
        day.accommodation === lodging ? { ...day, accommodation: `${other.name}, ${city}` } : day,
      );
    }
  }
}

/** Yields plans in which meals with one of the wanted cuisines are replaced by meals without it. */
function* withoutCuisine({ plan, sandbox, query }: Trip): Generator<readonly Day[]> {
  for (const kind of query.local_constraint.cuisine ?? []) {
    for (let skip = 0; skip < 12; skip++) {
      const used = new Set(plan.flatMap((day) => MEALS.map((meal) => day[meal])));
      yield plan.map((day) => {
        const meals = MEALS.map((meal): [string, string] => {
          const { name, city } = nameCity(day[meal]);
          const rows = sandbox.restaurantsIn(city);
          if (rows.find((row) => row.name.includes(name))?.cuisines.includes(kind) !== true) return [meal, day[meal]];
          const rest = (query.local_constraint.cuisine ?? []).filter((other) => other !== kind);
          const plain = rows.filter((row) => !row.cuisines.includes(kind) && !used.has(`${row.name}, ${city}`));
          const ranked = plain.toSorted((a, b) => offers(b.cuisines, rest) - offers(a.cuisines, rest));
          const other = ranked[Math.min(skip, ranked.length - 1)];
          if (other === undefined) return [meal, day[meal]];
          used.add(`${other.name}, ${city}`);
          return [meal, `${other.name}, ${city}`];
        });
        return { ...day, ...Object.fromEntries(meals) };
      });
    }
  }
}

const offers = (cuisines: string, wanted: readonly string[]): number =>
  wanted.filter((kind) => cuisines.includes(kind)).length;

/** Replaces the transport of all legs by flights or by driving; returns undefined if that is impossible for a leg. */
function otherWays({ plan, sandbox, query }: Trip, mode: "Flight" | "Self-driving"): readonly Day[] | undefined {
  let changing = plan;
  for (const [index, { from, to }] of legs(plan)) {
    const flight = sandbox.flightsOn(from, to, query.date[index] ?? "")[0];
    const drive = sandbox.driveBetween(from, to);
    const drives = drive !== undefined && costOf(drive, "self-driving") !== undefined;
    if (mode === "Flight" ? flight === undefined : !drives) return undefined;
    const times = flight === undefined ? "" : `, Departure Time: ${flight.departs}, Arrival Time: ${flight.arrives}`;
    const way =
      mode === "Flight"
        ? `Flight Number: ${flight!.number}, from ${from} to ${to}${times}`
        : `Self-driving, from ${from} to ${to}`;
    changing = changed(changing, index, { transportation: way });
  }
  return changing;
}

/** Yields increasingly expensive plans: first lodgings, then one meal after another. */
function* dearer(trip: Trip): Generator<readonly Day[]> {
  const { plan, sandbox, query } = trip;
  const people = query.people_number;
  let costly = plan;
  for (const lodging of new Set(plan.map(({ accommodation }) => accommodation))) {
    if (lodging === "-") continue;
    const { city } = nameCity(lodging);
    const price = (room: { price: number; occupancy: number }) => room.price * Math.ceil(people / room.occupancy);
    for (const room of sandbox.lodgingsIn(city).toSorted((a, b) => price(b) - price(a))) {
      const variant = costly.map((day) =>
        day.accommodation === lodging ? { ...day, accommodation: `${room.name}, ${city}` } : day,
      );
      const broken = brokenBy(trip, variant);
      if (broken === undefined || broken.some((name) => name !== "valid_cost")) continue;
      costly = variant;
      yield variant;
      break;
    }
  }
  for (const [index, day] of plan.entries()) {
    for (const meal of MEALS) {
      if (day[meal] === "-") continue;
      const { city } = nameCity(day[meal]);
      const used = new Set(costly.flatMap((each) => MEALS.map((name) => each[name])));
      const dear = sandbox.restaurantsIn(city).toSorted((a, b) => b.cost - a.cost);
      for (const { name } of dear.slice(0, 8)) {
        if (used.has(`${name}, ${city}`)) continue;
        const variant = changed(costly, index, { [meal]: `${name}, ${city}` });
        const broken = brokenBy(trip, variant);
        if (broken === undefined || broken.some((check) => check !== "valid_cost")) continue;
        costly = variant;
        yield variant;
        break;
      }
    }
  }
}
