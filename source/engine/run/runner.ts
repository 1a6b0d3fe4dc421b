/**
 * Executes a run's tasks, several at a time, until all are scored, it is stopped, or the model cannot be reached. It pauses by
 * itself where a model that was there stays away.
 */
import { longestTimer, Meter, RunLimitProblem } from "./budget.ts";
import { executeTask, type Execution } from "./execute-task.ts";
import { failureOf } from "../problem.ts";
import { OutageProblem } from "../models/problem.ts";
import { Recorder } from "../log/recorder.ts";
import type { Failure, FailureKind, Limits, Task, TaskEvent } from "../types.ts";
import { machineClock } from "../work/clock.ts";

export type RunEnd = {
  readonly reason: "done" | "stopped" | "failed";
  readonly message?: string;
  /** Tasks that ended in a bug of ours. */
  readonly bugs: number;
};

export type RunnerOptions = Omit<Execution, "runMeter"> & {
  /** In the order they are to be executed. */
  readonly tasks: readonly Task[];
  readonly concurrency: number;
  /** Called with every step, and when tasks begin or end, so that a view may look again. Must be cheap. */
  readonly changed: () => void;
  /** What earlier invocations used of the run's limits. */
  readonly used?: Limits;
  /** Called once, with what they say, when the first tasks to end all failed alike. */
  readonly failingAlike?: (message: string) => void;
  /** Called once, when the run is to end before its tasks: it was stopped, a limit is used up, or the model cannot be reached. */
  readonly stopping?: () => void;
  /** Called when the runner pauses by itself: an endpoint stayed away for too long. */
  readonly pausing?: () => void;
};

/** This many tasks that ended in the same bug end the run: the others would cost as much and come to as little. */
const bugsAlike = 3;
/** When this many tasks, the first to end, all failed with the same words, the rest is likely to. */
const first = 10;

/** This many tasks in a row that could not reach the model end the run: the rest would fail the same way. */
const hopeless = 3;

/** Runs in flight, which a program that ends in the middle of things, by whatever way, still records as stopped. */
const executing = new Set<Runner>();
process.on("exit", () => {
  for (const runner of executing) runner.abandon();
});

