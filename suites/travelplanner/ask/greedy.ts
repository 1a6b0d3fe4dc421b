/**
 * The paper's baseline without a model, which always chooses the cheapest option. It repeats restaurants, so it never satisfies
 * every constraint.
 */
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Step } from "../../../source/engine/types.ts";
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Day, Query } from "../score/plan.ts";
import { type Sandbox, drivingCost } from "../data/sandbox.ts";

export const greedy: Strategy<"baseline"> = {
  name: "greedy",
  title: "Greedy search (no model)",
  needs: "baseline",
  revision: 1,
  roles: [],
  async *run({ task, spec, loaded, random }) {
    yield* loaded.asks.baseline(task, spec, random);
  },
  estimate: () => ({ calls: 0, input: 0, output: 0 }),
};

/** Runs the search as a strategy's steps. */
export function* greedySteps(sandbox: Sandbox, query: Query, random: () => number): Generator<Step> {
  const { plan, lacks } = greedyPlan(sandbox, query, random);
  for (const lack of lacks) yield { type: "note", kind: "lack", text: lack };
  yield { type: "note", kind: "end", text: lacks.length === 0 ? "finished" : "something was not to be had" };
  yield { type: "answer", answer: plan };
}

/** Returns the plan and the parts that could not be found. Their fields stay `-`, and the plan is delivered anyway. */
export function greedyPlan(
  sandbox: Sandbox,
  query: Query,
  random: () => number,
): { readonly plan: readonly Day[]; readonly lacks: readonly string[] } {
  const route = [query.org, ...stops(sandbox, query), query.org];
  const lacks = new Set<string>();
  const orLack = (found: string | undefined, what: string) => {
    if (found === undefined) lacks.add(`No valid ${what} information.`);
    return found ?? "-";
  };
  const plan: Day[] = [];
  let city = query.org;
  for (let day = 0; day < query.days; day++) {
    // Legs are on days 1, 3, 5 and 7.
    const leg = day % 2 === 0 ? [route[day / 2], route[day / 2 + 1]] : [];
    const [from, to] = leg;
    city = to ?? city;
    const travels = from !== undefined && to !== undefined;
    const way = travels ? cheapestWay(sandbox, from, to, query.date[day] ?? "") : undefined;
    const meal = orLack(cheapest(sandbox.restaurantsIn(city), ({ cost }) => cost)?.name, "meal");
    const sights = sandbox.attractionsIn(city);
    const sight = orLack(sights.length === 0 ? undefined : pick(sights, random).name, "attraction");
    const last = day === query.days - 1;
    const room = last ? "-" : orLack(cheapest(sandbox.lodgingsIn(city), ({ price }) => price)?.name, "accommodation");
    const here = (name: string) => (name === "-" ? "-" : `${name}, ${city}`);
    plan.push({
      days: day + 1,
      current_city: travels ? `from ${from} to ${to}` : city,
      transportation:
        day % 2 === 0 ? orLack(way === undefined ? undefined : `${way}, from ${from} to ${to}`, "transportation") : "-",
      breakfast: here(meal),
      lunch: here(meal),
      dinner: here(meal),
      attraction: here(sight),
      accommodation: here(room),
    });
  }
  return { plan, lacks: [...lacks] };
}

/** Returns the destination, or the first cities of the state in file order. */
function stops(sandbox: Sandbox, query: Query): readonly string[] {
  if (query.days === 3) return [query.dest];
  const cities = sandbox.citiesIn(query.dest).filter((city) => city !== query.org);
  return cities.slice(0, (query.days - 1) / 2);
}

/** Returns the cheapest transport for one person; ties prefer flights, then driving, then a taxi. */
function cheapestWay(sandbox: Sandbox, from: string, to: string, date: string): string | undefined {
  const flight = cheapest(sandbox.flightsOn(from, to, date), ({ price }) => price);
  const ways = [
    { way: `Flight Number: ${flight?.number}`, cost: flight?.price },
    { way: "Self-driving", cost: drivingCost(sandbox, from, to, "self-driving") },
    { way: "Taxi", cost: drivingCost(sandbox, from, to, "taxi") },
  ];
  return cheapest(
    ways.filter(({ cost }) => cost !== undefined),
    ({ cost }) => cost!,
  )?.way;
}

function cheapest<Item>(items: readonly Item[], cost: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  for (const item of items) if (best === undefined || cost(item) < cost(best)) best = item;
  return best;
}
