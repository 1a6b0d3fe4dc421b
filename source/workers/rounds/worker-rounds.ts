/**
 * The rounds in which a worker takes part, and the rounds that it rejects. Each is decided separately, so that an invalid round
 * does not prevent the worker from taking part in others.
 */
import type { Worker as Queue } from "bullmq";
import { failureOf } from "../../engine/problem.ts";
import { counted } from "../../engine/text/counted.ts";
import type { loadRedisPackages, Redis } from "../connection.ts";
import { type Manifest, otherProgram, readManifest } from "../manifest.ts";
import type { TaskJob } from "../messages.ts";
import { removeLeftovers, steeringOf, noteWhileThere } from "./round.ts";
import { queuePrefix, roundKeys, type RoundKeys, roundsKey } from "./round-keys.ts";
import { RoundWorld, type WorkerParts } from "./round-world.ts";

/** A round in which the worker takes part. */
export type OpenRound = {
  readonly id: string;
  readonly keys: RoundKeys;
  readonly manifest: Manifest;
  readonly queue: Queue<TaskJob>;
  readonly world: RoundWorld;
  /** Aborted when its tasks must be aborted. */
  readonly cut: AbortController;
  isWatched: boolean;
  /** True if the worker takes no more of its tasks and rejects it once it has none in hand. */
  isLeaving: boolean;
};

export type WorkerRoundsOptions = {
  readonly redis: Redis;
  readonly packages: Awaited<ReturnType<typeof loadRedisPackages>>;
  /** The worker's display name. */
  readonly name: string;
  readonly parts: WorkerParts;
  /** Milliseconds for which a task stays locked without a renewal. */
  readonly lock: number;
  readonly say: (line: string) => void;
  /** Called when tasks may be available again. */
  readonly stalled: () => void;
  /** Resolves when the worker has no more tasks of the round in hand. */
  readonly released: (round: OpenRound) => Promise<void>;
};

export class WorkerRounds {
  readonly #options: WorkerRoundsOptions;
  readonly #redis: Redis;
  readonly #open = new Map<string, OpenRound>();
  /** Rounds that the worker rejects, each with its world; undefined if the rejection is final. */
  readonly #refused = new Map<string, RoundWorld | undefined>();
  /** By round id, the last reported error of each round that currently cannot be read. */
  readonly #troubles = new Map<string, string>();

  constructor(options: WorkerRoundsOptions) {
    this.#options = options;
    this.#redis = options.redis;
  }

  /** Rounds in which the worker takes part, the oldest first. */
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
   * Acts on one round. A temporary error of Redis is reported once and retried at the next check; after any other failure the
   * worker rejects the round.
   */
  async alone(id: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#troubles.delete(id);
    } catch (error) {
      const { message } = error as Error;
      if (!passes(error as Error)) return this.#refuse(id, undefined, failureOf(error).message);
      if (this.#troubles.get(id) !== message) this.#options.say(`Redis reports for ${id}: ${message}`);
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
    // A full Redis rejects this; then the coordinator cannot report reduced limits.
    await noteWhileThere(this.#redis, keys, "limits", name, world.limits().join(" ")).catch(() => {});
    const queue = new packages.Worker<TaskJob>(id, null, {
      connection: this.#redis,
      prefix: queuePrefix,
      lockDuration: lock,
      stalledInterval: lock,
      // Attempts, not stalls, decide how often a task may be repeated.
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
    this.#open.set(id, {
      id,
      keys,
      manifest,
      queue,
      world,
      cut: new AbortController(),
      isWatched: false,
      isLeaving: false,
    });
    say(`This worker takes part in ${manifest.run}`);
  }

  /** Takes no further part in a round, for example because it has a task that this worker lacks but others may have. */
  async leave(round: OpenRound, why: string): Promise<void> {
    if (round.isLeaving) return;
    round.isLeaving = true;
    await this.#options.released(round);
    if (this.#open.has(round.id)) await this.#refuse(round.id, round.world, why);
  }

  /** Returns what a worker without a task waits for. */
  waitsFor(): string {
    const [rounds, refused] = [this.open(), this.#refused.size];
    if (rounds.length > 0)
      return `Waiting for a task of ${rounds.map(({ manifest }) => manifest.run).join(", ")}: the remaining tasks are being executed elsewhere, or are not available yet`;
    return refused === 0
      ? "Waiting for a run: no run is given to the workers of this Redis"
      : `Waiting for a run that this worker can take part in: the worker refused ${counted(refused, "run")}`;
  }

  async #refuse(id: string, world: RoundWorld | undefined, why: string): Promise<void> {
    const round = this.#open.get(id);
    if (round !== undefined) await this.#close(round);
    this.#refused.set(id, world);
    this.#options.say(`This worker does not take part in ${id}: ${why}`);
    // The worker refuses even if a full Redis rejects the reason.
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

  /** Closes all rounds and their worlds. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([
      ...this.open().map((round) => this.#close(round)),
      ...[...this.#refused.keys()].map((id) => this.#forget(id)),
    ]);
  }

  /**
   * Closes everything that would prevent the program from ending, without waiting for tasks in hand or for Redis. Never rejects.
   */
  async abandon(): Promise<void> {
    for (const { queue } of this.#open.values()) void queue.close(true).catch(() => {});
    const worlds = [...this.open().map(({ world }) => world), ...this.#refused.values()];
    await Promise.allSettled(worlds.map((world) => world?.close()));
  }
}

/** Returns whether an error of Redis may be temporary; keys of the wrong type and other failures are not. */
function passes({ name, message }: Error): boolean {
  const isRedis =
    name === "ReplyError" || name === "MaxRetriesPerRequestError" || message.startsWith("Connection is closed");
  return isRedis && !message.startsWith("WRONGTYPE");
}
