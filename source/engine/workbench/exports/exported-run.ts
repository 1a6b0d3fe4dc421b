/** Reads a saved run for export: its settings, then its tasks one by one. No task is executed. */
import { basename } from "node:path";
import { runOfFolder } from "../../session/run-identity.ts";
import { trajectoryOf, type Trajectory, type Turn } from "../../log/trajectory.ts";
import { type Override, readOverrides } from "../../log/corrections/overrides.ts";
import { viewOf, type LoadedSuite, type PlanStep } from "../../loaded-suite.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import type { Suites } from "../../suite.ts";
import type { JsonRecord } from "../../text/json-record.ts";
import { codedRows } from "../../session/codes/coded-rows.ts";
import { codesOfTask, isOfAttempt } from "../../session/codes/task-codes.ts";
import type { Row, RunSpec, Task, TaskEvent } from "../../types.ts";
import type { Code, Codebook } from "../../analysis.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { ExportedPart } from "../session-state.ts";
import type { RunControl } from "../runs/run-control.ts";
import { answeredTask } from "../document/loaded-suites.ts";

export type ExportedRun = {
  readonly run: string;
  /** Identifies the cell's part of the run in names of files. */
  readonly fileId: string;
  /** Returns the run whose folder contains the answer to a task, which may be an earlier run with another choice of tasks. */
  readonly runOf: (task: string) => string;
  /** The id of the run's scoring. */
  readonly scoring: string;
  /** The name of the run's cell, and the run's label among the runs of that cell. */
  readonly cell: string;
  readonly label: string;
  /** The label with aliases, as in figures. */
  readonly title: string;
  readonly spec: RunSpec;
  readonly warnings: readonly string[];
  readonly readsAnswerKey: boolean;
  readonly ended: "done" | "stopped" | "failed" | undefined;
  /** False if only one task of the run is exported. */
  readonly isWhole: boolean;
  /** Returns started tasks in the order of the data. */
  readonly rows: readonly Row[];
  /** Yields the same tasks with their trajectories. */
  tasks(): AsyncIterable<ExportedTask>;
};

export type ExportedTask = {
  readonly row: Row;
  /** The events of the last attempt, which is the one that counts. */
  readonly events: readonly TaskEvent[];
  readonly trajectory: Trajectory;
  /** The answer key as text; undefined if the data set is missing. */
  readonly reference: string | undefined;
  /** Corrections by persons; a file that cannot be read contains none. */
  readonly overrides: readonly Override[];
  /** Codes of this attempt. */
  readonly codes: readonly Code[];
  /** The task as a record of the user's own file; undefined for tasks of a benchmark, or if the file is missing. */
  readonly record: JsonRecord | undefined;
};

/** A run of the run cell with this name, and its labels there, with and without aliases. */
type CellRun = {
  readonly cell: string;
  readonly label: string;
  readonly plainLabel: string;
  readonly control: RunControl;
};

/** Returns a run of a run cell for export. Its tasks are read on demand, with pauses that keep the screen responsive. */
export function exportedRun(
  { cell, label, plainLabel, control }: CellRun,
  suites: Suites,
  { only, signal, codes }: ExportedPart & { readonly codes: Codebook },
) {
  const { store, home, planned, spec } = control;
  const isOfRun = only === undefined || only.run === planned.run || only.run === home.folder;
  const isMeant = (row: Row) => isOfRun && (only === undefined || only.task === row.task);
  const rows = codedRows(control.listedRows(), codes).filter(isMeant);
  return {
    run: runOfFolder(home.folder),
    fileId: control.fileId,
    runOf: (task: string) => runOfFolder(basename(control.folderOf(task))),
    scoring: control.scoring,
    cell,
    label: plainLabel,
    title: label,
    spec: control.isOwn ? (store.table.spec ?? spec) : spec,
    warnings: control.state("").warnings,
    readsAnswerKey: control.readsAnswerKey,
    ended: store.table.ended?.reason,
    isWhole: only === undefined,
    rows,
    async *tasks() {
      const known = await knownTasks(control, suites);
      const read = store.reader();
      const yieldIfDue = eventLoopYielder();
      for (const row of rows) {
        signal?.throwIfAborted();
        await yieldIfDue();
        const own = lastAttempt(read(row.task));
        const coded = codesOfTask(codes, row).codes.filter((code) => isOfAttempt(code, row));
        yield { row, events: own, trajectory: trajectoryOf(row.task, own), codes: coded, ...known(row.task) };
      }
    },
  };
}

type KnownTask = Pick<ExportedTask, "reference" | "record" | "overrides">;

/**
 * Returns the tasks of a run. If the data set is missing or has another form, the run has no references; its log can still be
 * exported.
 */
async function knownTasks(control: RunControl, suites: Pick<Suites, "open">): Promise<(task: string) => KnownTask> {
  try {
    const loaded = await suites.open(control.spec.suite, control.spec.data);
    const tasks = new Map<string, Task>((await control.tasks()).map((task) => [task.id, task]));
    const corrected = new Map<string, Awaited<ReturnType<typeof readOverrides>>>();
    for (const folder of control.folders) corrected.set(folder, await readOverrides(folder, loaded.suite));
    return (id) => {
      const task = tasks.get(id) ?? tasks.get(answeredTask(id));
      const overrides = corrected.get(control.folderOf(id))?.get(id) ?? [];
      return task === undefined
        ? { ...unknownTask, overrides }
        : { reference: referenceOf(loaded, task), record: loaded.record?.(task), overrides };
    };
  } catch {
    return () => unknownTask;
  }
}

const unknownTask: KnownTask = { reference: undefined, record: undefined, overrides: [] };

/** Returns an answer that is a text verbatim, because readers compare it. */
function referenceOf(loaded: LoadedSuite, task: Task): string {
  const answer: unknown = task.answer;
  return typeof answer === "string" ? answer : planText(viewOf(loaded, task, undefined).reference);
}

const planText = (steps: readonly PlanStep[]): string =>
  steps.map(({ title, lines }) => (lines.length === 0 ? title : `${title}: ${lines.join("; ")}`)).join("\n");

/** Returns the seconds that a reply took, originally if it was reused; for a cached reply, the seconds that reading it took. */
export const turnSeconds = ({ saved, from, to }: Turn) => (typeof saved === "number" ? saved : to - from) / 1000;
