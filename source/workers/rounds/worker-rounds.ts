/**
 * The rounds a worker takes part in, and those it refuses. Each is decided by itself: whatever stands in Redis in place of a round
 * keeps no worker from the others.
 */
import type { Worker as Queue } from "bullmq";
import { failureOf } from "../../engine/problem.ts";
import type { loadRedisPackages, Redis } from "../connection.ts";
import { type Manifest, otherProgram, readManifest } from "../manifest.ts";
import type { TaskJob } from "../messages.ts";
import { removeLeftovers, steeringOf, noteWhileThere } from "./round.ts";
import { queuePrefix, roundKeys, type RoundKeys, roundsKey } from "./round-keys.ts";
import { RoundWorld, type WorkerParts } from "./round-world.ts";

/** A round the worker takes part in. */
export type OpenRound = {
  readonly id: string;
  readonly keys: RoundKeys;
  readonly manifest: Manifest;
  readonly queue: Queue<TaskJob>;
  readonly world: RoundWorld;
  /** Aborted when its tasks are to be cut. */
  readonly cut: AbortController;
  isWatched: boolean;
};

export type WorkerRoundsOptions = {
  readonly redis: Redis;
  readonly packages: Awaited<ReturnType<typeof loadRedisPackages>>;
  /** Name of the worker, for people. */
  readonly name: string;
  readonly parts: WorkerParts;
  /** Milliseconds a task is the worker's own without a word of it. */
  readonly lock: number;
  readonly say: (line: string) => void;
  /** Called when there may be tasks again. */
  readonly stalled: () => void;
  /** Resolves when the worker has no task of the round in hand any more. */
  readonly released: (round: OpenRound) => Promise<void>;
};

export class WorkerRounds {
  readonly #options: WorkerRoundsOptions;
  readonly #redis: Redis;
  readonly #open = new Map<string, OpenRound>();
  /** Rounds it does not take part in, with what it has for them; undefined where that would never do. */
  readonly #refused = new Map<string, RoundWorld | undefined>();
  /** What was last said about a round that cannot be read now, by its id. */
  readonly #troubles = new Map<string, string>();

  constructor(options: WorkerRoundsOptions) {
    this.#options = options;
    this.#redis = options.redis;
  }

  /** Rounds it takes part in, the oldest first. */
  open(): readonly OpenRound[] {
    return [...this.#open.values()];
  }

  /** Finds the active rounds, and whether each should be cut or is being watched. */
  async look(): Promise<void> {
    const ids = await this.#redis.zrange(roundsKey, "0", "-1");
    const isOver = (id: string) => !ids.includes(id);
    for (const id of [...this.#troubles.keys()].filter(isOver)) this.#troubles.delete(id);
    for (const round of this.open().filter(({ id }) => isOver(id))) {
      await this.#close(round);
      await removeLeftovers(this.#redis, round.id, round.queue.toKey("meta"));
    }
    for (const [id, world] of this.#refused) if (isOver(id) || world?.hasChanged() === true) await this.#forget(id);
    for (const id of ids)
      if (!this.#open.has(id) && !this.#refused.has(id)) await this.alone(id, () => this.#decide(id));
    for (const round of this.#open.values()) {
      const { isStopped, isFollowed } = await steeringOf(this.#redis, round.keys);
      round.isWatched = isFollowed;
      if (isStopped) round.cut.abort();
    }
  }

  /**
   * Does something with one round. What Redis does not take now is said once and tried again at the next look; any other failure
   * is the round's own, and the worker refuses it.
   */
  async alone(id: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#troubles.delete(id);
    } catch (error) {
      const { message } = error as Error;
      if (!passes(error as Error)) return this.#refuse(id, undefined, failureOf(error).message);
      if (this.#troubles.get(id) !== message) this.#options.say(`Redis says of ${id}: ${message}`);
      this.#troubles.set(id, message);
    }
  }

  async #decide(id: string): Promise<void> {
    const keys = roundKeys(id);
    const text = await this.#redis.get(keys.manifest);
    if (text === null) return;
    const manifest = readManifest(text);
    const other = await otherProgram(manifest);
    if (other !== undefined) return this.#refuse(id, undefined, other);
    const files = await this.#redis.hgetallBuffer(keys.files);
    const world = new RoundWorld(manifest, files, this.#options.parts);
    try {
      const why = await world.refusal();
      if (why !== undefined) return await this.#refuse(id, world, why);
      await this.#take({ id, keys, manifest, world });
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #take({ id, keys, manifest, world }: Pick<OpenRound, "id" | "keys" | "manifest" | "world">): Promise<void> {
    const { packages, name, lock, stalled, say } = this.#options;
    await this.#redis.hdel(keys.refused, name);
    // A Redis that is full does not take it: then nobody is told what overload leaves.
    await noteWhileThere(this.#redis, keys, "limits", name, world.limits().join(" ")).catch(() => {});
    const queue = new packages.Worker<TaskJob>(id, null, {
      connection: this.#redis,
      prefix: queuePrefix,
      lockDuration: lock,
      stalledInterval: lock,
      // How often a task may come back is decided by why it did.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    queue.on("error", () => {});
    queue.on("stalled", stalled);
    try {
      await queue.startStalledCheckTimer();
    } catch (error) {
      await queue.close(true).catch(() => {});
      throw error;
    }
    this.#open.set(id, { id, keys, manifest, queue, world, cut: new AbortController(), isWatched: false });
    say(`Takes part in ${manifest.run}`);
  }

  async #refuse(id: string, world: RoundWorld | undefined, why: string): Promise<void> {
    const round = this.#open.get(id);
    if (round !== undefined) await this.#close(round);
    this.#refused.set(id, world);
    this.#options.say(`Does not take part in ${id}: ${why}`);
    // It is decided also if Redis does not take the reason, as when it is full.
    await noteWhileThere(this.#redis, roundKeys(id), "refused", this.#options.name, why).catch(() => {});
  }

  async #forget(id: string): Promise<void> {
    const world = this.#refused.get(id);
    this.#refused.delete(id);
    await world?.close();
  }

  async #close(round: OpenRound): Promise<void> {
    this.#open.delete(round.id);
    round.cut.abort();
    await this.#options.released(round);
    await Promise.allSettled([round.queue.close(true), round.world.close()]);
  }

  /** Closes all of them, with what tasks were executed with. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([
      ...this.open().map((round) => this.#close(round)),
      ...[...this.#refused.keys()].map((id) => this.#forget(id)),
    ]);
  }

  /** Closes what would keep the program from ending, without waiting for tasks in hand or for Redis. Never rejects. */
  async abandon(): Promise<void> {
    for (const { queue } of this.#open.values()) void queue.close(true).catch(() => {});
    const worlds = [...this.open().map(({ world }) => world), ...this.#refused.values()];
    await Promise.allSettled(worlds.map((world) => world?.close()));
  }
}

/** Tells what Redis does not take now from keys that are none of a round, and from any other failure. */
function passes({ name, message }: Error): boolean {
  const isRedis =
    name === "ReplyError" || name === "MaxRetriesPerRequestError" || message.startsWith("Connection is closed");
  return isRedis && !message.startsWith("WRONGTYPE");
}
