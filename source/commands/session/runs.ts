/** `planwright runs SESSION`: lists the runs on disk that no run cell contains, and keeps or removes them. */
import { Problem } from "../../engine/problem.ts";
import { printable } from "../../engine/text/printable.ts";
import type { StrayRun } from "../../engine/workbench/workbench.ts";
import { ArgumentProblem, readArguments, type Flags } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { oneSession, openFor, savedSession } from "./open-session.ts";

const flags: Flags = { keep: "text", remove: "text", yes: "nothing", "take-over": "nothing" };

export const runsCommand: Command = {
  name: "runs",
  summary: "list runs on disk that no run cell requests; keep or remove them",
  usage: `planwright runs SESSION [--keep RUN] [--remove RUN [--yes]] [--take-over]

Prints a line for each run in the session's folder that no run cell requests because its cell was changed, deleted or never
saved. --keep adds a run cell for the run at the end of the notebook and saves the notebook. --remove asks, then removes the run
with its results and corrections from disk; --yes answers the question. A run is not removed if a fork, another run's answers or
kept results need it. --take-over takes over the session from a program that is alive but has not answered for a minute.`,
  takes: ["session"],
  flags,
  async run(args, context) {
    const { positionals, texts, flag } = readArguments(args, flags);
    const path = savedSession(oneSession(positionals)).path;
    const workbench = await openFor(path, context, { mustExist: true, takeOver: flag("take-over") });
    const { strayRuns } = workbench;
    try {
      const [keep, remove] = [texts("keep"), texts("remove")];
      for (const run of [...keep, ...remove]) mustBeStray(run, strayRuns.list());
      for (const run of keep) {
        strayRuns.keep(run, workbench.cells().at(-1)?.id);
        workbench.save();
        context.stdout(`A run cell now requests ${run}\n`);
      }
      for (const run of remove) {
        const stray = mustBeStray(run, strayRuns.list());
        if (stray.needed !== undefined) throw new Problem("stopped", stray.needed);
        if (!flag("yes") && context.ask === undefined)
          throw new ArgumentProblem("Expected `--yes` because there is no terminal for the question, got none");
        const question = `${strayText(stray)}Remove it with its results? This cannot be undone.`;
        if (!flag("yes") && (await context.ask?.(question)) !== true) return 1;
        await strayRuns.remove(run);
        context.stdout(`Removed ${run}\n`);
      }
      if (keep.length + remove.length > 0) return 0;
      const strays = strayRuns.list();
      for (const stray of strays) context.stdout(strayText(stray));
      if (strays.length === 0) context.stdout("Every run on disk is requested by a run cell\n");
      return 0;
    } finally {
      await workbench.close();
    }
  },
};

function mustBeStray(run: string, strays: readonly StrayRun[]): StrayRun {
  const found = strays.find((stray) => stray.run === run);
  if (found !== undefined) return found;
  const known = strays.map((stray) => stray.run).join(", ") || "no such run exists";
  throw new ArgumentProblem(`Expected a run that no cell requests (${known}), got \`${run}\``);
}

function strayText({ run, at, source, needed }: StrayRun): string {
  const begun = at === undefined ? "" : `  started ${new Date(at).toISOString().slice(0, 10)}`;
  const settings = source?.trim().replaceAll("\n", ", ") ?? "the settings of the run cannot be read";
  const why = needed === undefined ? "" : `${printable(`  cannot be removed: ${needed}`)}\n`;
  return `${printable(`${run}${begun}  ${settings}`)}\n${why}`;
}
