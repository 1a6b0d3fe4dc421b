/**
 * Stores another program's recording as a run: every request, reply and result is written to its log, and scored by Planwright.
 */
import { basename } from "node:path";
import { checkOverrides, type Override, readOverrides, writeOverrides } from "../../log/corrections/overrides.ts";
import { overridden } from "../../log/corrections/overridden.ts";
import type { RunStore } from "../../log/run-store.ts";
import { unsentSettings } from "../../run-settings.ts";
import { failureOf } from "../../problem.ts";
import { scoreAgain } from "../../run/rescore.ts";
import { familyName } from "../../session/file-suite.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { textAt } from "../../text/json-record.ts";
import { dataWarnings, type LoadedSuite } from "../../loaded-suite.ts";
import type { Json, Score, Task, TaskEvent } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { changedTask } from "../../work/whole-of.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";
import type { Recording, RecordedTask } from "../recordings/recording.ts";

/**
 * Replaces the log of a run by a recording. The suite scores each task; a score from another program becomes a label. Throws
 * `DataProblem` for a task that the suite does not have; the run is then empty, as it is after an abort.
 */
export async function keepRecording(
  recording: Recording,
  path: string,
  planned: PlannedRun,
  store: RunStore,
  loadedSuites: LoadedSuites,
  signal: AbortSignal,
): Promise<undefined> {
  const { spec } = planned;
  const loaded = await loadedSuites.open(spec.suite, spec.data);
  const tasks = new Map((await loadedSuites.tasks(spec.suite, spec.data, spec.split)).map((task) => [task.id, task]));
  const unscored = loadedSuites.suite(spec.suite).unscored?.(spec);
  const isKept = store.table.ended?.reason === "done";
  store.clear();
  try {
    await write({ recording, path, planned, store, loaded, unscored, tasks, isKept }, signal);
  } catch (error) {
    store.clear();
    throw error;
  }
  return undefined;
}

type Keeping = {
  readonly recording: Recording;
  readonly path: string;
  readonly planned: PlannedRun;
  readonly store: RunStore;
  readonly loaded: LoadedSuite;
  readonly unscored: string | undefined;
  readonly tasks: ReadonlyMap<string, Task>;
  /** Returns true if it was stored before; earlier corrections may have been withdrawn since. */
  readonly isKept: boolean;
};

async function write(keeping: Keeping, signal: AbortSignal): Promise<void> {
  const { recording, path, planned, store, loaded, unscored, tasks, isKept } = keeping;
  const { spec } = planned;
  const log = store.open();
  const overrides = await readOverrides(store.folder, loaded.suite);
  const brought: Override[] = [];
  // Corrections come with tasks scored again by their own suite, unless there are some already.
  const isOwn = familyName(textAt(recording.spec, "suite")) === familyName(spec.suite) && unscored === undefined;
  const takesCorrections = isOwn && !isKept && overrides.size === 0;
  const source = `From ${recording.source} (${basename(path)}): made elsewhere${unscored === undefined ? ", scored here" : ""}`;
  const said = [
    source,
    ...(unscored === undefined ? [] : [unscored]),
    ...recording.warnings,
    ...dataWarnings(loaded, spec),
  ];
  const times = new Map<string, number>();
  const yieldIfDue = eventLoopYielder();
  log.append({ type: "run-started", run: planned.run, spec, total: 0, warnings: [...new Set(said)] });
  for await (const recorded of recording.tasks()) {
    signal.throwIfAborted();
    await yieldIfDue();
    const task = tasks.get(recorded.id);
    if (task === undefined)
      throw new DataProblem(
        `Expected tasks of \`${spec.suite}\` (${spec.split}) in ${basename(path)}, got \`${recorded.id}\``,
      );
    const before = times.get(task.id) ?? 0;
    times.set(task.id, before + 1);
    // Several epochs of a task get different ids.
    const id = before === 0 ? task.id : `${task.id} (${before + 1})`;
    const unset = recorded.unset ?? unsentSettings(spec);
    const events = written(id, { ...recorded, unset }, task, log.append.bind(log) as Append, answerOf(recorded));
    if (recorded.failure !== undefined && recorded.ends !== "open")
      log.append({ task: id, type: "failed", at: recorded.to, failure: recorded.failure });
    if (recorded.ends !== "scored") continue;
    const own = takesCorrections ? overridesOf(recorded, id, path, loaded) : [];
    brought.push(...own);
    const corrections = overrides.get(id) ?? own;
    try {
      const score = await scoreAgain(store, changedTask(task, { id }), loaded, spec, events);
      const settled = overridden(withLabels(score, recorded), corrections, loaded.suite, task.facets);
      log.append({ task: id, type: "scored", at: recorded.to, score: settled, suiteRevision: loaded.suite.revision });
    } catch (thrown) {
      log.append({ task: id, type: "failed", at: recorded.to, failure: failureOf(thrown) });
    }
  }
  log.append({ type: "run-ended", reason: "done" });
  log.flush();
  if (brought.length > 0) writeOverrides(store.folder, brought, loaded.suite);
}

/** Throws `Problem` for an invalid correction of this suite. */
const overridesOf = ({ overrides }: RecordedTask, id: string, path: string, { suite }: LoadedSuite) =>
  checkOverrides([...overrides], basename(path), suite).map((each) => ({ ...each, task: id }));

type Append = (event: object) => TaskEvent;

/** Returns the events with the suite's own question and facets, because a recording may word them differently. */
function written(
  id: string,
  { from, to, unset, events }: RecordedTask,
  { question, facets }: Task,
  append: Append,
  answer: Json | undefined,
): readonly TaskEvent[] {
  const more = unset === undefined || unset.length === 0 ? {} : { unset };
  return [
    append({ task: id, type: "started", at: from, facets, question, ...more }),
    ...events.map((event) => append({ task: id, ...event })),
    ...(answer === undefined ? [] : [append({ task: id, type: "answer", at: to, answer })]),
  ];
}

/** Returns the last text of the model; undefined if the events contain an answer. */
const answerOf = ({ events, text, ends }: RecordedTask): Json | undefined =>
  ends !== "scored" || events.some(({ type }) => type === "answer") ? undefined : text;

const withLabels = (score: Score, { labels }: RecordedTask): Score =>
  Object.keys(labels).length === 0 ? score : { ...score, labels: { ...score.labels, ...labels } };
