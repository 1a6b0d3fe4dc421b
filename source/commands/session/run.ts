/** `planwright run SESSION`: executes the runs of a session without a screen and prints its figures. */
import { dirname, resolve } from "node:path";
import { allowPrograms, allowUnencrypted, checkAllowed } from "../programs/allow-programs.ts";
import { cellNames, knownSession, oneSession, runCells, runsOfCells, setFields, withSession } from "./open-session.ts";
import { printedObject, speaksUnicode } from "../shell/output.ts";
import { printSession, sessionJson } from "./session-report.ts";
import { ArgumentProblem, type Flags, readArguments, readDuration } from "../shell/arguments.ts";
import type { junitReport } from "../exchange/junit.ts";
import {
  readRequirement,
  type Requirement,
  requirementConditions,
  claimConditions,
  type FailOn,
  isFinished,
  missingTasks,
} from "./conditions.ts";
import { type Command, type CommandContext, longestEnding } from "../shell/command.ts";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { alikeRepeats } from "../../engine/session/alike-replies.ts";
import { alikeForks } from "../../engine/workbench/runs/fork-share.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { RunProgress } from "./run-progress.ts";
import { stopOnInterruption } from "./interruption.ts";
import { endedTasks } from "../../engine/log/rows/task-counts.ts";
import { printable } from "../../engine/text/printable.ts";
import { type Clock, machineClock } from "../../engine/work/clock.ts";
import { counted } from "../../engine/text/counted.ts";
import { countChosen } from "../../engine/run/sampling.ts";
import { unnamedProposal } from "../../engine/session/document/notebook-fields.ts";
import { codeText } from "../../engine/session/older-code.ts";

const flags: Flags = {
  cells: "cells",
  set: "text",
  until: "text",
  width: "text",
  "fail-on-claim": { words: ["no", "undecided"] },
  require: "text",
  allow: "text",
  junit: "file",
  json: "nothing",
  ascii: "nothing",
  rescore: "nothing",
  "keep-going": "nothing",
  "keep-older": "text",
  "drop-older": "nothing",
  detach: "nothing",
  "take-over": "nothing",
  workers: "text",
};

