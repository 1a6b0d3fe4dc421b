/** `planwright score SUITE --predictions FILE`: scores answers that another program produced. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { figureText } from "../../engine/figures/figure-text.ts";
import { keepPredictions, readPredictions } from "../../engine/workbench/runs/prediction-run.ts";
import type { PredictionRequest, Predictions, PredictionScorer } from "../../engine/prediction.ts";
import { RunStore } from "../../engine/log/run-store.ts";
import { sampleOf } from "../../engine/settings/package-folder.ts";
import type { Suite } from "../../engine/suite.ts";
import { type TableFigure, tableColumns } from "../../engine/figure.ts";
import { evaluate } from "../../engine/measures/measure.ts";
import { endedRows, measureCell, measureNotes, textCell } from "../../engine/measures/measure-cell.ts";
import type { Row, RunSpec } from "../../engine/types.ts";
import { SessionFolder } from "../../engine/session/session-folder.ts";
import { ArgumentProblem, readArguments, type Arguments, type Flags } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { printedObject, speaksUnicode } from "../shell/output.ts";
import { freeName, type Import, importRecording } from "./imported-run.ts";
import { keepBeside } from "./kept-predictions.ts";
import { openFor } from "../session/open-session.ts";
import { userSettings } from "../shell/user-settings.ts";
import { counted } from "../../engine/text/counted.ts";

const flags: Flags = {
  predictions: "file",
  split: "text",
  data: "folder",
  into: "session",
  model: "text",
  json: "nothing",
  "take-over": "nothing",
};

export const scoreCommand: Command = {
  name: "score",
  summary: "score answers that another program produced",
  usage: `planwright score SUITE --predictions FILE [--split SPLIT] [--data DIR] [--json] [--into SESSION [--model NAME] [--take-over]]

FILE is JSON Lines or a JSON array, plain or .gz, or a log of Inspect AI (.eval), whose samples are tasks of the suite; - reads
standard input. --data is a folder with the data of the suite; by default the data that \`planwright data add\` installed,
otherwise the sample. --into saves the answers as a run in a session; --model names the model that gave them. --take-over takes
over the session from a program that is alive but has not answered for a minute.
UltraTool also takes --parser gpt|other, the two ways the official program reads answers; PlanBench
takes --extractor official|lenient.

A line of FILE:
  appbench       {task: "mm-010", output, apps?}       apps: the answer of the first stage, if any
  ultratool      {id, output}, {id, eval} if a judge scored; or lines in the publishers' format
  travelplanner  {query_idx, plan, query_override?}, or the publisher's {idx, query, plan}
  planningarena  {task, gold, offeredSet, dialogue or raw}
  tau2           {task, trial?, turns, end}, or results.json of the official program; the splits gold-D, trajectories-D and
                 protocol-D (D: a domain) take inputs of tests of the scorer. --data is the wheel of tau2, or a folder with its data
  planbench      {id, output}; verdicts: {config, task, instance, domain, problem, plan}; extraction: {config, task, instance, raw};
                 verification, execution: {config, task, instance, raw, answer}
  apibench       {question_id, text}
  toolbench      labels of ToolEval: {id, kind, labels ...}`,
  takes: ["suite"],
  flags,
  suiteFlags,
  async run(args, context) {
    const { suite, text, flag } = readScoreArguments(args, context.suites);
    const recording = await recordingOf(text("predictions"));
    if (recording !== undefined) return scoreRecording(recording, suite, { text, flag }, context);
    const scorer = suite.predictions;
    if (scorer === undefined) throw new ArgumentProblem(`Suite \`${suite.name}\` cannot score predictions`);
    const file = text("predictions");
    if (file === undefined)
      throw new ArgumentProblem("Expected `--predictions FILE` (`-` for standard input), got none");
    const split = splitOf(scorer, text("split"));
    if (scorer.sumsOnly === true && text("into") !== undefined)
      throw new ArgumentProblem(`Expected no \`--into\` because the labels of \`${suite.name}\` are not tied to tasks`);
    const model = text("model");
    if (model !== undefined && text("into") === undefined)
      throw new ArgumentProblem("Expected `--model` only together with `--into`");
    const flags = flagsOf(suite, text);
    const { folder, data } = await dataFor(suite, text("data"), context);
    const lines = await readPredictions(file);
    const predictions = await scorer.score({ lines, folder, data, split, flags, signal: context.signal });
    const into = text("into");
    if (into !== undefined) {
      const own = suite.options.filter(({ name }) => name in flags).map(({ name }) => `${name}: ${flags[name]}`);
      const named = model === undefined ? "" : `model: ${JSON.stringify(model)}`;
      const cell = [`suite: ${suite.name}`, split === "" ? "" : `split: ${split}`, `data: ${data}`, named, ...own];
      const sourceOf = (path: string) =>
        `${[...cell, `predictions: ${JSON.stringify(path)}`].filter((line) => line !== "").join("\n")}\n`;
      const given = file === "-" ? { name: `standard-input-${contentHash(lines)}` } : { file: resolve(file) };
      await keep({ into, takeOver: flag("take-over") }, suite, { ...given, sourceOf }, predictions, context);
    }
    print(flag("json"), suite, split, predictions, context);
    return 0;
  },
};

/** Returns the split to score. Throws `ArgumentProblem` if the scorer has several splits and none is named. */
function splitOf({ splits }: PredictionScorer, named: string | undefined): string {
  const split = named ?? (splits.length === 1 ? splits[0]! : splits.length === 0 ? "" : undefined);
  if (split !== undefined && (splits.length === 0 || splits.includes(split))) return split;
  const got = split === undefined ? "none" : `\`${split}\``;
  throw new ArgumentProblem(`Expected \`--split\` to be one of ${splits.join(", ")}, got ${got}`);
}

