/** Writes a coordinator's round to Redis in order: manifest, tasks, concurrency, and whether it is paused. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathInside } from "../../engine/files/inside.ts";
import { roleModels } from "../../engine/run/run-models.ts";
import { type SavedForTask, savedForTask } from "../../engine/run/execute-task.ts";
import { packageVersion } from "../../engine/settings/package-folder.ts";
import { programHash } from "../../engine/settings/program-hash.ts";
import type { Steering } from "../../engine/run/steering.ts";
import type { Facets, RunSpec } from "../../engine/types.ts";
import type { GivenAway } from "../../engine/workbench/runs/run-context.ts";
import type { Round } from "./round.ts";
import type { RoundFiles } from "./round-world.ts";

/**
 * Maximum number of tasks in the queue. It is refilled as it empties, because the jobs of a million tasks would fill a Redis.
 * When a coordinator leaves, its workers still have this many tasks.
 */
const longest = 20_000;

export class RoundGiving {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #left: Set<string>;
  /** Tasks that already have a score: results from the round are accepted, but the tasks are not queued again. */
  #awaited: ReadonlySet<string> = new Set();
  /** Maximum number of concurrent tasks, if the user chose one. */
  concurrency: number | undefined;
  isPaused = false;
  /** True if some tasks may not have been added to the queue because Redis rejected them. */
  owes = false;
  /** Tasks to add once more, although their old jobs may still exist. */
  readonly #again = new Set<string>();
  #isStopping = false;
  /** True once the round is removed, because keys written later would never be removed. */
  #isOver = false;
  /** Settles when the current write has ended. */
  #giving: Promise<unknown> = Promise.resolve();

  readonly #most: number;
  /** Tasks in the queue or in hand. */
  readonly #queued = new Set<string>();
  /** True if the queue has no room for some of the tasks, or another run must go on first. */
  #isShort = false;
  /** Number of tasks that workers can execute at once, as far as is known. */
  places = 1;
  readonly #handing: (tasks: readonly string[]) => void;

  /**
   * `left`: tasks without a result yet, in the order in which they are queued. A sequential strategy gets one task at a time,
   * others `most`. `handing` is called with all tasks that workers have, before they get more.
   */
  constructor(
    given: GivenAway,
    round: Round,
    left: Set<string>,
    most = longest,
    handing: (tasks: readonly string[]) => void = () => {},
  ) {
    this.#handing = handing;
    this.#most = given.strategy.sequential?.(given.spec) === true ? 1 : most;
    this.#given = given;
    this.#round = round;
    this.#left = left;
    this.concurrency = given.concurrency;
  }

