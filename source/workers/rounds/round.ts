/** One round in Redis, as its coordinator uses it: starts it, adds tasks, pauses, aborts and removes it. */
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
import { newsChannel, queuePrefix, type RoundKeys, roundKeys, roundsKey } from "./round-keys.ts";
import { restoreLimits, sharedOverload } from "../shared-limits.ts";

/** Jobs added per call. */
const chunk = 500;
/** Milliseconds a read waits for new entries. */
const wait = 500;
const watchedFor = 5;

/** An entry's id in the stream, and its content. */
type Arrived = { readonly id: string; readonly came: Shipment | RefusedShipment };

type RoundParts = { readonly redis: Redis; readonly queue: Queue<TaskJob> };

export class Round {
  readonly id: string;
  /** The address of Redis. */
  readonly url: string;
  readonly keys: RoundKeys;
  readonly redis: Redis;
  /** A second connection for blocking reads. */
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

  /** `folder`: the folder of the session that contains the run. Throws `Problem` if Redis cannot be used. */
  static async connect(id: string, url: OwnRedis, folder: string): Promise<Round> {
    const redis = await connectRedis(url);
    const { Queue } = await loadRedisPackages();
    const queue = new Queue<TaskJob>(id, { connection: redis, prefix: queuePrefix });
    return new Round(id, url, folder, { redis, queue });
  }

