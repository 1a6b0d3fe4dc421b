/** `planwright run SESSION`: plays a session without a screen and prints its figures. */
import { cellNames, openFor } from "./open-session.ts";
import { printSession, sessionJson } from "./session-report.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import { printable } from "../engine/text/printable.ts";

export const runCommand: Command = {
  name: "run",
  summary: "play a session's run cells headless and print its figures",
  usage:
    "planwright run SESSION [--cells NAME,NAME] [--json] [--width COLUMNS] [--ascii] [--rescore]\n\n--rescore  plays nothing: what was played is scored again, with the `overrides.json` of each run\n\nEnds with status 1 where a cell is wrong or a task of a run could not be played.",
  async run(args, context) {
    const { words, text, flag, number } = readArguments(args, ["cells", "width"], ["json", "ascii", "rescore"]);
    const [path, ...more] = words;
    if (path === undefined || more.length > 0) throw new ArgumentProblem(`Expected one session, got ${words.length}`);
    const width = number("width", { least: 20, whole: true }) ?? process.stdout.columns ?? 100;
    const workbench = await openFor(path, context, { mustExist: true });
    try {
      if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
      const cells = cellNames(text("cells"), workbench.cells());
      return await execute(workbench, context, {
        cells,
        json: flag("json"),
        width,
        ascii: flag("ascii"),
        rescore: flag("rescore"),
      });
    } finally {
      await workbench.close();
    }
  },
};

type Wishes = {
  readonly cells: readonly string[] | undefined;
  readonly json: boolean;
  readonly width: number;
  readonly ascii: boolean;
  /** True to score again what was played instead of playing. */
  readonly rescore?: boolean;
};

/**
 * Plays all (or the named) run cells, in order, then prints. Status 1 when it was interrupted, a run or a task of it failed
 * or could not be scored again, a cell is wrong or there was a bug.
 */
export async function execute(workbench: SessionWorkbench, context: CommandContext, wishes: Wishes): Promise<number> {
  const stop = () => {
    for (const { id, kind } of workbench.cells()) if (kind === "run") workbench.stop(id);
  };
  context.signal.addEventListener("abort", stop, { once: true });
  let trouble = "";
  const watching = setInterval(() => context.stderr(progressLine(workbench)), 2000);
  try {
    for (const cell of workbench.cells()) {
      if (cell.kind !== "run" || context.signal.aborted) continue;
      if (wishes.cells !== undefined && !wishes.cells.includes(cell.name)) continue;
      if (wishes.rescore === true) trouble += await rescored(workbench, cell.id);
      else await workbench.run(cell.id);
    }
  } finally {
    clearInterval(watching);
    context.signal.removeEventListener("abort", stop);
  }
  context.stderr(trouble + progressLine(workbench));
  await workbench.settled();
  // The first look starts loading the papers' numbers, the second has them.
  for (const { id } of workbench.cells()) workbench.state(id);
  await workbench.settled();
  workbench.refresh();
  // Where it was interrupted, what there is is still shown.
  if (wishes.json) context.stdout(`${JSON.stringify(sessionJson(workbench))}\n`);
  else context.stdout(printSession(workbench, wishes));
  return context.signal.aborted || trouble !== "" ? 1 : statusOf(workbench, wishes.cells);
}

/** Scores a cell's runs again; resolves to what was wrong with them, a line each. */
async function rescored(workbench: SessionWorkbench, cell: string): Promise<string> {
  await workbench.rescore(cell);
  workbench.refresh();
  const state = workbench.state(cell);
  const runs = state.kind === "run" ? state.runs : [];
  return runs
    .flatMap(({ label, message }) => (message === undefined ? [] : `${printable(`${label}: ${message}`)}\n`))
    .join("");
}

function progressLine(workbench: SessionWorkbench): string {
  let line = "";
  for (const { id, kind, name } of workbench.cells()) {
    if (kind !== "run") continue;
    const state = workbench.state(id);
    if (state.kind !== "run") continue;
    for (const { label, status, preparing, total, counts, rate } of state.runs) {
      const done = counts.right + counts.wrong + counts.unscored + counts.failed;
      if (status === "ready") continue;
      const pace = rate === undefined ? "" : `, ${Math.round(rate)} tasks/min`;
      const tally = `${done} of ${total}, ${counts.right} right, ${counts.failed} failed`;
      const going = preparing === undefined ? `${status}, ${tally}${pace}` : preparing;
      line += `${printable(`${name || "run"} (${label}): ${going}`)}\n`;
    }
  }
  return line;
}

/** 1 where a cell is wrong, or a run that was asked for failed as a whole or in any of its tasks. */
function statusOf(workbench: SessionWorkbench, cells: readonly string[] | undefined): number {
  if (workbench.bugs > 0) return 1;
  const wrong = workbench.cells().some(({ id, name }) => {
    const state = workbench.state(id);
    if (state.kind === "note") return false;
    if (state.problems.length > 0) return true;
    const asked = state.kind === "run" && (cells === undefined || cells.includes(name));
    return asked && state.runs.some(({ status, counts }) => status === "failed" || counts.failed > 0);
  });
  return wrong ? 1 : 0;
}
