/** One round in Redis, as its coordinator has it there: begun, given tasks, paused, cut and taken away again. */
import type { Queue } from "bullmq";
import { Problem } from "../engine/problem.ts";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { openAttempts } from "./attempts.ts";
import { connectRedis, loadRedisPackages, type Redis } from "./connection.ts";
import type { Manifest, Shipment, TaskJob } from "./messages.ts";
import { readShipment } from "./read-shipment.ts";
import type { RoundFiles } from "./round-world.ts";
import { aliveKey, newsChannel, queuePrefix, type RoundKeys, roundKeys, roundsKey } from "./round-keys.ts";
import { writeWhileThere } from "./write-while-there.ts";

/** Jobs added at a time. */
const chunk = 500;
/** Milliseconds a read waits for something new; seconds for which it is known that somebody looks on. */
const wait = 500;
const watchedFor = 5;

/** A place in the stream, and the shipment there; undefined where it is something else. */
type Arrived = { readonly id: string; readonly shipment: Shipment | undefined };

export class Round {
  readonly id: string;
  /** The address of its Redis. */
  readonly url: string;
  readonly keys: RoundKeys;
  readonly redis: Redis;
  /** For reads that wait. */
  readonly #reader: Redis;
  readonly #queue: Queue<TaskJob>;

  private constructor(id: string, url: string, redis: Redis, queue: Queue<TaskJob>) {
    this.id = id;
    this.url = url;
    this.keys = roundKeys(id);
    this.redis = redis;
    this.#reader = redis.duplicate({ lazyConnect: false });
    this.#reader.on("error", () => {});
    this.#queue = queue;
    queue.on("error", () => {});
  }

  /** Throws `Problem` where Redis cannot be used. */
  static async connect(id: string, url: OwnRedis): Promise<Round> {
    const redis = await connectRedis(url);
    const { Queue } = await loadRedisPackages();
    return new Round(id, url, redis, new Queue<TaskJob>(id, { connection: redis, prefix: queuePrefix }));
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

  async begin(manifest: Manifest, files: RoundFiles): Promise<void> {
    const all = this.redis.multi();
    if (Object.keys(files).length > 0) all.hset(this.keys.files, files);
    all.set(this.keys.manifest, JSON.stringify(manifest));
    all.zadd(roundsKey, Date.now(), this.id);
    mustTake(await all.exec());
    await this.tell();
  }

  /** Tasks that are in the queue already are not added again. */
  async add(jobs: readonly TaskJob[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += chunk) {
      const added = jobs.slice(from, from + chunk).map((job) => ({
        name: "task",
        data: job,
        opts: { jobId: `task-${encodeURIComponent(job.task)}`, removeOnComplete: true, removeOnFail: true },
      }));
      await this.#queue.addBulk(added);
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

  /** Lets a task that came to an end be executed once more. */
  async reopen(task: string): Promise<void> {
    mustTake(await this.redis.multi().srem(this.keys.ended, task).hdel(this.keys.attempts, task).exec());
  }

  /** What came after that place; nothing where nothing comes for a moment. */
  async read(after: string): Promise<readonly Arrived[]> {
    const found = await this.#reader.xread("COUNT", 1000, "BLOCK", wait, "STREAMS", this.keys.events, after);
    return (found?.[0]?.[1] ?? []).map(([id, [, text]]) => ({ id, shipment: readShipment(text ?? "") }));
  }

  /** Forgets what came up to that place. */
  async trim(through: string): Promise<void> {
    const [time, number] = through.split("-").map(Number);
    await this.redis.xtrim(this.keys.events, "MINID", `${time}-${number! + 1}`);
  }

  async watch(): Promise<void> {
    await writeWhileThere(this.redis, this.keys, "SET", "watched", "1", "EX", String(watchedFor));
  }

  async pause(): Promise<void> {
    await this.#queue.pause();
  }
  async resume(): Promise<void> {
    await this.#queue.resume();
    await this.tell();
  }
  async setConcurrency(concurrency: number): Promise<void> {
    await this.#queue.setGlobalConcurrency(concurrency);
    await this.tell();
  }

  /** No task is begun any more, and those in flight are cut. */
  async cut(): Promise<void> {
    await writeWhileThere(this.redis, this.keys, "SET", "cut", "1");
    await this.tell();
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

  /** Takes all of it away; it is listed until its queue is gone, as workers remove what is left of a round that is not. */
  async remove(): Promise<void> {
    await this.#queue.obliterate({ force: true });
    const rest = this.redis.multi().zrem(roundsKey, this.id);
    mustTake(await rest.del(...Object.values(this.keys)).exec());
    await this.tell();
  }

  disconnect(): void {
    void this.#queue.close().catch(() => {});
    this.#reader.disconnect();
    this.redis.disconnect();
  }
}

function mustTake(results: readonly (readonly [Error | null, unknown])[] | null): void {
  const refused = results?.find(([error]) => error !== null)?.[0];
  if (refused) throw new Problem("tool", `Redis does not take it: ${refused.message}`);
}
