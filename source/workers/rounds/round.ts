/** One round in Redis, as its coordinator has it there: begun, given tasks, paused, cut and taken away again. */
import { randomUUID } from "node:crypto";
import type { Queue } from "bullmq";
import { Problem } from "../../engine/problem.ts";
import type { SteeringMessage } from "../../engine/run/steering.ts";
import type { OwnRedis } from "../../engine/settings/own-redis.ts";
import { openAttempts } from "../attempts.ts";
import { connectRedis, loadRedisPackages, type Redis } from "../connection.ts";
import { Coordinator } from "../coordinator.ts";
import type { Manifest } from "../manifest.ts";
import { readShipment, type RefusedShipment, type Shipment, type TaskJob } from "../messages.ts";
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
  readonly coordinator: Coordinator;

  private constructor(id: string, url: string, folder: string, { redis, queue }: RoundParts) {
    this.id = id;
    this.url = url;
    this.keys = roundKeys(id);
    this.redis = redis;
    this.coordinator = new Coordinator(redis, this.keys, folder);
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

  /** Throws `RoundTaken`. */
  async begin(manifest: Manifest, files: RoundFiles): Promise<void> {
    await this.coordinator.begin(this.id, manifest, files);
    await this.tell();
  }

  /** Tasks that are in the queue already are not added again. */
  async add(jobs: readonly TaskJob[]): Promise<void> {
    await this.#add(jobs, (task) => `task-${encodeURIComponent(task)}`);
  }

  /** Lets tasks be executed once more, whatever became of them; their attempts so far count no more. */
  async addAgain(jobs: readonly TaskJob[]): Promise<void> {
    for (const { task } of jobs)
      await this.coordinator.write(["SREM", this.keys.ended, task], ["HDEL", this.keys.attempts, task]);
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
    if ((await this.coordinator.check()) !== "gone") await change();
  }

  /** What came after that place; nothing where nothing comes for a moment. */
  async read(after: string): Promise<readonly Arrived[]> {
    const found = await this.#reader.xread("COUNT", 1000, "BLOCK", wait, "STREAMS", this.keys.events, after);
    return (found?.[0]?.[1] ?? []).map(([id, [, text]]) => ({ id, came: readShipment(text ?? "") }));
  }

  /** Forgets what came up to that place. */
  async trim(through: string): Promise<void> {
    const [time, number] = through.split("-").map(Number);
    await this.coordinator.write(["XTRIM", this.keys.events, "MINID", `${time}-${number! + 1}`]);
  }

  /**
   * Carries a message to the workers. It holds until another one says otherwise, and `follow` for some seconds; that one also says that
   * this coordinator lives. Throws `RoundTaken`.
   */
  async steer(message: SteeringMessage): Promise<void> {
    const { cut, watched } = this.keys;
    switch (message.do) {
      case "follow":
        await this.coordinator.renew();
        return this.coordinator.write(["SET", watched, "1", "EX", String(watchedFor)]);
      case "stop":
        // A Redis that is full takes what follows a deletion.
        await this.coordinator.write(["DEL", cut], ["SET", cut, "1"]);
        break;
      case "pause":
        await this.#whileHeld(() => this.#queue.pause());
        break;
      case "resume":
        await this.#whileHeld(() => this.#queue.resume());
        break;
      case "concurrency":
        await this.#whileHeld(() => this.#queue.setGlobalConcurrency(message.to));
        break;
      default:
        message satisfies never;
    }
    await this.tell();
  }

  /** Sets limits of endpoints that overload has reduced back to what is configured. */
  async restoreLimits(): Promise<void> {
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
    if (this.redis.status === "ready") this.coordinator.release().catch(() => {});
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

/** Which messages hold for the workers of a round; how many tasks they may take, their queue says. */
export async function steeringOf(
  redis: Redis,
  { cut, watched }: RoundKeys,
): Promise<{ readonly isStopped: boolean; readonly isFollowed: boolean }> {
  const [stopped, followed] = await redis.mget(cut, watched);
  return { isStopped: typeof stopped === "string", isFollowed: typeof followed === "string" };
}

/** In one step, as a coordinator may begin the round anew meanwhile. */
const removeUnlisted = `
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('DEL', KEYS[2]) end
`;

/**
 * Removes the queue's settings (`meta`) of a round that is not listed any more: where a worker was suspended as the round was taken
 * away, its queue's timer has written them again. Those of a round that is listed stay: whether it is paused stands in them.
 */
export async function removeLeftovers(redis: Redis, round: string, meta: string): Promise<void> {
  await redis.eval(removeUnlisted, 2, roundsKey, meta, round);
}

/** In one step, as it may be taken away between two. */
const writeIfThere = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
`;

/**
 * Notes what a worker says under one of the round's keys, as long as the round is there: it may be taken away meanwhile, and nothing of
 * it may stay behind.
 */
export async function noteWhileThere(
  redis: Redis,
  keys: RoundKeys,
  key: "limits" | "refused",
  worker: string,
  text: string,
): Promise<void> {
  await redis.eval(writeIfThere, 2, keys.manifest, keys[key], worker, text);
}
