/** Parts of a data folder that runs need: queries, catalogue scopes, toolkits and cache, each read once. */
import { retrieved, usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Clusters, ClusterModels } from "../../../source/engine/clusters.ts";
import type { DataKind, RunSpec } from "../../../source/engine/types.ts";
import { keptPromise } from "../../../source/engine/work/kept-promise.ts";
import { SharedWork } from "../../../source/engine/work/shared-work.ts";
import { rankingOf } from "../../../source/engine/toolkits/ranking.ts";
import type { Offer } from "../ask/environment.ts";
import {
  apisOf,
  readCatalogue,
  readQueries,
  readToolDescriptions,
  type Api,
  type Query,
  type QueryTask,
  type Scope,
} from "./records.ts";
import { referenceOf } from "./reference-file.ts";
import { readReferences, type References } from "./references.ts";
import { ResponseCache } from "./response-cache.ts";
import { clusterItem, toolkitsFromLibrary } from "./toolkits.ts";
import type { MadeToolkits, PreparationRequests } from "../../../source/engine/loaded-suite.ts";
import { clusterRequests, clusterSettings, needsModels } from "../../../source/engine/toolkits/cluster-settings.ts";
import { ToolClusters, type Clustered } from "../../../source/engine/toolkits/tool-clusters.ts";
import { unmonitored, type Monitor } from "../../../source/engine/work/monitor.ts";

/** Default number of APIs that a model gets from a wider catalogue. */
export const usualRetrieved = 10;

export const sets: readonly string[] = [
  "G1_instruction",
  "G1_category",
  "G1_tool",
  "G2_instruction",
  "G2_category",
  "G3_instruction",
];

type Catalogue = {
  readonly apis: readonly Api[];
  readonly byName: ReadonlyMap<string, Api>;
  readonly rank: (question: string, count: number) => readonly Api[];
};

export class World {
  readonly folder: string;
  readonly data: DataKind;
  readonly #monitor: Monitor;
  readonly #clusters: ToolClusters;
  readonly #kept = new Map<string, Promise<unknown>>();
  /** The last retrieval for a query, which its score needs again. */
  readonly #retrieved = new WeakMap<
    QueryTask,
    { readonly scope: Scope; readonly count: number; readonly apis: readonly Api[] }
  >();
  /** Toolkits of library files by scope; built-in models look them up without waiting. */
  readonly #libraries = new SharedWork<Clustered>();

  constructor(folder: string, data: DataKind, signal?: AbortSignal, models?: ClusterModels) {
    this.folder = folder;
    this.data = data;
    this.#monitor = unmonitored(signal);
    this.#clusters = new ToolClusters(models);
  }

  /** Reads the queries of one set with its name, or of every set for `all`. */
  async sets(split: string): Promise<readonly { readonly set: string; readonly queries: readonly Query[] }[]> {
    const wanted = split === "all" ? sets : [split];
    return Promise.all(wanted.map(async (set) => ({ set, queries: await this.queries(set) })));
  }

  queries(set: string): Promise<readonly Query[]> {
    return keptPromise(this.#kept, `queries ${set}`, () => readQueries(this.folder, set));
  }

  cache(): Promise<ResponseCache | undefined> {
    if (this.data === "sample") return Promise.resolve(undefined);
    return keptPromise(this.#kept, "cache", () => ResponseCache.read(this.folder));
  }

  references(set: string, name: string): Promise<References> {
    return keptPromise(this.#kept, `references ${name} ${set}`, () =>
      readReferences(this.folder, this.data, set, name),
    );
  }

  #catalogue(scope: Exclude<Scope, "query">): Promise<Catalogue> {
    return keptPromise(this.#kept, `catalogue ${scope}`, async () => {
      const apis = await readCatalogue(this.folder, scope);
      if (apis.length === 0)
        throw new DataProblem(`Expected APIs in catalogue scope \`${scope}\` of ${this.folder}, found none`);
      const ranking = await rankingOf(apis.map(({ text, record }) => `${text} ${record.tool_name}`));
      return {
        apis,
        byName: byName(apis),
        rank: (question, count) => ranking.closest(question, count).map((index) => apis[index]!),
      };
    });
  }

