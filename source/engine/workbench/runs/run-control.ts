/** One run of a run cell: its state on disk, its execution, and its state on the screen. */
import { existsSync } from "node:fs";
import { AwayRun } from "./away-run.ts";
import type { TaskCorrection } from "../../log/corrections/correct-task.ts";
import { correctRun } from "../document/correct-run.ts";
import { earlierAnswers } from "../document/earlier-answers.ts";
import {
  expectedRequests,
  alikeText,
  awayMessage,
  messageOf,
  readingText,
  runStatus,
  toldRun,
  whoseResults,
  whyUnclosed,
  overloadNow,
  runWorkers,
  unreadOf,
  startWarnings,
  warningsNow,
} from "./run-status.ts";
import { scorePredictions } from "./prediction-run.ts";
import { Problem } from "../../problem.ts";
import { scannedRun, scanElsewhere } from "../scanning/scan-suite.ts";
import { rescore } from "../../run/rescore.ts";
import { interruptedRequests, type SavedRequest } from "../../run/saved-replies.ts";
import {
  concurrencyOf,
  forgetOutages,
  keyReaders,
  mustReachFor,
  outageMessage,
  overloadOf,
  priceOf,
  setConcurrencies,
  waitAgain,
} from "../../run/run-models.ts";
import { Beside } from "../../measures/beside.ts";
import { idOfAnswers, runOfFolder, scoringId } from "../../session/run-identity.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import { asBegun } from "../../session/run-spec.ts";
import { optionModels } from "../../session/fields/run-options.ts";
import { openTasks } from "../../log/rows/task-counts.ts";
import { tokensOfRun } from "../../log/rows/run-sums.ts";
import type { Log } from "../../log/file/log.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { ReadStore } from "../../log/run-view.ts";
import type { FailingAlike } from "../../run/run-course.ts";
import { Runner, type RunnerOptions, type TaskRunner } from "../../run/runner.ts";
import type { GivenAway, RunContext } from "./run-context.ts";
import type { RunHome, CellPlace } from "./run-home.ts";
import { samplesOf } from "./run-samples.ts";
import { prepareRun } from "./prepared-run.ts";
import { RunTasks } from "./run-tasks.ts";
import { FollowedRun } from "../sharing/followed-run.ts";
import type { ToldRun } from "../sharing/session-message.ts";
import type { LiveStream } from "../../log/live-stream.ts";
import { readTrajectory, type Trajectory } from "../../log/trajectory.ts";
import type { LoadedSuite } from "../../loaded-suite.ts";
import type { Suite } from "../../suite.ts";
import type { Row, RunSpec, Task } from "../../types.ts";
import { withPauses } from "../../work/pieces.ts";
import {
  afterEvent,
  idle,
  type ActivityResult,
  type RunActivity,
  type RunActivityEvent,
  type RunOptions,
  type WhenFailing,
} from "./run-activity.ts";
import type { BoardTask, RunState } from "../session-state.ts";

/** Resources for executing a run, here or elsewhere. */
type GivenRun = Omit<
  RunnerOptions,
  "loaded" | "pool" | "model" | "cache" | "places" | "roomLeft" | "concurrency" | "agent" | "interrupted"
> & { readonly interrupted: Map<string, readonly SavedRequest[]> };

export class RunControl {
  readonly planned: PlannedRun;
  /** The rows of the run that the cell shows: its tasks, under its scoring. */
  readonly store: ReadStore;
  /** The folder to which the run writes. */
  readonly home: RunHome;
  readonly #place: CellPlace;
  readonly #context: RunContext;
  readonly #tasks: RunTasks;
  /** Activity of another program on the run; undefined if only this program may execute it. */
  readonly followed: FollowedRun | undefined;
  readonly #away: AwayRun;
  #activity: RunActivity = idle;
  /** Settles when the current activity, and those queued after it, have ended. Never rejects. */
  #ended: Promise<void> = Promise.resolve();
  /** Cancels the current activity before a runner executes tasks. */
  #stopping = new AbortController();
  #concurrency: number | undefined;
  /** Tasks that ended with a bug of Planwright since the program started. */
  bugs = 0;
  /** True if the last activity completed a stop that an earlier program had requested of workers. */
  completedStop = false;

