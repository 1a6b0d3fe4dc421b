/**
 * Runs that need a decision: runs on disk that no cell contains, results of older user code, and runs given to workers at an
 * address that the user has not named or that cannot be reached.
 */
import { printable } from "../../engine/text/printable.ts";
import type { StrayRun, Workbench, RunState } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import { attempted, type Notices, report } from "../frame/notices.ts";
import type { NotebookContext } from "./add-cell.ts";
import { codeText } from "../../engine/session/older-code.ts";
import { readRedisUrl, redisName } from "../../engine/settings/redis-place.ts";
import { whenAgreed } from "../frame/allow.ts";
import { readPlace } from "../form/workers-field.ts";
import type { Terminal } from "../terminal.ts";

/** Reports that there are stray runs, if there are any. */
export function sayStrayRuns({ strayRuns }: Workbench, notices: Notices): void {
  const strays = strayRuns.list().length;
  if (strays === 0) return;
  notices.say(`${plural(strays, "run")} on disk that no cell requests: Ctrl+P stray keeps or removes them`);
}

/** Asks which run to keep or remove. */
export function chooseStrayRun(context: NotebookContext): void {
  const { terminal, ask } = context;
  const strays = terminal.workbench.strayRuns.list();
  if (strays.length === 0) return terminal.notices.say("Every run on disk is requested by a run cell");
  const { shared, texts } = settingsApart(strays);
  const choices = strays.map(({ run, at }, index) => ({
    value: run,
    title: texts[index]!,
    note: at === undefined ? run : `begun ${new Date(at).toISOString().slice(0, 10)}`,
  }));
  ask({
    title: `Runs that no cell requests${shared === "" ? "" : ` (${shared})`}`,
    choices,
    taken: [],
    answer(value) {
      const index = strays.findIndex(({ run }) => run === value);
      keepOrRemove(strays[index]!, texts[index]!, context);
    },
  });
}

function keepOrRemove({ run, needed }: StrayRun, text: string, { terminal, selected, ask }: NotebookContext): void {
  const { workbench, notices } = terminal;
  const remove = () => {
    if (needed !== undefined) return notices.say(needed, "bad");
    notices.ask(`Remove this run (${text}) and its results from disk? This cannot be undone.`, () =>
      report(terminal, workbench.strayRuns.remove(run), () => notices.say("Removed", "good")),
    );
  };
  const keep = () => {
    if (attempted(terminal, () => workbench.strayRuns.keep(run, selected?.id)))
      notices.say("Kept: a new cell below requests the run; s saves the notebook", "good");
  };
  ask({
    title: text,
    choices: [
      { value: "keep", title: "Keep the run", note: "adds a cell for this run to the notebook" },
      {
        value: "remove",
        title: "Remove the run from disk",
        note: needed ?? "asks first, because this cannot be undone",
        faint: needed !== undefined,
      },
    ],
    taken: [],
    answer: (value) => (value === "keep" ? keep() : remove()),
  });
}

/** Returns each run's own settings on a line, and the shared settings once. */
function settingsApart(strays: readonly StrayRun[]): { readonly shared: string; readonly texts: readonly string[] } {
  const settings = strays.map(({ source }) => source?.trim().split("\n") ?? []);
  const [first = []] = settings;
  const shared = strays.length === 1 ? [] : first.filter((line) => settings.every((lines) => lines.includes(line)));
  const texts = settings.map((lines, index) => {
    const own = lines.filter((line) => !shared.includes(line));
    return printable(own.join(", ") || strays[index]!.run);
  });
  return { shared: printable(shared.join(", ")), texts };
}

/** Asks the user which older results to keep and why they still apply; kept results can be released. */
export function keepOlderResults(runs: readonly RunState[], { terminal, ask }: NotebookContext): void {
  const { workbench, notices } = terminal;
  const change = (act: () => void, done: string) => {
    if (attempted(terminal, act)) notices.say(done, "good");
  };
  const choices = runs.flatMap(({ run, part = run, label, spec, older = [], kept }) => [
    ...older.map((each) => ({
      title: `${label}: ${codeText(each.spec)}`,
      note: `begun ${new Date(each.at).toISOString().slice(0, 10)}`,
      take: () =>
        ask({
          title: "Why are these results valid for the present code?",
          choices: [],
          taken: [],
          free: (text) => (text.trim() === "" ? "A reason is required" : undefined),
          answer: (reason) =>
            change(() => workbench.keepOlder(part, each.run, reason), "Kept: notes of the figures show the reason"),
        }),
    })),
    ...(kept === undefined
      ? []
      : [
          {
            title: `${label}: stop keeping ${codeText(spec)}`,
            note: `kept by ${kept.by}: ${kept.reason}`,
            take: () => change(() => workbench.keepOlder(part, run, undefined), "These results are no longer kept"),
          },
        ]),
  ]);
  ask({
    title: "Keep the results of which code?",
    choices: choices.map(({ title, note }, index) => ({ value: String(index), title, note })),
    taken: [],
    answer: (value) => choices[Number(value)]?.take(),
  });
}

/**
 * Asks the user for the address of the workers, and whether sessions of this folder may use it. The user types it, because no
 * file of the session may choose it.
 */
export function takeUpWorkers(cell: string, { terminal, ask }: Pick<NotebookContext, "terminal" | "ask">): void {
  const { workbench, notices } = terminal;
  const takeUp = (url: string) => {
    const taken = workbench.workers?.takeUp(cell, url);
    if (taken !== undefined)
      report(terminal, taken, () => notices.say("The results of the workers' tasks are now being collected", "good"));
  };
  const known = workbench.workers?.url;
  ask({
    title: "Address of the workers: type redis://HOST:PORT",
    choices: known === undefined ? [] : [{ value: known, title: known }],
    taken: [],
    free(text) {
      const place = readPlace(text);
      return typeof place === "string" ? undefined : place.problem;
    },
    answer(text) {
      const url = text.trim();
      const allow = () => whenAgreed(terminal, url, () => takeUp(url));
      const name = redisName(readRedisUrl(url));
      notices.ask(`May the sessions of this folder use the workers at ${name}?`, allow, {
        no: () => notices.say("Not collected: the address was not allowed"),
      });
    },
  });
}

/** Gives up the tasks of a cell that workers have, after asking. */
export function giveUpWorkers(cell: string, { workbench, notices }: Terminal): void {
  const giveUp = () => {
    workbench.workers?.giveUp(cell);
    notices.say("The workers' tasks are given up: r runs them here");
  };
  notices.ask("Give up the tasks that workers have? Their unfinished work is lost", giveUp);
}
