/** One round in Redis, as its coordinator has it there: begun, given tasks, paused, cut and taken away again. */
import { randomUUID } from "node:crypto";
import type { Queue } from "bullmq";
import { Problem } from "../../engine/problem.ts";
import type { OwnRedis } from "../../engine/settings/own-redis.ts";
import { openAttempts } from "../attempts.ts";
import { connectRedis, loadRedisPackages, type Redis } from "../connection.ts";
import { Coordinator, type Hold, type Reader } from "../coordinator.ts";
import type { Manifest } from "../manifest.ts";
import type { Shipment, TaskJob } from "../messages.ts";
import { readShipment, type RefusedShipment } from "../read-shipment.ts";
import type { RoundFiles } from "./round-world.ts";
import { aliveKey, newsChannel, queuePrefix, type RoundKeys, roundKeys, roundsKey } from "./round-keys.ts";
import { restoreLimits, sharedOverload } from "../shared-limits.ts";

/** Jobs added at a time. */
const chunk = 500;
/** Milliseconds a read waits for something new; seconds for which it is known that somebody looks on. */
const wait = 500;
const watchedFor = 5;

/** A place in the stream, and what is there. */
type Arrived = { readonly id: string; readonly came: Shipment | RefusedShipment };

type RoundParts = { readonly redis: Redis; readonly queue: Queue<TaskJob> };

export class Round {
  readonly id: string;
  /** The address of its Redis. */
  readonly url: string;
  readonly keys: RoundKeys;
  readonly redis: Redis;
  /** For reads that wait. */
  readonly #reader: Redis;
  readonly #queue: Queue<TaskJob>;
  readonly #coordinator: Coordinator;

  private constructor(id: string, url: string, folder: string, { redis, queue }: RoundParts) {
    this.id = id;
    this.url = url;
    this.keys = roundKeys(id);
    this.redis = redis;
    this.#coordinator = new Coordinator(redis, this.keys, folder);
    this.#reader = redis.duplicate({ lazyConnect: false });
    this.#reader.on("error", () => {});
    this.#queue = queue;
    queue.on("error", () => {});
  }

  /** `folder`: of the session whose run this is. Throws `Problem` if Redis cannot be used. */
  static async connect(id: string, url: OwnRedis, folder: string): Promise<Round> {
    const redis = await connectRedis(url);
    const { Queue } = await loadRedisPackages();
    const queue = new Queue<TaskJob>(id, { connection: redis, prefix: queuePrefix });
    return new Round(id, url, folder, { redis, queue });
  }

  /** What of this Redis loses results, in sentences. */
  async dangers(): Promise<readonly string[]> {
    const info = await this.redis.info();
    const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
    const evicts = value("maxmemory") !== "0" && (value("maxmemory_policy") ?? "noeviction") !== "noeviction";
    return [
      ...(value("aof_enabled") === "1"
        ? []
        : [
            "Redis keeps nothing on disk (appendonly no): if it crashes, what is not in the log yet is lost and asked again",
          ]),
      ...(evicts ? ["Redis may throw away results when it is full (maxmemory-policy should be noeviction)"] : []),
    ];
  }

  async isThere(): Promise<boolean> {
    return (await this.redis.exists(this.keys.manifest)) === 1;
  }

  /** As `Coordinator.claim`. */
  claim(waiting?: (reader: Reader) => boolean): Promise<boolean | undefined> {
    return this.#coordinator.claim(waiting);
  }

  /** As `Coordinator.check`. */
  check(): Promise<Hold> {
    return this.#coordinator.check();
  }

  /** Throws `RoundTaken`. */
  async begin(manifest: Manifest, files: RoundFiles): Promise<void> {
    await this.#coordinator.begin(this.id, manifest, files);
    await this.tell();
  }

  /** Tasks that are in the queue already are not added again. */
  async add(jobs: readonly TaskJob[]): Promise<void> {
    await this.#add(jobs, (task) => `task-${encodeURIComponent(task)}`);
  }

  /** Lets tasks be executed once more, whatever became of them; their attempts so far count no more. */
  async addAgain(jobs: readonly TaskJob[]): Promise<void> {
    for (const { task } of jobs)
      await this.#coordinator.write(["SREM", this.keys.ended, task], ["HDEL", this.keys.attempts, task]);
    // The former job may be in a worker's hands for a moment more, and would be the same one by its id.
    await this.#add(jobs, (task) => `task-${encodeURIComponent(task)}-${randomUUID()}`);
  }