  constructor(planned: PlannedRun, place: CellPlace, context: RunContext) {
    this.planned = planned;
    this.#context = context;
    this.#place = place;
    this.home = place.home;
    this.store = place.view ?? place.home.store;
    this.beside = new Beside(context.patient || context.isThreaded === true);
    this.#tasks = new RunTasks(planned, this.store, context, place.points);
    const { folder: run, store } = this.home;
    this.followed = context.writes() ? undefined : new FollowedRun(store, this.isOwn ? undefined : planned.run);
    const { elsewhere } = planned.predictions === undefined && this.planned.samples === undefined ? context : {};
    this.#away = new AwayRun({ run, folder: store.folder }, elsewhere);
  }

  /** Returns an id that is equal for runs that send the same requests to their models, even about other tasks. */
  get asked(): string {
    return idOfAnswers(this.spec, this.#suite);
  }

  /** Returns `asked` of each run that must end before this one starts. */
  get after(): readonly string[] {
    return this.#place.samples?.().map(({ asked }) => asked) ?? [];
  }

  /** True if the folder has the id of the run itself, as for an earlier saved run or a run of all tasks. */
  get isOwn(): boolean {
    return this.home.folder === this.planned.run;
  }
  /** True if the run was executed before; other cells with the same folder may not have been. */
  get hasBegun(): boolean {
    const { table } = this.home.store;
    return this.isOwn ? table.total > 0 : table.choices.has(this.planned.run);
  }
  /** Identifies the run in names of files: the run's id, followed by that of its part if it is a part. */
  get fileId(): string {
    const { folder } = this.home;
    return this.isOwn ? folder : `${runOfFolder(folder)}-${this.planned.run.slice(0, 8)}`;
  }
  /** The path of the folder that holds the counted attempt at a task. */
  folderOf(task: string): string {
    return this.#partOf(task).folder;
  }
  /** The paths of all folders that the run shows. */
  get folders(): readonly string[] {
    return this.#place.view?.folders ?? [this.home.store.folder];
  }
  #partOf(task: string): RunStore {
    return this.#place.view?.partOf(task) ?? this.home.store;
  }
  /** The id of the run's scoring. */
  get scoring(): string {
    return scoringId(this.spec, this.#suite);
  }

  get #suite(): Suite {
    return this.#context.loadedSuites.suite(this.spec.suite);
  }
  /** The score of the run so far, and the settings on which the results depend. */
  readonly beside: Beside;
  readonly #prices = (model: string) => priceOf(this.#context.models, model);

  #begun: { readonly from: RunSpec | undefined; readonly spec: RunSpec } | undefined;

