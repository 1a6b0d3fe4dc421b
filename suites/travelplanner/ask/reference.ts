/**
 * Builds the information for sole-planning agents: everything about the cities of the human plan and every leg between
 * them.
 */
import type { Query } from "../score/plan.ts";
import { type PrintedColumn, printedTable } from "./searches.ts";
import type { Sandbox } from "../data/sandbox.ts";
import * as search from "./searches.ts";
import { cut, fromTo } from "../score/text.ts";

export type Block = { readonly Description: string; readonly Content: string };
/** One leg of a route, with the zero-based index of its day. */
export type Leg = { readonly from: string; readonly to: string; readonly day: number };

/** Returns the legs of a plan, one per travel day; no legs for unreadable days. */
export const legsOf = (plan: readonly { readonly current_city: string }[]): readonly Leg[] =>
  plan.flatMap(({ current_city }, day) => {
    const route = fromTo(current_city);
    return route === undefined ? [] : [{ from: cut(route.from), to: cut(route.to), day }];
  });

/** Builds the blocks of the published reference information, in the same order and layout. */
export function referenceInformation(sandbox: Sandbox, query: Query, legs: readonly Leg[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const city of stopsOf(query, legs)) {
    blocks.push({ Description: `Attractions in ${city}`, Content: search.searchAttractions(sandbox, city) });
    blocks.push({ Description: `Restaurants in ${city}`, Content: restaurants(sandbox, city) });
    blocks.push({ Description: `Accommodations in ${city}`, Content: search.searchLodgings(sandbox, city) });
  }
  for (const { from, to, day } of legs) {
    const date = query.date[day] ?? "";
    const flights = search.searchFlights(sandbox, from, to, date);
    blocks.push({ Description: `Flight from ${from} to ${to} on ${date}`, Content: flights });
    const drive = (mode: string) => search.searchDistance(sandbox, from, to, mode);
    blocks.push({ Description: `Self-driving from ${from} to ${to}`, Content: drive("self-driving") });
    blocks.push({ Description: `Taxi from ${from} to ${to}`, Content: drive("taxi") });
  }
  return blocks;
}

/** Returns the visited cities, each once, in the order of the legs. */
export const stopsOf = (query: Query, legs: readonly Leg[]): readonly string[] =>
  [...new Set(legs.map(({ to }) => to))].filter((city) => city !== query.org);

const COLUMNS: readonly PrintedColumn[] = [
  { title: "Name", kind: "text" },
  { title: "Average Cost", kind: "int" },
  { title: "Cuisines", kind: "text" },
  { title: "Aggregate Rating", kind: "float" },
  { title: "City", kind: "text" },
];

/** Prints restaurants with their table row numbers first, as published. */
function restaurants(sandbox: Sandbox, city: string): string {
  const found = sandbox.restaurantsIn(city);
  if (found.length === 0) return search.searchRestaurants(sandbox, city);
  const rows = found.map(({ name, cost, cuisines, rating }) => [name, cost, cuisines, rating, city]);
  return printedTable(
    COLUMNS,
    rows,
    found.map(({ row }) => row),
  );
}