export const runCommand: Command = {
  name: "run",
  summary: "execute the run cells of a session and print its figures",
  usage: `planwright run SESSION [--cells NAME,NAME] [--set FIELD=VALUE] [--set CELL.FIELD=VALUE] [--until TIME]
               [--fail-on-claim[=undecided]] [--require METRIC>=VALUE] [--require CELL:METRIC>=VALUE] [--junit FILE]
               [--allow NAME] [--json] [--width COLUMNS] [--ascii] [--rescore] [--keep-going] [--detach]
               [--keep-older REASON] [--drop-older] [--workers redis://HOST:PORT] [--workers none]
               [--take-over]

--set      sets a field of all run cells that do not set it themselves (instead of the notebook's default), or of one run cell:
           --set model=lab/llama --set main.limit=50. The document is not changed
--allow    lets the sessions of this folder use one of your tool servers, agents or processes from now on, or load a file of the
           notebook's own code (\`with\` in the front matter) until it changes; otherwise you are asked.
           --allow redis://HOST:PORT: allows the password to be sent unencrypted to this Redis on another machine
--until    stops after this time, such as 90s, 30m or 2h, and prints the results so far; the same command
           continues the run later
--fail-on-claim  ends with status 1 if the answer to a claim of an analysis cell is no; with =undecided also if it is not
           decided
--require  ends with status 1 if a measure of any run, or of one cell's runs, is below the value (with <=: above it); percent
           measures are fractions: --require 'official.success>=0.8'. \`unwrapped\` is the score with answers
           taken out of their wrapping (fences, bullets, surrounding prose). May be given several times
--junit    writes a report for CI with a test case for each task, requirement and claim. A test case fails for the reasons for which
           the command ends with status 1; a wrong answer is a result and passes
--json     prints cells, runs, figures and rows. A run's \`calls\`, \`tokens\`, \`cost\` and \`seconds\` are sums over all
           attempts; a row's are those of the attempt that counts (\`counted\`), with the sum of all attempts in \`spent\`
--rescore  executes nothing: saved answers are re-scored, with the \`overrides.json\` of each run
--keep-going  continues a run even if its first 10 tasks failed with the same message, its first 10 answers could not be read for
           the same cause, or its first 5 verdicts failed with the same message; otherwise such a run ends
--keep-older  uses results of older versions of your own code for runs that have no results of the current version; every
           figure shows your name and the reason. --drop-older reverts this
--detach   continues in a separate process after this terminal is closed; \`planwright ctl\` and the notebook follow it
--workers  gives the tasks to the workers of this Redis (\`planwright worker\`) instead of executing them here. They continue if this
           program ends without an interruption; the same command, or opening the notebook, collects their results.
           If workers at an unknown address execute a run, it is skipped, with status 1: --workers with that address collects
           their results, --workers none abandons them and executes the rest here
--take-over  takes over the session from a program that is alive but has not answered for a minute; that program then stops writing

If the session cannot be written to, finished results are printed and nothing is executed.

Ends with status 1 if a cell has an error, if a task of a run failed or was not executed, or if a requirement does not hold. Tasks
excluded by a limit of the run (\`budget: run:\`) do not count as missing. With --rescore, tasks without an answer do not count either.`,
  takes: ["session"],
  flags,
  longestEnding,
  async run(args, context) {
    const { positionals, text, texts, flag, number } = readArguments(
      // Without a value it is a flag. With a value, which no other flag may have, it is a text.
      args.map((arg) => (arg === "--fail-on-claim" ? "--fail-on-claim=no" : arg)),
      flags,
    );
    const failOn = text("fail-on-claim");
    if (failOn !== undefined && failOn !== "no" && failOn !== "undecided")
      throw new ArgumentProblem(`Expected \`--fail-on-claim\` or \`--fail-on-claim=undecided\`, got \`${failOn}\``);
    const path = oneSession(positionals);
    const until = text("until");
    const milliseconds = until === undefined ? undefined : readDuration("until", until);
    if (flag("detach")) {
      const { runDetached } = await import("./detached-run.ts");
      return runDetached(knownSession(path).path, context);
    }
    const width = number("width", { least: 20, whole: true }) ?? process.stdout.columns ?? 100;
    const given = { workers: text("workers"), takeOver: flag("take-over"), allow: texts("allow") };
    return withSession(path, context, given, async (workbench) => {
      setFields(workbench, texts("set"), context);
      const cells = cellNames(text("cells"), workbench.cells());
      const requirements = texts("require").map((written) => readRequirement(written, workbench, cells));
      const junit = text("junit");
      const reason = text("keep-older");
      if (flag("drop-older")) context.stderr(dropOlderResults(workbench, cells));
      if (reason !== undefined) context.stderr(keepOlderResults(workbench, cells, reason));
      return execute(workbench, context, {
        cells,
        json: flag("json"),
        width,
        ascii: flag("ascii") || !speaksUnicode(),
        rescore: flag("rescore"),
        keepGoing: flag("keep-going"),
        allow: texts("allow"),
        requirements,
        ...(junit !== undefined && { junit: resolve(junit) }),
        ...(failOn !== undefined && { failOn }),
        ...(milliseconds !== undefined && { until: milliseconds }),
      });
    });
  },
};

type ExecuteOptions = {
  readonly cells: readonly string[] | undefined;
  readonly json: boolean;
  readonly width: number;
  readonly ascii: boolean;
  /** True to re-score saved answers instead of executing runs. */
  readonly rescore?: boolean;
  /** True to execute the remaining tasks of a run whose first tasks all failed with the same message. */
  readonly keepGoing?: boolean;
  /** Tool servers and agents that the sessions of this folder may use after the command. */
  readonly allow?: readonly string[];
  /** Milliseconds after which runs are stopped as by a key; tasks in flight are recorded as stopped. */
  readonly until?: number;
  readonly clock?: Clock;
  /** Answers to claims that end with status 1, besides failures. */
  readonly failOn?: FailOn;
  /** Requirements on measures of runs. */
  readonly requirements?: readonly Requirement[];
  /** Path of a JUnit report. */
  readonly junit?: string;
};

