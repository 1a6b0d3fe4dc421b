/** A data folder bound to what plays need of it: queries, catalogue scopes, toolkits and cache, each read once. */
import { retrieved, usesToolkits } from "../../source/engine/toolkits/toolkits-option.ts";
import { DataProblem } from "../../source/engine/json-lines.ts";
import type { Clusters } from "../../source/engine/clusters.ts";
import type { RunSpec, Task } from "../../source/engine/types.ts";
import { rankingOf } from "../../source/engine/toolkits/ranking.ts";
import type { ConvertedAnswer } from "./answer-conversion.ts";
import type { Offer } from "./environment.ts";
import {
  apiOf,
  readCatalogue,
  readQueries,
  readToolDescriptions,
  type Api,
  type Query,
  type Scope,
} from "./records.ts";
import { readReferences } from "./references.ts";
import { ResponseCache } from "./response-cache.ts";
import { clusterItem, toolkitsFromLibrary } from "./toolkits.ts";
import { clusterSettings, clusterTools, type Clustered } from "../../source/engine/toolkits/clustered-tools.ts";

/** APIs of a wider catalogue a model is given where the run does not say. */
export const usualRetrieved = 10;

export type QueryTask = Task<{ readonly set: string; readonly id: number }, Query>;

export const sets: readonly string[] = [
  "G1_instruction",
  "G1_category",
  "G1_tool",
  "G2_instruction",
  "G2_category",
  "G3_instruction",
];

type Catalogue = { readonly apis: readonly Api[]; readonly rank: (question: string, count: number) => readonly Api[] };

export class World {
  readonly folder: string;
  readonly data: "sample" | "published";
  readonly #signal: AbortSignal;
  readonly #kept = new Map<string, Promise<unknown>>();
  /** Toolkits by settings, kept as soon as they are known: built-in models look them up without waiting. */
  readonly #clustered = new Map<string, Clustered>();

  constructor(folder: string, data: "sample" | "published", signal: AbortSignal | undefined) {
    this.folder = folder;
    this.data = data;
    this.#signal = signal ?? new AbortController().signal;
  }

  /** Computes once; a failure is forgotten, so that it can be tried again. */
  #once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(name) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#kept.set(name, made);
    made.catch(() => this.#kept.delete(name));
    return made;
  }

  /** Queries of one set, with its name; of every set in turn for `all`. */
  async sets(split: string): Promise<readonly { readonly set: string; readonly queries: readonly Query[] }[]> {
    const wanted = split === "all" ? sets : [split];
    return Promise.all(wanted.map(async (set) => ({ set, queries: await this.queries(set) })));
  }

  queries(set: string): Promise<readonly Query[]> {
    return this.#once(`queries ${set}`, () => readQueries(this.folder, set));
  }

  cache(): Promise<ResponseCache | undefined> {
    if (this.data === "sample") return Promise.resolve(undefined);
    return this.#once("cache", () => ResponseCache.read(this.folder));
  }

  references(set: string): Promise<ReadonlyMap<string, ConvertedAnswer>> {
    return this.#once(`references ${set}`, () => readReferences(this.folder, set));
  }

  #catalogue(scope: Exclude<Scope, "query">): Promise<Catalogue> {
    return this.#once(`catalogue ${scope}`, async () => {
      const apis = await readCatalogue(this.folder, scope);
      if (apis.length === 0)
        throw new DataProblem(`Expected APIs in catalogue scope \`${scope}\` of ${this.folder}, found none`);
      const ranking = rankingOf(apis.map(({ text, record }) => `${text} ${record.tool_name}`));
      return { apis, rank: (question, count) => ranking.closest(question, count).map((index) => apis[index]!) };
    });
  }

  #tools(): Promise<ReadonlyMap<string, string>> {
    return this.#once("tools", () => readToolDescriptions(this.folder));
  }

  /** What a run offers for a query: its own list, or the closest of a wider scope, and the scope's toolkits where wanted. */
  async offer(task: QueryTask, spec: RunSpec): Promise<Offer> {
    const scope = scopeOf(spec);
    const tools = await this.#tools();
    const own = task.answer.api_list.map((record) => apiOf(record));
    const catalogue = scope === "query" ? undefined : await this.#catalogue(scope);
    const all = catalogue?.apis ?? own;
    const apis = catalogue?.rank(task.question, retrieved(spec, usualRetrieved)) ?? own;
    const toolkits = usesToolkits(spec) ? (await this.#toolkits(task, spec, scope, all)).toolkits : undefined;
    const callable = new Map<string, Api>();
    for (const api of toolkits === undefined ? apis : all)
      if (!callable.has(api.spec.name)) callable.set(api.spec.name, api);
    return { question: task.question, apis, callable, toolkits, tools };
  }

  /** The toolkits of a run for the panes; undefined where every query has its own, or nothing plans over them. */
  async view(spec: RunSpec): Promise<Clusters | undefined> {
    const scope = scopeOf(spec);
    if (scope === "query" || !usesToolkits(spec)) return undefined;
    const { apis } = await this.#catalogue(scope);
    return (await this.#toolkits(undefined, spec, scope, apis)).view?.();
  }

  async #toolkits(task: QueryTask | undefined, spec: RunSpec, scope: Scope, apis: readonly Api[]): Promise<Clustered> {
    const name = clusterKey(task, spec);
    const made = await this.#once(name, () =>
      spec.options["clusters.embedding"] === "library"
        ? toolkitsFromLibrary(this.folder, scope, apis)
        : clusterTools(apis.map(clusterItem), clusterSettings(spec.options, apis.length), this.#signal),
    );
    this.#clustered.set(name, made);
    return made;
  }

  /** The toolkits an environment of this task was given, once one was made. */
  clustered(task: QueryTask, spec: RunSpec): Clustered | undefined {
    return this.#clustered.get(clusterKey(task, spec));
  }
}

/** What a run's catalogue is: where it does not say, the pool for Tool-Planner and the query's own list for all others. */
export const scopeOf = ({ options, strategy }: Pick<RunSpec, "options" | "strategy">): Scope => {
  const scope = String(options["catalogue"] ?? "usual");
  if (scope === "query" || scope === "solvable" || scope === "pool" || scope === "all") return scope;
  return strategy === "tool-planner" ? "pool" : "query";
};

function clusterKey(task: QueryTask | undefined, spec: RunSpec): string {
  const scope = scopeOf(spec);
  const { options } = spec;
  const settings = ["clusters.k", "clusters.method", "clusters.eps", "clusters.embedding"].map(
    (name) => options[name] ?? "",
  );
  return ["toolkits", scope, scope === "query" ? (task?.id ?? "") : "", ...settings].join(" ");
}
