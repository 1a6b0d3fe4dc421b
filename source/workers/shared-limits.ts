/**
 * Limits of endpoints, shared by several workers through Redis: concurrent requests, reduced while the server refuses too many,
 * and requests and tokens in any 60 seconds. Redis executes each step atomically, by its own clock. It counts the same quantities
 * as `overload.ts`; the worker that ends a window computes the next limit. While Redis cannot be reached no request is admitted.
 */
import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { EndpointLimit, Permit, SharedLimit } from "../engine/models/limits/limiter.ts";
import {
  mostReceptions,
  nextWindow,
  overloadText,
  type Tally,
  type Reception,
} from "../engine/models/limits/overload.ts";
import { pause } from "../engine/work/abort-listeners.ts";
import type { Endpoint } from "../engine/settings/settings.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import type { Redis } from "./connection.ts";
import { aliveKey, type LimitKeys, limitKeys, limitsChannel } from "./rounds/round-keys.ts";

/** Milliseconds of the window for requests and tokens. */
const minute = 60_000;
/** Milliseconds until the next attempt if the end of a request is not announced because its worker ended. */
const askAgain = 1000;
/** Milliseconds Redis keeps the state of an unused limit. */
const kept = 10 * 60_000;
/** Updates `held` in the state, given the requests in flight so far, and wakes the workers that wait for a place. */
const hold = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function hold(state, flying)
  redis.call('HINCRBY', state, 'held', flying * (now - (redis.call('HGET', state, 'at') or now)))
  redis.call('HSET', state, 'at', now)
  redis.call('HSETNX', state, 'since', now)
  redis.call('PEXPIRE', state, ${kept})
end
local function wake(state, channel, endpoint)
  if redis.call('HDEL', state, 'waiting') == 1 then redis.call('PUBLISH', channel, endpoint) end
end`;

/** Returns the time of the call and the milliseconds to wait (0: admitted, -1: until a request ends). */
const admit = `${hold}
local reduced = redis.call('HGET', KEYS[3], 'allowed')
local flying, lives = 0, {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local worker = all[i + 1]
  if lives[worker] == nil then lives[worker] = redis.call('EXISTS', ARGV[8] .. worker) == 1 end
  if not lives[worker] then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then flying = flying + 1 end
end
redis.call('PEXPIRE', KEYS[3], ARGV[9])
if flying >= math.min(tonumber(ARGV[3]), tonumber(reduced or ARGV[3])) then
  redis.call('HSET', KEYS[3], 'waiting', 1)
  return {now, -1}
end
local entry = ARGV[1] .. '|' .. ARGV[6]
if (ARGV[4] ~= '' or ARGV[5] ~= '') and not redis.call('ZSCORE', KEYS[2], entry) then
  local spent = tonumber(redis.call('HGET', KEYS[3], 'tokens') or 0)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[7])) do
    spent = spent - string.match(old, '%d+$')
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[7])
  local count = redis.call('ZCARD', KEYS[2])
  if count == 0 then spent = 0 end
  redis.call('HSET', KEYS[3], 'tokens', spent)
  local many = ARGV[4] ~= '' and count + 1 > tonumber(ARGV[4])
  local much = ARGV[5] ~= '' and count > 0 and spent + ARGV[6] > tonumber(ARGV[5])
  if many or much then
    return {now, redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] + ARGV[7] - now}
  end
  redis.call('ZADD', KEYS[2], now, entry)
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
  redis.call('HINCRBY', KEYS[3], 'tokens', ARGV[6])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[9])
hold(KEYS[3], flying)
local peak = tonumber(redis.call('HGET', KEYS[3], 'peak') or 0)
redis.call('HSET', KEYS[3], 'peak', math.max(peak, flying + 1), 'most', ARGV[3])
return {now, 0}`;

/** Fields of the state that belong to a `Tally`. */
const tallied = [
  "allowed",
  "receptions",
  "since",
  "fresh",
  "at",
  "held",
  "peak",
  "worked",
  "workedAt",
  "loweredAt",
] as const;

/** Returns the requests in flight and the current tally. */
const release = `${hold}
hold(KEYS[2], redis.call('HLEN', KEYS[1]))
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then
  local since = tonumber(redis.call('HGET', KEYS[2], 'since'))
  if ARGV[2] == '1' then redis.call('HINCRBY', KEYS[2], 'held', math.max(tonumber(ARGV[3]), since) - now) end
  redis.call('HINCRBY', KEYS[2], 'fresh', 1)
  local receptions = (redis.call('HGET', KEYS[2], 'receptions') or '') .. ARGV[2]
  redis.call('HSET', KEYS[2], 'receptions', string.sub(receptions, -tonumber(ARGV[4])))
