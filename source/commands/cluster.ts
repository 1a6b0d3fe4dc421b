/** `planwright cluster`: clusters of vectors made elsewhere, or of the APIs of a library. */
import { embedAll } from "../engine/clustering/embedder.ts";
import { group, mostForSilhouette, type Grouping, type GroupingSettings } from "../engine/clustering/grouping.ts";
import { lexicalEmbedder } from "../engine/clustering/lexical-embedder.ts";
import { readLibrary, writeLibrary, type LibraryApi } from "../engine/clustering/library.ts";
import { onnxEmbedder } from "../engine/clustering/onnx-embedder.ts";
import { libraryOf, toolkits } from "../engine/clustering/toolkits.ts";
import { readVectors } from "../engine/clustering/vector-file.ts";
import { figureText } from "../engine/figure-text.ts";
import { DataProblem } from "../engine/json-lines.ts";
import { ArgumentProblem, readArguments, type Arguments } from "./arguments.ts";
import { sizesFigure, summaryFigure, toolkitsFigure } from "./cluster-figures.ts";

export type ClusterOutput = { stdout(text: string): void; stderr(text: string): void; readonly signal: AbortSignal };

export const clusterUsage = [
  "planwright cluster --vectors FILE.f32le.bin --shape FILE.shape.json --method kmeans --k K [--n-init N] [--seed SEED] [--json]",
  "planwright cluster --vectors FILE.f32le.bin --shape FILE.shape.json --method dbscan --eps E [--json]",
  "planwright cluster --library FILE.jsonl --k K [--embedding lexical|onnx] [--model FOLDER] [--only FIELD] [--out FILE.jsonl] [--json]",
].join("\n");

const texts = [
  "vectors",
  "shape",
  "library",
  "method",
  "k",
  "n-init",
  "seed",
  "eps",
  "embedding",
  "model",
  "only",
  "out",
];

/** Runs the command; resolves to the exit status: 2 for arguments and data that cannot be used, with a word on `stderr`. */
export async function clusterCommand(args: readonly string[], io: ClusterOutput): Promise<number> {
  try {
    const given = readArguments(args, texts, ["json"]);
    if (given.words.length > 0)
      throw new ArgumentProblem(`Expected only flags, got \`${given.words[0]}\`\n${clusterUsage}`);
    if ((given.text("vectors") === undefined) === (given.text("library") === undefined)) {
      throw new ArgumentProblem(`Expected either \`--vectors FILE\` or \`--library FILE\`\n${clusterUsage}`);
    }
    await (given.text("library") === undefined ? clusterVectors(given, io) : clusterLibrary(given, io));
    return 0;
  } catch (error) {
    if (io.signal.aborted) throw error;
    // The engine's RangeErrors are about the numbers in the file or in the flags.
    const expected = error instanceof ArgumentProblem || error instanceof DataProblem || error instanceof RangeError;
    if (!expected) throw error;
    io.stderr(`${inFlags(error.message)}\n`);
    return 2;
  }
}

async function clusterVectors(given: Arguments, io: ClusterOutput): Promise<void> {
  for (const flag of ["embedding", "model", "only", "out"]) {
    if (given.text(flag) !== undefined)
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--library\``);
  }
  const shape = given.text("shape");
  if (shape === undefined) throw new ArgumentProblem("Expected `--shape FILE.shape.json` beside `--vectors`, got none");
  const settings = settingsFrom(given);
  const vectors = await readVectors(given.text("vectors")!, shape);
  const { grouping, seconds } = await timed(() => group(vectors, settings, options(io)));
  report(given, io, grouping, settings, seconds, []);
}

async function clusterLibrary(given: Arguments, io: ClusterOutput): Promise<void> {
  if (given.text("shape") !== undefined) throw new ArgumentProblem("Expected `--shape` only together with `--vectors`");
  const settings = settingsFrom(given);
  const embedder = embedderFrom(given);
  const path = given.text("library")!;
  const apis = await readLibrary(path, given.text("only"));
  if (apis.length === 0) throw new DataProblem(`Expected at least one API in ${path}, found none`);
  const { grouping, seconds } = await timed(async () =>
    group(
      await embedAll(embedder, apis.map(textOf), { signal: io.signal, batch: batchOf(embedder.name) }),
      settings,
      options(io),
    ),
  );
  const found = toolkits(apis, grouping.labels);
  const out = given.text("out");
  if (out !== undefined) await writeLibrary(out, libraryOf(apis, found));
  report(given, io, grouping, settings, seconds, found);
  if (out !== undefined) io.stderr(`Wrote ${apis.length} APIs in ${found.length} toolkits to ${out}\n`);
}

