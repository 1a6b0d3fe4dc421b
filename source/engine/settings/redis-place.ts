/** The address of a Redis, as in settings and command lines: without user and password, which other people could read. */
import { Problem } from "../problem.ts";

/** The environment variables with the password, and with the user if Redis has several; neither is read from any other place. */
export const redisPasswordVariable = "PLANWRIGHT_REDIS_PASSWORD";
export const redisUserVariable = "PLANWRIGHT_REDIS_USER";

const usualPort = 6379;

export type RedisPlace = {
  readonly host: string;
  readonly port: number;
  /** True for an encrypted connection. */
  readonly tls: boolean;
  /** The number of one of the server's databases. */
  readonly db: number;
};

/**
 * Reads `redis://HOST:PORT/DB`, or `rediss://` for an encrypted connection. Throws `Problem` for any other text, and for an
 * address with a password.
 */
export function readRedisUrl(url: string): RedisPlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const db = /^\/?(\d*)$/.exec(parsed?.pathname ?? "")?.[1];
  const isPlace = ["redis:", "rediss:"].includes(parsed?.protocol ?? "") && parsed?.search === "" && parsed.hash === "";
  if (parsed === undefined || !isPlace || parsed.hostname === "" || db === undefined)
    throw new Problem(
      "tool",
      `Expected the address of a Redis server, such as redis://HOST:${usualPort}, got \`${url.replace(/^.*@/, "")}\``,
    );
  if (parsed.password !== "" || parsed.username !== "")
    throw new Problem(
      "tool",
      `Expected the address of a Redis server without user and password, because others can read it: set ${redisPasswordVariable}, and ${redisUserVariable} if the server has several users`,
    );
  const port = parsed.port === "" ? usualPort : Number(parsed.port);
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  return { host, port, tls: parsed.protocol === "rediss:", db: Number(db) };
}

/** Returns the name for screens: host and port. */
export function redisName({ host, port }: Pick<RedisPlace, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the address in a canonical spelling: with port and database, the host in lower case. */
export function redisAddress({ host, port, tls, db }: RedisPlace): string {
  return `${tls ? "rediss" : "redis"}://${redisName({ host: host.toLowerCase(), port })}/${db}`;
}