  async #add(jobs: readonly TaskJob[], idOf: (task: string) => string): Promise<void> {
    for (let from = 0; from < jobs.length; from += chunk) {
      const added = jobs.slice(from, from + chunk).map((job) => ({
        name: "task",
        data: job,
        opts: { jobId: idOf(job.task), removeOnComplete: true, removeOnFail: true },
      }));
      await this.#whileHeld(() => this.#queue.addBulk(added));
    }
    await this.tell();
  }

  /** Those of these tasks that it was given: whose end is in the stream, or who wait or are in a worker's hands. */
  async has(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(await this.redis.smembers(this.keys.ended));
    if (tasks.some((task) => !found.has(task)))
      for (const job of await this.#queue.getJobs(["active", "waiting"])) found.add(job.data.task);
    return new Set(tasks.filter((task) => found.has(task)));
  }

  /** What BullMQ writes is not written in one step with a look at the token. Throws `RoundTaken`. */
  async #whileHeld(change: () => Promise<unknown>): Promise<void> {
    if ((await this.check()) !== "gone") await change();
  }

  /** What came after that place; nothing where nothing comes for a moment. */
  async read(after: string): Promise<readonly Arrived[]> {
    const found = await this.#reader.xread("COUNT", 1000, "BLOCK", wait, "STREAMS", this.keys.events, after);
    return (found?.[0]?.[1] ?? []).map(([id, [, text]]) => ({ id, came: readShipment(text ?? "") }));
  }

  /** Forgets what came up to that place. */
  async trim(through: string): Promise<void> {
    const [time, number] = through.split("-").map(Number);
    await this.#coordinator.write(["XTRIM", this.keys.events, "MINID", `${time}-${number! + 1}`]);
  }

  /** Says that somebody looks on, and that this coordinator lives. */
  async watch(): Promise<void> {
    await this.#coordinator.renew();
    await this.#coordinator.write(["SET", this.keys.watched, "1", "EX", String(watchedFor)]);
  }

  async pause(): Promise<void> {
    await this.#whileHeld(() => this.#queue.pause());
  }
  async resume(): Promise<void> {
    await this.#whileHeld(() => this.#queue.resume());
    await this.tell();
  }
  async setConcurrency(concurrency: number): Promise<void> {
    await this.#whileHeld(() => this.#queue.setGlobalConcurrency(concurrency));
    await this.tell();
  }

  /** What a person chooses: limits of endpoints that overload has reduced are set back to what is configured. */
  async chooseConcurrency(concurrency: number): Promise<void> {
    await this.setConcurrency(concurrency);
    await restoreLimits(this.redis, await this.#limits());
  }

  /** What overload leaves of the limit of an endpoint, in words; undefined if all are as configured. */
  async overload(): Promise<string | undefined> {
    return sharedOverload(this.redis, await this.#limits());
  }

  async #limits(): Promise<readonly string[]> {
    const all = (await this.redis.hvals(this.keys.limits)).flatMap((endpoints) => endpoints.split(" "));
    return [...new Set(all)].filter((endpoint) => endpoint !== "");
  }

  /** No task is begun any more, and those in flight are cut. */
  async cut(): Promise<void> {
    // A Redis that is full takes what follows a deletion.
    await this.#coordinator.write(["DEL", this.keys.cut], ["SET", this.keys.cut, "1"]);
    await this.tell();
  }

  async isCut(): Promise<boolean> {
    return (await this.redis.exists(this.keys.cut)) === 1;
  }

  /** Tasks that are being executed by workers that live. */
  async inFlight(): Promise<readonly string[]> {
    const attempts = await openAttempts(this.redis, this.keys);
    const lives = await Promise.all([...attempts.values()].map((worker) => this.redis.exists(aliveKey(worker))));
    return [...attempts.keys()].filter((_, index) => lives[index] === 1);
  }

  /** Why workers do not take part, by worker. */
  async refusals(): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.redis.hgetall(this.keys.refused)));
  }

  /** Says that there is something new to look at. */
  async tell(): Promise<void> {
    await this.redis.publish(newsChannel, this.id);
  }

  /** Takes all of it away. Throws `RoundTaken`. */
  async remove(): Promise<void> {
    await this.#whileHeld(() => removeRound(this.redis, this.id, this.#queue));
  }

  /** Lets another coordinator follow at once, if Redis is there to be told. Never rejects. */
  release(): void {
    if (this.redis.status === "ready") this.#coordinator.release().catch(() => {});
  }

  disconnect(): void {
    void this.#queue.close().catch(() => {});
    this.#reader.disconnect();
    this.redis.disconnect();
  }
}

/** Takes a round away; it is listed until its queue is gone, as workers remove what is left of a round that is not. */
export async function removeRound(redis: Redis, id: string, queue: Queue | undefined): Promise<void> {
  const { events, files } = roundKeys(id);
  // The largest first: a Redis that is full needs room even to be emptied of a queue.
  await redis.del(events, files);
  await queue?.obliterate({ force: true });
  const refused = (
    await redis
      .multi()
      .zrem(roundsKey, id)
      .del(...Object.values(roundKeys(id)))
      .publish(newsChannel, id)
      .exec()
  )?.find(([error]) => error !== null)?.[0];
  if (refused) throw new Problem("tool", `Redis does not take it: ${refused.message}`);
}
