/** Groups a benchmark's tools into toolkits; each grouping is computed once and shared. */
import { cachedOnly, localModels } from "../clustering/toolkits/cached-models.ts";
import type { ClusterModels } from "../clusters.ts";
import { clusterView } from "../clustering/toolkits/cluster-view.ts";
import { embedAll } from "../clustering/embedding/embedder.ts";
import { explain } from "../clustering/toolkits/explanations.ts";
import { textsPerRequest } from "../clustering/embedding/endpoint-embedder.ts";
import { group, groupingMetrics, progressText } from "../clustering/methods/grouping.ts";
import type { LibraryApi } from "../clustering/toolkits/library.ts";
import { describeToolkits, toolkits } from "../clustering/toolkits/toolkits.ts";
import type { Vectors } from "../clustering/methods/vectors.ts";
import type { Clusters } from "../clusters.ts";
import { counted } from "../text/counted.ts";
import type { Toolkit } from "../protocol.ts";
import { SharedWork } from "../work/shared-work.ts";
import type { ToolSpec } from "../types.ts";
import type { MadeGrouping } from "../loaded-suite.ts";
import { DataProblem } from "../text/json-lines.ts";
import { unmonitored, type Monitor } from "../work/monitor.ts";
import { explanationKey, needsModels, toolkitCount, type ClusterSettings } from "./cluster-settings.ts";

/** One tool with the texts by which it is grouped. */
export type ClusterItem = {
  readonly spec: ToolSpec;
  /** The text for the lexical embedding if no model explains the tool. */
  readonly text: string;
  readonly api: LibraryApi;
};

export type Clustered = {
  readonly toolkits: readonly Toolkit[];
  readonly metrics: Readonly<Record<string, number>>;
  /** For analyses; computed on demand, because it takes seconds. */
  readonly view: () => Promise<Clusters>;
};

/** Number of tools from which k-means has only one init: ten would take most of an hour. */
const many = 5000;
/**
 * Maximum number of pairs compared for the silhouette, which takes a few seconds. It covers all pairs of 7,000 tools; for more
 * tools, a sample of pairs.
 */
const comparisons = 5e7;

type Read = () => Promise<readonly ClusterItem[]>;

export class ToolClusters {
  readonly #models: ClusterModels;
  readonly #made = new SharedWork<Clustered>();
  readonly #groupings = new Map<string, MadeGrouping>();
  readonly #explained = new SharedWork<readonly ClusterItem[]>();
  readonly #vectors = new SharedWork<Vectors>();

  constructor(models: ClusterModels = localModels) {
    this.#models = models;
  }

  /** Returns the toolkits of `of` (a scope, a hub, a query) with these settings, if they exist already. */
  known(of: string, settings: ClusterSettings): Clustered | undefined {
    return this.#made.known(keyOf(of, settings));
  }

  /** Returns these toolkits for another program that has the same tools. */
  made(of: string, settings: ClusterSettings): MadeGrouping | undefined {
    return this.#groupings.get(keyOf(of, settings));
  }

  /** Uses toolkits that another program made from the same tools. Throws `DataProblem` if the tools differ. */
  async take(of: string, settings: ClusterSettings, read: Read, made: MadeGrouping): Promise<void> {
    const items = await read();
    const { labels, descriptions } = made;
    const ids = new Set(descriptions.map(({ id }) => id));
    if (labels.length !== items.length || !labels.every((label) => ids.has(label)))
      throw new DataProblem(
        `Expected toolkits made of the ${counted(items.length, "tool")} of ${of}, got toolkits of ${counted(labels.length, "tool")}`,
      );
    const vectors = async () => {
      const models = cachedOnly(this.#models);
      const explained = await this.#explain(of, settings, read, unmonitored(), models);
      return this.#embed(of, settings, explained, unmonitored(), models);
    };
    this.#made.keep(keyOf(of, settings), this.#clustered(of, settings, items, made, vectors));
  }

  /**
   * Groups the tools, with requests to the models in the settings. k is at most the number of tools. Throws `DataProblem` for
   * settings out of range, `ModelProblem` if a model cannot be used, and the reason of the monitor's signal.
   */
  make(of: string, settings: ClusterSettings, read: Read, monitor: Monitor): Promise<Clustered> {
    return this.#made.do(keyOf(of, settings), monitor, (own) => this.#group(of, settings, read, own, this.#models));
  }

  /** Groups tools for viewing only: sends no request, and throws `ModelProblem` if a request would be needed. */
  async look(of: string, settings: ClusterSettings, read: Read, monitor: Monitor): Promise<Clustered> {
    if (!needsModels(settings)) return this.make(of, settings, read, monitor);
    const key = keyOf(of, settings);
    const known = this.#made.known(key);
    if (known !== undefined) return known;
    const work = (own: Monitor) => this.#group(of, settings, read, own, cachedOnly(this.#models));
    // The key differs from that of `make`, which must not fail because viewing may not send requests.
    const found = await this.#made.do(`looking ${key}`, monitor, work);
    this.#made.keep(key, found);
    return found;
  }

  async #group(of: string, settings: ClusterSettings, read: Read, monitor: Monitor, models: ClusterModels) {
    checkSettings(settings);
    const items = await this.#explain(of, settings, read, monitor, models);
    const vectors = await this.#embed(of, settings, items, monitor, models);
    const { method, eps } = settings;
    const k = toolkitCount(settings, items.length);
    const inits = items.length >= many ? { inits: 1 } : {};
    const wanted = method === "dbscan" ? { method, eps } : { method, k, seed: 0, ...inits };
    const total = method === "dbscan" ? undefined : k;
    const grouping = await group(vectors, wanted, {
      signal: monitor.signal,
      comparisons,
      progress: (progress) =>
        monitor.progress(`grouping ${counted(items.length, "API")}: ${progressText(progress, total)}`),
    });
    const lexical = await toolkits(
      items.map(({ api }, id) => ({ ...api, id })),
      grouping.labels,
    );
    const { describe } = settings;
    const asking = describe === undefined ? undefined : askingOf(models, "describe", describe, "toolkits", monitor);
    const found = asking === undefined ? lexical : await describeToolkits(lexical, asking, settings.describePrompts);
    const made = {
      labels: [...grouping.labels],
      descriptions: found.map(({ id, description }) => ({ id, description })),
      metrics: groupingMetrics(grouping),
    };
    return this.#clustered(of, settings, items, made, async () => vectors);
  }