function suiteFlags(suites: readonly Suite[]): Flags {
  const all = suites.flatMap(({ predictions }) => Object.entries(predictions?.flags ?? {}));
  return Object.fromEntries(all.map(([name, words]) => [name, { words }]));
}

/** Returns the values of a suite's own flags with their defaults. Throws `ArgumentProblem`. */
function flagsOf(suite: Suite, text: Arguments["text"]): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [name, allowed] of Object.entries(suite.predictions?.flags ?? {})) {
    const value = text(name) ?? allowed[0]!;
    if (!allowed.includes(value))
      throw new ArgumentProblem(`Expected \`--${name}\` to be one of ${allowed.join(", ")}, got \`${value}\``);
    flags[name] = value;
  }
  return flags;
}

async function recordingOf(file: string | undefined): Promise<Import["recording"] | undefined> {
  if (file === undefined || file === "-") return undefined;
  const { recordingAt } = await import("../../engine/workbench/recordings/recording-file.ts");
  const remedy = (size: string) => `\`planwright import --most ${size}\` reads and scores larger files`;
  return recordingAt(file, { remedy });
}

/** Scores a recording of another program as a run, in the session or in a temporary one. */
async function scoreRecording(
  recording: Import["recording"],
  suite: Suite,
  { text, flag }: Pick<Arguments, "text" | "flag">,
  context: CommandContext,
): Promise<number> {
  if (text("data") !== undefined)
    throw new ArgumentProblem("Expected no `--data` with a recording, which is scored with the installed data");
  const flags = Object.entries(flagsOf(suite, text)).filter(([name]) => text(name) !== undefined);
  const options = Object.fromEntries(flags.filter(([name]) => suite.options.some((option) => option.name === name)));
  const into = text("into");
  const folder = into ?? mkdtempSync(join(tmpdir(), "planwright-score-"));
  const workbench = await openFor(folder, context, { takeOver: flag("take-over") });
  try {
    const [split, model] = [text("split"), text("model")];
    const { run } = await importRecording(workbench, {
      recording,
      kept: { file: text("predictions")! },
      suite,
      split,
      model,
      options,
    });
    const rows = workbench.rows(run.run);
    const figure = measuresFigure(suite, rows);
    if (flag("json")) {
      const records = rows.map(({ task, state, score }) => ({ task, state, score: score ?? null }));
      const aggregate = Object.fromEntries(suite.measures.map((each) => [each.name, evaluate(each, endedRows(rows))]));
      context.stdout(printedObject({ suite: suite.name, split: run.spec.split, records, aggregate }));
    } else {
      const width = process.stdout.columns ?? 100;
      context.stdout(`${figureText(figure, { width, ascii: !speaksUnicode() })}\n\n`);
    }
    if (into !== undefined)
      context.stderr(`Saved ${counted(rows.length, "answer")} as run ${run.run} in ${workbench.folder}\n`);
    return 0;
  } finally {
    await workbench.close();
    if (into === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function measuresFigure({ title, measures }: Suite, rows: readonly Row[]): TableFigure {
  const ended = endedRows(rows);
  const known = measures.filter((measure) => evaluate(measure, ended).value !== undefined);
  return {
    kind: "table",
    title,
    columns: tableColumns(["Measure", "Mode"], ["value", "n"]),
    rows: known.map((measure) => [
      textCell(measure.title),
      textCell(measure.mode),
      measureCell(measure, ended),
      textCell(String(evaluate(measure, ended).n)),
    ]),
    notes: measureNotes(known),
  };
}

/** Reads the flags of all suites, then rejects those of other suites, because suites may have separate flags. */
function readScoreArguments(args: readonly string[], suites: readonly Suite[]): Arguments & { readonly suite: Suite } {
  const own = suiteFlags(suites);
  const read = readArguments(args, { ...flags, ...own });
  const suite = suites.find(({ name }) => name === read.positionals[0]);
  if (suite === undefined || read.positionals.length !== 1) {
    const names = suites.map(({ name }) => name).join(", ");
    throw new ArgumentProblem(`Expected one suite (${names}), got \`${read.positionals.join(" ")}\``);
  }
  const foreign = Object.keys(own).find(
    (name) => read.text(name) !== undefined && !(name in (suite.predictions?.flags ?? {})),
  );
  if (foreign !== undefined) throw new ArgumentProblem(`Suite \`${suite.name}\` has no flag \`--${foreign}\``);
  return { suite, ...read };
}

async function dataFor(
  suite: Suite,
  given: string | undefined,
  context: CommandContext,
): Promise<{ folder: string; data: RunSpec["data"] }> {
  if (given !== undefined) return { folder: given, data: "published" };
  const installed = (await userSettings(context)).read().data[suite.name];
  return installed === undefined
    ? { folder: sampleOf(suite), data: "sample" }
    : { folder: installed, data: "published" };
}

function print(
  json: boolean,
  suite: Pick<Suite, "name">,
  split: string,
  { records, aggregate, figures }: Predictions,
  { stdout }: CommandContext,
): void {
  if (json) return stdout(printedObject({ suite: suite.name, split, records, aggregate }));
  const width = process.stdout.columns ?? 100;
  for (const figure of figures) stdout(`${figureText(figure, { width, ascii: !speaksUnicode() })}\n\n`);
}

/**
 * The source of the answers (a file, or a name if there is no file), and their run cell, which contains the path of the answers
 * in the session.
 */
type Given = ({ readonly file: string } | { readonly name: string }) & { sourceOf(path: string): string };

/**
 * Adds a run cell for the file to the session, unless there is one, and saves the scored answers as its run in place of older
 * answers.
 */
async function keep(
  { into, takeOver }: { readonly into: string; readonly takeOver: boolean },
  suite: Suite,
  given: Given,
  predictions: Predictions,
  context: CommandContext,
): Promise<void> {
  const workbench = await openFor(into, context, { takeOver });
  try {
    if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
    const cells = workbench.cells();
    const cellOf = (written: string) => cells.find((each) => each.kind === "run" && each.source === written);
    // Version 0.1.0 named the file at its original path; such a cell and the id of its run stay.
    const earlier = "file" in given ? cellOf(given.sourceOf(given.file)) : undefined;
    const path = "file" in given ? await keepBeside(workbench.folder, given.file) : given.name;
    const source = given.sourceOf(path);
    const known = earlier ?? cellOf(source);
    const cell = known?.id ?? workbench.insert("run", cells.at(-1)?.id, source, freeName(cells, "predictions"));
    const state = workbench.state(cell);
    const run = state.kind === "run" ? state.runs[0] : undefined;
    if (run === undefined) throw new ArgumentProblem(state.kind === "run" ? (state.problems[0]?.message ?? "") : "");
    const folder = new SessionFolder(workbench.folder).run(run.run);
    // Manual corrections stay. A broken file is reported before anything is replaced.
    const { readOverrides } = await import("../../engine/log/corrections/overrides.ts");
    const overrides = await readOverrides(folder, suite);
    const store = new RunStore(folder, { guard: workbench.guard, ...(suite.form && { form: suite.form }) });
    // The file may have changed, so answers it no longer contains are removed.
    store.clear();
    const problem = keepPredictions(predictions, { run: run.run, spec: run.spec }, store, suite, overrides);
    store.close();
    workbench.save();
    if (problem !== undefined) context.stderr(`${problem}\n`);
    context.stderr(`Saved ${counted(predictions.entries.length, "answer")} as run ${run.run} in ${workbench.folder}\n`);
  } finally {
    await workbench.close();
  }
}

/** Returns a hash that distinguishes contents of standard input. */
const contentHash = (lines: PredictionRequest["lines"]): string =>
  createHash("sha256")
    .update(JSON.stringify(lines.map(({ number, value }) => ({ number, value }))))
    .digest("hex")
    .slice(0, 12);
