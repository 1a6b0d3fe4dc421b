/** The rounds at a Redis: what each took so far and who reads it, also if that is nobody; and their end, by whoever is asked for it. */
import type { Queue } from "bullmq";
import type { OwnRedis } from "../../engine/settings/own-redis.ts";
import { type Clock, machineClock } from "../../engine/work/clock.ts";
import { loadRedisPackages, type Redis, withRedis } from "../connection.ts";
import { askToEnd, readerIn } from "../coordinator.ts";
import { readManifest } from "../manifest.ts";
import { newsChannel, queuePrefix, roundKeys, roundsKey } from "./round-keys.ts";
import { removeRound } from "./round.ts";

/** A round at a Redis. */
export type RoundPresence = {
  readonly round: string;
  /** The run's id; null if what stands in Redis is no manifest. */
  readonly run: string | null;
  /** Seconds since it was begun. */
  readonly age: number;
  /** Tasks it was begun with, and tasks whose end has not come; null if that is not said. */
  readonly tasks: number | null;
  readonly left: number | null;
  /** Requests sent to models, and tokens of input and output. */
  readonly requests: number;
  readonly tokens: number;
  /** Its coordinator: host, the session's folder, and seconds since it was heard; null if nobody reads it. */
  readonly reader: { readonly host: string; readonly folder: string; readonly heard: number } | null;
};

/** The oldest first. Throws `Problem` if Redis cannot be asked. */
export async function roundsAt(url: OwnRedis): Promise<readonly RoundPresence[]> {
  return withRedis(url, async (redis) => {
    const now = await timeOf(redis);
    const found = await redis.zrange(roundsKey, "0", "-1", "WITHSCORES");
    const ids = found.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(found[index + 1])] as const] : []));
    return Promise.all(ids.map(([id, begun]) => presenceOf(redis, id, { begun, now })));
  });
}

async function presenceOf(
  redis: Redis,
  round: string,
  { begun, now }: { readonly begun: number; readonly now: number },
): Promise<RoundPresence> {
  const keys = roundKeys(round);
  // What is none of a round's is not there.
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

function manifestIn(text: string | null) {
  try {
    return text === null ? undefined : readManifest(text);
  } catch {
    return undefined;
  }
}

function amount(text: string | undefined): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Milliseconds between two looks whether a round is gone, and after which its coordinator is not waited for any more. */
const lookAgain = 200;
const longestWait = 10_000;

/** How a round was ended: by its coordinator, who has recorded it in the run's log, or in Redis alone. */
export type RoundEnded = "by its coordinator" | "here";

/**
 * Ends a round: its workers cut what they have in hand, and nothing of it stays. A coordinator that lives is told, and stops its run.
 * Resolves to undefined for a round that is not there. Throws `Problem` if Redis cannot be asked.
 */
export async function endRound(
  url: OwnRedis,
  id: string,
  clock: Clock = machineClock,
): Promise<RoundEnded | undefined> {
  return withRedis(url, async (redis) => {
    const isThere = async () => (await redis.zscore(roundsKey, id)) !== null;
    if (!(await isThere())) return undefined;
    const keys = roundKeys(id);
    const reader = readerIn(await redis.hgetall(keys.coordinator).catch(() => ({})), await timeOf(redis));
    if (reader !== undefined) {
      await askToEnd(redis, keys);
      await redis.publish(newsChannel, id);
      for (const until = clock.now() + longestWait; clock.now() < until;) {
        if (!(await isThere())) return "by its coordinator";
        await new Promise<void>((resolve) => void clock.setTimeout(resolve, lookAgain));
      }
    }
    await removeAlone(redis, id);
    return "here";
  });
}

async function removeAlone(redis: Redis, id: string): Promise<void> {
  const { Queue } = await loadRedisPackages();
  let queue: Queue | undefined;
  try {
    queue = new Queue(id, { connection: redis, prefix: queuePrefix });
    queue.on("error", () => {});
  } catch {
    // BullMQ has no queue of such a name, so there is none to be taken away.
  }
  await removeRound(redis, id, queue);
}

/** Of Redis, in milliseconds since 1970. */
async function timeOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