export class Runner {
  readonly #options: RunnerOptions;
  readonly #execution: Execution;
  readonly #queue: Task[];
  readonly #running = new Map<string, Recorder>();
  readonly #stopping = new AbortController();
  readonly #isSequential: boolean;
  #concurrency: number;
  #paused = false;
  #pauseReason: string | undefined;
  #unreachable = 0;
  /** Tasks that have ended, and what all of them failed with; undefined once one did not. */
  #alike: { readonly ended: number; readonly message: string | undefined } | undefined = {
    ended: 0,
    message: undefined,
  };
  #bugs = 0;
  readonly #bugsByMessage = new Map<string, number>();
  #ending: Omit<RunEnd, "bugs"> | undefined;
  #finish: (() => void) | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#execution = { ...options, runMeter: new Meter(options.spec.budget.run, "run", options.clock, options.used) };
    this.#queue = [...options.tasks].reverse();
    this.#isSequential = options.strategy.sequential?.(options.spec) === true;
    this.#concurrency = this.#fit(options.concurrency);
  }

  get concurrency(): number {
    return this.#concurrency;
  }
  get paused(): boolean {
    return this.#paused;
  }
  /** Why it paused by itself; undefined where it did not. */
  get pauseReason(): string | undefined {
    return this.#pauseReason;
  }
  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ids of the tasks being executed now. */
  running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** The steps of a task being executed, neighbouring text joined, with a version that rises as they grow. */
  live(task: string): { readonly events: readonly TaskEvent[]; readonly version: number } | undefined {
    return this.#running.get(task);
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = this.#fit(concurrency);
    this.#pump();
  }
  /** Tasks that build on those before are executed one at a time. */
  #fit(concurrency: number): number {
    return this.#isSequential ? 1 : atLeastOne(concurrency);
  }
  /** Lets tasks in flight end and starts no more until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#options.changed();
  }
  resume(): void {
    this.#paused = false;
    this.#pauseReason = undefined;
    this.#pump();
  }
  /** Cuts the tasks in flight; they are executed again next time. */
  stop(reason?: Omit<RunEnd, "bugs">): void {
    const message = this.#pauseReason;
    this.#ending ??= reason ?? { reason: "stopped", ...(message !== undefined && { message }) };
    if (!this.stopping) this.#options.stopping?.();
    this.#stopping.abort();
    this.#pump();
  }

  /** Records the tasks in flight, and the run, as stopped, at once: the program ends. */
  abandon(): void {
    const { log } = this.#options;
    try {
      for (const recorder of this.#running.values()) recorder.fail({ kind: "stopped", message: "Stopped" });
      log.append({ type: "run-ended", reason: "stopped" });
      log.flush();
    } catch {
      // A log that cannot be written to has no record of its end; it is read as that of a run that was killed.
    }
  }

  async run(): Promise<RunEnd> {
    executing.add(this);
    try {
      return await this.#untilEnd();
    } finally {
      executing.delete(this);
    }
  }

  async #untilEnd(): Promise<RunEnd> {
    const { seconds } = this.#options.spec.budget.run ?? {};
    const message = `The run's limit of ${seconds} seconds is used up`;
    // Requests in flight are cut too: a silent server must not stretch the limit.
    const late = () => this.stop({ reason: "stopped", message });
    const { clock = machineClock } = this.#options;
    const left = seconds === undefined ? undefined : (seconds - (this.#options.used?.seconds ?? 0)) * 1000;
    const timer = left === undefined ? undefined : clock.setTimeout(late, Math.min(Math.max(0, left), longestTimer));
    this.#stopWhereUsedUp();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
    });
    clock.clearTimeout(timer);
    return { ...(this.#ending ?? { reason: "done" }), bugs: this.#bugs };
  }

  /** Before any task is started: a task that is started anew forgets what it had answered. */
  #stopWhereUsedUp(): void {
    try {
      this.#execution.runMeter.check();
    } catch (problem) {
      this.stop({ reason: "stopped", message: failureOf(problem).message });
    }
  }

  #pump(): void {
    if (this.stopping) this.#queue.length = 0;
    while (!this.#paused && this.#running.size < this.#concurrency && this.#queue.length > 0)
      void this.#startNext(this.#queue.pop()!);
    if (this.#running.size === 0 && this.#queue.length === 0) this.#finish?.();
    this.#options.changed();
  }

  async #startNext(task: Task): Promise<void> {
    const recorder = new Recorder(this.#options.log, task.id, this.#options.changed, this.#options.clock);
    this.#running.set(task.id, recorder);
    try {
      const ended = await executeTask(this.#execution, task, recorder, this.#stopping.signal);
      if (ended?.thrown instanceof OutageProblem) this.#waitFor(task, ended.thrown);
      this.#learnFrom(ended?.failure.kind, ended?.failure.message ?? "", ended?.thrown);
      this.#compare(ended?.scored === false ? ended.failure : undefined);
    } catch (thrown) {
      // What happened cannot even be written down, as when the disk is full: continuing would lose more.
      this.#bugs += 1;
      this.stop({ reason: "failed", message: failureOf(thrown).message });
    }
    this.#running.delete(task.id);
    this.#pump();
  }

  /** Keeps a task for later, and the run with it, until whoever watches it resumes it or stops it. */
  #waitFor(task: Task, { message }: OutageProblem): void {
    if (this.stopping) return;
    this.#queue.push(task);
    this.#pauseReason = message;
    if (this.#paused) return;
    this.#paused = true;
    this.#options.pausing?.();
  }

  #countBug(message: string): void {
    this.#bugs += 1;
    const alike = (this.#bugsByMessage.get(message) ?? 0) + 1;
    this.#bugsByMessage.set(message, alike);
    if (alike === bugsAlike) this.stop({ reason: "failed", message });
  }

  /** Looks at how the first tasks ended: a wrong setting makes all of them fail, and money with them. */
  #compare(failure: Failure | undefined): void {
    if (this.#alike === undefined || failure?.kind === "stopped") return;
    const { ended, message = failure?.message } = this.#alike;
    const same = failure !== undefined && failure.message === message;
    this.#alike = same && ended + 1 < first ? { ended: ended + 1, message } : undefined;
    if (same && ended + 1 === first && this.#queue.length > 0) this.#options.failingAlike?.(failure.message);
  }

  #learnFrom(kind: FailureKind | undefined, message: string, thrown: unknown): void {
    if (kind === "bug") this.#countBug(message);
    if (kind === "stopped") {
      if (thrown instanceof RunLimitProblem) this.stop({ reason: "stopped", message });
      return;
    }
    const unreachable = (kind === "model" || kind === "judge") && isHopeless(thrown);
    this.#unreachable = unreachable ? this.#unreachable + 1 : 0;
    if (!unreachable) return;
    const enough = (thrown as { readonly hopeless?: boolean } | undefined)?.hopeless === true ? 1 : hopeless;
    if (this.#unreachable >= Math.min(enough, this.#options.tasks.length)) this.stop({ reason: "failed", message });
  }
}

/** A concurrency that is no number would never start a task. */
function atLeastOne(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency) || 1);
}

/** No connection, a wrong key, a model that is not there: the next task would fail the same way. */
function isHopeless(thrown: unknown): boolean {
  const { status, hopeless: always } = (thrown ?? {}) as { readonly status?: number; readonly hopeless?: boolean };
  return always === true || status === undefined || [401, 403, 404].includes(status);
}