  /**
   * Applies a request. A stop aborts the tasks in flight at once and adds no more; all other requests wait for earlier writes.
   */
  steer(request: Steering): Promise<void> {
    if (request.do === "stop") {
      this.#isStopping = true;
      return this.#round.steer(request);
    }
    if (request.do !== "concurrency") {
      this.isPaused = request.do === "pause";
      return this.inTurn(() => this.#round.steer(request));
    }
    this.concurrency = request.to;
    return this.inTurn(async () => {
      await this.#round.steer(request);
      // A concurrency the user chose is tried, even if servers refused it before.
      await this.#round.restoreLimits();
    });
  }

  /** Prevents tasks with a score from being queued again, even if the round is started anew. */
  await(tasks: ReadonlySet<string>): void {
    this.#awaited = tasks;
  }

  /** Stops all writes; resolves when the current write has ended, because the queue must not change while it is removed. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#giving;
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await this.#giving;
  }

  /** Executes writes in order, and none after the round is closed. */
  inTurn(give: () => Promise<void>): Promise<void> {
    const given = this.#giving.then(() => (this.#isOver ? undefined : give()));
    this.#giving = given.catch(() => {});
    return given;
  }

  /** Begins the round. Throws `RoundTaken`. */
  async begin(): Promise<void> {
    for (const task of this.#awaited) this.#left.delete(task);
    const { run, spec, cache, prices, prepared, codeFiles = [] } = this.#given;
    const known = roleModels(spec).flatMap((name) => {
      const price = prices(name);
      return price === undefined ? [] : [[name, price] as const];
    });
    const manifest = {
      run,
      spec,
      version: packageVersion(),
      program: await programHash(),
      tasks: this.#left.size,
      cache,
      prices: Object.fromEntries(known),
      toolkits: await prepared(),
      ...(spec.code !== undefined && codeFiles.length > 0 && { codeFiles }),
    };
    await this.#round.begin(manifest, shippedFiles(this.#given));
  }

  /** Adds the remaining tasks that may be queued. If Redis rejects them because it is full, calls `refused` and sets `owes`. */
  async all(refused: (error: Error) => void): Promise<void> {
    this.owes = true;
    try {
      if (this.concurrency !== undefined) await this.#round.steer({ do: "concurrency", to: this.concurrency });
      await this.#round.steer({ do: this.isPaused ? "pause" : "resume" });
      // Redis may have lost some.
      this.#queued.clear();
      await this.#fill();
      this.owes = false;
    } catch (error) {
      refused(error as Error);
    }
  }

  /** Adds further tasks after the end of this task once half the queue is empty. */
  async ended(task: string): Promise<void> {
    this.#queued.delete(task);
    if (!this.#isShort || this.#queued.size > this.#most / 2) return;
    this.#isShort = false;
    await this.inTurn(() => this.#fill());
  }

  /** Adds tasks that may be started now, because another run has advanced or there are more workers. */
  async more(): Promise<void> {
    if (this.#isShort) await this.inTurn(() => this.#fill());
  }

  /** Queues no further task: workers execute only the tasks that they have. */
  endEarly(): void {
    for (const task of this.#left) if (!this.#queued.has(task)) this.#left.delete(task);
  }

  #isFull(task: string): boolean {
    if (this.#queued.size >= this.#most) return true;
    return this.#given.interleaved?.mayStart(task, this.concurrency ?? this.places) === false;
  }

  /** Adds tasks without a result, in order. */
  async #fill(): Promise<void> {
    const [fresh, repeated]: [string[], string[]] = [[], []];
    this.#isShort = false;
    for (const task of this.#left) {
      if (this.#queued.has(task) || this.#awaited.has(task)) continue;
      this.#isShort = this.#isFull(task);
      if (this.#isShort) break;
      this.#queued.add(task);
      (this.#again.has(task) ? repeated : fresh).push(task);
    }
    if (fresh.length > 0) this.#handing([...this.#queued]);
    try {
      await this.#add(fresh, (jobs) => this.#round.add(jobs));
      await this.#add(repeated, (jobs) => this.#round.addAgain(jobs));
    } catch (error) {
      this.owes = true;
      throw error;
    }
    for (const task of repeated) this.#again.delete(task);
  }

  /** Executes these tasks once more with the next call of `all`. */
  repeat(tasks: Iterable<string>): void {
    for (const task of tasks) {
      this.#again.add(task);
      this.#queued.delete(task);
    }
    // Beginning the new attempt removed the score.
    this.#awaited = new Set([...this.#awaited].filter((task) => !this.#again.has(task)));
  }
  /** Repeats a task at once. */
  async repeatNow(task: string): Promise<void> {
    this.repeat([task]);
    await this.#fill();
  }

  /** Workers know the tasks of the data, but not the places in them that forks leave. */
  #facetsOf(id: string): Pick<SavedForTask, "facets"> {
    if (this.#given.spec.forks === undefined) return {};
    this.#points ??= new Map(this.#given.tasks.map((task) => [task.id, task.facets]));
    return { facets: this.#points.get(id) };
  }
  #points: ReadonlyMap<string, Facets> | undefined;

  async #add(tasks: readonly string[], add: Round["add"]): Promise<void> {
    if (this.#isStopping || tasks.length === 0) return;
    await add(tasks.map((task) => ({ task, saved: { ...savedForTask(this.#given, task), ...this.#facetsOf(task) } })));
  }
}

/** Returns the files of the session that workers need to execute a run. */
export function shippedFiles({ spec, folder }: Pick<GivenAway, "spec" | "folder">): RoundFiles {
  const within = new Map([[folder.path, "the folder of the session"]]);
  const named = [...questionFile(spec), ...replayedLogs(spec, folder.path)].map((path) => pathInside(path, within));
  return Object.fromEntries(
    named.filter(existsSync).map((path) => [relative(folder.path, path), readFileSync(path)] as const),
  );
}

/** The file with a run's questions (`from: FILE`). */
const questionFile = ({ suite, data }: RunSpec): readonly string[] =>
  data === "own" && suite.includes("/") ? [suite.slice(suite.indexOf("/") + 1)] : [];

/** Logs of runs whose replies a built-in model replays. */
const replayedLogs = (spec: RunSpec, folder: string): readonly string[] =>
  roleModels(spec).flatMap((name) => {
    const run = /^builtin\/replay\?(?:.*&)?log=([\w-]+)/.exec(name)?.[1];
    return run === undefined ? [] : ["events.jsonl", "events.jsonl.gz"].map((log) => join(folder, "runs", run, log));
  });
