/** The answers of a run as texts, read from its log, for analyses that show them beside each other. */
import { answerKey } from "../../analysis.ts";
import { type LoadedSuite, viewOf } from "../../loaded-suite.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import { trajectoryOf, type Trajectory } from "../../log/trajectory.ts";
import type { Suites } from "../../suite.ts";
import { fit } from "../../text/printable.ts";
import type { Row, Task } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { answeredTask } from "../document/loaded-suites.ts";
import type { RunControl } from "./run-control.ts";

/** Texts by `answerKey` with their whole lengths in characters, and the row that each was read for. */
export type AnswerTexts = {
  readonly texts: ReadonlyMap<string, string>;
  readonly lengths: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, Row>;
};

/** Longer answers are cut: the trajectory shows them whole. */
const longest = 400;

/** Tasks beyond these have no text: nobody reads so many beside each other. */
const mostTasks = 5_000;

/**
 * Reads the answers of ended tasks, reusing those of unchanged rows. An answer is the plan that the suite reads, else the answer
 * itself, else the last reply. Rejects if the signal is aborted.
 */
export async function readAnswers(
  control: RunControl,
  suites: Pick<Suites, "open">,
  known: AnswerTexts | undefined,
  signal: AbortSignal,
): Promise<AnswerTexts> {
  await control.store.readRows();
  const read = control.store.reader();
  const text = await textReader(control, suites);
  const yieldIfDue = eventLoopYielder(signal);
  const texts = new Map<string, string>();
  const lengths = new Map<string, number>();
  const rows = new Map<string, Row>();
  for (const row of control.listedRows().slice(0, mostTasks)) {
    if (row.state === "running") continue;
    const key = answerKey(row);
    const isKnown = known?.rows.get(key) === row;
    await yieldIfDue();
    const whole = isKnown ? undefined : text(trajectoryOf(row.task, lastAttempt(read(row.task)))).trim();
    texts.set(key, whole === undefined ? known!.texts.get(key)! : fit(whole, longest));
    lengths.set(key, whole === undefined ? known!.lengths.get(key)! : [...whole].length);
    rows.set(key, row);
  }
  return { texts, lengths, rows };
}

/** Without the data, answers are shown as they are in the log. */
async function textReader(
  control: RunControl,
  suites: Pick<Suites, "open">,
): Promise<(trajectory: Trajectory) => string> {
  try {
    const loaded = await suites.open(control.spec.suite, control.spec.data);
    const tasks = new Map<string, Task>((await control.tasks()).map((task) => [task.id, task]));
    return (trajectory) =>
      answerText(trajectory, loaded, tasks.get(trajectory.task) ?? tasks.get(answeredTask(trajectory.task)));
  } catch {
    return (trajectory) => answerText(trajectory, undefined, undefined);
  }
}

function answerText(trajectory: Trajectory, loaded: LoadedSuite | undefined, task: Task | undefined): string {
  const { answer, entries } = trajectory;
  if (typeof answer === "string") return answer;
  if (answer !== undefined && loaded?.describe !== undefined && task !== undefined) {
    // A plan names its steps; the answer to a question is its only step.
    const plan = viewOf(loaded, task, answer).plan.map(({ title, lines }) =>
      [...(title === "Answer" ? [] : [title]), ...lines].join(" "),
    );
    if (plan.length > 0) return plan.join("; ");
  }
  if (answer !== undefined) return JSON.stringify(answer);
  const last = entries.findLast((entry) => entry.kind === "turn" && entry.text !== "");
  return last?.kind === "turn" ? last.text : "";
}
