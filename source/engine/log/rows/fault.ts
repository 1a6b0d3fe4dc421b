/** Returns the party at fault in a row, according to the scorer's first guess. */
import type { Party, Row, RunSpec, Score } from "../../types.ts";

type Fault = NonNullable<Score["fault"]>;

/** Parties in words. */
export const partyTitles: Readonly<Record<Party, string>> = {
  agent: "Agent",
  user: "User",
  environment: "Environment",
  limit: "Limit",
};

/**
 * Returns the fault of a row; undefined if it passed or its scorer does not distinguish parties. If a conversation has no score,
 * the environment is at fault.
 */
export function faultOfRow({ score, cause }: Row, { strategy }: Pick<RunSpec, "strategy">): Fault | undefined {
  if (score !== undefined) return score.fault;
  if (strategy !== "conversation" || cause?.cause !== "environment") return undefined;
  return { by: "environment", rule: cause.detail ?? "" };
}
