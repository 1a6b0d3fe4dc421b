/**
 * Which workers live: each says what it does under a key of Redis that expires, so that one that is killed is gone from the
 * list by itself. Redis counts the time: clocks of different machines need not agree.
 */
import { z } from "zod";
import { checkedValue } from "../engine/text/checked-record.ts";
import { type Clock, machineClock, type Timer } from "../engine/work/clock.ts";
import { presenceKey, workersKey } from "./rounds/round-keys.ts";

/** Milliseconds between two words of a worker, and after which one that says nothing any more is taken for dead. */
const interval = 2000;
const expiry = 10_000;

/** What a living worker says of itself. */
export type WorkerPresence = {
  /** Differs between processes, on this machine and on others. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** Of the program. */
  readonly version: string;
  /** As `programHash`; absent for workers of older builds. */
  readonly program?: string | undefined;
  /** Tasks at a time. */
  readonly concurrency: number;
  /** When it was started, in milliseconds since 1970. */
  readonly since: number;
  /** The machine's load average over the last minute, for each of its processors: above 1 it has more to do than it can. */
  readonly load: number;
  /** Received from models, over the last minute. */
  readonly tokensPerSecond: number;
  /** Tasks it has ended since it was started, and how many of these failed. */
  readonly ended: number;
  readonly failed: number;
  /** Tasks in hand. */
  readonly tasks: readonly { readonly run: string; readonly task: string }[];
  /** Hashes of the addresses of the endpoints it asks: workers with one in common keep to its limits together. */
  readonly endpoints: readonly string[];
};

const count = z.int().min(0);
const presence: z.ZodType<WorkerPresence> = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: count,
  version: z.string(),
  program: z.string().optional(),
  concurrency: count,
  since: count,
  load: z.number().min(0),
  tokensPerSecond: z.number().min(0),
  ended: count,
  failed: count,
  tasks: z.array(z.object({ run: z.string(), task: z.string() })),
  endpoints: z.array(z.string()),
});

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
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #saying: Promise<void>;
  #ended = false;

  /** `now` is asked each time. While Redis is away nothing is said; the next time says it. */
  constructor(redis: PresenceCommands, now: () => WorkerPresence, clock: Clock = machineClock) {
    this.#redis = redis;
    this.#now = now;
    this.#clock = clock;
    this.#saying = this.#say();
  }

  async #say(): Promise<void> {
    const now = this.#now();
    try {
      await this.#redis.set(presenceKey(now.id), JSON.stringify(now), "PX", expiry);
      await this.#redis.sadd(workersKey, now.id);
    } catch {
      // Who needs Redis for more than this says that it is away.
    }
    if (this.#ended) return;
    this.#timer = this.#clock.setTimeout(() => (this.#saying = this.#say()), interval);
    this.#timer.unref();
  }

  /** Takes the worker off the list at once. Never rejects. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#clock.clearTimeout(this.#timer);
    await this.#saying;
    const { id } = this.#now();
    await Promise.allSettled([this.#redis.del(presenceKey(id)), this.#redis.srem(workersKey, [id])]);
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
