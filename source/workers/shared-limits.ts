/**
 * Limits of endpoints that several workers ask, kept in Redis for all of them together: requests in flight, fewer while the server
 * refuses too many, and requests and tokens of any 60 seconds. Each step is all or nothing there, and by its clock. Redis counts what
 * `overload.ts` counts; what follows from a window, the worker works out that ends it. While Redis is away nothing is admitted.
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

/** Milliseconds of the window in which requests and tokens are counted. */
const minute = 60_000;
/** Milliseconds until it is asked again where nobody says that a request is over, as its worker died. */
const askAgain = 1000;
/** Milliseconds for which Redis has it where nobody asks any more. */
const kept = 10 * 60_000;
/** Brings `held` of the state up to now, given the requests in flight until now; and wakes those that wait for a place. */
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

/** Resolves to when it was asked, and the milliseconds to wait (0: admitted, -1: until a request is over). */
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

/** What of the state is a `Tally`'s. */
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

/** Resolves to the requests in flight and the tally now. */
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

/** Begins the next window, unless another worker has ended the same one. */
const turn = `${hold}
if redis.call('HGET', KEYS[2], 'since') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'since', now, 'fresh', 0, 'at', now, 'held', 0, 'peak', redis.call('HLEN', KEYS[1]))
redis.call('HSET', KEYS[2], 'worked', ARGV[3], 'workedAt', ARGV[4], 'loweredAt', ARGV[5])
if ARGV[2] == '' then redis.call('HDEL', KEYS[2], 'allowed') else redis.call('HSET', KEYS[2], 'allowed', ARGV[2]) end
wake(KEYS[2], ARGV[6], ARGV[7])
return 1`;

/** Sets a limit back to what is configured, and counts that as what worked. */
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
  /** Id of this worker. */
  readonly worker: string;
  readonly clock?: Clock;
  /** Milliseconds of the window, for tests. */
  readonly window?: number;
};

export class SharedLimits {
  readonly #place: Place;
  readonly #endpoints = new Map<string, SharedEndpoint>();

  /** `worker` is counted as long as its `aliveKey` is there. */
  constructor(place: Place) {
    this.#place = place;
  }

  /** Whatever the endpoint is called, one that lies at the same address has the same limit. */
  of(endpoint: Pick<Endpoint, "baseUrl"> & EndpointLimit): SharedLimit {
    const key = endpointKey(endpoint);
    const shared = this.#endpoints.get(key) ?? new SharedEndpoint(key, this.#place);
    this.#endpoints.set(key, shared);
    return { admit: (tokens, signal) => shared.admit(endpoint, tokens, signal) };
  }

  /** Endpoints it has asked, as others compare them. */
  get endpoints(): readonly string[] {
    return [...this.#endpoints.keys()];
  }

  /** Somewhere a request to this endpoint is over. */
  hear(endpoint: string): void {
    this.#endpoints.get(endpoint)?.hear();
  }

  /** Says again what it has in flight: Redis may have lost it. */
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
  /** Of this worker's requests one is asked for at a time: the others wait behind it. */
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
    // Redis may be away, or the turn another's, for long.
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

  /** When it was asked, and the milliseconds to wait: 0 where it was admitted, below it where for a request that is in flight. */
  async #ask(id: string, limit: EndpointLimit, tokens: number): Promise<readonly [number, number]> {
    const { redis, worker, window = minute } = this.#place;
    const { flying, window: entries, state } = this.#keys;
    const { concurrency, requestsPerMinute = "", tokensPerMinute = "" } = limit;
    const values = [id, worker, concurrency, requestsPerMinute, tokensPerMinute, tokens, window, aliveKey(""), kept];
    try {
      return (await redis.eval(admit, 3, flying, entries, state, ...values)) as [number, number];
    } catch {
      // As when Redis is full, of which is told where results are refused.
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
        // What Redis does not take is forgotten there by itself: the window with time, what is in flight with the worker.
        void redis.eval(spend, 2, window, state, id, counted, spent).catch(() => {});
        counted = spent;
      },
      release: (reception) => {
        this.#inFlight.delete(id);
        void this.#land(id, at, limit, reception).catch(() => {});
      },
    };
  }

  /** Gives a place back, and sets the limit anew where a window of requests ends with it. */
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

/** Redis belongs to whoever can reach it: whatever is no number there was never written by a worker. */
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

/** What overload leaves of the first of these limits that it reduces, in words; undefined if all are as configured. */
export async function sharedOverload(redis: Redis, endpoints: readonly string[]): Promise<string | undefined> {
  for (const endpoint of endpoints) {
    const fields = await redis.hmget(limitKeys(endpoint).state, "most", ...tallied);
    const text = overloadText(readTally(fields.slice(1)), Number(fields[0]));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Sets these limits back to what is configured, for a minute whatever the servers refuse. */
export async function restoreLimits(redis: Redis, endpoints: readonly string[]): Promise<void> {
  for (const endpoint of endpoints) await redis.eval(restore, 1, limitKeys(endpoint).state, limitsChannel, endpoint);
}

/** A server on the machine itself is that machine's: each host has its own. Addresses are not told: they may hold secrets. */
export function endpointKey({ baseUrl }: Pick<Endpoint, "baseUrl">): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isOwn = /^(localhost|127\..*|\[::1\])$/.test(host);
  return createHash("sha256")
    .update(`${isOwn ? hostname() : ""} ${baseUrl}`)
    .digest("hex")
    .slice(0, 16);
}
