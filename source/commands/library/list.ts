/** `planwright list [DIR]`: all notebooks below a folder, with their runs. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import { endedTasks } from "../../engine/log/rows/task-counts.ts";
import { fit, printable } from "../../engine/text/printable.ts";
import { type ListedRun, listedRuns, modelText, settingsText } from "../../engine/workbench/library/listed-run.ts";
import { foundNotebooks } from "../../engine/workbench/library/found-runs.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { tableText } from "../shell/table-text.ts";
import { userSettings } from "../shell/user-settings.ts";

const flags: Flags = { filter: "text", json: "nothing" };

export const listCommand: Command = {
  name: "list",
  summary: "list the notebooks below a folder and their runs",
  usage: `planwright list [DIR] [--filter TEXT] [--json]

Prints every notebook below DIR (default: the current folder) with its runs: benchmark, model, settings (those that differ between
runs come first), score, tasks that ended, date and cost. Values have the names that the notebook gives them, and long
texts are cut. Runs that no cell requests are included. Nothing is opened for writing.

--filter  only runs whose line contains all words of TEXT, ignoring case; several --filter apply together
--json    a list of all runs with all of their numbers`,
  takes: ["folder"],
  flags,
  async run(args, context) {
    const { positionals, texts, flag } = readArguments(args, flags);
    const folder = oneFolder(positionals);
    const words = texts("filter").flatMap((text) =>
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ""),
    );
    const settings = await userSettings(context);
    const listed: ListedRun[] = [];
    let notebooks = 0;
    for await (const notebook of foundNotebooks(folder, context.signal)) {
      const runs = listedRuns(notebook, context.suites, settings, (run, why) =>
        context.stderr(`${notebook.name} ${run}: ${why}\n`),
      ).filter((run) => matches(run, words));
      listed.push(...runs);
      if (words.length > 0 && runs.length === 0) continue;
      if (!flag("json")) context.stdout(`${notebooks === 0 ? "" : "\n"}${notebookText(notebook.name, runs)}`);
      notebooks += 1;
    }
    if (flag("json")) context.stdout(printedJson(listed.map(runJson), 2));
    else if (notebooks === 0)
      context.stdout(
        words.length === 0 ? `No notebooks found below ${printable(folder)}\n` : "No run matches the filter\n",
      );
    return 0;
  },
};

/**
 * Returns the folder that is a command's only argument, otherwise the current folder. Throws `ArgumentProblem` for other
 * arguments.
 */
export function oneFolder(positionals: readonly string[]): string {
  const [given = ".", ...more] = positionals;
  if (more.length > 0) throw new ArgumentProblem(`Expected one folder, got ${positionals.length}`);
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new ArgumentProblem(`Expected a folder at ${folder}, found none`);
}

function matches(run: ListedRun, words: readonly string[]): boolean {
  const text = [run.notebook, ...cells(run, [run]), ...run.settings, ...run.labels].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Maximum number of columns of the settings shown for a run. */
const mostColumns = 48;

const heads = ["run", "benchmark", "model", "settings", "score", "", "tasks", "begun", "cost"];

function cells(run: ListedRun, listed: readonly ListedRun[]): readonly string[] {
  const { score, counts, total, cost, begunAt, readsAnswerKey } = run;
  const ended = endedTasks(counts);
  return [
    run.run,
    run.suite,
    `${modelText(run)}${readsAnswerKey ? " (reads the answer key)" : ""}`,
    fit(settingsText(run, listed), mostColumns),
    score === undefined ? "-" : shownValue(score.value, score.unit),
    score === undefined ? "" : `${score.unit === "percent" ? "% " : ""}${score.title}`,
    ended === total ? String(total) : `${ended} of ${total}`,
    new Date(begunAt).toISOString().slice(0, 10),
    cost === undefined ? "?" : cost === 0 ? "" : cost < 0.01 ? cost.toPrecision(2) : cost.toFixed(2),
  ].map(printable);
}

function notebookText(name: string, runs: readonly ListedRun[]): string {
  const head = `${printable(name)}\n`;
  if (runs.length === 0) return `${head}  no runs yet\n`;
  const rows = [heads, ...runs.map((run) => cells(run, runs))].map(([first = "", ...rest]) => [`  ${first}`, ...rest]);
  return head + tableText(rows, (column) => column === 4 || column === 6 || column === 8);
}

/** Dates are in ISO 8601; an unknown cost is null. */
function runJson(listed: ListedRun): object {
  const { begunAt, folder: _, path: __, labels: ___, cost = null, score = null, ended = null, ...run } = listed;
  return { ...run, score, cost, ended, begunAt: new Date(begunAt).toISOString() };
}
