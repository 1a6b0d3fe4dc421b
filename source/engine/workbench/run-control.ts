/** One run of a run cell: what is on disk, what is being played, and what a person sees of both. */
import type { LoadedSuites } from "./loaded-suites.ts";
import { boardTasks } from "./board-tasks.ts";
import type { Correction } from "../corrections/correct-error.ts";
import { correctRun } from "./correct-run.ts";
import { modelsOf } from "../run/fork.ts";
import type { Models } from "../models/models.ts";
import { DataProblem } from "../text/json-lines.ts";
import { Preparation } from "../run/preparation.ts";
import { PredictionProblem } from "../prediction.ts";
import { scorePredictions } from "./prediction-run.ts";
import { failureOf, Problem } from "../problem.ts";
import { rescore } from "../run/rescore.ts";
import { priceOf, roleModels, setConcurrencies } from "../run/run-models.ts";
import type { PlannedRun } from "../session/run-cell.ts";
import { optionModels } from "../session/run-options.ts";
import { RunProgress } from "../log/run-progress.ts";
import { RunStore } from "../log/run-store.ts";
import { Runner } from "../run/runner.ts";
import { chosenTasks } from "../run/sampling.ts";
import { trajectoryOf, type Trajectory } from "../log/trajectory.ts";
import type { Row, RunSpec, Task, TaskEvent } from "../types.ts";
import type { BoardTask, RunState, RunStatus } from "./workbench.ts";

export type RunContext = {
  readonly loadedSuites: LoadedSuites;
  readonly models: Models;
  /** Folder of the session; predictions are found relative to it. */
  readonly folder: string;
  readonly changed: () => void;
};

const nothing = () => {};

export class RunControl {
  readonly planned: PlannedRun;
  readonly store: RunStore;
  readonly #context: RunContext;
  readonly #progress: RunProgress;
  readonly #preparation: Preparation;
  #tasks: readonly Task[] | undefined;
  #loading = false;
  #runner: Runner | undefined;
  #ended: Promise<void> | undefined;
  #correcting: Promise<void> | undefined;
  #message: string | undefined;
  #failed = false;
  #concurrency: number | undefined;
  /** Aborted by a stop, also one that came before there was a runner to stop. */
  #stopping = new AbortController();
  /** Tasks that ended in a bug of ours, over this program's life. */
  bugs = 0;

  constructor(planned: PlannedRun, folder: string, context: RunContext) {
    this.planned = planned;
    this.#context = context;
    this.store = new RunStore(folder, (model) => priceOf(context.models, model));
    this.#progress = new RunProgress(this.store.table);
    this.#preparation = new Preparation(context.changed);
  }

  get spec(): RunSpec {
    return this.planned.spec;
  }

  get readsAnswerKey(): boolean {
    return this.#keyReaders().length > 0;
  }

  rows(): readonly Row[] {
    return this.store.table.rows();
  }

  state(label: string): RunState {
    const { table } = this.store;
    const running = this.#runner?.running().length ?? 0;
    const sums = this.#progress.sums();
    const { right, wrong, unscored, failed } = sums;
    const total =
      this.#tasks?.length ?? (this.planned.predictions === undefined ? table.total : Math.max(table.total, sums.rows));
    const waiting = Math.max(0, total - right - wrong - unscored - failed - running);
    const pace = this.#runner === undefined ? undefined : this.#progress.rate();
    const message = this.#message ?? (this.#runner === undefined ? table.ended?.message : undefined);
    return {
      run: this.planned.run,
      label,
      spec: this.spec,
      status: this.#status(waiting + failed),
      preparing: this.#preparation.doing,
      message:
        this.store.damaged > 0 && message === undefined
          ? `${this.store.damaged} lines of the log could not be read`
          : message,
      total,
      counts: { right, wrong, unscored, failed, waiting, running: running },
      failure: sums.failure,
      calls: sums.calls,
      retries: sums.retries,
      tokens: { input: sums.input, output: sums.output, estimated: sums.estimated },
      cost: sums.cost,
      seconds: sums.seconds,
      rate: pace,
      left: pace === undefined || pace === 0 ? undefined : ((waiting + running) / pace) * 60,
      concurrency: this.#runner?.concurrency ?? this.#concurrency ?? this.#concurrencyOf(this.spec.model),
      warnings: table.warnings,
      readsAnswerKey: this.readsAnswerKey,
    };
  }