/** What is embedded of an API: its explanation, with its name, which says most where the explanation is short. */
function textOf({ api_dest, functionality }: LibraryApi): string {
  return `${api_dest.name} ${functionality}`;
}

/** The lexical embedding weighs words by all texts together, so it gets them at once. */
function batchOf(name: string): number {
  return name === "lexical" ? Infinity : 64;
}

function embedderFrom(given: Arguments) {
  const name = given.text("embedding") ?? "lexical";
  const model = given.text("model");
  if (name === "lexical") {
    if (model !== undefined) throw new ArgumentProblem("Expected `--model` only together with `--embedding onnx`");
    return lexicalEmbedder();
  }
  if (name !== "onnx") throw new ArgumentProblem(`Expected \`--embedding\` to be lexical or onnx, got \`${name}\``);
  if (model === undefined) throw new ArgumentProblem("Expected `--model FOLDER` beside `--embedding onnx`, got none");
  return onnxEmbedder(model);
}

function settingsFrom(given: Arguments): GroupingSettings {
  const method = given.text("method") ?? (given.text("library") === undefined ? undefined : "kmeans");
  const not = (flag: string, wanted: string) => {
    if (given.text(flag) !== undefined)
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--method ${wanted}\``);
  };
  if (method === "kmeans") {
    not("eps", "dbscan");
    const k = given.number("k", { least: 1, whole: true });
    if (k === undefined) throw new ArgumentProblem("Expected `--k K`, the number of clusters, got none");
    const inits = given.number("n-init", { least: 1, whole: true }) ?? 10;
    return { method, k, inits, seed: given.number("seed", { least: 0, whole: true }) ?? 0 };
  }
  if (method === "dbscan") {
    not("k", "kmeans");
    not("n-init", "kmeans");
    const eps = given.number("eps", { least: 0, most: 2 });
    if (eps === undefined) throw new ArgumentProblem("Expected `--eps E`, a cosine distance, got none");
    return { method, eps };
  }
  throw new ArgumentProblem(
    method === undefined
      ? "Expected `--method kmeans` or `--method dbscan`, got none"
      : `Expected \`--method\` to be kmeans or dbscan, got \`${method}\``,
  );
}

function options(io: ClusterOutput) {
  let told = performance.now();
  return {
    signal: io.signal,
    progress({ init, inits, stage, done }: { init: number; inits: number; stage: string; done: number }) {
      if (performance.now() - told < 5000) return;
      told = performance.now();
      io.stderr(`init ${init + 1} of ${inits}: ${stage}, ${done} done\n`);
    },
  };
}

async function timed(work: () => Promise<Grouping>): Promise<{ grouping: Grouping; seconds: number }> {
  const start = performance.now();
  const grouping = await work();
  return { grouping, seconds: (performance.now() - start) / 1000 };
}

function report(
  given: Arguments,
  { stdout, stderr }: ClusterOutput,
  grouping: Grouping,
  settings: GroupingSettings,
  seconds: number,
  found: ReturnType<typeof toolkits>,
): void {
  const { method, k, inertia, iterations, labels, sizes } = grouping;
  const silhouette = grouping.silhouette ?? null;
  if (labels.length > mostForSilhouette) {
    stderr(`The silhouette compares every pair: it is left out for more than ${mostForSilhouette} vectors\n`);
  }
  if (given.flag("json")) {
    const quality = settings.method === "kmeans" ? { inertia } : { eps: settings.eps, clusters: sizes.length };
    const shown = found.map(({ id, description, apis }) => ({ id, description, apis: apis.map((api) => api.id) }));
    const output = { method, k, ...quality, iterations, labels: [...labels], sizes, silhouette, seconds };
    stdout(`${JSON.stringify(found.length === 0 ? output : { ...output, toolkits: shown })}\n`);
    return;
  }
  const width = process.stdout.columns ?? 100;
  const figures = [
    summaryFigure(grouping, seconds),
    sizesFigure(grouping),
    ...(found.length === 0 ? [] : [toolkitsFigure(found)]),
  ];
  for (const figure of figures) stdout(`${figureText(figure, { width, ascii: false })}\n\n`);
}

/** The engine speaks of its options; the person typed flags. */
function inFlags(message: string): string {
  return message.replace("`inits`", "`--n-init`").replace(/^Expected `(k|eps)`/, "Expected `--$1`");
}
