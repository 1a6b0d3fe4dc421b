/** Plays a run's tasks, several at a time, until all are scored, it is stopped, or going on makes no sense. */
import { Meter } from "./budget.ts";
import { playTask, type Stage } from "./play-task.ts";
import { Recorder } from "./recorder.ts";
import type { Task, TaskEvent } from "./types.ts";

export type RunEnd = {
  readonly reason: "done" | "stopped" | "failed";
  readonly message?: string;
  /** Tasks that ended in a bug of ours. */
  readonly bugs: number;
};

export type RunnerOptions = Omit<Stage, "runMeter"> & {
  /** In the order they are to be played. */
  readonly tasks: readonly Task[];
  readonly width: number;
  /** Called with every step, and when tasks begin or end, so that a view may look again. Must be cheap. */
  readonly changed: () => void;
};

/** This many tasks in a row that could not reach the model end the run: the rest would fail the same way. */
const hopeless = 3;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #stage: Stage;
  readonly #queue: Task[];
  readonly #playing = new Map<string, Recorder>();
  readonly #stopping = new AbortController();
  #width: number;
  #paused = false;
  #unreachable = 0;
  #bugs = 0;
  #ending: Omit<RunEnd, "bugs"> | undefined;
  #finish: (() => void) | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#stage = { ...options, runMeter: new Meter(options.spec.budget.run, "run") };
    this.#queue = [...options.tasks].reverse();
    this.#width = Math.max(1, options.width);
  }

  get width(): number {
    return this.#width;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ids of the tasks being played now. */
  playing(): readonly string[] {
    return [...this.#playing.keys()];
  }

  /** The steps of a task being played, neighbouring text joined, with a version that rises as they grow. */
  live(task: string): { readonly events: readonly TaskEvent[]; readonly version: number } | undefined {
    return this.#playing.get(task);
  }

  setWidth(width: number): void {
    this.#width = Math.max(1, Math.floor(width));
    this.#pump();
  }
  /** Lets tasks in flight end and starts no more until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#options.changed();
  }
  resume(): void {
    this.#paused = false;
    this.#pump();
  }
  /** Cuts the tasks in flight; they are played again next time. */
  stop(reason: Omit<RunEnd, "bugs"> = { reason: "stopped" }): void {
    this.#ending ??= reason;
    this.#stopping.abort();
    this.#pump();
  }

  async play(): Promise<RunEnd> {
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
    });
    return { ...(this.#ending ?? { reason: "done" }), bugs: this.#bugs };
  }

  #pump(): void {
    if (this.stopping) this.#queue.length = 0;
    while (!this.#paused && this.#playing.size < this.#width && this.#queue.length > 0)
      void this.#playNext(this.#queue.pop()!);
    if (this.#playing.size === 0 && this.#queue.length === 0) this.#finish?.();
    this.#options.changed();
  }

  async #playNext(task: Task): Promise<void> {
    const recorder = new Recorder(this.#options.log, task.id, this.#options.changed);
    this.#playing.set(task.id, recorder);
    const ended = await playTask(this.#stage, task, recorder, this.#stopping.signal);
    this.#playing.delete(task.id);
    if (ended === undefined) this.#unreachable = 0;
    else this.#learnFrom(ended.failure.kind, ended.failure.message, ended.thrown);
    this.#pump();
  }

  #learnFrom(kind: string, message: string, thrown: unknown): void {
    if (kind === "bug") this.#bugs += 1;
    if (kind === "budget" && message.startsWith("The run's")) this.stop({ reason: "stopped", message });
    if (kind !== "model" || !isHopeless(thrown)) return;
    this.#unreachable += 1;
    if (this.#unreachable >= Math.min(hopeless, this.#options.tasks.length)) this.stop({ reason: "failed", message });
  }
}

/** No connection, a wrong key, a model that is not there: the next task would meet the same. */
function isHopeless(thrown: unknown): boolean {
  const status = (thrown as { readonly status?: number } | undefined)?.status;
  return status === undefined || [401, 403, 404].includes(status);
}
