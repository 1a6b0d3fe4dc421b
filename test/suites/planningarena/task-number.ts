/** The inverse of the numbering of generated tasks. */
import type { Relation } from "../../../suites/planningarena/data/records.ts";

/**
 * Decodes a published task number, which identifies the user and the relation (inferred from all known numbers).
 * Returns undefined outside 1 to 4500.
 */
export function readTaskNumber(id: number): { readonly user: string; readonly relation: Relation } | undefined {
  if (!Number.isInteger(id) || id < 1 || id > 4500) return undefined;
  if (id > 3600) return { user: `dag-${Math.floor((id - 3601) / 30) + 1}`, relation: "DAPI" };
  const position = ((id - 1) % 180) + 1;
  const relation = position <= 60 ? "SAPP" : position <= 120 ? "CAPP" : position <= 150 ? "PAPI" : "CAPI";
  return { user: `four-${Math.floor((id - 1) / 180) + 1}`, relation };
}
