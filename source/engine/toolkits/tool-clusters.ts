/** A benchmark's tools grouped into toolkits: each grouping is made once, whoever needs it. */
import { cachedOnly, localModels } from "../clustering/toolkits/cached-models.ts";
import type { ClusterModels } from "../cluster-models.ts";
import { clusterView } from "../clustering/toolkits/cluster-view.ts";
import { embedAll } from "../clustering/embedding/embedder.ts";
import { explain } from "../clustering/toolkits/explanations.ts";
import { textsPerRequest } from "../clustering/embedding/endpoint-embedder.ts";
import { group, groupingMetrics } from "../clustering/methods/grouping.ts";
import { progressText } from "../clustering/methods/progress-text.ts";
import type { LibraryApi } from "../clustering/toolkits/library.ts";
import { describeToolkits, toolkits } from "../clustering/toolkits/toolkits.ts";
import type { Vectors } from "../clustering/methods/vectors.ts";
import type { Clusters } from "../clusters.ts";
import { counted } from "../text/counted.ts";
import type { Toolkit } from "../protocol.ts";
import { SharedWork } from "../work/shared-work.ts";
import type { ToolSpec } from "../types.ts";
import { DataProblem } from "../text/json-lines.ts";
import type { Monitor } from "../work/monitor.ts";
import { needsModels, toolkitCount, type ClusterSettings } from "./cluster-settings.ts";

/** One tool with what it is grouped by. */
export type ClusterItem = {
  readonly spec: ToolSpec;
  /** What the lexical embedding reads where no model explains the tool. */
  readonly text: string;
  readonly api: LibraryApi;
};

export type Clustered = {
  readonly toolkits: readonly Toolkit[];
  readonly metrics: Readonly<Record<string, number>>;
  /** For the panes; made when it is asked for, as it compares every pair. */
  readonly view: () => Promise<Clusters>;
};

/** Tools from which on one seeding has to do: ten would take most of an hour. */
const many = 5000;
/** Pairs the silhouette compares: a few seconds' work, all of 7,000 tools and a sample of more. */
const comparisons = 5e7;

type Read = () => Promise<readonly ClusterItem[]>;

export class ToolClusters {
  readonly #models: ClusterModels;
  readonly #made = new SharedWork<Clustered>();
  readonly #explained = new SharedWork<readonly ClusterItem[]>();
  readonly #vectors = new SharedWork<Vectors>();

  constructor(models: ClusterModels = localModels) {
    this.#models = models;
  }

  /** The toolkits of `of` (a scope, a hub, a query) with these settings, once they were made. */
  known(of: string, settings: ClusterSettings): Clustered | undefined {
    return this.#made.known(keyOf(of, settings));
  }

  /**
   * Groups the tools, asking the models the settings name. A k above the number of tools becomes their number. Throws what
   * the engine throws for settings out of range, `ModelProblem` where a model cannot be asked, and the reason of the
   * watch's signal.
   */
  make(of: string, settings: ClusterSettings, read: Read, monitor: Monitor): Promise<Clustered> {
    return this.#made.do(keyOf(of, settings), monitor, (own) => this.#group(of, settings, read, own, this.#models));
  }

  /** The same for who only looks: sends nothing, throws `ModelProblem` where something would have to be asked. */
  async look(of: string, settings: ClusterSettings, read: Read, monitor: Monitor): Promise<Clustered> {
    if (!needsModels(settings)) return this.make(of, settings, read, monitor);
    const key = keyOf(of, settings);
    const known = this.#made.known(key);
    if (known !== undefined) return known;
    const work = (own: Monitor) => this.#group(of, settings, read, own, cachedOnly(this.#models));
    // Apart from `make`, which must not fail because a looker may not ask.
    const found = await this.#made.do(`looking ${key}`, monitor, work);
    this.#made.keep(key, found);
    return found;
  }

  async #group(
    of: string,
    settings: ClusterSettings,
    read: Read,
    monitor: Monitor,
    models: ClusterModels,
  ): Promise<Clustered> {
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
    const found = asking === undefined ? lexical : await describeToolkits(lexical, asking);
    const names = items.map(({ spec, api }) => ({ name: spec.name, group: api.api_dest.type_name }));
    return {
      toolkits: found.map(({ id, description, apis }) => ({
        id,
        description,
        tools: apis.map((api) => items[api.id]!.spec),
      })),
      metrics: groupingMetrics(grouping),
      view: () => clusterView(names, vectors, grouping.labels, found),
    };
  }

  #explain(of: string, { explain: model }: ClusterSettings, read: Read, monitor: Monitor, models: ClusterModels) {
    if (model === undefined) return read();
    return this.#explained.do(nameOf(of, model, models === this.#models), monitor, async (own) => {
      const items = await read();
      const asking = askingOf(models, "explain", model, "APIs", own);
      const explained = await explain(
        items.map(({ api }) => api),
        asking,
      );
      return explained.map((api, index) => {
        const { spec } = items[index]!;
        return { spec, api, text: `${api.api_dest.name} ${api.functionality}` };
      });
    });
  }

  #embed(
    of: string,
    { embedding, explain: model = "none" }: ClusterSettings,
    items: readonly ClusterItem[],
    monitor: Monitor,
    models: ClusterModels,
  ): Promise<Vectors> {
    const name = nameOf(`${of} ${model}`, embedding, models === this.#models);
    return this.#vectors.do(name, monitor, async ({ progress, signal }) => {
      const embedder = await models.embedder(embedding, progress);
      const isLexical = embedding === "lexical";
      // A model gets the explanation alone; for words, the name says most where the explanation is short.
      const texts = items.map(({ api, text }) => (isLexical ? text : api.functionality.trim() || api.api_dest.name));
      const apis = counted(texts.length, "API");
      const report = (done: number) =>
        progress(isLexical ? `embedding ${apis} by their words` : `embedding ${apis} with ${embedding}: ${done} done`);
      report(0);
      // The lexical embedding weighs words by all texts together, so it gets them at once.
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

/** Said before anything is read or asked. Throws `DataProblem`. */
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