  #status(open: number): RunStatus {
    const runner = this.#runner;
    if (this.#loading) return "loading";
    if (runner !== undefined) return runner.stopping ? "stopping" : runner.paused ? "paused" : "running";
    if (this.#failed) return "failed";
    const { ended, spec } = this.store.table;
    if (ended?.reason === "failed") return "failed";
    if (spec === undefined) return "ready";
    return open > 0 ? "partial" : "done";
  }

  /** Plays what has no score yet, or just these tasks again. Resolves when the run ended; failures are told in `state`. */
  run(only?: ReadonlySet<string>): Promise<void> {
    return this.#alone(() => (this.planned.predictions === undefined ? this.#playTasks(only) : this.#scoreFile(false)));
  }

  async #scoreFile(again: boolean): Promise<void> {
    const { signal } = this.#stopping;
    this.#message = await scorePredictions(this.planned, this.store, this.#context, { again, signal });
  }

  /** One thing at a time is done with a run's log; who comes meanwhile waits for what is going on. */
  #alone(work: () => Promise<void>): Promise<void> {
    this.#ended ??= this.#begin(work).finally(() => {
      this.#ended = undefined;
      this.#runner = undefined;
      this.#loading = false;
      this.#closeStore();
    });
    return this.#ended;
  }

  #closeStore(): void {
    try {
      this.store.close();
    } catch (thrown) {
      this.#failed = true;
      this.#message ??= (thrown as Error).message;
    }
    this.#context.changed();
  }

  /** At once, but for a correction that is being written: it is waited for. */
  #begin(work: () => Promise<void>): Promise<void> {
    if (this.#correcting === undefined) return this.#tell(work);
    const { signal } = (this.#stopping = new AbortController());
    return this.#correcting.then(() => (signal.aborted ? undefined : this.#tell(work)));
  }

  async #tell(work: () => Promise<void>): Promise<void> {
    this.#message = undefined;
    this.#failed = false;
    const { signal } = (this.#stopping = new AbortController());
    this.#loading = true;
    this.#context.changed();
    try {
      await work();
    } catch (thrown) {
      if (signal.aborted && thrown === signal.reason) return;
      this.#failed = true;
      const said = thrown instanceof DataProblem || thrown instanceof PredictionProblem;
      this.#message = said ? thrown.message : failureOf(thrown).message;
    }
  }

  async #playTasks(only: ReadonlySet<string> | undefined): Promise<void> {
    const { loadedSuites, models, changed } = this.#context;
    const { spec } = this;
    for (const name of [...roleModels(spec), ...optionModels(loadedSuites.suite(spec.suite), spec)]) {
      const problem = models.problem(name);
      if (problem !== undefined) throw new Problem("model", problem);
    }
    const loaded = await loadedSuites.open(spec.suite, spec.data);
    const pool = await loadedSuites.tasks(spec.suite, spec.data, spec.split);
    const tasks = await this.tasks();
    const strategy = loadedSuites.suite(spec.suite).strategies.find(({ name }) => name === spec.strategy)!;
    const open = tasks.filter((task) =>
      only === undefined ? this.store.table.row(task.id)?.state !== "scored" : only.has(task.id),
    );
    const model = modelsOf(spec, this.#context.folder, (name) => models.model(name));
    const { signal } = this.#stopping;
    if (open.length > 0) await this.#preparation.make(loaded, spec, open, signal);
    this.#loading = false;
    if (open.length === 0 || signal.aborted) return;
    const log = this.store.open();
    log.append({
      type: "run-started",
      run: this.planned.run,
      spec,
      total: tasks.length,
      warnings: this.#warnings(loaded.warnings),
    });
    log.flush();
    const stage = { spec, loaded, strategy, pool, log, model };
    const concurrency = this.#concurrency ?? this.#concurrencyOf(spec.model);
    this.#runner = new Runner({ ...stage, tasks: open, concurrency, changed });
    const { reason, message, bugs } = await this.#runner.run();
    this.bugs += bugs;
    log.append({ type: "run-ended", reason, ...(message === undefined ? {} : { message }) });
    log.flush();
  }

  #keyReaders(): readonly string[] {
    const { models } = this.#context;
    return roleModels(this.spec).filter(
      (name) => models.problem(name) === undefined && models.model(name).readsAnswerKey,
    );
  }

  #warnings(ofBench: readonly string[]): readonly string[] {
    const sample =
      this.spec.data === "sample" ? ["Sample tasks written for Planwright, not the published benchmark"] : [];
    const oracle = this.#keyReaders().map((name) => `${name} reads the answer key`);
    return [...oracle, ...sample, ...ofBench];
  }

  /** The tasks of this run; known to `board` and `state` from then on. */
  async tasks(): Promise<readonly Task[]> {
    const { suite, data, split } = this.spec;
    const { loadedSuites } = this.#context;
    this.#tasks ??= chosenTasks(await loadedSuites.tasks(suite, data, split), this.spec, loadedSuites.suite(suite));
    return this.#tasks;
  }

  pause(): void {
    this.#runner?.pause();
  }
  resume(): void {
    this.#runner?.resume();
  }
  stop(): void {
    this.#stopping.abort();
    this.#runner?.stop();
  }
  get active(): boolean {
    return (this.#ended ?? this.#correcting) !== undefined;
  }
  ended(): Promise<void> {
    return this.#ended ?? this.#correcting ?? Promise.resolve();
  }

  /** Kept for the next sitting of this program where nothing runs now. */
  setConcurrency(concurrency: number): void {
    this.#concurrency = Math.max(1, Math.floor(concurrency));
    this.#runner?.setConcurrency(this.#concurrency);
    setConcurrencies(this.#context.models, this.spec, this.#concurrency);
    this.#context.changed();
  }

  /** Tasks in the order they are played; before the tasks are loaded, those that have rows. */
  board(): readonly BoardTask[] {
    const tasks = this.planned.predictions === undefined ? this.#tasks : undefined;
    return boardTasks(this.store.table, tasks, new Set(this.#runner?.running()));
  }

  live(task: string): { readonly events: readonly TaskEvent[]; readonly version: number } | undefined {
    return this.#runner?.live(task);
  }

  trajectory(task: string): Trajectory | undefined {
    const live = this.live(task);
    const events = live?.events ?? this.store.task(task);
    return events.length === 0 ? undefined : trajectoryOf(task, events);
  }

  /** Scores every saved outcome again with the current scorer; no model is asked. Does nothing while the run is busy. */
  async rescore(): Promise<void> {
    if (this.active) return;
    await this.#alone(async () => {
      if (this.planned.predictions !== undefined) return this.#scoreFile(true);
      const { suite, data } = this.spec;
      const loaded = await this.#context.loadedSuites.open(suite, data);
      this.#message = await rescore(this.store, await this.tasks(), loaded, this.spec, this.#stopping.signal);
    });
  }

  /** A person's word on an error of a task, as in `correction.ts`; the run's status and message stay as they are. */
  async correct(correction: Correction): Promise<string | undefined> {
    if (this.active) throw new Problem("stopped", "This run is going: stop it first, or wait until it ends");
    const done = correctRun(this, this.#context.loadedSuites, correction).finally(() => {
      this.#correcting = undefined;
      this.#closeStore();
    });
    this.#correcting = done.then(nothing, nothing);
    return done;
  }

  #concurrencyOf(model: string): number {
    return this.#context.models.problem(model) === undefined
      ? this.#context.models.limiter(model).state.concurrency
      : 1;
  }
}
