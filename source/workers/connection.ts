/**
 * Connections to the Redis that coordinators and workers share. `bullmq` and `ioredis` are loaded with the first connection
 * because only workers need them.
 */
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

/** Maximum pause, in milliseconds, between attempts to reach Redis during an outage. */
const longestPause = 2000;
/** Milliseconds before a write that Redis rejected because it is full is repeated. */
export const beforeAgain = 500;

/** Milliseconds without a reply after which Redis is reported as not answering. */
const longestSilence = 3000;

type Connecting = {
  readonly environment?: NodeJS.ProcessEnv;
  /** Called with the reason, as a sentence, while the connection waits for Redis. If absent, an outage is an error. */
  readonly waiting?: (why: string) => void;
  /** Ends the wait when aborted. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Connects to Redis; resolves once Redis has answered. The connection recovers from outages by itself, and commands given in the
 * meantime wait. Throws `Problem` if the packages are missing, or if the server is not Redis or refuses. Unless `waiting` is
 * given, also throws if Redis cannot be reached or does not answer for 3 seconds. Throws the signal's reason if it is aborted.
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
    else if (!isOver && why !== said) waiting(`Waiting for Redis at ${redisName(place)}: ${(said = why)}`);
  };
  // Without a listener Node prints the error. After the first reply callers check the connection themselves.
  redis.on("error", (error: NodeJS.ErrnoException) => {
    failed = true;
    if (isOutage(error)) away(error.message || error.code!);
    else reject(error);
  });
  redis.on("close", () => {
    if (!failed) away("Redis closed the connection");
    failed = false;
  });
  const stop = () => reject(signal!.reason as Error);
  signal?.addEventListener("abort", stop, { once: true });
  const unwatch = watchSilence(redis, () => away("Redis does not answer"));
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

/** Connects, runs a query and disconnects. Throws `Problem` as `connectRedis` does, and if Redis rejects a command. */
export async function withRedis<T>(url: OwnRedis, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await connectRedis(url);
  try {
    return await ask(redis);
  } catch (error) {
    if ((error as Error).name !== "ReplyError") throw error;
    throw new Problem("tool", `Redis reports: ${(error as Error).message}`);
  } finally {
    redis.disconnect();
  }
}

const noRedis = "the server there is not Redis";

/** Calls `silent` after every 3 seconds without data. A Redis that is still loading its data answers. */
function watchSilence(redis: Redis, silent: () => void): () => void {
  let before = { stream: redis.stream, bytesRead: 0 };
  const timer = setInterval(() => {
    const { stream, bytesRead } = before;
    before = { stream: redis.stream, bytesRead: redis.stream?.bytesRead ?? 0 };
    if (before.bytesRead === (before.stream === stream ? bytesRead : 0)) silent();
  }, longestSilence);
  // The `close` event reports an error of the socket.
  const again = () => void timer.refresh();
  redis.on("close", again);
  return () => {
    clearInterval(timer);
    redis.off("close", again);
  };
}

/** Returns whether the error is an outage. Other errors, such as a bad certificate, do not disappear by waiting. */
const isOutage = ({ code = "" }: NodeJS.ErrnoException): boolean => /^E(?!RR_|PROTO)/.test(code);

/** Returns the error of Redis or the network; an error about the password also names the variable it is read from. */
function refusalText(message: string): string {
  // The client appends this to a reply that it cannot parse.
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
    // A certificate cannot be requested for a numeric address.
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    ...(password !== undefined && password !== "" && { password }),
    ...(username !== undefined && username !== "" && { username }),
    // Commands wait during an outage instead of failing.
    maxRetriesPerRequest: null,
    lazyConnect: true,
    // A suspended Redis never closes its side of a connection, which would keep the program running.
    disconnectTimeout: 500,
    retryStrategy: (tries: number) => Math.min(tries * 100, longestPause),
  };
}

/** Throws `Problem` with the names of both packages if either is missing. */
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
 * Returns a client whose waiting commands survive a failed handshake, after which `ioredis` would reject all of them as if Redis
 * had refused them.
 */
const lastingRedis = (Base: typeof Redis): typeof Redis =>
  class Lasting extends Base {
    override recoverFromFatalError(...[refused, error, options]: Parameters<Redis["recoverFromFatalError"]>): void {
      super.recoverFromFatalError(refused, error, { ...options, offlineQueue: false });
    }
    override duplicate(more?: Partial<RedisOptions>): Redis {
      return Reflect.construct(Lasting, [{ ...this.options, ...more }]) as Redis;
    }
  };

type Place = {
  readonly host: string;
  readonly port: number;
  /** Absent for an unencrypted connection. */
  readonly tls?: { readonly servername?: string } | undefined;
  /** Maximum milliseconds in which the other side must close a connection. */
  readonly disconnectTimeout: number;
};

/**
 * Returns the connector of a client. A connection is used only after the server has reported its Redis version; otherwise a proxy
 * without its Redis, or another program at the address, would answer commands meant for Redis. Calls `refused` if the server is
 * not Redis; the client retries later, as after an outage.
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
