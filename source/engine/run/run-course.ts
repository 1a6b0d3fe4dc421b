/**
 * The course of a run, on any machine: the used part of its limits, its failed tasks, and the reason why it ends before all tasks
 * have ended.
 */
import { longestTimer, Meter, usedUp, usedUpText } from "./budget.ts";
import type { Execution } from "./execute-task.ts";
import { FailureTally, failedTask, type TaskEnd } from "./task-end.ts";
import type { RunEnding } from "../log/rows/rows.ts";
import { failureOf } from "../problem.ts";
import { isUnread } from "../log/rows/cause-text.ts";
import type { CauseName, Limits, Row, Task } from "../types.ts";
import { machineClock, type Timer } from "../work/clock.ts";

/** `bugs` is the number of tasks that ended in a bug of the program. */
export type RunEnd = RunEnding & { readonly bugs: number };

export type CourseOptions = Pick<Execution, "spec" | "clock"> & {
  readonly tasks: readonly Task[];
  /** Usage of the run's limits by earlier invocations. */
  readonly used?: Limits;
  /** Returns the row of a task that has ended. Absent: answers that could not be read are not counted. */
  readonly rowOf?: (task: string) => Row | undefined;
  /** Called once if the first tasks all failed with the same message, or could not be read for the same cause. */
  readonly failingAlike?: (alike: FailingAlike) => void;
};

/** The reason why the first tasks failed, or the row of the first answer that could not be read. */
export type FailingAlike = { readonly message: string } | { readonly row: Row };

/** The end of an answer that declined every function. */
const declining: ReadonlySet<CauseName> = new Set(["repeats", "no-call"]);

/** Models whose answers have no content. They serve as floors, so their unreadable answers are expected and not reported. */
const contentless = /^builtin\/(nothing|filler)(\?|$)/;

export class RunCourse {
  readonly meter: Meter;
  readonly #options: CourseOptions;
  readonly #stop: (reason: RunEnding) => void;
  readonly #failures: FailureTally;
  #timer: Timer | undefined;
  #bugs = 0;
  #ending: RunEnding | undefined;
  #firstUnread: Row | undefined;
  /** The reason why the run paused itself; undefined if it did not. */
  pauseReason: string | undefined;

  /** `stop` is called if the run must end before its tasks. */
  constructor(options: CourseOptions, stop: (reason: RunEnding) => void) {
    this.#options = options;
    this.#stop = stop;
    this.meter = new Meter(options.spec.budget.run, "run", options.clock, options.used);
    this.#failures = new FailureTally(options.tasks.length);
  }

  /**
   * Ends the run when the seconds are used up; requests in flight are aborted too, so that a silent server cannot exceed the
   * limit.
   */
  watchTime(): void {
    const { spec, used, clock = machineClock } = this.#options;
    const { seconds } = spec.budget.run ?? {};
    if (seconds === undefined) return;
    const late = () => this.#stop(usedUp(usedUpText("run", seconds, "seconds")));
    const left = Math.max(0, seconds - (used?.seconds ?? 0)) * 1000;
    this.#timer = clock.setTimeout(late, Math.min(left, longestTimer));
  }

  checkLimits(): void {
    try {
      this.meter.check();
    } catch (problem) {
      this.#stop(usedUp(failureOf(problem).message));
    }
  }

  /** Records why the run ends before its tasks; the first reason stays. Without a reason, a person stopped it. */
  endFor(reason: RunEnding | undefined): void {
    const message = this.pauseReason;
    this.#ending ??= reason ?? { reason: "stopped", ...(message !== undefined && { message }) };
  }

  /** Processes the end of a task. `isLast` is true if no task is left about whose failure the user could decide. */
  learnFrom(task: string, end: TaskEnd, isLast: boolean): void {
    const { failure, limit } = end;
    if (failure?.kind === "bug") this.#bugs += 1;
    if (limit !== undefined) this.#stop(usedUp(limit));
    const failed = failedTask(end);
    const unread = failed === undefined ? this.#unread(task) : undefined;
    this.#firstUnread ??= unread;
    const verdict = this.#failures.take(failed, unread?.cause?.cause);
    if (verdict === "end") this.#stop({ reason: "failed", message: failure!.message });
    if (verdict === "ask" && !isLast)
      this.#options.failingAlike?.(unread === undefined ? { message: failure!.message } : { row: this.#firstUnread! });
  }

  /** Returns the row of a task whose answer was requested in this run and could not be read. */
  #unread(task: string): Row | undefined {
    const row = this.#options.rowOf?.(task);
    const { model } = this.#options.spec;
    const isOwn =
      row !== undefined && !contentless.test(model) && !row.notes.some(({ type }) => type === "answer-from");
    if (!isOwn || !isUnread(row)) return undefined;
    // A model that reads the answer key never calls a useless tool, however often a strategy offers it.
    const declines = model.startsWith("builtin/") && declining.has(row.cause!.cause);
    return declines ? undefined : row;
  }

  /** A bug outside of every task, for example if the log cannot be written. */
  countBug(): void {
    this.#bugs += 1;
  }

  unwatch(): void {
    const { clock = machineClock } = this.#options;
    clock.clearTimeout(this.#timer);
  }

  /** The ending of the run. */
  get end(): RunEnd {
    return { ...(this.#ending ?? { reason: "done" }), bugs: this.#bugs };
  }
}
