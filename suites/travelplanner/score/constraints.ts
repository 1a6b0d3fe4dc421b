/** The thirteen constraints with their official names, the paper's names, and the requests to which they apply. */
import type { Query } from "./plan.ts";

export type Constraint = {
  /** Name of the check in the official code. */
  readonly check: string;
  readonly title: string;
  readonly group: "commonsense" | "hard";
  /** The query's preference it tests; absent for constraints that always apply. */
  readonly preference?: keyof Query["local_constraint"];
  /** Levels whose detailed results count the queries that request it. */
  readonly levels: readonly string[];
};

const ALL = ["easy", "medium", "hard"];
const commonsense = (check: string, title: string): Constraint => ({ check, title, group: "commonsense", levels: ALL });
const hard = (
  check: string,
  title: string,
  preference: keyof Query["local_constraint"],
  levels: string[],
): Constraint => {
  return { check, title, group: "hard", preference, levels };
};

/** In the order of the official results. */
export const CONSTRAINTS: readonly Constraint[] = [
  commonsense("is_reasonable_visiting_city", "Reasonable City Route"),
  commonsense("is_valid_restaurants", "Diverse Restaurants"),
  commonsense("is_valid_attractions", "Diverse Attractions"),
  commonsense("is_valid_accommodation", "Minimum Nights Stay"),
  commonsense("is_valid_transportation", "Non-conf. Transportation"),
  commonsense("is_valid_information_in_current_city", "Within Current City"),
  commonsense("is_valid_information_in_sandbox", "Within Sandbox"),
  commonsense("is_not_absent", "Complete Information"),
  hard("valid_cuisine", "Cuisine", "cuisine", ["medium", "hard"]),
  hard("valid_room_rule", "Room Rule", "house rule", ["medium", "hard"]),
  hard("valid_transportation", "Transportation", "transportation", ["hard"]),
  hard("valid_room_type", "Room Type", "room type", ["medium", "hard"]),
  { check: "valid_cost", title: "Budget", group: "hard", levels: ALL },
];

/** Reports whether the query requests it. */
export const asks = (query: Query, { preference }: Constraint): boolean =>
  preference === undefined || query.local_constraint[preference] !== null;

/** Counts the query's hard constraints, including the budget. */
export const hardCount = (query: Query): number =>
  CONSTRAINTS.filter((constraint) => constraint.group === "hard" && asks(query, constraint)).length;
