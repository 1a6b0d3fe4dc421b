/** `planwright cluster`: clusters given vectors, or the APIs of a library. */
import { group, type Grouping } from "../../engine/clustering/methods/grouping.ts";
import type { GroupingSettings } from "../../engine/clustering/methods/settings.ts";
import { writeLibrary } from "../../engine/clustering/toolkits/library.ts";
import { libraryOf, type ApiToolkit } from "../../engine/clustering/toolkits/toolkits.ts";
import { readVectors } from "../../engine/clustering/embedding/vector-file.ts";
import { figureText } from "../../engine/figures/figure-text.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { ModelProblem } from "../../engine/models/problem.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem, readArguments, type Arguments } from "../shell/arguments.ts";
import { printedObject, speaksUnicode } from "../shell/output.ts";
import { qualityFigure, sizesFigure, summaryFigure, toolkitsFigure } from "./figures.ts";
import type { Quality } from "./library.ts";
import { progressReporter, type ClusterOutput } from "./progress.ts";
import { clusterFlags, clusterUsage } from "./usage.ts";

/** The exit status of an interrupted program. */
const interrupted = 130;

/**
 * Runs the command and resolves to the exit status. It writes a message to `stderr` unless the status is 0: 2 for arguments and
 * data that cannot be used, 1 for a failed model request, 130 if the signal was aborted.
 */
export async function clusterCommand(args: readonly string[], io: ClusterOutput): Promise<number> {
  try {
    const given = readArguments(args, clusterFlags);
    if (given.positionals.length > 0 && given.text("queries") === undefined)
      throw new ArgumentProblem(`Expected only flags, got \`${given.positionals[0]}\`\n${clusterUsage}`);
    if ((given.text("vectors") === undefined) === (given.text("library") === undefined)) {
      throw new ArgumentProblem(`Expected either \`--vectors FILE\` or \`--library FILE\`\n${clusterUsage}`);
    }
    await (given.text("library") === undefined ? clusterVectors(given, io) : clusterLibrary(given, io));
    return 0;
  } catch (error) {
    if (io.signal.aborted) {
      io.stderr("Stopped. Replies received so far are saved; run the same command again to resume\n");
      return interrupted;
    }
    if (error instanceof ModelProblem) {
      io.stderr(`${printable(error.message)}\nReplies so far are saved\n`);
      return 1;
    }
    // RangeErrors of the engine are about numbers in the file or in the flags.
    const expected = error instanceof ArgumentProblem || error instanceof DataProblem || error instanceof RangeError;
    if (!expected) throw error;
    io.stderr(`${inFlags(error.message)}\n`);
    return 2;
  }
}

async function clusterVectors(given: Arguments, io: ClusterOutput): Promise<void> {
  refuseLibraryFlags(given);
  const shape = given.text("shape");
  if (shape === undefined)
    throw new ArgumentProblem("Expected `--shape FILE.shape.json` together with `--vectors`, got none");
  const settings = settingsFrom(given);
  const vectors = await readVectors(given.text("vectors")!, shape);
  const start = performance.now();
  const grouping = await group(vectors, settings, { signal: io.signal, progress: progressReporter(io) });
  report(given, io, settings, { grouping, seconds: (performance.now() - start) / 1000, toolkits: [] });
}

async function clusterLibrary(given: Arguments, io: ClusterOutput): Promise<void> {
  if (given.text("shape") !== undefined) throw new ArgumentProblem("Expected `--shape` only together with `--vectors`");
  const settings = settingsFrom(given);
  const { clusteredLibrary } = await import("./library.ts");
  const { apis, ...found } = await clusteredLibrary(given, settings, io);
  const out = given.text("out");
  if (out !== undefined) await writeLibrary(out, libraryOf(apis, found.toolkits));
  report(given, io, settings, found);
  if (out !== undefined) io.stderr(`Wrote ${apis.length} APIs in ${found.toolkits.length} toolkits to ${out}\n`);
}

function report(
  given: Arguments,
  { stdout, stderr }: ClusterOutput,
  settings: GroupingSettings,
  found: {
    readonly grouping: Grouping;
    readonly seconds: number;
    readonly toolkits: readonly ApiToolkit[];
    readonly quality?: Quality;
  },
): void {
  const { grouping, quality, seconds, toolkits } = found;
  if (grouping.silhouette !== undefined && grouping.silhouetteOf < grouping.labels.length) {
    stderr(
      `The silhouette is the mean over a random sample of ${grouping.silhouetteOf} vectors, each compared with all others\n`,
    );
  }
  if (given.flag("json")) {
    stdout(printedObject(jsonOf(settings, found)));
    return;
  }
  const width = process.stdout.columns ?? 100;
  const figures = [
    summaryFigure(grouping, seconds),
    sizesFigure(grouping),
    ...(quality === undefined ? [] : [qualityFigure(quality)]),
    ...(toolkits.length === 0 ? [] : [toolkitsFigure(toolkits)]),
  ];
  for (const figure of figures) stdout(`${figureText(figure, { width, ascii: !speaksUnicode() })}\n\n`);
}

/**
 * `iterations` counts Lloyd's iterations of the best seeding; `mending` (the name in `--json`) counts those of the refinement (0
 * with `--plain`).
 */
function jsonOf(
  settings: GroupingSettings,
  { grouping, quality, seconds, toolkits }: Parameters<typeof report>[3],
): object {
  const { method, k, inertia, iterations, labels, refinementIterations, silhouetteOf, sizes } = grouping;
  const { queries, purity } = quality ?? {};
  return {
    method,
    k,
    ...(settings.method === "kmeans" ? { inertia } : { eps: settings.eps, clusters: sizes.length }),
    iterations,
    mending: refinementIterations,
    labels: [...labels],
    sizes,
    silhouette: grouping.silhouette ?? null,
    silhouetteOf: silhouetteOf < labels.length ? silhouetteOf : undefined,
    seconds,
    purity,
    queries,
    toolkits:
      toolkits.length === 0
        ? undefined
        : toolkits.map(({ id, description, apis }) => ({ id, description, apis: apis.map((api) => api.id) })),
  };
}

/** Renames the engine's options in a message to the flags that the user typed. */
const inFlags = (message: string): string =>
  message.replace("`inits`", "`--n-init`").replace(/^Expected `(k|eps)`/, "Expected `--$1`");

/** Flags that need a library. */
const ofLibrary = ["embedding", "model", "only", "out", "explain", "describe", "cache", "queries"];

/** Throws `ArgumentProblem` for a flag that has no effect without a library. */
function refuseLibraryFlags(given: Arguments): void {
  for (const flag of ofLibrary) {
    if (given.text(flag) !== undefined)
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--library\``);
  }
}

/** The method and its settings. Throws `ArgumentProblem`. */
function settingsFrom(given: Arguments): GroupingSettings {
  const method = given.text("method") ?? (given.text("library") === undefined ? undefined : "kmeans");
  const not = (flag: string, wanted: string) => {
    if (given.text(flag) !== undefined || given.flag(flag))
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--method ${wanted}\``);
  };
  if (method === "kmeans") {
    not("eps", "dbscan");
    const k = given.number("k", { least: 1, whole: true });
    if (k === undefined) throw new ArgumentProblem("Expected `--k K`, the number of clusters, got none");
    const inits = given.number("n-init", { least: 1, whole: true }) ?? 10;
    const seed = given.number("seed", { least: 0, whole: true }) ?? 0;
    return { method, k, inits, seed, plain: given.flag("plain") };
  }
  if (method === "dbscan") {
    for (const flag of ["k", "n-init", "seed", "plain"]) not(flag, "kmeans");
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