  /** The settings of the run, with the judge's sampling settings at the start of the run. */
  get spec(): RunSpec {
    const from = this.store.table.spec;
    if (this.#begun === undefined || this.#begun.from !== from)
      this.#begun = { from, spec: asBegun(this.planned.spec, from) };
    return this.#begun.spec;
  }

  get readsAnswerKey(): boolean {
    return keyReaders(this.#context.models, this.spec).length > 0;
  }

  /** Rows in their first order in the log, for figures. */
  rows(): readonly Row[] {
    return this.store.table.rows();
  }
  /** Rows in the order of the data, for lists: see `RunTasks`. */
  listedRows(): readonly Row[] {
    return this.#tasks.rows();
  }

  state(label: string): RunState {
    const { table } = this.store;
    const activity = this.#activity;
    const sums = table.sums();
    const told = this.followed?.told;
    const { isExecuted } = this;
    const { counts, total, running } = this.#tasks.counted(this.executed(), isExecuted);
    const { available = 0 } = this.#tasks;
    const unheard = this.#executing?.unheard ?? told?.unheard;
    const [rate, speed] = isExecuted && unheard === undefined ? [table.rate(), table.speed()] : [];
    const requests = expectedRequests(sums, table, running, total);
    return {
      run: this.home.folder,
      ...(!this.isOwn && { part: this.planned.run }),
      scoring: this.scoring,
      label,
      spec: this.spec,
      status: runStatus(activity, this.store, this.followed, { counts, total, isCounted: this.#tasks.isCounted }),
      preparing: activity.kind === "loading" ? activity.doing : (readingText(this.store) ?? told?.preparing),
      message: this.#message(),
      total,
      ...(available > total && { available }),
      counts,
      ...(activity.kind === "idle" && !isExecuted && table.ended?.rule && { leftOutBy: table.ended.rule }),
      failure: sums.failure,
      ...(sums.outOfContext > 0 && { outOfContext: sums.outOfContext }),
      ...unreadOf(sums),
      calls: sums.spent.calls,
      retries: sums.spent.retries,
      tokens: tokensOfRun(sums.spent.tokens),
      cost: sums.spent.cost,
      seconds: sums.spent.seconds,
      rate,
      speed,
      left: rate === undefined || rate === 0 ? undefined : (openTasks(counts) / rate) * 60,
      concurrency:
        this.#executing?.concurrency ??
        told?.concurrency ??
        this.#concurrency ??
        concurrencyOf(this.#context.models, this.spec.model),
      ...overloadNow(this.#executing, told, () => overloadOf(this.#context.models, this.spec)),
      ...(this.#executing?.leave !== undefined && { away: true }),
      ...(this.givenAway && { givenAway: true }),
      ...(unheard !== undefined && { unheard }),
      ...runWorkers(running, (task) => this.live(task)),
      ...this.beside.numbers(this.#suite, this.store, isExecuted, this.#tasks.orderOf),
      ...(requests !== undefined && { requests }),
      warnings: warningsNow(this.planned, this.#suite, this.store),
      ...(table.taken.length > 0 && { taken: table.taken }),
      readsAnswerKey: this.readsAnswerKey,
      ...whoseResults(this.planned),
    };
  }

  /** The run's state for followers of this program; undefined while the run is idle. */
  told(): ToldRun | undefined {
    return toldRun(this.state(""), this.home.store.bytes, this.#executing);
  }
  /** Ids of the tasks in execution, here or elsewhere. */
  executed(): readonly string[] {
    if (this.#executing?.leave !== undefined) return this.#executing.running();
    return this.followed?.running() ?? [...(this.givenAway?.out?.tasks ?? this.home.tasks.running())];
  }
  /** True while the run's tasks are executed, by this or another program. */
  get isExecuted(): boolean {
    return this.#executing !== undefined || this.followed?.status !== undefined;
  }
  /** The runner while it executes tasks of this run. */
  get #executing(): TaskRunner | undefined {
    return "runner" in this.#activity ? this.#activity.runner : undefined;
  }

  #message(): string | undefined {
    const outage = () => outageMessage(this.#context.models, this.spec);
    const own = "message" in this.#activity ? this.#activity.message : awayMessage(this.#executing, outage);
    if (this.followed?.status !== undefined) return this.followed.told?.message;
    if (this.#executing !== undefined) return own ?? (this.#activity.kind === "running" ? this.#away.note : undefined);
    return own ?? this.givenAway?.message ?? this.store.table.ended?.message;
  }
  /** True if the run paused itself and no request is in flight: the run continues when resumed. */
  get isAtRest(): boolean {
    const activity = this.#activity;
    if (activity.kind !== "paused" || this.executed().length > 0) return false;
    return (activity.message ?? activity.runner.pauseReason) !== undefined;
  }

  /** Returns true if the event applied. */
  #take(event: RunActivityEvent): boolean {
    const before = this.#activity;
    this.#activity = afterEvent(before, event);
    if (this.#activity === before) return false;
    this.#context.changed();
    return true;
  }

  /** Executes unscored tasks; none if all have results and the data are gone. Resolves when the run ended; failures are in `state`. */
  run(options: RunOptions = {}): Promise<void> {
    if (this.planned.predictions !== undefined) return this.#start(() => this.#scoreFile(false));
    const hasData = this.#context.loadedSuites.dataOf(this.spec.suite).includes(this.spec.data);
    if (!hasData && this.state("").status === "done") return Promise.resolve();
    return this.#start(() => this.#takeUpOrExecute(options), this.#isShared() ? this.home.folder : undefined);
  }

  /** The workers that execute the run; samples are picked in this program. */
  get #elsewhere(): RunContext["elsewhere"] {
    return this.planned.samples !== undefined ? undefined : this.#context.elsewhere;
  }

  /** True if other cells of the run may be executed at the same time: neither on workers nor one task after another. */
  #isShared(): boolean {
    const strategy = this.#suite.strategies.find(({ name }) => name === this.spec.strategy);
    const isAway = this.#away.out !== undefined || this.#elsewhere?.url !== undefined;
    return !isAway && strategy?.sequential?.(this.spec) !== true;
  }

  #scoreFile(again: boolean): Promise<string | undefined> {
    const { signal } = this.#stopping;
    return scorePredictions(this.planned, this.home.store, this.#context, { again, signal });
  }

  /**
   * Starts an activity; only one at a time writes a run's log, unless those of other cells have the same `group`. During another
   * activity, this call waits for it and does no work of its own, except that work follows a correction that is being written.
   * `work` resolves to a message or undefined.
   */
  #start(work: () => Promise<string | undefined>, group?: string): Promise<void> {
    const before = this.#ended;
    const wasIdle = !this.active;
    if (!this.#take({ type: "start" })) return before;
    this.#stopping = new AbortController();
    this.#ended = wasIdle
      ? this.#perform(work, group)
      : before.then(() => (this.#activity.kind === "loading" ? this.#perform(work, group) : undefined));
    return this.#ended;
  }

  async #perform(work: () => Promise<string | undefined>, group: string | undefined): Promise<void> {
    const { signal } = this.#stopping;
    let outcome: ActivityResult = { failed: false, message: undefined };
    let leave: (() => void) | undefined;
    try {
      const waits = () => this.#tellWaiting("waits for a cell that requests the same answers");
      leave = await this.#place.turns.take(this.#turn, group, { signal, waits });
      this.#tellWaiting(undefined);
      await this.store.readRows();
      await this.home.store.readRows();
      outcome = { failed: false, message: await work() };
    } catch (thrown) {
      if (!signal.aborted || thrown !== signal.reason) outcome = { failed: true, message: messageOf(thrown) };
    }
    this.#away.look();
    // The last one closes the log.
    const isLast = leave !== undefined && this.#place.turns.isAlone(this.#turn);
    const unclosed = isLast ? await whyUnclosed(this.home.store) : undefined;
    leave?.();
    this.#take({ type: "ended", ...outcome, unclosed });
  }
  readonly #tellWaiting = (doing: string | undefined) => void this.#take({ type: "progress", doing });
  /** An id shared by runs that send the same requests; unique for answers made by other programs, which no run requests. */
  get #turn(): string {
    return this.planned.predictions === undefined ? this.asked : this.home.folder;
  }

  /** Collects tasks given away before executing any others. */
  async #takeUpOrExecute(options: RunOptions): Promise<string | undefined> {
    const { tasks, message } = await this.#away.takeUp(options.isOpening === true);
    // Another cell of the run may have collected them.
    if (tasks === undefined && options.isOpening === true) return message;
    return message ?? this.#executeTasks(options, tasks);
  }

  async #executeTasks(options: RunOptions, out: ReadonlySet<string> | undefined): Promise<undefined> {
    const { loadedSuites, models, folder, changed } = this.#context;
    const { spec } = this;
    const { store } = this.home;
    const loaded = await loadedSuites.open(spec.suite, spec.data);
    const chosen = await this.tasks();
    // Another cell may have given away other tasks of the run.
    const tasks = out === undefined ? chosen : await loadedSuites.tasks(spec.suite, spec.data, spec.split);
    const strategy = this.#suite.strategies.find(({ name }) => name === spec.strategy)!;
    store.look();
    if (store.presence.gone !== undefined) store.clear();
    const wanted = out ?? options.only;
    const wantedTasks = tasks.filter(({ id }) => wanted?.has(id) ?? store.table.row(id)?.state !== "scored");
    const samples = this.#place.samples && (await samplesOf(this.#place.samples(), wantedTasks));
    const open = samples?.ready ?? wantedTasks;
    const isAway = out !== undefined || this.#elsewhere?.url !== undefined;
    if (isAway && scannedRun(spec.suite) !== undefined) throw new Problem("tool", scanElsewhere);
    const { complete: isComplete, ...earlier } = await earlierAnswers(
      spec,
      this.home,
      { chosen, open },
      {
        folder,
        prices: this.#prices,
        strategy,
        suite: this.#suite,
      },
    );
    const complete = isComplete || samples !== undefined;
    if (!isAway) await mustReachFor(models, spec, complete ? undefined : optionModels(this.#suite, spec));
    const { signal } = this.#stopping;
    const progress = (doing?: string) => void this.#take({ type: "progress", doing });
    const prepare = () => prepareRun(loaded, spec, open, { signal, progress });
    if (out === undefined) await prepare();
    if ((open.length === 0 && out === undefined) || signal.aborted) return;
    const given = {
      spec,
      strategy,
      log: store.open(),
      tasks: open,
      ...earlier,
      ...(samples && { samples: samples.of }),
      ...(!this.isOwn && { choice: this.planned.run }),
      changed,
      rowOf: (task: string) => store.table.row(task),
      failingAlike: (alike: FailingAlike) => this.#brake(runner, options.failing ?? "pause", alike),
      stopping: () => void this.#take({ type: "stop" }),
      pausing: () => void this.#take({ type: "pause" }),
    };
    const asked = complete ? (spec.judge ?? spec.model) : spec.model;
    const runner: TaskRunner = isAway
      ? await this.#startElsewhere(given, options, out !== undefined, async () => {
          await prepare();
          return loaded.toolkits?.made(spec, open) ?? {};
        })
      : await this.#runnerHere(given, options, loaded, asked);
    if (signal.aborted) return void runner.leave?.();
    // A resumed run continues its log as if it had never been closed.
    if (out === undefined) this.#logStart(given.log, loaded, tasks);
    if (!isAway) forgetOutages(models, spec);
    this.#take({ type: "execute", runner });
    await this.#runToEnd(runner, given.log);
  }

  #startElsewhere(
    given: GivenRun,
    { cache = false, shared }: RunOptions,
    isOut: boolean,
    prepared: GivenAway["prepared"],
  ): Promise<TaskRunner> {
    const { folder, elsewhere } = this.#context;
    return elsewhere!.start({
      ...given,
      run: this.home.folder,
      folder,
      store: this.home.store,
      prices: this.#prices,
      concurrency: this.#concurrency,
      cache,
      isOut,
      prepared,
      ...(shared?.roomLeft && { roomLeft: shared.roomLeft }),
      // Tasks that workers have are collected, no matter which runs it is compared with.
      ...(shared?.interleaved && !isOut && { interleaved: shared.interleaved }),
    });
  }

  /** `asked` is the model whose endpoint determines how many tasks are in flight. */
  async #runnerHere(given: GivenRun, { cache = false, shared }: RunOptions, loaded: LoadedSuite, asked: string) {
    const { loadedSuites, models, cache: replies, agent } = this.#context;
    const { suite, data, split } = this.spec;
    return new Runner({
      ...given,
      loaded,
      pool: await loadedSuites.tasks(suite, data, split),
      model: (name) => models.model(name),
      cache: cache ? replies : undefined,
      ...shared,
      concurrency: this.#concurrency ?? concurrencyOf(models, asked),
      agent,
      others: this.home.tasks,
      cut: (task) => void given.interrupted.set(task, interruptedRequests(this.home.store.task(task))),
    });
  }

  #logStart(log: Log, loaded: LoadedSuite, tasks: readonly Task[]): void {
    const { planned, home } = this;
    const spec = this.isOwn ? this.spec : asBegun(planned.stored.spec, home.store.table.spec);
    const warnings = startWarnings(planned, loaded, keyReaders(this.#context.models, spec));
    const chosen = this.#place.view?.isPart === true ? { tasks: tasks.map(({ id }) => id) } : {};
    const choice = this.isOwn ? {} : { choice: { id: planned.run, ...chosen } };
    const joins = home.tasks.isEmpty ? {} : { joins: true as const };
    log.append({ type: "run-started", run: home.folder, spec, total: tasks.length, warnings, ...choice, ...joins });
    log.flush();
  }

  async #runToEnd(runner: TaskRunner, log: Log): Promise<void> {
    const end = await runner.run();
    if (end === "left") return;
    const { bugs, ...ending } = end;
    this.bugs += bugs;
    this.completedStop = runner.completesStop === true;
    log.append({ type: "run-ended", ...ending, ...(!this.isOwn && { choice: this.planned.run }) });
    log.flush();
  }

  #brake(runner: TaskRunner, failing: WhenFailing, alike: FailingAlike): void {
    if (failing === "continue") return;
    if (failing === "stop") runner.stop({ reason: "failed", message: alikeText(alike, this.store) });
    else if (this.#take({ type: "pause", message: alikeText(alike, this.store, "Resume or stop?") })) runner.pause();
  }

  /** Returns the tasks of this run, which `board` and `state` use from then on. */
  async tasks(): Promise<readonly Task[]> {
    const tasks = await this.#tasks.read();
    if (this.#chosen !== tasks) this.#place.view?.table.choose(new Set(tasks.map(({ id }) => id)));
    this.#chosen = tasks;
    return tasks;
  }
  #chosen: readonly Task[] | undefined;
  /** True if the order of the rows is unknown until the tasks are known, because cells with other tasks share the folder. */
  get awaitsTasks(): boolean {
    const isOfFile = this.planned.predictions !== undefined;
    return this.#place.view?.isShared === true && this.#chosen === undefined && !this.lacksTasks && !isOfFile;
  }
  /** True if the run's data could not be read. */
  lacksTasks = false;

  /** Sends one more request of a task and pauses it, or lets it continue; false if this program does not execute it. */
  step(task: string): boolean {
    return this.#executing?.step?.(task) === true;
  }
  release(task: string): boolean {
    return this.#executing?.release?.(task) === true;
  }
  pause(): void {
    if (this.#take({ type: "pause" })) this.#executing?.pause();
  }
  resume(): void {
    if (!this.#take({ type: "resume" })) return;
    waitAgain(this.#context.models, this.spec);
    this.#executing?.resume();
  }
  stop(): void {
    if (!this.#take({ type: "stop" })) return;
    this.#stopping.abort();
    this.#executing?.stop();
  }
  /**
   * Stops the run. Tasks executed by other programs continue without this program, unless the session was removed, because no
   * program could then collect them.
   */
  leave(): void {
    if (this.#executing?.leave === undefined || !existsSync(this.#context.folder.path)) this.stop();
    else this.#executing.leave();
  }
  /** The state of the run's tasks on workers while the run is idle here. */
  get givenAway(): AwayRun | undefined {
    return this.active || this.#away.out === undefined ? undefined : this.#away;
  }
  get active(): boolean {
    return this.#activity.kind !== "idle";
  }
  ended(): Promise<void> {
    return this.#ended;
  }

  /** Applies from now on, even if no task is executing. */
  setConcurrency(concurrency: number): void {
    this.#concurrency = Math.max(1, Math.floor(concurrency));
    this.#executing?.setConcurrency(this.#concurrency);
    setConcurrencies(this.#context.models, this.spec, this.#concurrency);
    this.#context.changed();
  }

  /** Tasks in the order of execution; before the tasks are loaded, tasks with rows. */
  board(): readonly BoardTask[] {
    return this.#tasks.board(this.executed());
  }

  live(task: string): LiveStream | undefined {
    return this.#executing?.live(task) ?? this.home.tasks.live(task) ?? this.followed?.live(task);
  }

  async trajectory(task: string, signal: AbortSignal): Promise<Trajectory | undefined> {
    const trajectory = await withPauses(readTrajectory(task, this.store.events(task)), { signal });
    const cause = this.store.hasRows ? this.store.table.row(task)?.cause : undefined;
    return trajectory === undefined || cause === undefined ? trajectory : { ...trajectory, cause };
  }

  /** Scores every saved outcome again with the current scorer, without a model. Has no effect while the run is busy. */
  async rescore(): Promise<void> {
    if (this.active) return;
    await this.#start(async () => {
      if (this.planned.predictions !== undefined) return this.#scoreFile(true);
      const loaded = await this.#context.loadedSuites.open(this.spec.suite, this.spec.data);
      const tasks = await this.tasks();
      const said: (string | undefined)[] = [];
      for (const [part, own] of Map.groupBy(tasks, ({ id }) => this.#partOf(id))) {
        said.push(await rescore(part, own, loaded, this.spec, this.#stopping.signal));
        if (part !== this.home.store) said.push(await whyUnclosed(part));
      }
      return said.filter((text) => text !== undefined).join(". ") || undefined;
    });
  }

  /** Corrects a task as `correctTask` does; the run's status and message stay unchanged. */
  async correct(correction: TaskCorrection): Promise<string | undefined> {
    if (this.#place.turns.isTaken(this.#turn) || !this.#take({ type: "correct" }))
      throw new Problem("stopped", "The run is not finished: stop it first, or wait");
    const store = this.#partOf(correction.task);
    const run = { planned: this.planned, store, tasks: () => this.tasks() };
    const written = correctRun(run, this.#context.loadedSuites, correction);
    const ended = Promise.allSettled([written]).then(async () => {
      this.#take({ type: "corrected", unclosed: await whyUnclosed(store) });
    });
    this.#ended = ended;
    await ended;
    return written;
  }
}
