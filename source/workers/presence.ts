/**
 * Which workers live: each says what it does under a key of Redis that expires, so that one that is killed is gone from the
 * list by itself. Redis counts the time: clocks of different machines need not agree.
 */
import { cpus, loadavg } from "node:os";
import { z } from "zod";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { checkedValue } from "../engine/text/checked-record.ts";
import type { TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";
import { withRedis } from "./connection.ts";
import { presenceKey, workersKey } from "./rounds/round-keys.ts";

/** Milliseconds between two words of a worker, and after which one that says nothing any more is taken for dead. */
const interval = 2000;
const expiry = 10_000;

const count = z.int().min(0);
const presence = z.object({
  /** Differs between processes, on this machine and on others. */
  id: z.string(),
  /** For people. */
  name: z.string(),
  host: z.string(),
  pid: count,
  /** Of the program. */
  version: z.string(),
  /** As `programHash`; absent for workers of older builds. */
  program: z.string().optional(),
  /** Tasks at a time. */
  concurrency: count,
  /** When it was started, in milliseconds since 1970. */
  since: count,
  /** The machine's load average over the last minute, for each of its processors: above 1 it has more to do than it can. */
  load: z.number().min(0),
  /** Received from models, over the last minute. */
  tokensPerSecond: z.number().min(0),
  /** Tasks it has ended since it was started, and how many of these failed. */
  ended: count,
  failed: count,
  /** Tasks in hand. */
  tasks: z.array(z.object({ run: z.string(), task: z.string() })).readonly(),
  /** Hashes of the addresses of the endpoints it asks: workers with one in common keep to its limits together. */
  endpoints: z.array(z.string()).readonly(),
});

/** What a living worker says of itself. */
export type WorkerPresence = Readonly<z.infer<typeof presence>>;

/** What of Redis this needs; a client of ioredis has it. */
export type PresenceCommands = {
  set(key: string, value: string, px: "PX", milliseconds: number): Promise<unknown>;
  del(key: string): Promise<unknown>;
  mget(keys: string[]): Promise<readonly (string | null)[]>;
  sadd(key: string, member: string): Promise<unknown>;
  srem(key: string, members: string[]): Promise<unknown>;
  smembers(key: string): Promise<readonly string[]>;
};

/** Says what a worker does as long as it lives, or until it is ended. */
export class Presence {
  readonly #redis: PresenceCommands;
  readonly #now: () => WorkerPresence;
  readonly #stop: () => void;
  #saying: Promise<void>;

  /** `now` is asked each time. While Redis is away nothing is said; the next time says it. */
  constructor(redis: PresenceCommands, now: () => WorkerPresence, clock: Clock = machineClock) {
    this.#redis = redis;
    this.#now = now;
    this.#saying = this.#say();
    this.#stop = repeatedly(clock, interval, () => (this.#saying = this.#say()));
  }

  async #say(): Promise<void> {
    const now = this.#now();
    try {
      await this.#redis.set(presenceKey(now.id), JSON.stringify(now), "PX", expiry);
      await this.#redis.sadd(workersKey, now.id);
    } catch {
      // Who needs Redis for more than this says that it is away.
    }
  }

  /** Takes the worker off the list at once. Never rejects. */
  async end(): Promise<void> {
    this.#stop();
    await this.#saying;
    const { id } = this.#now();
    await Promise.allSettled([this.#redis.del(presenceKey(id)), this.#redis.srem(workersKey, [id])]);
  }
}

/** Milliseconds of the past over which tokens are counted. */
const window = 60_000;

type HeldTask = WorkerPresence["tasks"][number];

/** What a worker has in hand, and how it has been doing: what it says of itself while it lives. */
export class WorkerActivity {
  readonly #clock: Clock;
  readonly #from: number;
  readonly #held = new Set<HeldTask>();
  #received: { readonly at: number; readonly tokens: number }[] = [];
  #ended = 0;
  #failed = 0;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
    this.#from = clock.now();
  }

  /** Returns what to call when the task is out of hand, with how it ended; nothing where it came to no end here. */
  begin(task: HeldTask): (ended?: "scored" | "failed") => void {
    this.#held.add(task);
    return (ended) => {
      this.#held.delete(task);
      if (ended !== undefined) this.#ended += 1;
      if (ended === "failed") this.#failed += 1;
    };
  }

  /** An event of a task in hand. */
  take(event: TaskEvent): void {
    if (event.type === "usage") this.#receive(event.output);
  }

  #receive(tokens: number): void {
    const at = this.#clock.now();
    this.#received = [...this.#received.filter((each) => each.at > at - window), { at, tokens }];
  }

  /** What is said now of this worker. */
  now(): Pick<WorkerPresence, "load" | "tokensPerSecond" | "ended" | "failed" | "tasks"> {
    const now = this.#clock.now();
    const tokens = this.#received.reduce((sum, each) => (each.at > now - window ? sum + each.tokens : sum), 0);
    const seconds = Math.min(window, now - this.#from) / 1000;
    return {
      load: loadavg()[0]! / cpus().length,
      // In its first second a rate would be of nothing.
      tokensPerSecond: tokens / Math.max(1, seconds),
      ended: this.#ended,
      failed: this.#failed,
      tasks: [...this.#held],
    };
  }
}

/** The workers that live, by name. Those that are gone are forgotten. Words that are no worker's are passed over. */
export async function livingWorkers(redis: PresenceCommands): Promise<readonly WorkerPresence[]> {
  const ids = await redis.smembers(workersKey);
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map(presenceKey));
  const gone = ids.filter((_, index) => texts[index] === null);
  if (gone.length > 0) await redis.srem(workersKey, gone);
  return texts
    .flatMap((text) => (text === null ? [] : (readPresence(text) ?? [])))
    .sort((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
}

/** Redis belongs to whoever can reach it: what stands there is looked at as closely as a file from elsewhere. */
function readPresence(text: string): WorkerPresence | undefined {
  try {
    return checkedValue(presence, JSON.parse(text) as unknown, ({ path }) => {
      throw new SyntaxError(path.join("."));
    });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The workers at the address of a Redis. Throws `Problem` if Redis cannot be asked. */
export function workersAt(url: OwnRedis): Promise<readonly WorkerPresence[]> {
  return withRedis(url, livingWorkers);
}
