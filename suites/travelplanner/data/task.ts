/** A trip request as a task. */
import type { Task } from "../../../source/engine/types.ts";
import { hardCount } from "../score/constraints.ts";
import type { Day, Query } from "../score/plan.ts";
import type { Request } from "./queries.ts";
import type { Block } from "../ask/reference.ts";

export type TripInput = {
  readonly query: Query;
  readonly split: string;
  /** Information in the request; absent if it is built from the reference plan or unavailable. */
  readonly information?: readonly Block[];
};
/** The human plan; null if the publisher withholds it. */
export type TripTask = Task<TripInput, { readonly plan: readonly Day[] | null }>;

export const taskOf = ({ query, plan, information }: Request, split: string): TripTask => ({
  id: `${split}-${query.idx}`,
  question: query.query,
  input: { query, split, ...(information === undefined ? {} : { information }) },
  answer: { plan },
  facets: {
    split,
    level: query.level,
    days: query.days,
    people: query.people_number,
    constraints: hardCount(query),
  },
});