end
wake(KEYS[2], ARGV[5], ARGV[6])
return {redis.call('HLEN', KEYS[1]), redis.call('HMGET', KEYS[2], unpack(ARGV, 7))}`;

/** Starts the next window, unless another worker has already ended the current window. */
const turn = `${hold}
if redis.call('HGET', KEYS[2], 'since') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'since', now, 'fresh', 0, 'at', now, 'held', 0, 'peak', redis.call('HLEN', KEYS[1]))
redis.call('HSET', KEYS[2], 'worked', ARGV[3], 'workedAt', ARGV[4], 'loweredAt', ARGV[5])
if ARGV[2] == '' then redis.call('HDEL', KEYS[2], 'allowed') else redis.call('HSET', KEYS[2], 'allowed', ARGV[2]) end
wake(KEYS[2], ARGV[6], ARGV[7])
return 1`;

/** Resets a limit to the configured value, and records this value as a value that worked. */
const restore = `${hold}
local most = redis.call('HGET', KEYS[1], 'most')
if not most then return 0 end
redis.call('HSET', KEYS[1], 'worked', most, 'workedAt', now)
redis.call('HDEL', KEYS[1], 'allowed')
wake(KEYS[1], ARGV[1], ARGV[2])
return 1`;

const spend = `
local at = redis.call('ZSCORE', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
if at then
  redis.call('ZREM', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
  redis.call('ZADD', KEYS[1], at, ARGV[1] .. '|' .. ARGV[3])
  redis.call('HINCRBY', KEYS[2], 'tokens', ARGV[3] - ARGV[2])
end
return 0`;

type Place = {
  readonly redis: Redis;
  /** This worker's id. */
  readonly worker: string;
  readonly clock?: Clock;
  /** Milliseconds of the window, set by tests. */
  readonly window?: number;
};

export class SharedLimits {
  readonly #place: Place;
  readonly #endpoints = new Map<string, SharedEndpoint>();

  /** Counts `worker` as long as its `aliveKey` exists. */
  constructor(place: Place) {
    this.#place = place;
  }

  /** Returns the limit of an endpoint. Endpoints with the same address share it, even under different names. */
  of(endpoint: Pick<Endpoint, "baseUrl"> & EndpointLimit): SharedLimit {
    const key = endpointKey(endpoint);
    const shared = this.#endpoints.get(key) ?? new SharedEndpoint(key, this.#place);
    this.#endpoints.set(key, shared);
    return { admit: (tokens, signal) => shared.admit(endpoint, tokens, signal) };
  }

  /** Keys of the endpoints used so far, comparable between workers. */
  get endpoints(): readonly string[] {
    return [...this.#endpoints.keys()];
  }

  /** Handles the announcement that a request to this endpoint has ended. */
  hear(endpoint: string): void {
    this.#endpoints.get(endpoint)?.hear();
  }

  /** Reports the requests in flight again, because Redis may have lost them. */
  async sayAgain(): Promise<void> {
    await Promise.all([...this.#endpoints.values()].map((endpoint) => endpoint.sayAgain()));
  }
}

class SharedEndpoint {
  readonly #key: string;
  readonly #keys: LimitKeys;
  readonly #place: Place;
  readonly #clock: Clock;
  readonly #inFlight = new Set<string>();
  /** Requests of this worker are admitted one at a time, in order. */
  #turn: Promise<unknown> = Promise.resolve();
  #heard = new AbortController();

  constructor(key: string, place: Place) {
    this.#key = key;
    this.#keys = limitKeys(key);
    this.#place = place;
    this.#clock = place.clock ?? machineClock;
  }

  hear(): void {
    this.#heard.abort();
  }

  async sayAgain(): Promise<void> {
    const { redis, worker } = this.#place;
    if (this.#inFlight.size === 0) return;
    const { flying } = this.#keys;
    const said = Object.fromEntries([...this.#inFlight].map((id) => [id, worker]));
    await redis.multi().hset(flying, said).pexpire(flying, kept).exec();
  }

  async admit(limit: EndpointLimit, tokens: number, signal: AbortSignal): Promise<Permit> {
    const admitted = this.#turn.then(() => this.#admit(limit, tokens, signal));
    this.#turn = admitted.catch(() => {});
    // Redis may be away for long, or another request may wait for long.
    const { promise, reject } = Promise.withResolvers<never>();
    const aborted = () => reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    try {
      return await Promise.race([admitted, promise]);
    } finally {
      signal.removeEventListener("abort", aborted);
    }
  }

  async #admit(limit: EndpointLimit, tokens: number, signal: AbortSignal): Promise<Permit> {
    const id = randomUUID();
    for (;;) {
      signal.throwIfAborted();
      this.#heard = new AbortController();
      const [at, wait] = await this.#ask(id, limit, tokens);
      if (wait === 0) {
        const admission = this.#admission(id, at, limit, tokens);
        if (!signal.aborted) return admission;
        admission.spent(0);
        admission.release();
        signal.throwIfAborted();
      }
      await pause(wait < 0 ? askAgain : wait, AbortSignal.any([signal, this.#heard.signal]), this.#clock).catch(
        () => {},
      );
    }
  }

  /** Resolves to the time of the call and the milliseconds to wait: 0 if admitted, negative until a request ends. */
  async #ask(id: string, limit: EndpointLimit, tokens: number): Promise<readonly [number, number]> {
    const { redis, worker, window = minute } = this.#place;
    const { flying, window: entries, state } = this.#keys;
    const { concurrency, requestsPerMinute = "", tokensPerMinute = "" } = limit;
    const values = [id, worker, concurrency, requestsPerMinute, tokensPerMinute, tokens, window, aliveKey(""), kept];
    try {
      return (await redis.eval(admit, 3, flying, entries, state, ...values)) as [number, number];
    } catch {
      // For example because Redis is full, which is reported when it rejects results.
      return [0, -1];
    }
  }

  #admission(id: string, at: number, limit: EndpointLimit, tokens: number): Permit {
    const { redis } = this.#place;
    const { window, state } = this.#keys;
    let counted = tokens;
    this.#inFlight.add(id);
    return {
      spent: (spent) => {
        if (limit.tokensPerMinute === undefined) return;
        // Redis forgets the old value even if it rejects this: the window expires, and requests in flight end with the
        // worker.
        void redis.eval(spend, 2, window, state, id, counted, spent).catch(() => {});
        counted = spent;
      },
      release: (reception) => {
        this.#inFlight.delete(id);
        void this.#land(id, at, limit, reception).catch(() => {});
      },
    };
  }

  /** Releases a place, and recomputes the limit if this request ends a window. */
  async #land(id: string, at: number, { concurrency }: EndpointLimit, reception: Reception | undefined): Promise<void> {
    const { redis } = this.#place;
    const { flying, state } = this.#keys;
    const word = reception === undefined ? "" : reception === "refused" ? 1 : 0;
    const told = [limitsChannel, this.#key] as const;
    const values = [id, word, at, mostReceptions, ...told, ...tallied] as const;
    const answer = (await redis.eval(release, 2, flying, state, ...values)) as [number, (string | null)[]];
    const tally = readTally(answer[1]);
    const next = nextWindow(tally, concurrency, answer[0], tally.at);
    if (next === undefined) return;
    const { allowed = "", worked, workedAt, loweredAt } = next;
    await redis.eval(turn, 2, flying, state, tally.since, allowed, worked, workedAt, loweredAt, ...told);
  }
}

/** Ignores values that are not numbers, because anyone with access to Redis may write there. */
function readTally(fields: readonly (string | null)[]): Tally {
  const text = (name: (typeof tallied)[number]) => fields[tallied.indexOf(name)] ?? "";
  const number = (name: (typeof tallied)[number], otherwise: number) => {
    const value = Number.parseFloat(text(name));
    return Number.isFinite(value) ? value : otherwise;
  };
  const allowed = number("allowed", Infinity);
  return {
    allowed: Number.isFinite(allowed) ? Math.max(1, Math.floor(allowed)) : undefined,
    receptions: text("receptions"),
    since: number("since", 0),
    fresh: number("fresh", 0),
    at: number("at", 0),
    held: number("held", 0),
    peak: number("peak", 0),
    worked: number("worked", 0),
    workedAt: number("workedAt", -Infinity),
    loweredAt: number("loweredAt", -Infinity),
  };
}

/** Resolves to a text about the first of these limits that overload has reduced; undefined if none is reduced. */
export async function sharedOverload(redis: Redis, endpoints: readonly string[]): Promise<string | undefined> {
  for (const endpoint of endpoints) {
    const fields = await redis.hmget(limitKeys(endpoint).state, "most", ...tallied);
    const text = overloadText(readTally(fields.slice(1)), Number(fields[0]));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Resets these limits to the configured values and keeps them for a minute, even if servers refuse requests. */
export async function restoreLimits(redis: Redis, endpoints: readonly string[]): Promise<void> {
  for (const endpoint of endpoints) await redis.eval(restore, 1, limitKeys(endpoint).state, limitsChannel, endpoint);
}

/**
 * Returns a hash that identifies an endpoint. A server at a loopback address is unique to its host. Addresses are hashed because
 * they may contain secrets.
 */
export function endpointKey({ baseUrl }: Pick<Endpoint, "baseUrl">): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isOwn = /^(localhost|127\..*|\[::1\])$/.test(host);
  return createHash("sha256")
    .update(`${isOwn ? hostname() : ""} ${baseUrl}`)
    .digest("hex")
    .slice(0, 16);
}
