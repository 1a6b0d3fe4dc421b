/** The answers of a run as texts, read from its log, for analyses that show them side by side. */
import { hash } from "node:crypto";
import { answerKey } from "../../analysis.ts";
import { type LoadedSuite, viewOf } from "../../loaded-suite.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import { callsMade, trajectoryOf, type Trajectory } from "../../log/trajectory.ts";
import type { Suites } from "../../suite.ts";
import { canonicalJson } from "../../text/json-record.ts";
import { fit } from "../../text/printable.ts";
import type { Row, Task } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { answeredTask } from "../document/loaded-suites.ts";
import type { RunControl } from "./run-control.ts";

/** Texts by `answerKey` with their whole lengths in characters, and the row that each was read for. */
export type AnswerTexts = {
  readonly texts: ReadonlyMap<string, string>;
  readonly lengths: ReadonlyMap<string, number>;
  readonly calls: ReadonlyMap<string, readonly string[]>;
  readonly rows: ReadonlyMap<string, Row>;
};

/** Maximum characters of an answer; the trajectory shows longer answers as a whole. */
const longest = 400;

/** Maximum number of tasks with texts, because more answers cannot be compared side by side. */
const mostTasks = 5_000;

/**
 * Reads the answers of ended tasks, reusing those of unchanged rows. An answer is the plan that the suite reads, otherwise the
 * answer itself, otherwise the last reply. Rejects if the signal is aborted.
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
  const calls = new Map<string, readonly string[]>();
  const rows = new Map<string, Row>();
  for (const row of control.listedRows().slice(0, mostTasks)) {
    if (row.state === "running") continue;
    const key = answerKey(row);
    const isKnown = known?.rows.get(key) === row;
    await yieldIfDue();
    const trajectory = isKnown ? undefined : trajectoryOf(row.task, lastAttempt(read(row.task)));
    const whole = trajectory && text(trajectory).trim();
    calls.set(key, trajectory === undefined ? known!.calls.get(key)! : callTexts(trajectory));
    texts.set(key, whole === undefined ? known!.texts.get(key)! : fit(whole, longest));
    lengths.set(key, whole === undefined ? known!.lengths.get(key)! : [...whole].length);
    rows.set(key, row);
  }
  return { texts, lengths, calls, rows };
}

/**
 * Maximum number of calls of a task that are compared, and maximum number of characters of each. Longer calls end with a hash
 * of the whole call.
 */
const most = { calls: 500, characters: 200 };

/** Returns the calls of a task as texts that are equal for calls with the same name and arguments. */
export const callTexts = (trajectory: Trajectory): readonly string[] =>
  callsMade(trajectory)
    .slice(0, most.calls)
    .map(({ name, arguments: given, text }) => {
      const whole = `${name} ${given === undefined ? text : canonicalJson(given)}`;
      if (whole.length <= most.characters) return whole;
      return `${fit(whole, most.characters)} ${hash("sha256", whole).slice(0, 16)}`;
    });

/** Returns a function for the texts of answers. Without the data, answers are shown as they are in the log. */
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
