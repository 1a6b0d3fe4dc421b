/**
 * The list of running workers. Each reports its activity under a Redis key that expires, so that a killed worker disappears from
 * the list. Redis measures time, because the clocks of machines may differ.
 */
import { cpus, loadavg } from "node:os";
import { z } from "zod";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { checkedValue } from "../engine/text/checked-record.ts";
import type { TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";
import { withRedis } from "./connection.ts";
import { presenceKey, workersKey } from "./rounds/round-keys.ts";

/** Milliseconds between two reports of a worker, and after which a silent worker counts as dead. */
const interval = 2000;
const expiry = 10_000;

const count = z.int().min(0);
const presence = z.object({
  /** Unique across processes and machines. */
  id: z.string(),
  /** Display name. */
  name: z.string(),
  host: z.string(),
  pid: count,
  /** The program's version. */
  version: z.string(),
  /** The value of `programHash`; absent for workers of older builds. */
  program: z.string().optional(),
  /** Maximum number of concurrent tasks. */
  concurrency: count,
  /** Start time, in milliseconds since 1970. */
  since: count,
  /** The machine's load average over the last minute, divided by the number of processors: above 1 it is overloaded. */
  load: z.number().min(0),
  /** Tokens received from models, averaged over the last minute. */
  tokensPerSecond: z.number().min(0),
  /** Tasks ended since the worker started, and how many of them failed. */
  ended: count,
  failed: count,
  /** Tasks in progress. */
  tasks: z.array(z.object({ run: z.string(), task: z.string() })).readonly(),
  /** Hashes of the addresses of its endpoints; workers with an endpoint in common share its limits. */
  endpoints: z.array(z.string()).readonly(),
});

/** The report of a living worker. */
export type WorkerPresence = Readonly<z.infer<typeof presence>>;

/** The Redis commands used in this file; a client of ioredis has them. */
export type PresenceCommands = {
  set(key: string, value: string, px: "PX", milliseconds: number): Promise<unknown>;
  del(key: string): Promise<unknown>;
  mget(keys: string[]): Promise<readonly (string | null)[]>;
  sadd(key: string, member: string): Promise<unknown>;
  srem(key: string, members: string[]): Promise<unknown>;
  smembers(key: string): Promise<readonly string[]>;
};

/** Reports a worker's activity until it ends. */
export class Presence {
  readonly #redis: PresenceCommands;
  readonly #now: () => WorkerPresence;
  readonly #stop: () => void;
  #saying: Promise<void>;

  /** Calls `now` for each report. During an outage reports are skipped. */
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
      // An outage is reported by the code that needs Redis for more than this.
    }
  }

  /** Removes the worker from the list at once. Never rejects. */
  async end(): Promise<void> {
    this.#stop();
    await this.#saying;
    const { id } = this.#now();
    await Promise.allSettled([this.#redis.del(presenceKey(id)), this.#redis.srem(workersKey, [id])]);
  }
}

/** Milliseconds over which tokens are averaged. */
const window = 60_000;

type HeldTask = WorkerPresence["tasks"][number];

/** Records the tasks a worker has in progress and its throughput, for its reports. */
export class WorkerActivity {
  readonly #clock: Clock;
  readonly #from: number;
  readonly #held = new Set<HeldTask>();
  readonly #received: { readonly at: number; readonly tokens: number }[] = [];
  #ended = 0;
  #failed = 0;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
    this.#from = clock.now();
  }

  /**
   * Returns a function to call when the worker no longer has the task, with its result, or without a result if the task did not
   * end on this worker.
   */
  begin(task: HeldTask): (ended?: "scored" | "failed") => void {
    this.#held.add(task);
    return (ended) => {
      this.#held.delete(task);
      if (ended !== undefined) this.#ended += 1;
      if (ended === "failed") this.#failed += 1;
    };
  }

  /** Counts an event of a task in progress. */
  take(event: TaskEvent): void {
    if (event.type === "usage") this.#receive(event.output);
  }

  #receive(tokens: number): void {
    const at = this.#clock.now();
    // Old ones are dropped in front, because copying the others for each of thousands a second takes ever longer.
    const recent = this.#received.findIndex((each) => each.at > at - window);
    this.#received.splice(0, recent < 0 ? this.#received.length : recent);
    this.#received.push({ at, tokens });
  }

  /** Returns the current values of the report. */
  now(): Pick<WorkerPresence, "load" | "tokensPerSecond" | "ended" | "failed" | "tasks"> {
    const now = this.#clock.now();
    const tokens = this.#received.reduce((sum, each) => (each.at > now - window ? sum + each.tokens : sum), 0);
    const seconds = Math.min(window, now - this.#from) / 1000;
    return {
      load: loadavg()[0]! / cpus().length,
      // A rate over less than a second would be misleading.
      tokensPerSecond: tokens / Math.max(1, seconds),
      ended: this.#ended,
      failed: this.#failed,
      tasks: [...this.#held],
    };
  }
}

/** Resolves to the running workers, sorted by name. Forgets workers that have ended and skips invalid reports. */
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

/** Anyone with access to Redis may write there, so a report is validated like a file from elsewhere. */
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

/** Resolves to the workers at a Redis address. Throws `Problem` if Redis cannot be asked. */
export const workersAt = (url: OwnRedis): Promise<readonly WorkerPresence[]> => withRedis(url, livingWorkers);