  #tools(): Promise<ReadonlyMap<string, string>> {
    return keptPromise(this.#kept, "tools", () => readToolDescriptions(this.folder));
  }

  /**
   * Returns the APIs that a run offers for a query: its own list, or the most similar APIs of a wider scope, and on request the
   * toolkits of the scope.
   */
  async offer(task: QueryTask, spec: RunSpec): Promise<Offer> {
    const scope = scopeOf(spec);
    const tools = await this.#tools();
    const own = apisOf(task.answer);
    const apis = (await this.retrieved(task, spec)) ?? own;
    const toolkits = usesToolkits(spec) ? (await this.#toolkits(task, spec, this.#monitor)).toolkits : undefined;
    const inToolkits = toolkits !== undefined && scope !== "query";
    const callable = inToolkits ? (await this.#catalogue(scope)).byName : byName(apis);
    return { question: task.question, apis, callable, toolkits, tools };
  }

  /**
   * Retrieves the APIs of a wider catalogue that are offered as functions; undefined for a run that offers the query's own list.
   */
  async retrieved(task: QueryTask, spec: RunSpec): Promise<readonly Api[] | undefined> {
    const scope = scopeOf(spec);
    if (scope === "query") return undefined;
    const count = retrieved(spec, usualRetrieved);
    const known = this.#retrieved.get(task);
    if (known?.scope === scope && known.count === count) return known.apis;
    const apis = (await this.#catalogue(scope)).rank(task.question, count);
    this.#retrieved.set(task, { scope, count, apis });
    return apis;
  }

  /** Makes the toolkits of these tasks if the run plans over toolkits, and reads the references for a judge. */
  async prepare(tasks: readonly QueryTask[], spec: RunSpec, monitor: Monitor): Promise<void> {
    if (spec.judge !== undefined && tasks.length > 0) await this.references(tasks[0]!.input.set, referenceOf(spec));
    if (!usesToolkits(spec)) return;
    if (scopeOf(spec) !== "query") {
      await this.#toolkits(undefined, spec, monitor);
      return;
    }
    // Grouping a query's few tools takes no time; only the models do.
    if (isLibrary(spec) || !needsModels(clusterSettings(spec))) return;
    for (const [index, task] of tasks.entries()) {
      const progress = (doing: string) => monitor.progress(`task ${index + 1} of ${tasks.length}: ${doing}`);
      await this.#toolkits(task, spec, { ...monitor, progress });
    }
  }

  /** Returns the toolkits made for these tasks, for another program that has its own library files. */
  made(tasks: readonly QueryTask[], spec: RunSpec): MadeToolkits {
    if (!usesToolkits(spec) || isLibrary(spec)) return {};
    const made = groupedOf(tasks, spec).map(({ of }) => [of, this.#clusters.made(of, clusterSettings(spec))] as const);
    return Object.fromEntries(made.flatMap(([of, one]) => (one === undefined ? [] : [[of, one] as const])));
  }

  async take(tasks: readonly QueryTask[], spec: RunSpec, made: MadeToolkits): Promise<void> {
    for (const { of, task } of groupedOf(tasks, spec)) {
      const items = () => this.#items(task, scopeOf(spec));
      if (Object.hasOwn(made, of)) await this.#clusters.take(of, clusterSettings(spec), items, made[of]!);
    }
  }

  /** Estimates the requests that grouping takes. */
  preparing(tasks: readonly QueryTask[], spec: RunSpec): readonly PreparationRequests[] {
    if (!usesToolkits(spec) || isLibrary(spec)) return [];
    const scope = scopeOf(spec);
    const settings = clusterSettings(spec);
    if (scope !== "query")
      return clusterRequests(settings, scope, largest[this.data === "sample" ? "sample" : "published"][scope]);
    return tasks.flatMap((task) => clusterRequests(settings, ofWhat(task, scope), task.answer.api_list.length));
  }

  /** Returns a run's toolkits for analyses; undefined if every query has separate toolkits, or the run uses none. */
  async view(spec: RunSpec): Promise<Clusters | undefined> {
    if (scopeOf(spec) === "query" || !usesToolkits(spec)) return undefined;
    return (await this.#look(undefined, spec, this.#monitor)).view();
  }

  /**
   * Returns the toolkits of a task's run for its score, grouped again if another process executed the task. Sends no request:
   * throws `ModelProblem` if one would be needed. Returns undefined if the run uses no toolkits.
   */
  async clusteredFor(task: QueryTask, spec: RunSpec, signal: AbortSignal): Promise<Clustered | undefined> {
    if (!usesToolkits(spec)) return undefined;
    return this.clustered(task, spec) ?? this.#look(task, spec, unmonitored(signal));
  }

  #look(task: QueryTask | undefined, spec: RunSpec, monitor: Monitor): Promise<Clustered> {
    if (isLibrary(spec)) return this.#toolkits(task, spec, monitor);
    const scope = scopeOf(spec);
    return this.#clusters.look(ofWhat(task, scope), clusterSettings(spec), () => this.#items(task, scope), monitor);
  }

  #toolkits(task: QueryTask | undefined, spec: RunSpec, monitor: Monitor): Promise<Clustered> {
    const scope = scopeOf(spec);
    if (isLibrary(spec)) {
      const read = async (own: Monitor) => toolkitsFromLibrary(this.folder, scope, await this.#apis(task, scope), own);
      return this.#libraries.do(ofWhat(task, scope), monitor, read);
    }
    monitor.progress(scope === "query" ? "grouping the tools of the query" : "reading the catalogue");
    const items = () => this.#items(task, scope);
    return this.#clusters.make(ofWhat(task, scope), clusterSettings(spec), items, monitor);
  }

  async #apis(task: QueryTask | undefined, scope: Scope): Promise<readonly Api[]> {
    if (scope === "query") return apisOf(task!.answer);
    return (await this.#catalogue(scope)).apis;
  }

  async #items(task: QueryTask | undefined, scope: Scope) {
    return (await this.#apis(task, scope)).map(clusterItem);
  }

  /** Returns the toolkits of this task's environment, if they exist. */
  clustered(task: QueryTask, spec: RunSpec): Clustered | undefined {
    const of = ofWhat(task, scopeOf(spec));
    return isLibrary(spec) ? this.#libraries.known(of) : this.#clusters.known(of, clusterSettings(spec));
  }
}

/** Maps names to APIs; the first API of each name wins. */
function byName(apis: readonly Api[]): ReadonlyMap<string, Api> {
  const named = new Map<string, Api>();
  for (const api of apis) if (!named.has(api.spec.name)) named.set(api.spec.name, api);
  return named;
}

/** Maximum number of APIs of a scope; each API can form its own toolkit. */
export const largest = {
  published: { solvable: 2490, pool: 16_531, all: 47_187 },
  sample: { solvable: 48, pool: 48, all: 48 },
} as const;

/** Reports whether toolkits come from a library file. */
const isLibrary = ({ options }: RunSpec): boolean => options["clusters.embedding"] === "library";

/** Names the set of tools to group: a scope, or the list of one query. */
const ofWhat = (task: QueryTask | undefined, scope: Scope): string =>
  scope === "query" ? `query ${task?.id ?? ""}` : scope;

/** Returns the sets of tools to group for these tasks: the list of each query, or one scope. */
function groupedOf(tasks: readonly QueryTask[], spec: RunSpec) {
  const scope = scopeOf(spec);
  const all = scope === "query" ? tasks : [undefined];
  return all.map((task) => ({ task, of: ofWhat(task, scope) }));
}

/** Returns a run's catalogue; by default the pool for Tool-Planner and the query's own list for other strategies. */
export const scopeOf = ({ options, strategy }: Pick<RunSpec, "options" | "strategy">): Scope => {
  const scope = String(options["catalogue"] ?? "usual");
  if (scope === "query" || scope === "solvable" || scope === "pool" || scope === "all") return scope;
  return strategy === "tool-planner" ? "pool" : "query";
};
