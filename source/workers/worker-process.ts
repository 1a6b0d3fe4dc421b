/**
 * A worker: takes tasks of the rounds that are open, the oldest round first, as many at a time as it may, and executes them as a
 * notebook would. It ends when it is told to, and gives back what it has in hand.
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
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { programHash } from "../engine/settings/program-hash.ts";
import { packageVersion } from "../engine/settings/package-folder.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";
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

/** Milliseconds between two looks, where nothing is said to be new. */
const look = 1000;
/** Milliseconds between two times it says that it lives, at most. */
const mostBetween = 2000;
/** So many processes that die while they execute a task end it as failed. */
const mostDeaths = 3;
/**
 * Milliseconds after which it gives up on Redis when it is told to end, so that the process is gone after 20 seconds, also on a busy
 * machine: Slurm and Kubernetes kill after 30.
 */
const longestEnding = 18_000;

export type WorkerOptions = Omit<WorkerParts, "limits"> & {
  readonly url: OwnRedis;
  /** Tasks at a time. */
  readonly concurrency: number;
  /** Milliseconds after which tasks of a worker that is gone are given to others. */
  readonly lock: number;
  /** Told what happens, a line each. */
  readonly say: (line: string) => void;
  readonly clock?: Clock;
};

type Needed = {
  readonly redis: Redis;
  /** A connection that only listens. */
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
  #said: string | undefined;
  #isOver = false;
  #stopStaying = () => {};
  /** Aborted when what is not in Redis by then is lost. */
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
    const away = "Redis is away: tasks in hand go on, and what they bring is kept until it is back";
    const changed = () => this.#say(this.#pulse.isSilent ? away : undefined);
    this.#pulse = new RedisPulse(redis, { changed, clock: this.#clock });
    news.on("message", (channel, text) => (channel === newsChannel ? this.#hear() : this.#shared.hear(text)));
  }

  /**
   * Removes what workers that were killed have left on this machine, waits for a Redis that is away, and says so. Throws `Problem` if what
   * answers cannot be used, the signal's reason once that is aborted.
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

  /** Executes tasks until the signal is aborted; what is in hand then is given back. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#end(), { once: true });
    if (signal.aborted) this.#end();
    // What Redis was asked before it went away is never answered.
    await Promise.race([this.#work(), this.#gaveUp.promise]);
    await this.#letGo();
  }

  /** What it has still open would keep the program from ending; Redis need not answer any more. */
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
        await this.#rounds.look();
        await this.#fill();
      } catch (error) {
        // As when Redis is full: it is asked again.
        this.#say(`Redis says: ${(error as Error).message}`);
        this.#isNew = false;
      }
      if (!this.#isNew && !this.#ending.signal.aborted) await this.#pause();
    }
    await Promise.allSettled([...this.#held].map(({ ended }) => ended));
    this.#stopStaying();
    unwatch();
    await this.#close();
  }

  #end(): void {
    this.#ending.abort();
    // Whoever has nothing in hand need not wait for a Redis that is away. Others try to give it back; else it is asked again.
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
    this.#isNew = true;
    this.#wake();
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

  /** That it lives, and that its tasks are in its hands. */
  async #stayAlive(): Promise<void> {
    const { lock } = this.#options;
    try {
      await this.#redis.set(aliveKey(this.id), "1", "PX", Math.ceil(lock));
      // A lock that another worker has by now shows when something is sent.
      await Promise.allSettled([...this.#held].map(({ job, token }) => job.extendLock(token, lock)));
      await this.#shared.sayAgain();
    } catch (error) {
      this.#say(`Redis says: ${(error as Error).message}`);
    }
  }

  async #fill(): Promise<void> {
    for (const round of this.#rounds.open()) await this.#rounds.alone(round.id, () => this.#fillFrom(round));
  }

  async #fillFrom(round: OpenRound): Promise<void> {
    while (this.#held.size < this.#options.concurrency && !this.#ending.signal.aborted && !round.cut.signal.aborted) {
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
          this.#hear();
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
    // Where the lock was lost, whoever has the task now finds that it has come to its end.
    await job.moveToCompleted(null, token, false).catch(() => {});
  }

  /** Says why Redis takes nothing; undefined where it does again. */
  #refusal(message: string | undefined): void {
    this.#say(message === undefined ? undefined : `Redis takes nothing more (${message}): tasks wait`);
  }

  /** Resolves to false where the task is to be executed by another worker. */
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
    const { task: found, execution } = await round.world.execution(task);
    if (deaths >= mostDeaths) {
      const message = `${deaths} worker processes died while they executed this task`;
      recorder.start(found.facets, found.question);
      recorder.fail({ kind: "tool", message });
      await shipping.end({ scored: false, failure: { kind: "tool", message }, hopeless: false });
      outOfHand("failed");
      return true;
    }
    const end = taskEnd(await executeTask({ ...execution, ...savedOf(saved, task) }, found, recorder, signal));
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
