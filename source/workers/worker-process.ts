/**
 * A worker executes tasks of the open rounds as a notebook would, the oldest round first, up to its concurrency. When it receives
 * a signal, it returns unfinished tasks.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Job } from "bullmq";
import { Recorder } from "../engine/log/recorder.ts";
import { EndpointLimits } from "../engine/models/limits/limiter.ts";
import { failureOf } from "../engine/problem.ts";
import { executeTask, savedOf } from "../engine/run/execute-task.ts";
import { waitAgain } from "../engine/run/run-models.ts";
import { taskEnd } from "../engine/run/task-end.ts";
import type { Failure, Task } from "../engine/types.ts";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { programHash } from "../engine/settings/program-hash.ts";
import { packageVersion } from "../engine/settings/package-folder.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";
import { changedTask } from "../engine/work/whole-of.ts";
import { appendShipment, type Attempt, beginWhenTaken, giveAttemptBack } from "./attempts.ts";
import { connectRedis, loadRedisPackages, type Redis } from "./connection.ts";
import type { TaskJob } from "./messages.ts";
import { Presence, WorkerActivity, type WorkerPresence } from "./presence.ts";
import { RedisPulse } from "./redis-pulse.ts";
import { removeForsakenRounds } from "./rounds/round-folder.ts";
import { aliveKey, limitsChannel, newsChannel } from "./rounds/round-keys.ts";
import type { WorkerParts } from "./rounds/round-world.ts";
import { SharedLimits } from "./shared-limits.ts";
import { Shipping } from "./shipping.ts";
import { type OpenRound, WorkerRounds } from "./rounds/worker-rounds.ts";

/** Milliseconds between two checks for rounds if none is announced. */
const look = 1000;
/** Maximum milliseconds between two heartbeats. */
const mostBetween = 2000;
/** Number of worker processes that end while they execute a task after which the task fails. */
const mostDeaths = 3;
/**
 * Milliseconds after which a worker that received a signal stops waiting for Redis. The process thus ends within 20 seconds, even
 * on a busy machine; Slurm and Kubernetes kill it after 30.
 */
const longestEnding = 18_000;

export type WorkerOptions = Omit<WorkerParts, "limits"> & {
  readonly url: OwnRedis;
  /** Maximum number of concurrent tasks. */
  readonly concurrency: number;
  /** Milliseconds after which the tasks of a worker that has ended are given to others. */
  readonly lock: number;
  /** Called with each line of the worker's output. */
  readonly say: (line: string) => void;
  readonly clock?: Clock;
};

type Needed = {
  readonly redis: Redis;
  /** A connection that only subscribes. */
  readonly news: Redis;
  readonly packages: Awaited<ReturnType<typeof loadRedisPackages>>;
  /** As `programHash`. */
  readonly program: string;
};

type Held = {
  readonly round: OpenRound;
  readonly job: Job<TaskJob>;
  readonly token: string;
  readonly ended: Promise<void>;
};

export class WorkerProcess {
  readonly id = randomUUID();
  readonly name: string;
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  readonly #redis: Redis;
  readonly #news: Redis;
  readonly #program: string;
  readonly #shared: SharedLimits;
  readonly #limits = new EndpointLimits((endpoint) => this.#shared.of(endpoint));
  readonly #activity = new WorkerActivity();
  readonly #presence: Presence;
  readonly #pulse: RedisPulse;
  readonly #rounds: WorkerRounds;
  readonly #held = new Set<Held>();
  readonly #ending = new AbortController();
  readonly #since = Date.now();
  #wake: () => void = () => {};
  #isNew = false;
  /** The time of the last check for rounds, and whether they have changed since. */
  #isTold = true;
  #lookedAt = 0;
  #said: string | undefined;
  /** The time since which it has no task, and the last reported reason for waiting. */
  #idleFrom: number | undefined;
  #waited: string | undefined;
  #isOver = false;
  #stopStaying = () => {};
  /** Aborted when unsent results are lost. */
  readonly #abandoned = new AbortController();
  readonly #gaveUp = Promise.withResolvers<void>();

