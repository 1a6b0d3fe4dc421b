/**
 * Queries with the APIs that solve them, and whether these APIs are in different toolkits, because a plan over toolkits can
 * only distinguish APIs of different toolkits.
 */
import { DataProblem, parseJsonLines, readText } from "../../text/json-lines.ts";
import type { Json } from "../../types.ts";
import type { LibraryApi } from "./library.ts";

/** The relevant APIs of one query: tool and API, with the category if the query has it. */
export type Relevant = readonly {
  readonly tool: string;
  readonly api: string;
  readonly category: string | undefined;
}[];

export type Parted = {
  /** Queries with at least two relevant APIs, all of them in the library. */
  readonly queries: number;
  /** Queries whose relevant APIs are all in different toolkits. */
  readonly distinct: number;
  /** Queries with fewer than two relevant APIs, or with a relevant API that is not in the library. */
  readonly leftOut: number;
};

/** Reads queries in ToolBench's format: `relevant APIs` [[tool, api], ...] next to `api_list`. Throws `DataProblem`. */
export const readRelevant = async (path: string): Promise<Relevant[]> =>
  parseJsonLines(await readText(path), path).map(({ number, value }) => {
    const pairs = fieldOf(value, "relevant APIs");
    if (!Array.isArray(pairs))
      throw new DataProblem(`Expected \`relevant APIs\` in line ${number} of ${path} to be a list of [tool, api]`);
    const listed = fieldOf(value, "api_list");
    const list: readonly Json[] = Array.isArray(listed) ? (listed as readonly Json[]) : [];
    return (pairs as readonly Json[]).map((pair) => {
      const [tool, api] = Array.isArray(pair) ? (pair as readonly Json[]) : [];
      if (typeof tool !== "string" || typeof api !== "string")
        throw new DataProblem(`Expected \`relevant APIs\` in line ${number} of ${path} to be a list of [tool, api]`);
      const own = list.find((one) => fieldOf(one, "tool_name") === tool && fieldOf(one, "api_name") === api);
      const category = own === undefined ? undefined : fieldOf(own, "category_name");
      return { tool, api, category: typeof category === "string" ? category : undefined };
    });
  });

/** Counts the queries whose relevant APIs are in distinct toolkits. `labels` are the labels of `apis`. */
export function parted(queries: readonly Relevant[], apis: readonly LibraryApi[], labels: ArrayLike<number>): Parted {
  const homes = new Map<string, number>();
  const record = (key: string, label: number) => homes.set(key, homes.get(key) ?? label);
  apis.forEach(({ api_dest: { name, package_name, type_name }, api_doc }, index) => {
    const raw = fieldOf(api_doc, "api_name");
    for (const api of typeof raw === "string" ? [name, raw] : [name]) {
      record(keyOf(type_name, package_name, api), labels[index]!);
      record(keyOf("", package_name, api), labels[index]!);
    }
  });
  const homeOf = ({ api, category = "", tool }: Relevant[number]) =>
    homes.get(keyOf(category, tool, api)) ?? homes.get(keyOf("", tool, api));
  let counted = 0;
  let distinct = 0;
  for (const query of queries) {
    const found = query.map(homeOf);
    if (found.length < 2 || found.includes(undefined)) continue;
    counted += 1;
    if (new Set(found).size === found.length) distinct += 1;
  }
  return { queries: counted, distinct, leftOut: queries.length - counted };
}

/**
 * Compares only letters and digits, because libraries write names in more than one way (`Old Thermometer`, `old_thermometer`).
 */
const keyOf = (...names: readonly string[]): string => names.map(plain).join("/");

function plain(name: string): string {
  const bare = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  // ToolBench adds this prefix to names that begin with a digit.
  return /^get\d/.test(bare) ? bare.slice(3) : bare;
}

function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined;
}
