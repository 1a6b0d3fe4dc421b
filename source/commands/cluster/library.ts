/** `planwright cluster --library`: explains APIs, embeds the explanations, groups them, and describes the toolkits. */
import { embeddingRequests } from "../../engine/clustering/toolkits/cached-models.ts";
import { embedAll } from "../../engine/clustering/embedding/embedder.ts";
import { explain, explanationRequests } from "../../engine/clustering/toolkits/explanations.ts";
import { group, type Grouping } from "../../engine/clustering/methods/grouping.ts";
import type { GroupingSettings } from "../../engine/clustering/methods/settings.ts";
import { readLibrary, type LibraryApi } from "../../engine/clustering/toolkits/library.ts";
import { purity } from "../../engine/clustering/methods/partition.ts";
import { parted, readRelevant, type Parted, type Relevant } from "../../engine/clustering/toolkits/relevant.ts";
import {
  describeToolkits,
  toolkits,
  descriptionRequests,
  type ApiToolkit,
} from "../../engine/clustering/toolkits/toolkits.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { type Arguments } from "../shell/arguments.ts";
import { askersFor, type ClusterAskers } from "./models.ts";
import { countReporter, progressReporter, type ClusterOutput } from "./progress.ts";

/** Agreement of toolkits with the known categories of the APIs. */
export type Quality = {
  /**
   * Share of APIs that have the most frequent category of their toolkit, and share of APIs that have its most frequent pair of
   * category and package.
   */
  readonly purity: { readonly category: number | undefined; readonly package: number | undefined };
  readonly queries: Parted | undefined;
};

export async function clusteredLibrary(given: Arguments, settings: GroupingSettings, io: ClusterOutput) {
  const first = given.text("queries");
  const queryFiles = first === undefined ? [] : [first, ...given.positionals];
  const models = await askersFor(given, io);
  const path = given.text("library")!;
  const apis = await readLibrary(path, given.text("only"));
  if (apis.length === 0) throw new DataProblem(`Expected at least one API in ${path}, found none`);
  if (settings.method === "kmeans" && settings.k > apis.length)
    throw new RangeError(
      `Expected \`k\` to be a whole number from 1 to ${apis.length}, the number of vectors, got \`${settings.k}\``,
    );
  const queries = (await Promise.all(queryFiles.map(readRelevant))).flat();
  const explained = await explainedBy(models, apis, settings, io);
  const vectors = await embeddedBy(models, explained, io);
  const start = performance.now();
  const grouping = await group(vectors, settings, { signal: io.signal, progress: progressReporter(io) });
  const seconds = (performance.now() - start) / 1000;
  const found = await toolkits(explained, grouping.labels);
  return {
    apis: explained,
    grouping,
    seconds,
    toolkits: await describedBy(models, found, io),
    quality: qualityOf(explained, grouping, queryFiles.length === 0 ? undefined : queries),
  };
}

/** Reports which requests will be sent, and requests the explanations. */
async function explainedBy(
  { cache, describe, explain: asking, kept }: ClusterAskers,
  apis: readonly LibraryApi[],
  settings: GroupingSettings,
  io: ClusterOutput,
): Promise<readonly LibraryApi[]> {
  if (cache === undefined) return apis;
  const calls = asking === undefined ? 0 : await explanationRequests(apis, asking);
  const most = settings.method === "kmeans" ? settings.k : apis.length;
  const plan = [
    ...(asking === undefined
      ? []
      : [`${counted(calls, "request")} to ${asking.model} for explanations of ${apis.length} APIs`]),
    ...(kept === undefined
      ? []
      : [`at most ${counted(embeddingRequests(apis.length), "request")} to ${kept.name} for vectors`]),
    ...(describe === undefined ? [] : [`at most ${counted(most, "request")} to ${describe.model} for descriptions`]),
  ];
  io.stderr(`Will send ${plan.join(", ")}; replies are saved in ${cache}\n`);
  return asking === undefined ? apis : explain(apis, asking);
}

async function embeddedBy({ embedder, kept }: ClusterAskers, apis: readonly LibraryApi[], io: ClusterOutput) {
  const { signal } = io;
  const isLexical = embedder.name === "lexical";
  // A model gets the explanation alone. The lexical embedding also gets the name, which matters most if the explanation is short.
  const texts = apis.map(({ api_dest: { name }, functionality }) =>
    isLexical ? `${name} ${functionality}` : functionality.trim() || name,
  );
  if (kept !== undefined) {
    const missing = kept.missing(texts);
    io.stderr(`Sending ${counted(embeddingRequests(missing), "request")} to ${kept.name} for ${missing} vectors\n`);
  }
  const report = countReporter(io, "embedded");
  // The lexical embedding weighs words by their frequency in all texts, so it gets all texts in one call.
  const batch = isLexical ? Infinity : 64;
  try {
    return await embedAll(embedder, texts, { signal, batch, progress: (done) => report(done, texts.length) });
  } finally {
    embedder.close?.();
  }
}

async function describedBy(
  { describe: asking }: ClusterAskers,
  found: readonly ApiToolkit[],
  io: ClusterOutput,
): Promise<readonly ApiToolkit[]> {
  if (asking === undefined) return found;
  const calls = await descriptionRequests(found, asking);
  io.stderr(`Sending ${counted(calls, "request")} to ${asking.model} for descriptions of ${found.length} toolkits\n`);
  return describeToolkits(found, asking);
}

function qualityOf(
  apis: readonly LibraryApi[],
  { labels }: Grouping,
  queries: readonly Relevant[] | undefined,
): Quality {
  const categories = apis.map(({ api_dest }) => api_dest.type_name);
  const packages = apis.map(({ api_dest }) => JSON.stringify([api_dest.type_name, api_dest.package_name]));
  return {
    purity: { category: purity(labels, categories), package: purity(labels, packages) },
    queries: queries === undefined ? undefined : parted(queries, apis, labels),
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
