/**
 * Executes a run's tasks, several at a time, until all are scored, the run is stopped, or the model cannot be reached. The run
 * pauses itself if a model that responded before remains unreachable.
 */
import { executeTask, type Execution } from "./execute-task.ts";
import type { Log } from "../log/file/log.ts";
import { failureOf } from "../problem.ts";
import type { RunEnding } from "../log/rows/rows.ts";
import type { InterleavedTasks } from "./interleaved-tasks.ts";
import type { LiveStream } from "../log/live-stream.ts";
import { Recorder } from "../log/recorder.ts";
import { type CourseOptions, RunCourse, type RunEnd } from "./run-course.ts";
import { SharedTasks, type TaskFlight, type TaskSharer } from "./shared-tasks.ts";
import { TaskHold } from "./task-hold.ts";
import { taskEnd, type TaskEnd } from "./task-end.ts";
import { keepHeapLean } from "../work/lean-heap.ts";
import type { Task } from "../types.ts";

/** `tasks`: in order of execution. */
export type RunnerOptions = Omit<Execution, "runMeter"> &
  CourseOptions & {
    readonly log: Log;
    readonly concurrency: number;
    /** Called with every step, and when tasks start or end, so that views can update. Must be fast. */
    readonly changed: () => void;
    /** Called once if the run ends before its tasks: it was stopped, a limit is used up, or the model cannot be reached. */
    readonly stopping?: () => void;
    /** Places shared with other runs; absent if there are no other runs. */
    readonly places?: SharedPlaces;
    /** Called if there is room for a task but this run has no task left to start. */
    readonly roomLeft?: () => void;
    /** The id of the choice of tasks that it executes; absent for all tasks. */
    readonly choice?: string;
    /** The tasks of the run that other cells execute at the same time; absent if there are none. */
    readonly others?: SharedTasks;
    /** Called before a task is executed that another cell started but did not finish. */
    readonly cut?: (task: string) => void;
    /** Decides which tasks may start while other runs execute their tasks; absent if all may start, in their order. */
    readonly interleaved?: InterleavedTasks;
    /** Called when the runner pauses itself because an endpoint stayed down for too long. */
    readonly pausing?: () => void;
  };

/** Runs in flight, which are recorded as stopped even if the program ends unexpectedly. */
const executing = new Set<Runner>();
process.on("exit", () => {
  for (const runner of executing) runner.abandon();
});