/**
 * Executes all (or the named) run cells in order, then prints. Returns status 1 if it was interrupted or its time limit was
 * reached, if a run or a task failed or could not be scored again, if a cell has an error, or after a bug. If the session cannot
 * be written to, only prints; throws `ArgumentProblem` if runs are unfinished and another program may be executing them.
 */
export async function execute(
  workbench: SessionWorkbench,
  context: CommandContext,
  options: ExecuteOptions,
): Promise<number> {
  if (workbench.readOnly !== undefined) return printOnly(workbench, context, options, workbench.readOnly);
  checkAllowed(workbench, options.allow ?? []);
  const chosen = workbench
    .cells()
    .filter(({ kind, name }) => kind === "run" && (options.cells?.includes(name) ?? true));
  if (options.rescore !== true) await allowUnencrypted(workbench, chosen, options.allow ?? [], context);
  let watching = () => {};
  const stop = () => {
    // Each stop notifies listeners; with thousands of cells, handling each notification would take minutes.
    watching();
    for (const { id, kind } of workbench.cells()) if (kind === "run") workbench.stop(id);
  };
  const { clock = machineClock } = options;
  const stopNoMore = stopOnInterruption(workbench, context, clock, stop);
  let late = false;
  const atLimit = () => {
    late = true;
    context.stderr("The time limit of --until has passed; run the same command again to continue\n");
    stop();
  };
  const timer = options.until === undefined ? undefined : clock.setTimeout(atLimit, options.until);
  let problems = "";
  let paused = false;
  let unallowed = false;
  // Nobody is there to resume a run that pauses for its endpoint, so it ends and the same command continues it later. Tasks in
  // flight may still end. A run paused by `planwright ctl` is also resumed by it.
  watching = workbench.subscribe(() => {
    for (const { id } of workbench.cells())
      for (const run of workbench.atRest(id)) {
        paused = true;
        workbench.stop(id, run);
      }
  });
  const progress = reportRegularly(workbench, context, options.cells);
  try {
    if (options.rescore !== true) context.stderr(await announced(workbench, options.cells));
    for (const cell of chosen) {
      if (context.signal.aborted || late) continue;
      if (options.rescore === true) problems += await rescored(workbench, cell.id);
      else if (unloaded(workbench, cell.id, context)) unallowed = true;
      else if (!(await allowPrograms(workbench, cell.id, options.allow ?? [], context))) unallowed = true;
      else await workbench.run(cell.id, undefined, options.keepGoing === true ? "continue" : "stop");
    }
  } finally {
    progress.stop();
    clock.clearTimeout(timer);
    watching();
    stopNoMore();
  }
  await workbench.counted();
  context.stderr(problems + progress.rest() + givenAwayLine(workbench, options.cells));
  const holds = await print(workbench, context, options);
  const isCut = context.signal.aborted || late || paused || unallowed;
  return isCut || problems !== "" || !holds ? 1 : statusOf(workbench, options);
}

async function printOnly(
  workbench: SessionWorkbench,
  context: CommandContext,
  options: ExecuteOptions,
  why: string,
): Promise<number> {
  const unfinished = runsOfCells(workbench, options.cells).some((run) => !isFinished(run));
  if (options.rescore === true || (unfinished && workbench.openElsewhere)) throw new ArgumentProblem(why);
  if (unfinished) context.stderr(`${why}; finished results are printed and nothing is executed\n`);
  const holds = await print(workbench, context, options);
  return unfinished || !holds ? 1 : statusOf(workbench, options);
}