  private constructor(options: WorkerOptions, { redis, news, packages, program }: Needed) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#redis = redis;
    this.#news = news;
    this.#program = program;
    this.#shared = new SharedLimits({ redis, worker: this.id, clock: this.#clock });
    this.name = `${hostname()}-${process.pid}`;
    this.#rounds = new WorkerRounds({
      redis,
      packages,
      name: this.name,
      parts: { ...options, limits: this.#limits },
      lock: options.lock,
      say: options.say,
      stalled: () => this.#hear(),
      released: (round) => this.#released(round),
    });
    this.#presence = new Presence(redis, () => this.#present(), this.#clock);
    const away = "Redis does not answer: tasks in progress continue, and their results are kept until Redis is back";
    const changed = () => this.#say(this.#pulse.isSilent ? away : undefined);
    this.#pulse = new RedisPulse(redis, { changed, clock: this.#clock });
    news.on("message", (channel, text) => (channel === newsChannel ? this.#hear() : this.#shared.hear(text)));
  }

  /**
   * Removes the folders that killed workers left on this machine and connects; waits, with a message, for a Redis that cannot be
   * reached. Throws `Problem` if the server cannot be used, and the signal's reason if it is aborted.
   */
  static async start(options: WorkerOptions, signal?: AbortSignal): Promise<WorkerProcess> {
    removeForsakenRounds();
    const packages = await loadRedisPackages();
    const redis = await connectRedis(options.url, { waiting: options.say, signal });
    const news = redis.duplicate({ lazyConnect: false });
    news.on("error", () => {});
    await news.subscribe(newsChannel, limitsChannel);
    return new WorkerProcess(options, { redis, news, packages, program: await programHash() });
  }

  /** Executes tasks until the signal is aborted, then returns unfinished tasks. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#end(), { once: true });
    if (signal.aborted) this.#end();
    // Commands sent before Redis went away are never answered.
    await Promise.race([this.#work(), this.#gaveUp.promise]);
    await this.#letGo();
  }

  /** Closes everything that would prevent the program from ending, without waiting for Redis. */
  async #letGo(): Promise<void> {
    this.#abandoned.abort();
    this.#stopStaying();
    this.#disconnect();
    void this.#presence.end();
    await this.#rounds.abandon();
  }

  async #work(): Promise<void> {
    await this.#stayAlive();
    const unwatch = this.#options.settings.watch(() => this.#hear());
    const beat = Math.min(mostBetween, this.#options.lock / 3);
    this.#stopStaying = repeatedly(this.#clock, beat, () => this.#stayAlive());
    while (!this.#ending.signal.aborted) {
      this.#isNew = false;
      try {
        await this.#lookIfDue();
        await this.#fill();
        this.#sayIfIdle();
      } catch (error) {
        // For example because Redis is full; the next check asks again.
        this.#say(`Redis reports: ${(error as Error).message}`);
        this.#isNew = false;
      }
      if (!this.#isNew && !this.#ending.signal.aborted) await this.#pause();
    }
    await Promise.allSettled([...this.#held].map(({ ended }) => ended));
    this.#stopStaying();
    unwatch();
    await this.#close();
  }

  /**
   * Checks for rounds if it is time. The end of a task alone does not cause a check, because there may be a thousand ends a
   * second.
   */
  async #lookIfDue(): Promise<void> {
    if (!this.#isTold && this.#clock.now() - this.#lookedAt < look) return;
    this.#isTold = false;
    await this.#rounds.look();
    this.#lookedAt = this.#clock.now();
  }

  #end(): void {
    this.#ending.abort();
    // Without tasks in hand there is no need to wait for a Redis that is away. Otherwise the worker tries to return them.
    if (this.#held.size === 0 && this.#pulse.isSilent) this.#gaveUp.resolve();
    else this.#clock.setTimeout(() => this.#gaveUp.resolve(), longestEnding).unref();
    this.#hear();
  }

  #disconnect(): void {
    this.#isOver = true;
    this.#pulse.end();
    this.#news.disconnect();
    this.#redis.disconnect();
  }

  #hear(): void {
    this.#isTold = true;
    this.#again();
  }

  #again(): void {
    this.#isNew = true;
    this.#wake();
  }

  /** Reports once why the worker waits if it has had no task for a while, because otherwise it would seem to hang. */
  #sayIfIdle(): void {
    if (this.#held.size > 0) this.#idleFrom = undefined;
    else this.#idleFrom ??= this.#clock.now();
    if (this.#idleFrom === undefined || this.#clock.now() - this.#idleFrom < look) return;
    const line = this.#rounds.waitsFor();
    if (line !== this.#waited) this.#options.say(line);
    this.#waited = line;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(resolve, look);
      this.#wake = () => {
        this.#clock.clearTimeout(timer);
        resolve();
      };
    });
  }

  #say(line: string | undefined): void {
    if (line !== undefined && line !== this.#said) this.#options.say(line);
    this.#said = line;
  }

  #present(): WorkerPresence {
    const { concurrency } = this.#options;
    const program = { version: packageVersion(), program: this.#program };
    const own = { id: this.id, name: this.name, host: hostname(), pid: process.pid, ...program };
    return { ...own, since: this.#since, concurrency, endpoints: this.#shared.endpoints, ...this.#activity.now() };
  }

  /** Sends a heartbeat and extends the locks of the tasks in hand. */
  async #stayAlive(): Promise<void> {
    const { lock } = this.#options;
    try {
      await this.#redis.set(aliveKey(this.id), "1", "PX", Math.ceil(lock));
      // A lock lost to another worker is noticed with the next shipment.
      await Promise.allSettled([...this.#held].map(({ job, token }) => job.extendLock(token, lock)));
      await this.#shared.sayAgain();
    } catch (error) {
      this.#say(`Redis reports: ${(error as Error).message}`);
    }
  }

  async #fill(): Promise<void> {
    for (const round of this.#rounds.open()) await this.#rounds.alone(round.id, () => this.#fillFrom(round));
  }

  async #fillFrom(round: OpenRound): Promise<void> {
    const isOver = () => this.#ending.signal.aborted || round.cut.signal.aborted || round.isLeaving;
    while (this.#held.size < this.#options.concurrency && !isOver()) {
      const token = randomUUID();
      const job = await round.queue.getNextJob(token, { block: false });
      if (job === undefined) break;
      if (!this.#hasTaskOf(round)) waitAgain(round.world.models, round.manifest.spec);
      this.#hold(round, job, token);
    }
  }

  #hasTaskOf(round: OpenRound): boolean {
    return [...this.#held].some((held) => held.round === round);
  }

  async #released(round: OpenRound): Promise<void> {
    await Promise.allSettled([...this.#held].filter((held) => held.round === round).map(({ ended }) => ended));
  }

  #hold(round: OpenRound, job: Job<TaskJob>, token: string): void {
    const held: Held = {
      round,
      job,
      token,
      ended: this.#execute(round, job, token)
        .catch((error: unknown) => {
          if (!this.#isOver) this.#options.say(failureOf(error).message);
        })
        .then(() => {
          this.#held.delete(held);
          this.#again();
        }),
    };
    this.#held.add(held);
  }

  async #execute(round: OpenRound, job: Job<TaskJob>, token: string): Promise<void> {
    const { task } = job.data;
    const attempt: Attempt = { task, attempt: `${round.id}.${randomUUID()}`, worker: this.id };
    const begun = await beginWhenTaken(this.#redis, round.keys, attempt, {
      signal: AbortSignal.any([round.cut.signal, this.#ending.signal]),
      refused: (message) => this.#refusal(message),
      clock: this.#clock,
    });
    if (begun !== undefined && !(await this.#attempt(round, job.data, attempt, begun.deaths))) {
      await giveAttemptBack(this.#redis, round.keys, attempt);
      await job.moveToWait(token).catch(() => {});
      return;
    }
    // If the lock was lost, the worker that has it finds that the task has already ended.
    await job.moveToCompleted(null, token, false).catch(() => {});
  }

  /** Reports why Redis rejects writes; undefined once it accepts them again. */
  #refusal(message: string | undefined): void {
    this.#say(message === undefined ? undefined : `Redis rejects writes (${message}), so tasks are waiting`);
  }

  /** Resolves to false if another worker is to execute the task. */
  async #attempt(round: OpenRound, { task, saved }: TaskJob, attempt: Attempt, deaths: number): Promise<boolean> {
    const superseded = new AbortController();
    const outOfHand = this.#activity.begin({ run: round.manifest.run, task });
    const shipping = new Shipping({
      ...attempt,
      worker: this.name,
      append: (shipment, spent) => appendShipment(this.#redis, round.keys, shipment, spent),
      abandoned: this.#abandoned.signal,
      superseded: () => superseded.abort(),
      refused: (message) => this.#refusal(message),
      take: (event) => this.#activity.take(event),
      isWatched: () => round.isWatched,
      clock: this.#clock,
    });
    const recorder = new Recorder(shipping, task, undefined, this.#clock);
    const signal = AbortSignal.any([superseded.signal, round.cut.signal, this.#ending.signal]);
    const knowing = await knownOrNot(round.world.execution(task));
    if (typeof knowing === "string") {
      await shipping.flushed();
      outOfHand(undefined);
      void this.#rounds.leave(round, knowing);
      return false;
    }
    const { task: known, execution } = knowing;
    const found = saved.facets === undefined ? known : changedTask(known, { facets: saved.facets });
    const failed = (failure: Failure, { facets, question }: Pick<Task, "facets" | "question">) => {
      if (recorder.events.length === 0) recorder.start(facets, question);
      recorder.fail(failure);
      return { scored: false, failure, hopeless: false } as const;
    };
    const execute = async () => {
      try {
        return taskEnd(await executeTask({ ...execution, ...savedOf(saved, task) }, found, recorder, signal));
      } catch (error) {
        // An event that cannot be written, perhaps the first one: the next attempt would have the same event.
        return failed(failureOf(error), { facets: {}, question: "" });
      }
    };
    const message = `${deaths} worker processes died while they executed this task`;
    const end = deaths < mostDeaths ? await execute() : failed({ kind: "tool", message }, found);
    const isGivenBack = this.#ending.signal.aborted && end.failure?.kind === "stopped";
    if (isGivenBack) await shipping.flushed();
    else await shipping.end(end);
    outOfHand(isGivenBack || superseded.signal.aborted ? undefined : end.scored ? "scored" : "failed");
    return !isGivenBack;
  }

  async #close(): Promise<void> {
    await this.#presence.end();
    await this.#rounds.close();
    await this.#redis.del(aliveKey(this.id)).catch(() => {});
  }
}

/** Returns the value to which a promise resolves, or why it rejects. */
const knownOrNot = <Value>(value: Promise<Value>): Promise<Value | string> =>
  value.catch((error: unknown) => failureOf(error).message);