export class Runner implements PlaceTaker, TaskSharer {
  readonly #options: RunnerOptions;
  readonly #queue: Task[];
  readonly #running = new Map<string, TaskFlight>();
  readonly #others: SharedTasks;
  readonly #stopping = new AbortController();
  readonly #places: SharedPlaces;
  /** Maximum number of tasks of this run at once: 1 if tasks depend on earlier tasks, or as many as the suite can have open. */
  readonly #most: number;
  #concurrency: number;
  paused = false;
  readonly #course: RunCourse;
  #finish: (() => void) | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#course = new RunCourse(options, (reason) => this.stop(reason));
    this.#others = options.others ?? new SharedTasks();
    const { interleaved } = options;
    const { tasks } = options;
    const ordered =
      interleaved && tasks.toSorted(({ id }, task) => interleaved.placeOf(id) - interleaved.placeOf(task.id));
    this.#queue = (ordered ?? tasks).toReversed();
    this.#places = options.places ?? new SharedPlaces();
    const isSequential = options.strategy.sequential?.(options.spec) === true;
    this.#most = isSequential ? 1 : (options.loaded.atOnce?.() ?? Infinity);
    this.#concurrency = atLeastOne(options.concurrency);
  }

  get concurrency(): number {
    return Math.min(this.#most, this.#concurrency);
  }
  get taken(): number {
    return this.#running.size;
  }
  /** The reason why the run paused itself; undefined if it did not. */
  get pauseReason(): string | undefined {
    return this.#course.pauseReason;
  }
  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Returns ids of the tasks in execution. */
  running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** A task in execution; undefined for any other. */
  live(task: string): LiveStream | undefined {
    return this.#running.get(task)?.recorder.stream;
  }

  /**
   * Sends one more request of a running task, and pauses the task before the next request. Returns false if the task is not
   * running.
   */
  step(task: string): boolean {
    this.#running.get(task)?.hold.step();
    return this.#running.has(task);
  }
  /** Lets a paused task continue; returns false if the task is not paused. */
  release(task: string): boolean {
    const { hold } = this.#running.get(task) ?? {};
    const isHeld = hold?.isDue === true;
    hold?.release();
    return isHeld;
  }

  asks(task: string): boolean {
    return !this.stopping && this.#queue.some(({ id }) => id === task);
  }
  check(): void {
    this.#course.meter.check();
  }
  take(...[step, price]: Parameters<TaskSharer["take"]>): void {
    this.#course.meter.take(step, price);
  }
  ended(task: string, isCut: boolean): void {
    const at = this.#queue.findIndex(({ id }) => id === task);
    if (isCut) this.#options.cut?.(task);
    else this.#queue.splice(at, 1);
    this.#pump();
  }
  adopt(flight: TaskFlight): void {
    const { id } = flight.task;
    flight.owner = this;
    this.#running.set(id, flight);
    this.#queue.splice(
      this.#queue.findIndex((task) => task.id === id),
      1,
    );
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = atLeastOne(concurrency);
    this.#pump();
  }
  /** Lets tasks in flight end and starts no more until `resume`. */
  pause(): void {
    this.paused = true;
    this.#options.changed();
  }
  resume(): void {
    this.paused = false;
    this.#course.pauseReason = undefined;
    this.#pump();
  }
  /** Interrupts the tasks in flight; they are executed again next time. */
  stop(reason?: RunEnding): void {
    this.#course.endFor(reason);
    if (this.pauseReason !== undefined) this.#places.close();
    if (!this.stopping) this.#options.stopping?.();
    this.#stopping.abort();
    for (const [id, flight] of this.#running) {
      // A task that another cell waits for continues for that cell.
      const [other] = this.#others.othersFor(id, this);
      if (other === undefined) flight.stopping.abort();
      else {
        this.#running.delete(id);
        other.adopt(flight);
      }
    }
    this.#pump();
  }

  /** Records the tasks in flight, and the run, as stopped, because the program ends now. */
  abandon(): void {
    const { log, choice } = this.#options;
    try {
      for (const { recorder } of this.#running.values()) recorder.fail({ kind: "stopped", message: "Stopped" });
      log.append({ type: "run-ended", reason: "stopped", ...(choice !== undefined && { choice }) });
      log.flush();
    } catch {
      // A log that cannot be written has no record of its end; it is read as that of a killed run.
    }
  }

  async run(): Promise<RunEnd> {
    keepHeapLean(this.#options.tasks.length);
    executing.add(this);
    this.#places.join(this);
    this.#others.join(this);
    const leave = this.#options.interleaved?.join(() => this.#pump());
    try {
      return await this.#untilEnd();
    } finally {
      leave?.();
      this.#places.leave(this);
      this.#others.leave(this);
      executing.delete(this);
      await this.#options.loaded.ended?.(this.#options.spec);
    }
  }

  async #untilEnd(): Promise<RunEnd> {
    this.#course.watchTime();
    // Checked before any task starts, because a restarted task discards its replies.
    this.#course.checkLimits();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
    });
    this.#course.unwatch();
    return this.#course.end;
  }

  #pump(): void {
    const { interleaved } = this.#options;
    if (interleaved?.ending !== undefined) this.#course.endFor(interleaved.ending);
    if (this.stopping || interleaved?.ending !== undefined) this.#queue.length = 0;
    this.#places.offer();
    // Beside other runs, its last task may not be the last one that decides.
    const isOver = interleaved === undefined || this.stopping || interleaved.ending !== undefined;
    if (isOver && this.#running.size === 0 && this.#queue.length === 0) this.#finish?.();
    this.#options.changed();
  }

  fill(): void {
    const others = new Set(this.#others.running());
    const { interleaved } = this.#options;
    const mayStart = ({ id }: Task) => !others.has(id) && interleaved?.mayStart(id, this.concurrency) !== false;
    while (!this.paused && this.#hasPlace() && this.#running.size < this.#most) {
      const at = this.#queue.findLastIndex(mayStart);
      if (at < 0) break;
      void this.#start(this.#queue.splice(at, 1)[0]!);
    }
    if (!this.paused && !this.stopping && this.#hasPlace()) this.#options.roomLeft?.();
  }

  #hasPlace(): boolean {
    return this.#places.taken < this.#concurrency;
  }

  async #start(task: Task): Promise<void> {
    const recorder = new Recorder(this.#options.log, task.id, this.#options.changed, this.#options.clock);
    const hold = new TaskHold(this.#options.clock);
    const flight: TaskFlight = { task, recorder, stopping: new AbortController(), owner: this, hold };
    this.#running.set(task.id, flight);
    // Whoever asks for a task pays for it.
    const runMeter: Execution["runMeter"] = {
      check: () => flight.owner.check(),
      take: (step, price) => {
        for (const each of [flight.owner, ...this.#others.othersFor(task.id, flight.owner)]) each.take(step, price);
      },
    };
    let end: TaskEnd | Error;
    try {
      end = taskEnd(await executeTask({ ...this.#options, runMeter, hold }, task, recorder, flight.stopping.signal));
    } catch (thrown) {
      end = thrown as Error;
    }
    const { owner } = flight;
    owner.landed(task, end);
    const isCut = end instanceof Error || end.outage !== undefined || (!end.scored && end.failure?.kind === "stopped");
    this.#others.ended(task.id, isCut, owner);
  }

  landed(task: Task, end: TaskEnd | Error): void {
    // A stop that follows from its end hands it to nobody.
    this.#running.delete(task.id);
    if (end instanceof Error) {
      // The events cannot even be logged, for example because the disk is full: continuing would lose more.
      this.#course.countBug();
      this.stop({ reason: "failed", message: failureOf(end).message });
    } else {
      if (end.outage !== undefined) this.#waitFor(task, end.outage);
      this.#course.learnFrom(task.id, end, this.#queue.length === 0);
    }
    this.#options.interleaved?.taskEnded();
    this.#pump();
  }

  /** Puts a task back and pauses the run until it is resumed or stopped. */
  #waitFor(task: Task, message: string): void {
    if (this.stopping) return;
    this.#queue.push(task);
    this.#course.pauseReason = message;
    if (this.paused) return;
    this.paused = true;
    this.#options.pausing?.();
  }
}

/** A concurrency of NaN would never start a task. */
const atLeastOne = (concurrency: number): number => Math.max(1, Math.floor(concurrency) || 1);

type PlaceTaker = {
  /** Number of tasks of the run in flight. */
  readonly taken: number;
  /** Starts tasks as long as there are places for them. */
  fill(): void;
};

/** Slots for tasks in flight, shared by the runs at one endpoint. A later run uses the slots that earlier runs leave free. */
export class SharedPlaces {
  readonly #takers = new Set<PlaceTaker>();
  closed = false;

  /** Number of tasks in flight in all runs together. */
  get taken(): number {
    return [...this.#takers].reduce((sum, { taken }) => sum + taken, 0);
  }

  join(taker: PlaceTaker): void {
    this.#takers.add(taker);
  }
  leave(taker: PlaceTaker): void {
    this.#takers.delete(taker);
  }

  /** Offers free places to the runs in the order of their requests. */
  offer(): void {
    for (const taker of this.#takers) taker.fill();
  }

  /** Starts no further run at an endpoint that stays down. */
  close(): void {
    this.closed = true;
  }
}

/** Executes the tasks of a run, in this program or elsewhere. */
export type TaskRunner = Pick<
  Runner,
  "concurrency" | "pauseReason" | "running" | "live" | "setConcurrency" | "pause" | "resume" | "stop"
> & {
  /** Resolves when the run has ended; to `left` if it continues without this program. */
  run(): Promise<RunEnd | "left">;
  /** For runs executed elsewhere: the current message, if any. */
  readonly notice?: string | undefined;
  /** For runs executed elsewhere: the limit that overload leaves at an endpoint, as text. */
  readonly overload?: string | undefined;
  /** True if the command only completed an earlier stop, after which the run can be started again. */
  readonly completesStop?: boolean;
  /** For runs executed by another program: why it cannot be reached, such as "Redis at HOST:PORT does not answer". */
  readonly unheard?: string | undefined;
  /** For runs executed here: see `Runner`. */
  step?(task: string): boolean;
  release?(task: string): boolean;
  /** For runs executed by another program: ends this program's part in them. */
  leave?(): void;
};