/** Resolves to whether all requirements on the results hold. */
async function print(workbench: SessionWorkbench, context: CommandContext, options: ExecuteOptions): Promise<boolean> {
  await workbench.settled();
  workbench.refresh();
  // Shows the results so far after an interruption, too.
  if (options.json) context.stdout(printedObject(sessionJson(workbench)));
  else context.stdout(printSession(workbench, options));
  if (workbench.proposed.length > 0) {
    workbench.save();
    const named = workbench.proposed.map((name) => `\`${name}\``).join(", ");
    context.stderr(
      `The proposed kinds are in the cell ${printable(named)}: edit them, then run the same command again to apply them\n`,
    );
  }
  const unnamed = cellsWithoutKinds(workbench, options.cells);
  for (const name of unnamed)
    context.stderr(`${printable(name)}: the model named no kinds, so none can be proposed or applied\n`);
  const { failOn, requirements = [], cells, junit } = options;
  const conditions = [
    ...requirementConditions(requirements, workbench, cells),
    ...(failOn === undefined ? [] : claimConditions(workbench, failOn)),
  ];
  if (junit !== undefined) await writeReport(junit, workbench, conditions, cells);
  const failed = conditions.filter(({ failure }) => failure !== undefined);
  for (const { text, of, failure } of failed) context.stderr(`${printable(`${text} (${of}): ${failure}`)}\n`);
  return failed.length === 0 && unnamed.length === 0;
}

/** Returns the names of the cells whose scans had to propose kinds first, and ended without any. */
function cellsWithoutKinds(workbench: SessionWorkbench, cells: ExecuteOptions["cells"]): readonly string[] {
  return runCells(workbench, cells).flatMap(({ name, runs }) => {
    const isNaming = runs.some(({ spec }) => spec.strategy === "open-codes");
    const isOver = runs.every(({ status }) => status === "done");
    const isProposed = workbench
      .cells()
      .some((cell) => cell.kind === "kinds" && cell.name === (name || unnamedProposal));
    return isNaming && isOver && !isProposed ? [name || "scan"] : [];
  });
}

async function writeReport(path: string, ...of: Parameters<typeof junitReport>): Promise<void> {
  const { junitReport } = await import("../exchange/junit.ts");
  makeFolder(dirname(path));
  replaceFile(path, junitReport(...of));
}

/** Re-scores the runs of a cell and resolves to the problems, one per line. */
async function rescored(workbench: SessionWorkbench, cell: string): Promise<string> {
  await workbench.rescore(cell);
  workbench.refresh();
  const state = workbench.state(cell);
  const runs = state.kind === "run" ? state.runs : [];
  return runs
    .flatMap(({ label, message }) => (message === undefined ? [] : `${printable(`${label}: ${message}`)}\n`))
    .join("");
}

/** Returns whether the code of a cell's runs is not loaded, and reports why. */
function unloaded({ programs }: SessionWorkbench, cell: string, { stderr }: CommandContext): boolean {
  const why = programs.unloaded(cell);
  if (why !== undefined) stderr(`${printable(why)}\n`);
  return why !== undefined;
}

/** Returns advice for runs on workers that no program follows; empty if there are no such runs. */
function givenAwayLine(workbench: SessionWorkbench, cells: readonly string[] | undefined): string {
  const isAway = runsOfCells(workbench, cells).some(({ givenAway }) => givenAway === true);
  return isAway ? "Use --workers ADDRESS to collect the workers' results, or --workers none to abandon them\n" : "";
}

/**
 * Reports progress every two seconds, and at once if the executing program no longer answers. `stop` ends the reports; `rest`
 * then returns the remaining reports.
 */
function reportRegularly(workbench: SessionWorkbench, context: CommandContext, cells: readonly string[] = []) {
  const progress = new RunProgress(workbench, context, cells);
  const report = () => progress.report(Date.now());
  let isHeard = true;
  const listen = () => {
    const before = isHeard;
    isHeard = runsOfCells(workbench).every(({ unheard }) => unheard === undefined);
    if (before && !isHeard) report();
  };
  const timers = [setInterval(report, 2000), setInterval(listen, 500)];
  return {
    stop: () => timers.forEach((timer) => clearInterval(timer)),
    rest: () => progress.finish(Date.now()),
  };
}

/**
 * Returns 1 if a cell has an error, or if a requested run failed (a task or the whole run), still has tasks that it should have
 * executed, or is on other machines' workers.
 */
