/** Values that a planner may use without a tool: those in the profile or the query. */
import type { Json } from "../../../source/engine/types.ts";
import { canon, collapsed, leavesOf } from "../data/canonical.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

export type Given = (canonical: string) => boolean;

/** Tests canonical values: equal to a profile leaf, or whole words of the query (two characters or more). */
export const givenBy = (query: string, profile: Json | undefined): Given =>
  inQueryOr(query, profile === undefined ? new Set() : profileLeaves(profile));

/** Cached, because one profile serves many tasks. */
const leavesOfProfile = factOf((profile: object): ReadonlySet<string> => new Set(leavesOf(profile as Json).map(canon)));

const profileLeaves = (profile: Json): ReadonlySet<string> =>
  profile === null || typeof profile !== "object" ? new Set([canon(profile)]) : leavesOfProfile(profile);

function inQueryOr(query: string, leaves: ReadonlySet<string>): Given {
  const text = collapsed(query).toLowerCase();
  const known = new Map<string, boolean>();
  return (canonical) => {
    if (leaves.has(canonical)) return true;
    let found = known.get(canonical);
    if (found === undefined) known.set(canonical, (found = standsIn(text, canonical)));
    return found;
  };
}

function standsIn(text: string, words: string): boolean {
  if (words.length < 2) return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!/[a-z0-9]/.test(text[at - 1] ?? "") && !/[a-z0-9]/.test(text[at + words.length] ?? "")) return true;
  }
  return false;
}
