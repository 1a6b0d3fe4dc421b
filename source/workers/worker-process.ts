/**
 * A worker: takes tasks of the rounds that are open, the oldest round first, as many at a time as it may, and executes them as a
 * notebook would. It ends when it is told to, and gives back what it has in hand.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Job, Worker as Queue } from "bullmq";
import { EndpointLimits } from "../engine/models/endpoint-limits.ts";
import { failureOf, Problem } from "../engine/problem.ts";
import { executeTask } from "../engine/run/execute-task.ts";
import { waitAgain } from "../engine/run/run-models.ts";
import { savedOf } from "../engine/run/saved-for-task.ts";
import { taskEnd } from "../engine/run/task-end.ts";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { packageVersion } from "../engine/settings/package-folder.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import { appendShipment, type Attempt, beginWhenTaken, giveAttemptBack } from "./attempts.ts";
import { connectRedis, loadRedisPackages, type Redis } from "./connection.ts";
import { removeLeftovers } from "./leftovers.ts";
import type { Manifest, TaskJob } from "./messages.ts";
import { Presence, type WorkerPresence } from "./presence.ts";
import {
  aliveKey,
  limitsChannel,
  newsChannel,
  queuePrefix,
  roundKeys,
  type RoundKeys,
  roundsKey,
} from "./round-keys.ts";
import { RoundWorld, type WorkerParts } from "./round-world.ts";
import { SharedLimits } from "./shared-limits.ts";
import { ShippedRecorder, Shipping } from "./shipping.ts";
import { WorkerActivity } from "./worker-activity.ts";
import { writeWhileThere } from "./write-while-there.ts";

/** Milliseconds between two looks, where nothing is said to be new. */
const look = 1000;
/** Milliseconds between two times it says that it lives, at most. */
const mostBetween = 2000;
/** So many processes that die while they execute a task end it as failed. */
const mostDeaths = 3;
/** Milliseconds after which it ends without Redis when it is told to: Slurm and Kubernetes kill after 30 seconds. */
const longestEnding = 20_000;

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

type Round = {
  readonly id: string;
  readonly keys: RoundKeys;
  readonly manifest: Manifest;
  readonly queue: Queue<TaskJob>;
  readonly world: RoundWorld;
  /** Aborted when its tasks are to be cut. */
  readonly cut: AbortController;
  isWatched: boolean;
};

type Packages = Awaited<ReturnType<typeof loadRedisPackages>>;