function statusOf(workbench: SessionWorkbench, { cells, rescore }: Pick<ExecuteOptions, "cells" | "rescore">): number {
  const wrong = workbench.cells().some(({ id }) => workbench.state(id).problems.length > 0);
  const runs = runsOfCells(workbench, cells);
  const failed = runs.some(
    ({ status, counts, givenAway }) => status === "failed" || counts.failed > 0 || givenAway === true,
  );
  const missing = rescore !== true && runs.some((run) => missingTasks(run) > 0);
  return workbench.bugs > 0 || wrong || failed || missing || workbench.proposed.length > 0 ? 1 : 0;
}

/**
 * Returns the lines before the first request: the number of runs and tasks to execute, and repeats whose replies cannot differ.
 */
async function announced(workbench: SessionWorkbench, cells: readonly string[] | undefined): Promise<string> {
  const toCome = await runsToCome(workbench, cells);
  const alike = workbench.cells().flatMap(({ id, kind, name }) => {
    const state = kind === "run" && (cells?.includes(name) ?? true) ? workbench.state(id) : undefined;
    if (state?.kind !== "run") return [];
    const forks = (state.forks ?? []).filter((each) => each.cannotDiffer && each.n < each.repeats);
    const ofMany = alikeForks(state.runs) ?? [];
    return [...forks.map(({ repeats }) => repeats), ofMany].flat().map(alikeRepeats);
  });
  return [...(toCome === undefined ? [] : [toCome]), ...alike].map((line) => `${line}\n`).join("");
}

/** The summary counts runs instead of listing them from this number on. */
const least = 20;

/**
 * Counts the unfinished runs of the named cells (or of all) and their tasks without a score; undefined for fewer than `least`
 * runs. Tasks that cannot be read are not counted, because their run reports the reason.
 */
async function runsToCome(
  workbench: SessionWorkbench,
  cells: readonly string[] | undefined,
): Promise<string | undefined> {
  const open = runsOfCells(workbench, cells).filter(({ status }) => status !== "done");
  if (open.length < least) return undefined;
  let tasks = 0;
  for (const { spec, predictions, counts, total } of open) {
    if (predictions !== undefined) continue;
    if (spec.forks !== undefined) tasks += total - counts.right - counts.wrong - counts.unscored;
    if (spec.forks !== undefined) continue;
    const all = await workbench.loadedSuites.tasks(spec.suite, spec.data, spec.split).catch(() => []);
    tasks += Math.max(0, countChosen(all, spec) - counts.right - counts.wrong - counts.unscored);
  }
  return `${counted(open.length, "run")} with ${counted(tasks, "task")} to execute`;
}

/**
 * Accepts the latest older results for each run without results of the current code, and records the reason. Returns one line per
 * run. Throws `ArgumentProblem` without a reason, or if the session cannot be written to.
 */
function keepOlderResults(workbench: SessionWorkbench, cells: readonly string[] | undefined, reason: string): string {
  if (reason.trim() === "") throw new ArgumentProblem("Expected `--keep-older` with a reason, got none");
  mustBeWritable(workbench);
  const kept = runsOfCells(workbench, cells).flatMap(({ run, label, older = [], counts }) => {
    const [youngest] = older;
    if (youngest === undefined || endedTasks(counts) > 0) return [];
    workbench.keepOlder(run, youngest.run, reason);
    const begun = new Date(youngest.at).toISOString().slice(0, 10);
    return [`${printable(`Results kept for ${label}: ${codeText(youngest.spec)}, started ${begun}`)}\n`];
  });
  return kept.join("") || "There are no results of older code to keep\n";
}

/** Withdraws accepted results, the reverse of `keepOlderResults`. */
function dropOlderResults(workbench: SessionWorkbench, cells: readonly string[] | undefined): string {
  mustBeWritable(workbench);
  const dropped = runsOfCells(workbench, cells).flatMap(({ run, label, spec, kept }) => {
    if (kept === undefined) return [];
    workbench.keepOlder(run, run, undefined);
    return [`${printable(`Results no longer kept for ${label}: ${codeText(spec)}`)}\n`];
  });
  return dropped.join("") || "No results of older code are kept\n";
}

function mustBeWritable({ readOnly }: SessionWorkbench): void {
  if (readOnly !== undefined) throw new ArgumentProblem(readOnly);
}
