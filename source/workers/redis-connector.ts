/**
 * How a client of ioredis gets to its Redis. Each connection is believed only once the other side has said which version of Redis it is:
 * a proxy without its Redis, or another program at the address, would otherwise answer commands that were meant for Redis.
 */
import { createConnection } from "node:net";
import { connect } from "node:tls";
import type { AbstractConnector, RedisOptions } from "ioredis";

type Place = {
  readonly host: string;
  readonly port: number;
  /** Absent: not encrypted. */
  readonly tls?: { readonly servername?: string } | undefined;
  /** Milliseconds for the other side to end a connection. */
  readonly disconnectTimeout: number;
};

/** `refused` is called if whoever answers is no Redis; it is asked again later, as after an outage. */
export function redisConnector(
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