  /** Returns the settings of this Redis that could lose results, in sentences. */
  async dangers(): Promise<readonly string[]> {
    const info = await this.redis.info();
    const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
    const evicts = value("maxmemory") !== "0" && (value("maxmemory_policy") ?? "noeviction") !== "noeviction";
    return [
      ...(value("aof_enabled") === "1"
        ? []
        : [
            "Redis saves nothing to disk (appendonly no): after a crash, results not yet in the log are lost, and their tasks are executed again",
          ]),
      ...(evicts ? ["Redis may evict results when it is full (maxmemory-policy should be noeviction)"] : []),
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

  /** Tasks that are already in the queue are not added again. */
  async add(jobs: readonly TaskJob[]): Promise<void> {
    await this.#add(jobs, (task) => `task-${encodeURIComponent(task)}`);
  }

  /** Adds tasks to execute once more, whatever their state; their previous attempts no longer count. */
  async addAgain(jobs: readonly TaskJob[]): Promise<void> {
    for (const { task } of jobs)
      await this.coordinator.write(["SREM", this.keys.ended, task], ["HDEL", this.keys.attempts, task]);
    // A worker may still hold the old job for a moment, so the new one needs another id.
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

  /** Resolves to the tasks among these that are in the round: their end is in the stream, or they are queued or being executed. */
  async has(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(await this.redis.smembers(this.keys.ended));
    if (tasks.some((task) => !found.has(task)))
      for (const job of await this.#queue.getJobs(["active", "waiting"])) found.add(job.data.task);
    return new Set(tasks.filter((task) => found.has(task)));
  }

  /** BullMQ's writes are not atomic with the check of the token. Throws `RoundTaken`. */
  async #whileHeld(change: () => Promise<unknown>): Promise<void> {
    if ((await this.coordinator.check()) !== "gone") await change();
  }

  /** Resolves to the entries after that id; empty if none arrives soon. */
  async read(after: string): Promise<readonly Arrived[]> {
    const found = await this.#reader.xread("COUNT", 1000, "BLOCK", wait, "STREAMS", this.keys.events, after);
    return (found?.[0]?.[1] ?? []).map(([id, [, text]]) => ({ id, came: readShipment(text ?? "") }));
  }

  /** Deletes the entries up to that id. */
  async trim(through: string): Promise<void> {
    const [time, number] = through.split("-").map(Number);
    await this.coordinator.write(["XTRIM", this.keys.events, "MINID", `${time}-${number! + 1}`]);
  }

  /**
   * Sends a message to the workers. It applies until another message replaces it, `follow` only for some seconds; `follow` is
   * also the coordinator's heartbeat. Throws `RoundTaken`.
   */
  async steer(message: SteeringMessage): Promise<void> {
    const { cut, watched } = this.keys;
    switch (message.do) {
      case "follow":
        await this.coordinator.renew();
        return this.coordinator.write(["SET", watched, "1", "EX", String(watchedFor)]);
      case "stop":
        // A full Redis accepts writes that follow a deletion.
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

  /** Resets limits of endpoints that overload has reduced. */
  async restoreLimits(): Promise<void> {
    await restoreLimits(this.redis, await this.#limits());
  }

  /** Resolves to a text about the first reduced limit of an endpoint; undefined if none is reduced. */
  async overload(): Promise<string | undefined> {
    return sharedOverload(this.redis, await this.#limits());
  }

  async #limits(): Promise<readonly string[]> {
    const all = (await this.redis.hvals(this.keys.limits)).flatMap((endpoints) => endpoints.split(" "));
    return [...new Set(all)].filter((endpoint) => endpoint !== "");
  }

  /**
   * Resolves to the tasks that running workers are executing. Queries only the tasks that workers have taken, not all attempts.
   */
  async inFlight(): Promise<readonly string[]> {
    const jobs = await this.#queue.getJobs(["active"]);
    // A job may end while it is read.
    const tasks = jobs.flatMap((job: (typeof jobs)[number] | undefined) => job?.data?.task ?? []);
    return openAttempts(this.redis, this.keys, [...new Set(tasks)]);
  }

  /** Resolves to why workers do not take part, by worker. */
  async refusals(): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.redis.hgetall(this.keys.refused)));
  }

  /** Announces a change to the workers. */
  async tell(): Promise<void> {
    await this.redis.publish(newsChannel, this.id);
  }

  /** Removes the round. Throws `RoundTaken`. */
  async remove(): Promise<void> {
    await this.#whileHeld(() => removeRound(this.redis, this.id, this.#queue));
  }

  /** Lets another coordinator take the round at once, if Redis can be reached. Never rejects. */
  release(): void {
    if (this.redis.status === "ready") this.coordinator.release().catch(() => {});
  }

  disconnect(): void {
    void this.#queue.close().catch(() => {});
    this.#reader.disconnect();
    this.redis.disconnect();
  }
}

/** Removes a round. The round stays listed until its queue is removed, because workers delete leftovers of unlisted rounds. */
export async function removeRound(redis: Redis, id: string, queue: Queue | undefined): Promise<void> {
  const { events, files } = roundKeys(id);
  // Delete the largest keys first, because even removing a queue needs room in a full Redis.
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
  if (refused) throw new Problem("tool", `Redis rejected the removal: ${refused.message}`);
}

/** Returns which messages apply to the workers of a round; their queue contains the concurrency. */
export async function steeringOf(
  redis: Redis,
  { cut, watched }: RoundKeys,
): Promise<{ readonly isStopped: boolean; readonly isFollowed: boolean }> {
  const [stopped, followed] = await redis.mget(cut, watched);
  return { isStopped: typeof stopped === "string", isFollowed: typeof followed === "string" };
}

/** Atomic, because a coordinator may begin the round again meanwhile. */
const removeUnlisted = `
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('DEL', KEYS[2]) end
`;

/**
 * Removes the queue's settings (`meta`) of an unlisted round, which the queue's timer writes again if a worker was suspended
 * while the round was removed. The settings of a listed round stay, because they record whether it is paused.
 */
export async function removeLeftovers(redis: Redis, round: string, meta: string): Promise<void> {
  await redis.eval(removeUnlisted, 2, roundsKey, meta, round);
}

/** Writes a key of a round atomically, because the round may be removed in the meantime. */
const writeIfThere = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
`;

/**
 * Saves a worker's text under one of the round's keys, but only while the round exists, so that no key of a removed round
 * remains.
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
