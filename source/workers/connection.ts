/** Connections to the Redis that workers meet in. `bullmq` and `ioredis` are loaded with the first one: only who uses workers needs them. */
import { createConnection, isIP } from "node:net";
import { connect } from "node:tls";
import type { AbstractConnector, Redis, RedisOptions } from "ioredis";
import { Problem } from "../engine/problem.ts";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import {
  readRedisUrl,
  redisName,
  redisPasswordVariable,
  type RedisPlace,
  redisUserVariable,
} from "../engine/settings/redis-place.ts";

export type { Redis } from "ioredis";

/** Milliseconds between tries to reach a Redis that is away, at most. */
const longestPause = 2000;
/** Milliseconds before Redis is sent again what it did not take, as it is full. */
export const beforeAgain = 500;

/** Milliseconds without a reply after which a Redis is said not to answer. */
const longestSilence = 3000;

type Connecting = {
  readonly environment?: NodeJS.ProcessEnv;
  /** Told in a sentence why Redis is away, which is then waited for; without it that is refused. */
  readonly waiting?: (why: string) => void;
  /** Aborted when it is waited for no longer. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * A connection that comes back by itself after an outage; commands given meanwhile wait. Resolves once Redis has answered. Throws
 * `Problem` if the packages are missing, if whoever answers is no Redis or refuses, and, unless it is waited for, if Redis cannot be
 * reached or does not answer for 3 seconds; the signal's reason once that is aborted.
 */
export async function connectRedis(
  url: OwnRedis,
  { environment = process.env, waiting, signal }: Connecting = {},
): Promise<Redis> {
  const place = readRedisUrl(url);
  const { Redis, AbstractConnector } = await loadRedisPackages();
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const options = optionsOf(place, environment);
  const Connector = redisConnector(AbstractConnector, options, () => reject(new Error(noRedis)));
  const redis = new (lastingRedis(Redis))({ ...options, Connector });
  let isOver = false;
  let failed = false;
  let said: string | undefined;
  const away = (why: string) => {
    if (waiting === undefined) reject(new Error(why));
    else if (!isOver && why !== said) waiting(`Waits for Redis at ${redisName(place)}: ${(said = why)}`);
  };
  // Without a listener it would be printed. Afterwards, whoever needs to know asks.
  redis.on("error", (error: NodeJS.ErrnoException) => {
    failed = true;
    if (isOutage(error)) away(error.message || error.code!);
    else reject(error);
  });
  redis.on("close", () => {
    if (!failed) away("it ended the connection");
    failed = false;
  });
  const stop = () => reject(signal!.reason as Error);
  signal?.addEventListener("abort", stop, { once: true });
  const unwatch = watchSilence(redis, () => away("it does not answer"));
  try {
    if (signal?.aborted === true) stop();
    redis.connect().catch(() => {});
    await Promise.race([redis.ping(), refused]);
  } catch (error) {
    redis.disconnect();
    signal?.throwIfAborted();
    throw new Problem("tool", `Redis at ${redisName(place)} cannot be used: ${refusalText((error as Error).message)}`);
  } finally {
    isOver = true;
    unwatch();
    signal?.removeEventListener("abort", stop);
  }
  return redis;
}

/** Asks a Redis and leaves it again. Throws `Problem` as `connectRedis` does, and for what Redis refuses. */
export async function withRedis<T>(url: OwnRedis, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await connectRedis(url);
  try {
    return await ask(redis);
  } catch (error) {
    if ((error as Error).name !== "ReplyError") throw error;
    throw new Problem("tool", `Redis says: ${(error as Error).message}`);
  } finally {
    redis.disconnect();
  }
}

const noRedis = "whoever answers there is no Redis";

/** Calls `silent` after each 3 seconds in which nothing came; one that is still reading its data says so when it is asked. */
function watchSilence(redis: Redis, silent: () => void): () => void {
  let before = { stream: redis.stream, bytesRead: 0 };
  const timer = setInterval(() => {
    const { stream, bytesRead } = before;
    before = { stream: redis.stream, bytesRead: redis.stream?.bytesRead ?? 0 };
    if (before.bytesRead === (before.stream === stream ? bytesRead : 0)) silent();
  }, longestSilence);
  // What ends a connection is said by itself.
  const again = () => void timer.refresh();
  redis.on("close", again);
  return () => {
    clearInterval(timer);
    redis.off("close", again);
  };
}

/** Whether it is away, as the system says: whatever else is wrong, such as a certificate, does not pass by waiting. */
function isOutage({ code = "" }: NodeJS.ErrnoException): boolean {
  return /^E(?!RR_|PROTO)/.test(code);
}

/** What Redis or the network says; where it is about the password, also where that is read from. */
function refusalText(message: string): string {
  // What the client adds to a reply it cannot read.
  if (message.endsWith("Please report this.")) return noRedis;
  return /NOAUTH|WRONGPASS|AUTH/.test(message)
    ? `${message} (the password is read from ${redisPasswordVariable})`
    : message;
}

function optionsOf({ host, port, tls, db }: RedisPlace, environment: NodeJS.ProcessEnv) {
  const [password, username] = [environment[redisPasswordVariable], environment[redisUserVariable]];
  return {
    host,
    port,
    db,
    // An address made of numbers is no name that a certificate is asked for by.
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    ...(password !== undefined && password !== "" && { password }),
    ...(username !== undefined && username !== "" && { username }),
    // Commands wait for as long as it is away: an outage is not their failure.
    maxRetriesPerRequest: null,
    lazyConnect: true,
    // One that is suspended never ends its side of a connection, which would keep the program from ending.
    disconnectTimeout: 500,
    retryStrategy: (tries: number) => Math.min(tries * 100, longestPause),
  };
}

/** Throws `Problem` naming both packages where one is missing. */
export async function loadRedisPackages(): Promise<
  Pick<typeof import("ioredis"), "Redis" | "AbstractConnector"> & typeof import("bullmq")
> {
  try {
    const [{ Redis, AbstractConnector }, bullmq] = await Promise.all([import("ioredis"), import("bullmq")]);
    return { ...bullmq, Redis, AbstractConnector };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Problem(
      "tool",
      "Workers need the packages `bullmq` and `ioredis`, which are not installed: npm install bullmq ioredis",
    );
  }
}

/**
 * A client whose commands that wait for a connection survive a stranger's answer. `ioredis` rejects all of them if a handshake
 * fails, as if Redis had refused them.
 */
function lastingRedis(Base: typeof Redis): typeof Redis {
  return class Lasting extends Base {
    override recoverFromFatalError(...[refused, error, options]: Parameters<Redis["recoverFromFatalError"]>): void {
      super.recoverFromFatalError(refused, error, { ...options, offlineQueue: false });
    }
    override duplicate(more?: Partial<RedisOptions>): Redis {
      return Reflect.construct(Lasting, [{ ...this.options, ...more }]) as Redis;
    }
  };
}

type Place = {
  readonly host: string;
  readonly port: number;
  /** Absent: not encrypted. */
  readonly tls?: { readonly servername?: string } | undefined;
  /** Milliseconds for the other side to end a connection. */
  readonly disconnectTimeout: number;
};

/**
 * How a client gets to its Redis. Each connection is believed only once the other side has said which version of Redis it is: a proxy
 * without its Redis, or another program at the address, would otherwise answer commands that were meant for Redis. `refused` is called if whoever answers is no Redis; it is asked again later, as after an
 * outage.
 */
function redisConnector(
  Base: typeof AbstractConnector,
  { host, port, tls, disconnectTimeout }: Place,
  refused: () => void,
): NonNullable<RedisOptions["Connector"]> {
  return class extends Base {
    constructor() {
      super(disconnectTimeout);
    }
    async connect() {
      this.stream = tls === undefined ? createConnection({ host, port }) : connect({ host, port, ...tls });
      return this.stream;
    }
    /** `info`: the fields of the reply to INFO. */
    override check(info: unknown): boolean {
      const isRedis = typeof info === "object" && info !== null && "redis_version" in info;
      if (!isRedis) refused();
      return isRedis;
    }
  };
}
