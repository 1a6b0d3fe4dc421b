/** Lists the rounds at a Redis, with their usage and coordinator, and ends them on request. */
import type { Queue } from "bullmq";
import type { OwnRedis } from "../../engine/settings/own-redis.ts";
import { machineClock } from "../../engine/work/clock.ts";
import { loadRedisPackages, type Redis, withRedis } from "../connection.ts";
import { askToEnd, readerIn } from "../coordinator.ts";
import { readManifest } from "../manifest.ts";
import { newsChannel, queuePrefix, roundKeys, roundsKey } from "./round-keys.ts";
import { removeRound } from "./round.ts";
import { fallback } from "../../engine/work/fallback.ts";

/** A round at a Redis. */
export type RoundPresence = {
  readonly round: string;
  /** The run's id; null if the manifest is invalid. */
  readonly run: string | null;
  /** Seconds since the round was begun. */
  readonly age: number;
  /** Tasks in the round, and tasks without an end; null if the manifest omits their number. */
  readonly tasks: number | null;
  readonly left: number | null;
  /** Requests sent to models, and their input and output tokens. */
  readonly requests: number;
  readonly tokens: number;
  /** The coordinator's host, the session's folder, and seconds since the last heartbeat; null if there is no coordinator. */
  readonly reader: { readonly host: string; readonly folder: string; readonly heard: number } | null;
};

/** Returns the oldest first. Throws `Problem` if Redis cannot be asked. */
export const roundsAt = async (url: OwnRedis): Promise<readonly RoundPresence[]> =>
  withRedis(url, async (redis) => {
    const now = await timeOf(redis);
    const found = await redis.zrange(roundsKey, "0", "-1", "WITHSCORES");
    const ids = found.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(found[index + 1])] as const] : []));
    return Promise.all(ids.map(([id, begun]) => presenceOf(redis, id, { begun, now })));
  });

async function presenceOf(
  redis: Redis,
  round: string,
  { begun, now }: { readonly begun: number; readonly now: number },
): Promise<RoundPresence> {
  const keys = roundKeys(round);
  // Keys of another type count as missing.
  const [text, ended, spent, coordinator] = await Promise.all([
    redis.get(keys.manifest).catch(() => null),
    redis.scard(keys.ended).catch(() => 0),
    redis.hgetall(keys.spent).catch(() => ({}) as Record<string, string>),
    redis.hgetall(keys.coordinator).catch(() => ({}) as Record<string, string>),
  ]);
  const { run, tasks } = manifestIn(text) ?? { run: null, tasks: undefined };
  const reader = readerIn(coordinator, now);
  return {
    round,
    run,
    age: Math.max(0, Math.round((now - begun) / 1000)),
    tasks: tasks ?? null,
    left: tasks === undefined ? null : Math.max(0, tasks - ended),
    requests: amount(spent["requests"]),
    tokens: amount(spent["tokens"]),
    reader:
      reader === undefined
        ? null
        : { host: reader.host, folder: reader.folder, heard: Math.round(reader.silent / 1000) },
  };
}

const manifestIn = (text: string | null) => (text === null ? undefined : fallback(() => readManifest(text)));

function amount(text: string | undefined): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Milliseconds between two checks whether a round still exists, and the longest wait for its coordinator. */
const lookAgain = 200;
const longestWait = 10_000;

/** How a round ended: by its coordinator, which records the end in the run's log, or only in Redis. */
export type RoundEnded = "elsewhere" | "here";

/**
 * Ends a round: its workers abort their tasks, and all its keys are removed. A running coordinator is asked to stop its run.
 * Resolves to undefined if the round does not exist. Throws `Problem` if Redis cannot be reached.
 */
export const endRound = async (url: OwnRedis, id: string): Promise<RoundEnded | undefined> =>
  withRedis(url, async (redis) => {
    const isThere = async () => (await redis.zscore(roundsKey, id)) !== null;
    if (!(await isThere())) return undefined;
    const keys = roundKeys(id);
    const reader = readerIn(await redis.hgetall(keys.coordinator).catch(() => ({})), await timeOf(redis));
    if (reader !== undefined) {
      await askToEnd(redis, keys);
      await redis.publish(newsChannel, id);
      for (const until = machineClock.now() + longestWait; machineClock.now() < until;) {
        if (!(await isThere())) return "elsewhere";
        await new Promise<void>((resolve) => void machineClock.setTimeout(resolve, lookAgain));
      }
    }
    await removeAlone(redis, id);
    return "here";
  });

async function removeAlone(redis: Redis, id: string): Promise<void> {
  const { Queue } = await loadRedisPackages();
  let queue: Queue | undefined;
  try {
    queue = new Queue(id, { connection: redis, prefix: queuePrefix });
    queue.on("error", () => {});
  } catch {
    // BullMQ rejects this name, so no such queue can exist.
  }
  await removeRound(redis, id, queue);
}

/** Returns the time of Redis, in milliseconds since 1970. */
async function timeOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
