/** Collects the answers of other runs of the cell, among which a run picks. */
import { isAnswered } from "../../log/rows/task-counts.ts";
import { Problem } from "../../problem.ts";
import type { Sample } from "../../run/picked-sample.ts";
import { takenAnswer } from "../../run/taken-answer.ts";
import { counted } from "../../text/counted.ts";
import type { Task } from "../../types.ts";
import type { SampledRun } from "./run-home.ts";

/**
 * Returns the tasks that every run has answered, and their answers. Rejects with `Problem` if there are tasks but no task has all
 * answers.
 */
export async function samplesOf(
  runs: readonly SampledRun[],
  tasks: readonly Task[],
): Promise<{ readonly ready: readonly Task[]; readonly of: (task: string) => readonly Sample[] }> {
  for (const { store } of runs) await store.readRows();
  const isReady = ({ id }: Task) =>
    runs.every(({ store }) => {
      const row = store.table.row(id);
      return row !== undefined && isAnswered(row);
    });
  const ready = tasks.filter(isReady);
  if (tasks.length > 0 && ready.length === 0)
    throw new Problem(
      "tool",
      `Expected a task with answers in all ${runs.length} samples, found none among ${counted(tasks.length, "task")}: run the cell`,
    );
  const readers = runs.map(({ run, store }) => ({ run, store, read: store.reader() }));
  const of = (task: string): readonly Sample[] =>
    readers.map(({ run, store, read }) => ({
      run,
      answer: takenAnswer(read(task), undefined, true),
      score: store.table.row(task)?.score,
    }));
  return { ready, of };
}
