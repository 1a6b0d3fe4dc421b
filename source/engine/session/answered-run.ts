/**
 * Finds the saved runs of a session that sent the same requests to their models as a planned run, and differ only in their choice
 * of tasks or in how they are scored.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { startOf } from "./older-code.ts";
import { type AskedSuite, idOfAnswers, idWithoutChoice, isFolderOf } from "./run-identity.ts";
import { roleText, writtenSetting } from "../settings/role-settings.ts";
import { isFields } from "../run-settings.ts";
import { type AnswerSource, originOf, otherTasks } from "../log/rows/row-notes.ts";
import type { Prices } from "../log/rows/rows.ts";
import { RunStore } from "../log/run-store.ts";
import { isAnswered } from "../log/rows/task-counts.ts";
import type { RunSpec } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

export type AnsweredRun = {
  readonly source: AnswerSource;
  readonly store: RunStore;
  /** Tasks whose answers are taken from this run; each task belongs to only one of the runs. */
  readonly tasks: ReadonlySet<string>;
  /** True if the run is scored like the planned run, so that the verdicts of its judge apply as well. */
  readonly isScoredAlike: boolean;
};

/** The start of a run of the session: its folder in `runs`, its settings, and the time in milliseconds since 1970. */
export type SavedStart = { readonly folder: string; readonly spec: RunSpec; readonly at: number };

/**
 * Returns the start of each run in the `runs` of this session folder, by its id without a choice of tasks. Omits answers made by
 * other programs.
 */
export function savedStarts(
  session: string,
  suiteOf: (name: string) => AskedSuite | undefined,
): Map<string, readonly SavedStart[]> {
  const starts = foldersIn(session).flatMap((folder) => savedStart(session, folder, suiteOf) ?? []);
  const idOf = ({ spec }: SavedStart) => {
    const suite = suiteOf(spec.suite);
    return suite === undefined ? "" : idWithoutChoice(spec, suite);
  };
  return Map.groupBy(starts, idOf);
}

/** Returns the starts with the same judging, so that a run shows their answers with their scores; the earliest start first. */
export function startsAlike(starts: readonly SavedStart[], spec: RunSpec): readonly SavedStart[] {
  return starts.filter((each) => isDeepStrictEqual(each.spec.judging, spec.judging)).toSorted(byBeginning);
}

const byBeginning = (one: SavedStart, other: SavedStart) => one.at - other.at || (one.folder < other.folder ? -1 : 1);

/**
 * Returns the runs in the `runs` of this session folder that sent the same requests to their models, the earliest first. If two
 * runs answered a task, the earliest run's answer counts. Yields to the event loop, because it reads the rows of other runs.
 */
export async function answeredRuns(
  session: string,
  spec: RunSpec,
  suite: AskedSuite,
  { prices = () => undefined, except }: { readonly prices?: Prices; readonly except?: string | undefined } = {},
) {
  const [asked, scored] = [idOfAnswers(spec, suite), idWithoutChoice(spec, suite)];
  const found: Candidate[] = [];
  const yieldIfDue = eventLoopYielder();
  for (const folder of foldersIn(session)) {
    if (folder === except) continue;
    await yieldIfDue();
    // Working out ids takes long in a notebook of many runs, most of which are of other suites and strategies.
    const mayFit = (of: RunSpec) => of.suite === spec.suite && of.strategy === spec.strategy;
    const saved = savedStart(session, folder, () => suite, mayFit);
    if (saved === undefined || idOfAnswers(saved.spec, suite) !== asked) continue;
    const isAlike =
      idWithoutChoice(saved.spec, suite) === scored && isDeepStrictEqual(saved.spec.judging, spec.judging);
    const scoring = isAlike ? { scoring: otherTasks } : scoringOf(saved.spec, suite);
    const store = new RunStore(join(session, "runs", folder), { prices, reading: () => {} });
    await store.readRows();
    const source = { run: folder, judge: judgeOf(saved.spec), ...scoring };
    found.push({ ...saved, source, store, isScoredAlike: isAlike });
  }
  return shared(found.toSorted(byBeginning), yieldIfDue);
}

type Candidate = Omit<AnsweredRun, "tasks"> & SavedStart;

/** Assigns each answered task to one of the runs, preferring earlier runs. */
async function shared(runs: readonly Candidate[], yieldIfDue: ReturnType<typeof eventLoopYielder>) {
  const origins = new Map<string, string>();
  const takers = new Map<string, Candidate>();
  for (const each of runs)
    for (const row of each.store.table.rows()) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      if (!isAnswered(row)) continue;
      const origin = originOf(row) ?? each.folder;
      const first = takers.get(row.task);
      if (first === undefined) origins.set(row.task, origin);
      // The same answer with verdicts that hold needs no judge.
      const isBetter = !first?.isScoredAlike && each.isScoredAlike && origins.get(row.task) === origin;
      if (first === undefined || isBetter) takers.set(row.task, each);
    }
  const tasks = Map.groupBy(takers.keys(), (task) => takers.get(task)!);
  return runs.map((each) => ({ ...each, tasks: new Set(tasks.get(each)) }));
}

function foldersIn(session: string): readonly string[] {
  const runs = join(session, "runs");
  return existsSync(runs) ? readdirSync(runs) : [];
}

/** Returns the start of a run; undefined for answers made by other programs, because settings alone do not identify their run. */
function savedStart(
  session: string,
  folder: string,
  suiteOf: (name: string) => AskedSuite | undefined,
  mayFit: (spec: RunSpec) => boolean = () => true,
): SavedStart | undefined {
  const start = startOf(join(session, "runs", folder, "events.jsonl"));
  if (start === undefined || !mayFit(start.spec) || !isFolderOf(folder, start.spec, suiteOf(start.spec.suite)))
    return undefined;
  return { folder, spec: start.spec, at: start.at };
}

/** Names the judge of a run, with the judge's own settings, because these may distinguish it from the judge of another run. */
function judgeOf(spec: RunSpec): string | undefined {
  const judge = writtenSetting(spec, "judge");
  return judge === undefined ? undefined : isFields(judge) ? roleText(judge) : String(judge);
}

/** Names the choices that decide how the answers of a run are scored, without texts of the user's own. */
function scoringOf(spec: RunSpec, { options }: AskedSuite): Pick<AnswerSource, "scoring"> {
  const named = options.flatMap(({ name, scoring, values }) =>
    scoring === true && values !== "text" && spec.options[name] !== undefined ? [`${name} ${spec.options[name]}`] : [],
  );
  return named.length === 0 ? {} : { scoring: named.join(", ") };
}
