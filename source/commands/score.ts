/** `planwright score SUITE --predictions FILE`: a benchmark's numbers for answers that another program produced. */
import { figureText } from "../engine/figure-text.ts";
import { keepPredictions, readPredictions } from "../engine/prediction-run.ts";
import type { Predictions } from "../engine/prediction.ts";
import { RunStore } from "../engine/run-store.ts";
import { sampleFolder } from "../engine/package-folder.ts";
import { openSettings } from "../engine/settings.ts";
import type { Suite } from "../engine/suite.ts";
import type { RunSpec } from "../engine/types.ts";
import { SessionFolder } from "../engine/session-folder.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { openFor } from "./open-session.ts";

export const scoreCommand: Command = {
  name: "score",
  summary: "score answers made elsewhere, without asking a model",
  usage: "planwright score SUITE --predictions FILE [--split SPLIT] [--data DIR] [--json] [--into SESSION]",
  async run(args, context) {
    const suite = suiteNamed(args, context.suites);
    const scorer = suite.predictions;
    if (scorer === undefined) throw new ArgumentProblem(`Suite \`${suite.name}\` cannot score predictions`);
    const { words, text, flag } = readArguments(
      args,
      ["predictions", "split", "data", "into", ...Object.keys(scorer.flags ?? {})],
      ["json"],
    );
    if (words.length !== 1) throw new ArgumentProblem(`Expected one suite, got \`${words.join(" ")}\``);
    const file = text("predictions");
    if (file === undefined)
      throw new ArgumentProblem("Expected `--predictions FILE` (`-` for standard input), got none");
    const split =
      text("split") ?? (scorer.splits.length === 1 ? scorer.splits[0]! : scorer.splits.length === 0 ? "" : undefined);
    if (split === undefined || (scorer.splits.length > 0 && !scorer.splits.includes(split))) {
      throw new ArgumentProblem(
        `Expected \`--split\` to be one of ${scorer.splits.join(", ")}, got ${split === undefined ? "none" : `\`${split}\``}`,
      );
    }
    const flags: Record<string, string> = {};
    for (const [name, allowed] of Object.entries(scorer.flags ?? {})) {
      const value = text(name) ?? allowed[0]!;
      if (!allowed.includes(value))
        throw new ArgumentProblem(`Expected \`--${name}\` to be one of ${allowed.join(", ")}, got \`${value}\``);
      flags[name] = value;
    }
    const { folder, data } = await dataFor(suite, text("data"));
    const lines = await readPredictions(file);
    const predictions = await scorer.score({ lines, folder, data, split, flags, signal: context.signal });
    const into = text("into");
    if (into !== undefined) await keep(into, suite, split, data, file, predictions, context);
    print(flag("json"), suite, split, predictions, context);
    return 0;
  },
};

/** Found before the flags are read, as a suite may have flags of its own. */
function suiteNamed(args: readonly string[], suites: readonly Suite[]): Suite {
  const suite = suites.find(({ name }) => args.includes(name));
  if (suite !== undefined) return suite;
  throw new ArgumentProblem(
    `Expected one suite (${suites.map(({ name }) => name).join(", ")}), got \`${args.join(" ")}\``,
  );
}

async function dataFor(suite: Suite, given: string | undefined): Promise<{ folder: string; data: RunSpec["data"] }> {
  if (given !== undefined) return { folder: given, data: "published" };
  const installed = (await openSettings()).read().data[suite.name];
  return installed === undefined
    ? { folder: sampleFolder(suite.name), data: "sample" }
    : { folder: installed, data: "published" };
}

function print(
  json: boolean,
  suite: Suite,
  split: string,
  { records, aggregate, figures }: Predictions,
  { stdout }: CommandContext,
): void {
  if (json) return stdout(`${JSON.stringify({ suite: suite.name, split, records, aggregate })}\n`);
  const width = process.stdout.columns ?? 100;
  for (const figure of figures) stdout(`${figureText(figure, { width, ascii: false })}\n\n`);
}

/** Adds a run cell that names the file to the session, and the scored answers as its run. */
async function keep(
  into: string,
  suite: Suite,
  split: string,
  data: RunSpec["data"],
  file: string,
  predictions: Predictions,
  context: CommandContext,
): Promise<void> {
  const workbench = await openFor(into, context);
  try {
    if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
    const path = file === "-" ? "standard-input" : (await import("node:path")).resolve(file);
    const source = [
      `suite: ${suite.name}`,
      ...(split === "" ? [] : [`split: ${split}`]),
      `data: ${data}`,
      `predictions: ${JSON.stringify(path)}`,
      "",
    ].join("\n");
    const cell = workbench.insert("run", workbench.cells().at(-1)?.id, source, "predictions");
    const state = workbench.state(cell);
    const run = state.kind === "run" ? state.runs[0] : undefined;
    if (run === undefined) throw new ArgumentProblem(state.kind === "run" ? (state.problems[0]?.message ?? "") : "");
    const store = new RunStore(new SessionFolder(workbench.folder).run(run.run));
    keepPredictions(predictions, { run: run.run, spec: run.spec }, store, suite);
    store.close();
    workbench.save();
    context.stderr(`Kept ${predictions.entries.length} answers as run ${run.run} in ${workbench.folder}\n`);
  } finally {
    await workbench.close();
  }
}