  #clustered(
    of: string,
    settings: ClusterSettings,
    items: readonly ClusterItem[],
    made: MadeGrouping,
    vectors: () => Promise<Vectors>,
  ): Clustered {
    const { labels, descriptions, metrics } = made;
    const tools = new Map<number, ToolSpec[]>(descriptions.map(({ id }) => [id, []]));
    for (const [index, { spec }] of items.entries()) tools.get(labels[index]!)!.push(spec);
    const names = items.map(({ spec, api }) => ({ name: spec.name, group: api.api_dest.type_name }));
    this.#groupings.set(keyOf(of, settings), made);
    return {
      toolkits: descriptions.map((each) => ({ ...each, tools: tools.get(each.id)! })),
      metrics,
      view: async () => clusterView(names, await vectors(), labels, descriptions),
    };
  }

  #explain(of: string, settings: ClusterSettings, read: Read, monitor: Monitor, models: ClusterModels) {
    const { explain: model, explainPrompts } = settings;
    if (model === undefined) return read();
    return this.#explained.do(nameOf(of, explanationKey(settings), models === this.#models), monitor, async (own) => {
      const items = await read();
      const asking = askingOf(models, "explain", model, "APIs", own);
      const explained = await explain(
        items.map(({ api }) => api),
        asking,
        explainPrompts,
      );
      return explained.map((api, index) => {
        const { spec } = items[index]!;
        return { spec, api, text: `${api.api_dest.name} ${api.functionality}` };
      });
    });
  }

  #embed(
    of: string,
    settings: ClusterSettings,
    items: readonly ClusterItem[],
    monitor: Monitor,
    models: ClusterModels,
  ): Promise<Vectors> {
    const { embedding } = settings;
    const name = nameOf(`${of} ${explanationKey(settings)}`, embedding, models === this.#models);
    return this.#vectors.do(name, monitor, async ({ progress, signal }) => {
      const embedder = await models.embedder(embedding, progress);
      const isLexical = embedding === "lexical";
      // A model embeds the explanation alone; the lexical embedding also needs the name, because explanations can be short.
      const texts = items.map(({ api, text }) => (isLexical ? text : api.functionality.trim() || api.api_dest.name));
      const apis = counted(texts.length, "API");
      const report = (done: number) =>
        progress(isLexical ? `embedding ${apis} by their words` : `embedding ${apis} with ${embedding}: ${done} done`);
      report(0);
      // The lexical embedding counts document frequencies over all texts, so it gets them in one batch.
      try {
        return await embedAll(embedder, texts, {
          signal,
          batch: isLexical ? Infinity : textsPerRequest,
          progress: report,
        });
      } finally {
        embedder.close?.();
      }
    });
  }
}

/** Throws `DataProblem`; called before anything is read or requested. */
function checkSettings({ method, k, eps }: ClusterSettings): void {
  if (method === "kmeans" && !(Number.isInteger(k) && k >= 0))
    throw new DataProblem(`Expected \`clusters.k\` to be a whole number of at least 0, got \`${k}\``);
  if (method === "dbscan" && !(eps >= 0 && eps <= 2))
    throw new DataProblem(`Expected \`clusters.eps\` to be a cosine distance from 0 to 2, got \`${eps}\``);
}

const keyOf = (of: string, settings: ClusterSettings): string => JSON.stringify([of, settings]);

const nameOf = (of: string, model: string, asks: boolean): string => JSON.stringify([of, model, asks]);

function askingOf(
  models: ClusterModels,
  stage: "explain" | "describe",
  name: string,
  what: string,
  { progress, signal }: Monitor,
) {
  const doing = stage === "explain" ? "explaining" : "describing";
  return models.asking(stage, name, {
    signal,
    onRetry: progress,
    progress: (done, total) => progress(`${doing} ${what} with ${name}: ${done} of ${total} requests`),
  });
}
