/** Trivial plans, shown with results for comparison. */
import { fillerText, type Floor } from "../../../source/engine/loaded-suite.ts";
import type { Day, Query } from "../score/plan.ts";
import type { TripTask } from "../data/task.ts";

export function floorsOf(): readonly Floor<TripTask>[] {
  return [
    { name: "nothing", answer: () => undefined },
    { name: "filler", answer: () => fillerText },
    { name: "empty days", answer: ({ input: { query } }) => days(query, "-") },
    { name: "days at home", answer: ({ input: { query } }) => days(query, query.org) },
  ];
}

/** Returns as many days as requested, each in this city and without any entries. */
function days({ days: count }: Query, city: string): readonly Day[] {
  const none = { transportation: "-", breakfast: "-", attraction: "-", lunch: "-", dinner: "-", accommodation: "-" };
  return Array.from({ length: count }, (_, index) => ({ days: index + 1, current_city: city, ...none }));
}
