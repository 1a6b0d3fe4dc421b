/**
 * StableToolBench's cached responses, found by the Python text of the arguments, or else by the arguments themselves.
 */
import { withoutNaN } from "../../../source/engine/text/python-json.ts";
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { anyJson, checkedRecord } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, readText } from "../../../source/engine/text/json-lines.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import type { Json } from "../../../source/engine/types.ts";
import { pythonStrOfJsonText } from "../../../source/engine/python/text.ts";
import { dataPath } from "./records.ts";
import { wordsOf } from "../../../source/engine/clustering/embedding/words.ts";
import { fallback } from "../../../source/engine/work/fallback.ts";

export type Cached = {
  readonly input: Json | undefined;
  readonly key: string;
  readonly error: string;
  readonly response: Json;
};

/** Category, tool and API are stored under their first letters. */
const cacheRecord = z.object({
  c: z.string(),
  t: z.string(),
  a: z.string(),
  key: z.string(),
  input: anyJson.optional(),
  error: z.string().optional(),
  response: anyJson.optional(),
});

export class ResponseCache {
  readonly #byApi: ReadonlyMap<string, readonly Cached[]>;

  constructor(byApi: ReadonlyMap<string, readonly Cached[]>) {
    this.#byApi = byApi;
  }

  /** Reads the cache of a data folder; the cache is empty if the folder has none. */
  static async read(folder: string): Promise<ResponseCache> {
    const path = dataPath(folder, "response_cache", "solvable_cache.jsonl");
    const byApi = new Map<string, Cached[]>();
    if (!existsSync(path)) return new ResponseCache(byApi);
    const yieldIfDue = eventLoopYielder();
    for (const [index, line] of (await readText(path)).split("\n").entries()) {
      await yieldIfDue();
      if (line.trim() === "") continue;
      const value = parsePython(line);
      if (value === undefined) throw new DataProblem(`Expected line ${index + 1} of ${path} to be JSON`);
      const {
        c,
        t,
        a,
        key,
        input,
        error = "",
        response,
      } = checkedRecord(cacheRecord, value, () => `${path} line ${index + 1}`);
      const api = `${c}/${t}/${a}`;
      const entry = { input, key, error, response: response ?? "" };
      const entries = byApi.get(api);
      if (entries === undefined) byApi.set(api, [entry]);
      else entries.push(entry);
    }
    return new ResponseCache(byApi);
  }

  entries(api: { readonly category: string; readonly tool: string; readonly api: string }): readonly Cached[] {
    return this.#byApi.get(`${api.category}/${api.tool}/${api.api}`) ?? [];
  }

  /**
   * Finds the entry for arguments written by a model. Official keys are Python's `str()` of the parsed arguments, in
   * which 1.0 differs from 1; `match: values` also accepts an entry with the same values in another order.
   */
  find(entries: readonly Cached[], source: string, match: "text" | "values"): Cached | undefined {
    const key = keyOf(source);
    const exact = entries.find((entry) => entry.key === key);
    if (exact !== undefined || match === "text") return exact;
    const input = parseJson(source);
    return entries.find((entry) => entry.input !== undefined && isDeepStrictEqual(entry.input, input));
  }

  /** Returns the entry whose arguments share the most words with these; ties go to the first. */
  nearest(entries: readonly Cached[], source: string): Cached | undefined {
    const wanted = new Set(wordsOf(source));
    let best: { readonly entry: Cached; readonly shared: number } | undefined;
    for (const entry of entries) {
      const shared = wordsOf(entry.key).filter((word) => wanted.has(word)).length;
      if (best === undefined || shared > best.shared) best = { entry, shared };
    }
    return best?.entry;
  }
}

/** Parses JSON written by Python; its NaN and Infinity become strings of that name. */
const parsePython = (line: string): Json | undefined =>
  parseJson(line) ?? parseJson(withoutNaN(line, (word) => `"${word}"`));

const keyOf = (source: string): string | undefined => fallback(() => pythonStrOfJsonText(source));
