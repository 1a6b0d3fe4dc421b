/** Turns trajectories of a saved run into tasks: the text of each step, and the annotations. */
import { join } from "node:path";
import { RunStore } from "../../log/run-store.ts";
import { type Trajectory, trajectoryOf } from "../../log/trajectory.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import { attemptOf } from "../../session/codes/task-codes.ts";
import type { Row, Task } from "../../types.ts";
import type { CodePlace } from "../../analysis.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";

export type ScannedStep = {
  readonly speaker: string;
  readonly text: string;
  /** The place in the trajectory, for codes. */
  readonly place: CodePlace;
};

export type Scanned = {
  /** The run and its task, to whose attempt the codes refer. */
  readonly run: string;
  readonly task: string;
  readonly attempt: string;
  readonly steps: readonly ScannedStep[];
  /** The right answer, if it is known. */
  readonly reference: string | undefined;
};

/** The agent that failed, and the number of the step. */
export type Annotation = { readonly agent: string; readonly step: number };

export type ScannedTask = Task<Scanned, Annotation | null>;

/** Names of the labels of an annotated trajectory. */
export const annotationLabels = {
  agent: "mistake_agent",
  step: "mistake_step",
  reason: "mistake_reason",
  reference: "ground_truth",
  set: "set",
} as const;

/** Reads the trajectories of tasks that have ended. */
export async function scannedTasks(session: string, run: string): Promise<readonly ScannedTask[]> {
  const store = new RunStore(join(session, "runs", run));
  await store.readRows();
  const read = store.reader();
  const yieldIfDue = eventLoopYielder();
  const tasks: ScannedTask[] = [];
  for (const row of store.table.rows()) {
    if (row.state === "running") continue;
    await yieldIfDue();
    tasks.push(scannedTask(run, row, trajectoryOf(row.task, lastAttempt(read(row.task)))));
  }
  return tasks;
}

function scannedTask(run: string, row: Row, trajectory: Trajectory): ScannedTask {
  const { agent, step, reference, set } = annotationLabels;
  const labels = row.score?.labels ?? {};
  const found = Number.parseInt(labels[step] ?? "", 10);
  const answer = labels[agent] === undefined || !Number.isInteger(found) ? null : { agent: labels[agent], step: found };
  const steps = stepsOf(trajectory);
  return {
    id: row.task,
    question: row.question,
    input: { run, task: row.task, attempt: attemptOf(row), steps, reference: labels[reference] },
    answer,
    facets: { ...(labels[set] !== undefined && { set: labels[set] }) },
  };
}

/** Requests to a judge are left out, and so is an answer that repeats the last reply. */
function stepsOf({ entries }: Trajectory): readonly ScannedStep[] {
  return entries.flatMap((entry, step): readonly ScannedStep[] => {
    const place = (block: string, request?: number): CodePlace => ({
      section: "steps",
      ...(request !== undefined && { request }),
      step,
      block: `step ${step} ${block}`,
    });
    if (entry.kind === "turn" && entry.role !== "judge") {
      const calls = entry.calls.map(({ name, text }) => `${name}(${text})`);
      const text = [entry.text, ...calls].filter((part) => part !== "").join("\n");
      return [{ speaker: entry.model, text, place: place("reply", entry.request) }];
    }
    if (entry.kind === "result")
      return [{ speaker: `tool ${entry.name}`, text: entry.result.observation, place: place("result") }];
    return [];
  });
}
