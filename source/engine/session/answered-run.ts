/**
 * Finds the saved runs of a session that asked their models the same as a planned one and differ only in their choice of tasks
 * or in how they are scored.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { startOf } from "./older-code.ts";
import { runId } from "./run-spec.ts";
import { roleText, withoutRole, writtenSetting } from "../settings/role-settings.ts";
import { isFields } from "../run-settings.ts";
import { type AnswerSource, otherTasks } from "../log/rows/row-notes.ts";
import type { Prices } from "../log/rows/rows.ts";
import { RunStore } from "../log/run-store.ts";
import { isAnswered } from "../run/taken-answer.ts";
import type { Suite } from "../suite.ts";
import type { Row, RunSpec } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

export type AnsweredRun = {
  readonly source: AnswerSource;
  readonly store: RunStore;
  /** Tasks whose answers are taken from this run; each task is in one run only. */
  readonly tasks: ReadonlySet<string>;
  /** True if it is scored as the planned run, so that the verdicts of its judge hold, too. */
  readonly isScoredAlike: boolean;
};

/**
 * Returns the runs in the `runs` of this session folder that asked their models the same, the first begun first. Of two answers
 * to a task the one of the run begun first is taken. Yields to the event loop, because it reads the rows of other runs.
 */
export async function answeredRuns(folder: string, spec: RunSpec, suite: Asked, prices: Prices = () => undefined) {
  const runs = join(folder, "runs");
  if (!existsSync(runs)) return [];
  const [planned, asked, scored] = [runId(spec), idOfAnswers(spec, suite), idWithoutChoice(spec, suite)];
  const found: Candidate[] = [];
  const yieldIfDue = eventLoopYielder();
  for (const run of readdirSync(runs)) {
    if (run === planned) continue;
    await yieldIfDue();
    const saved = savedStart(join(runs, run, "events.jsonl"), run);
    if (saved === undefined || idOfAnswers(saved.spec, suite) !== asked) continue;
    const isScoredAlike =
      idWithoutChoice(saved.spec, suite) === scored && isDeepStrictEqual(saved.spec.judging, spec.judging);
    const scoring = isScoredAlike ? { scoring: otherTasks } : scoringOf(saved.spec, suite);
    const store = new RunStore(join(runs, run), { prices, reading: () => {} });
    await store.readRows();
    found.push({ source: { run, judge: judgeOf(saved.spec), ...scoring }, store, isScoredAlike, at: saved.at });
  }
  const begun = found.toSorted((one, other) => one.at - other.at || (one.source.run < other.source.run ? -1 : 1));
  return shared(begun, yieldIfDue);
}

type Candidate = Omit<AnsweredRun, "tasks"> & { readonly at: number };

/** Gives each answered task to one of the runs, of which the first begun is the first. */
async function shared(runs: readonly Candidate[], yieldIfDue: ReturnType<typeof eventLoopYielder>) {
  const origins = new Map<string, string>();
  const takers = new Map<string, Candidate>();
  for (const each of runs)
    for (const row of each.store.table.rows()) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      if (!isAnswered(row)) continue;
      const origin = originOf(row) ?? each.source.run;
      const first = takers.get(row.task);
      if (first === undefined) origins.set(row.task, origin);
      // The same answer with verdicts that hold needs no judge.
      const isBetter = !first?.isScoredAlike && each.isScoredAlike && origins.get(row.task) === origin;
      if (first === undefined || isBetter) takers.set(row.task, each);
    }
  const tasks = Map.groupBy(takers.keys(), (task) => takers.get(task)!);
  return runs.map((each) => ({ ...each, tasks: new Set(tasks.get(each)) }));
}

/** Returns the run that gave an answer which was taken over; undefined for a run's own answer. */
const originOf = ({ notes }: Row): string | undefined => notes.find((note) => note.type === "answer-from")?.run;

/** Returns how a run was started. Undefined for answers made elsewhere: settings alone do not identify their run. */
function savedStart(path: string, run: string): ReturnType<typeof startOf> {
  const start = startOf(path);
  return start !== undefined && runId(start.spec) === run ? start : undefined;
}

type Asked = Pick<Suite, "options" | "strategies">;

/**
 * Returns the same id for runs that ask their models the same, whichever tasks they choose and however the answers are scored.
 * Demonstrations show answers as the check expects them, so a run with shots keeps its check.
 */
export function idOfAnswers(judged: RunSpec, suite: Asked): string {
  const { judge: _, ...spec } = withoutRole(judged, "judge");
  if (spec.shots > 0) return idWithoutChoice(spec, suite);
  const scoring = new Set(suite.options.flatMap(({ name, scoring: only }) => (only === true ? [name] : [])));
  const asked = Object.entries(spec.options).filter(([name]) => !scoring.has(name));
  return idWithoutChoice({ ...spec, options: Object.fromEntries(asked) }, suite);
}

/** Ignores the choice of tasks, unless answers build on those to the tasks before. */
function idWithoutChoice(spec: RunSpec, { strategies }: Asked): string {
  const strategy = strategies.find(({ name }) => name === spec.strategy);
  const isChoice = strategy !== undefined && strategy.sequential?.(spec) !== true;
  return runId(isChoice ? { ...spec, limit: 0, filter: {} } : spec);
}

/** Names the judge of a run with its own settings, by which it may differ from the judge of another run. */
function judgeOf(spec: RunSpec): string | undefined {
  const judge = writtenSetting(spec, "judge");
  return judge === undefined ? undefined : isFields(judge) ? roleText(judge) : String(judge);
}

/** Names the choices that decide how the answers of a run are scored, without texts of the user's own. */
function scoringOf(spec: RunSpec, { options }: Asked): Pick<AnswerSource, "scoring"> {
  const named = options.flatMap(({ name, scoring, values }) =>
    scoring === true && values !== "text" && spec.options[name] !== undefined ? [`${name} ${spec.options[name]}`] : [],
  );
  return named.length === 0 ? {} : { scoring: named.join(", ") };
}
