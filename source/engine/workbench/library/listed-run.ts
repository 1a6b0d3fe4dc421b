/** The line for each run in a list of runs. */
import { type RunEnding } from "../../log/rows/rows.ts";
import { tokensOfRun } from "../../log/rows/run-sums.ts";
import { taskCounts, type TaskCounts } from "../../log/rows/task-counts.ts";
import { numbersBeside, type ScoreSoFar } from "../../measures/beside.ts";
import { writtenOptions } from "../../migration/run-options.ts";
import { runSource } from "../../session/fork-cell.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import { type FoundNotebook, type FoundRun, foundNotebooks, foundRuns } from "./found-runs.ts";

export type ListedRun = {
  /** The notebook's path, relative to the searched folder and absolute. */
  readonly notebook: string;
  readonly folder: string;
  readonly run: string;
  /** Its folder. */
  readonly path: string;
  readonly suite: string;
  readonly model: string;
  /** Settings other than the benchmark and the model, each as a run cell writes it: `strategy: cot`. */
  readonly settings: readonly string[];
  readonly readsAnswerKey: boolean;
  /**
   * The benchmark's first measure that has a value; undefined if there is none or the benchmark is not available. It reads all rows
   * when it is first read.
   */
  readonly score: ScoreSoFar | undefined;
  readonly counts: TaskCounts;
  readonly total: number;
  readonly ended: RunEnding["reason"] | undefined;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly seconds: number;
  readonly calls: number;
  readonly tokens: ReturnType<typeof tokensOfRun>;
  readonly cost: number | undefined;
};

/** Returns the runs of a notebook, the oldest first; calls `unread` with each whose log cannot be read, and the reason. */
export function listedRuns(
  notebook: FoundNotebook,
  suites: readonly Suite[],
  settings: SettingsStore,
  unread: (run: string, why: string) => void = () => {},
): readonly ListedRun[] {
  return foundRuns(notebook, suites, settings).flatMap((found) => {
    try {
      return listedRun(notebook, found);
    } catch (error) {
      unread(found.run, (error as Error).message);
      return [];
    }
  });
}

/** Returns the runs of all notebooks below a folder. */
export async function runsBelow(
  folder: string,
  suites: readonly Suite[],
  settings: SettingsStore,
): Promise<readonly ListedRun[]> {
  const runs: ListedRun[] = [];
  for await (const notebook of foundNotebooks(folder)) runs.push(...listedRuns(notebook, suites, settings));
  return runs;
}

function listedRun({ name, folder }: FoundNotebook, saved: FoundRun): ListedRun {
  const { run, path, spec, suite, readsAnswerKey, begunAt } = saved;
  const { table } = saved.read();
  const sums = table.sums();
  const parts = [...table.choices.values()];
  const total = Math.max(table.total, sums.rows, ...parts.map((part) => part.total));
  const ended = table.ended ?? parts.findLast((part) => part.ended !== undefined)?.ended;
  const { calls, seconds, cost, tokens } = sums.spent;
  let scored: Pick<ListedRun, "score"> | undefined;
  return {
    notebook: name,
    folder: folder.path,
    run,
    path,
    suite: spec.suite,
    model: spec.model,
    settings: settingsOf(saved),
    readsAnswerKey,
    get score() {
      // The run is opened again, so that a long list does not keep all rows in memory.
      return (scored ??= { score: suite && numbersBeside(suite, saved.read().table.rows()).score }).score;
    },
    counts: taskCounts(sums, 0, total),
    total,
    ended: ended?.reason,
    begunAt,
    seconds,
    calls,
    tokens: tokensOfRun(tokens),
    cost,
  };
}

function settingsOf({ spec, suite }: FoundRun): readonly string[] {
  const options = suite === undefined ? spec.options : writtenOptions(suite, spec);
  const lines = runSource({ ...spec, options }, new Set())
    .trimEnd()
    .split("\n");
  return lines.filter((line) => !/^(suite|model): /.test(line));
}

/** Returns the settings of a run on one line; settings that differ in this list come first. */
export function settingsText({ settings }: ListedRun, listed: readonly ListedRun[]): string {
  const isShared = (line: string) => listed.every((other) => other.settings.includes(line));
  return [...settings.filter((line) => !isShared(line)), ...settings.filter(isShared)].join(", ");
}