type Held = {
  readonly round: Round;
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
  readonly #packages: Packages;
  readonly #shared: SharedLimits;
  readonly #limits = new EndpointLimits((endpoint) => this.#shared.of(endpoint));
  readonly #activity = new WorkerActivity();
  readonly #presence: Presence;
  readonly #rounds = new Map<string, Round>();
  /** Rounds it does not take part in, with what it has for them; undefined where that would never do. */
  readonly #refused = new Map<string, RoundWorld | undefined>();
  readonly #held = new Set<Held>();
  readonly #ending = new AbortController();
  readonly #since = Date.now();
  #wake: () => void = () => {};
  #isNew = false;
  #said: string | undefined;
  #isOver = false;
  /** Aborted when what is not in Redis by then is lost. */
  readonly #abandoned = new AbortController();
  readonly #gaveUp = Promise.withResolvers<void>();

  private constructor(options: WorkerOptions, redis: Redis, news: Redis, packages: Packages) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#redis = redis;
    this.#news = news;
    this.#packages = packages;
    this.#shared = new SharedLimits({ redis, worker: this.id, clock: this.#clock });
    this.name = `${hostname()}-${process.pid}`;
    this.#presence = new Presence(redis, () => this.#present(), this.#clock);
    redis.on("close", () => {
      if (!this.#isOver) this.#say("Redis is away: tasks in hand go on, and what they bring is kept until it is back");
    });
    redis.on("ready", () => this.#say(undefined));
    news.on("message", (channel, text) => (channel === newsChannel ? this.#hear() : this.#shared.hear(text)));
  }

  /** Throws `Problem` where Redis cannot be used. */
  static async start(options: WorkerOptions): Promise<WorkerProcess> {
    const packages = await loadRedisPackages();
    const redis = await connectRedis(options.url);
    const news = redis.duplicate({ lazyConnect: false });
    news.on("error", () => {});
    await news.subscribe(newsChannel, limitsChannel);
    return new WorkerProcess(options, redis, news, packages);
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
    this.#disconnect();
    void this.#presence.end();
    for (const { queue } of this.#rounds.values()) void queue.close(true).catch(() => {});
    const worlds = [...[...this.#rounds.values()].map(({ world }) => world), ...this.#refused.values()];
    await Promise.allSettled(worlds.map((world) => world?.close()));
  }

  async #work(): Promise<void> {
    await this.#stayAlive();
    const unwatch = this.#options.settings.watch(() => this.#hear());
    const staying = this.#clock.setTimeout(() => void this.#keepStaying(), this.#beat);
    while (!this.#ending.signal.aborted) {
      this.#isNew = false;
      try {
        await this.#lookAround();
        await this.#fill();
      } catch (error) {
        // As when Redis is full: it is asked again.
        this.#say(`Redis says: ${(error as Error).message}`);
        this.#isNew = false;
      }
      if (!this.#isNew && !this.#ending.signal.aborted) await this.#pause();
    }
    await Promise.allSettled([...this.#held].map(({ ended }) => ended));
    this.#clock.clearTimeout(staying);
    unwatch();
    await this.#close();
  }

  get #beat(): number {
    return Math.min(mostBetween, this.#options.lock / 3);
  }

  #end(): void {
    this.#ending.abort();
    // Whoever has nothing in hand need not wait for a Redis that is away. Others try to give it back; else it is asked again.
    if (this.#held.size === 0 && this.#redis.status !== "ready") this.#gaveUp.resolve();
    else this.#clock.setTimeout(() => this.#gaveUp.resolve(), longestEnding).unref();
    this.#hear();
  }

  #disconnect(): void {
    this.#isOver = true;
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
    const own = { id: this.id, name: this.name, host: hostname(), pid: process.pid, version: packageVersion() };
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

  async #keepStaying(): Promise<void> {
    await this.#stayAlive();
    if (!this.#ending.signal.aborted || this.#held.size > 0)
      this.#clock.setTimeout(() => void this.#keepStaying(), this.#beat).unref();
  }

  /** Which rounds there are, and whether they are to be cut or somebody looks on. */
  async #lookAround(): Promise<void> {
    const ids = await this.#redis.zrange(roundsKey, "0", "-1");
    for (const round of this.#rounds.values())
      if (!ids.includes(round.id)) {
        await this.#closeRound(round);
        await removeLeftovers(this.#redis, round.id, round.queue.toKey("meta"));
      }
    for (const [id, world] of this.#refused)
      if (!ids.includes(id) || world?.hasChanged() === true) await this.#forget(id, world);
    for (const id of ids) if (!this.#rounds.has(id) && !this.#refused.has(id)) await this.#openRound(id);
    for (const round of this.#rounds.values()) {
      const [cut, watched] = await this.#redis.mget(round.keys.cut, round.keys.watched);
      round.isWatched = typeof watched === "string";
      if (typeof cut === "string") round.cut.abort();
    }
  }

  async #openRound(id: string): Promise<void> {
    const keys = roundKeys(id);
    const text = await this.#redis.get(keys.manifest);
    if (text === null) return;
    const manifest = JSON.parse(text) as Manifest;
    const files = await this.#redis.hgetallBuffer(keys.files);
    let world: RoundWorld;
    try {
      world = new RoundWorld(manifest, files, { ...this.#options, limits: this.#limits });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return this.#refuse(id, undefined, error.message);
    }
    const why = await world.refusal();
    if (why !== undefined) return this.#refuse(id, world, why);
    await this.#redis.hdel(keys.refused, this.name);
    const queue = new this.#packages.Worker<TaskJob>(id, null, {
      connection: this.#redis,
      prefix: queuePrefix,
      lockDuration: this.#options.lock,
      stalledInterval: this.#options.lock,
      // How often a task may come back is decided by why it did.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    queue.on("error", () => {});
    queue.on("stalled", () => this.#hear());
    await queue.startStalledCheckTimer();
    this.#rounds.set(id, { id, keys, manifest, queue, world, cut: new AbortController(), isWatched: false });
    this.#options.say(`Takes part in ${manifest.run}`);
  }

  async #refuse(id: string, world: RoundWorld | undefined, why: string): Promise<void> {
    this.#refused.set(id, world);
    this.#options.say(`Does not take part in ${id}: ${why}`);
    await writeWhileThere(this.#redis, roundKeys(id), "HSET", "refused", this.name, why);
  }

  async #forget(id: string, world: RoundWorld | undefined): Promise<void> {
    this.#refused.delete(id);
    await world?.close();
  }

  async #closeRound(round: Round): Promise<void> {
    this.#rounds.delete(round.id);
    round.cut.abort();
    await Promise.allSettled([...this.#held].filter((held) => held.round === round).map(({ ended }) => ended));
    await Promise.allSettled([round.queue.close(true), round.world.close()]);
  }

  async #fill(): Promise<void> {
    for (const round of this.#rounds.values())
      while (this.#held.size < this.#options.concurrency && !this.#ending.signal.aborted && !round.cut.signal.aborted) {
        const token = randomUUID();
        const job = await round.queue.getNextJob(token, { block: false });
        if (job === undefined) break;
        if (![...this.#held].some((held) => held.round === round)) waitAgain(round.world.models, round.manifest.spec);
        this.#hold(round, job, token);
      }
  }

  #hold(round: Round, job: Job<TaskJob>, token: string): void {
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

  async #execute(round: Round, job: Job<TaskJob>, token: string): Promise<void> {
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
  async #attempt(round: Round, { task, saved }: TaskJob, attempt: Attempt, deaths: number): Promise<boolean> {
    const superseded = new AbortController();
    const outOfHand = this.#activity.begin({ run: round.manifest.run, task });
    const shipping = new Shipping({
      ...attempt,
      worker: this.name,
      append: (shipment) => appendShipment(this.#redis, round.keys, shipment),
      abandoned: this.#abandoned.signal,
      superseded: () => superseded.abort(),
      refused: (message) => this.#refusal(message),
      take: (event) => this.#activity.take(event),
      isWatched: () => round.isWatched,
      clock: this.#clock,
    });
    const recorder = new ShippedRecorder(shipping, task, this.#clock);
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
    for (const [id, world] of this.#refused) await this.#forget(id, world);
    for (const round of this.#rounds.values()) await this.#closeRound(round);
    await this.#redis.del(aliveKey(this.id)).catch(() => {});
  }
}
