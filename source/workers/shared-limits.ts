/**
 * Limits of endpoints that several workers ask, kept in Redis for all of them together: requests in flight, fewer for a while after
 * one of them was told of overload, and requests and tokens of any 60 seconds. Each step is all or nothing there, and by its clock.
 * While Redis is away nothing is admitted.
 */
import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Admission, EndpointLimit, SharedLimit } from "../engine/models/limiter.ts";
import { pause } from "../engine/models/pause.ts";
import type { Endpoint } from "../engine/settings/settings.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import type { Redis } from "./connection.ts";
import { aliveKey, type LimitKeys, limitKeys, limitsChannel } from "./round-keys.ts";

/** Milliseconds of the window in which requests and tokens are counted. */
const minute = 60_000;
/** Milliseconds until it is asked again where nobody says that a request is over, as its worker died. */
const askAgain = 1000;
/** Milliseconds for which Redis has it where nobody asks any more. */
const kept = 10 * 60_000;
/** Successes after which a reduced concurrency is increased by one. */
const successesPerStep = 4;

/** Resolves to when it was asked, the milliseconds to wait (0: admitted, -1: until a request is over), and whether overload has reduced it. */
const admit = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
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
  return {now, -1, reduced and 1 or 0}
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
    return {now, redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] + ARGV[7] - now, reduced and 1 or 0}
  end
  redis.call('ZADD', KEYS[2], now, entry)
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
  redis.call('HINCRBY', KEYS[3], 'tokens', ARGV[6])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[9])
return {now, 0, reduced and 1 or 0}`;

const release = `
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HDEL', KEYS[2], 'waiting') == 1 then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
return 0`;

const spend = `
local at = redis.call('ZSCORE', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
if at then
  redis.call('ZREM', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
  redis.call('ZADD', KEYS[1], at, ARGV[1] .. '|' .. ARGV[3])
  redis.call('HINCRBY', KEYS[2], 'tokens', ARGV[3] - ARGV[2])
end
return 0`;

/** Halves once for all requests that were admitted before. */
const reduce = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HDEL', KEYS[1], 'successes')
if tonumber(ARGV[1]) <= tonumber(redis.call('HGET', KEYS[1], 'reducedAt') or 0) then return 0 end
local allowed = math.min(tonumber(ARGV[2]), tonumber(redis.call('HGET', KEYS[1], 'allowed') or ARGV[2]))
redis.call('HSET', KEYS[1], 'reducedAt', now, 'allowed', math.max(1, math.floor(allowed / 2)))
return 0`;

const increase = `
local allowed = redis.call('HGET', KEYS[1], 'allowed')
if not allowed or redis.call('HINCRBY', KEYS[1], 'successes', 1) < tonumber(ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], 'successes')
if allowed + 1 < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'allowed', allowed + 1)
else redis.call('HDEL', KEYS[1], 'allowed') end
if redis.call('HDEL', KEYS[1], 'waiting') == 1 then redis.call('PUBLISH', ARGV[3], ARGV[4]) end
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
    return {
      admit: (tokens, signal) => shared.admit(endpoint, tokens, signal),
      succeeded: () => shared.succeeded(endpoint),
    };
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
  #isReduced = false;

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

  async admit(limit: EndpointLimit, tokens: number, signal: AbortSignal): Promise<Admission> {
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

  async #admit(limit: EndpointLimit, tokens: number, signal: AbortSignal): Promise<Admission> {
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
      const answer = (await redis.eval(admit, 3, flying, entries, state, ...values)) as [number, number, number];
      this.#isReduced = answer[2] === 1;
      return [answer[0], answer[1]];
    } catch {
      // As when Redis is full, of which is told where results are refused.
      return [0, -1];
    }
  }

  #admission(id: string, at: number, limit: EndpointLimit, tokens: number): Admission {
    const { redis } = this.#place;
    const { flying, window, state } = this.#keys;
    // What Redis does not take is forgotten there by itself: the window with time, what is in flight with the worker.
    const send = (script: string, keys: readonly string[], ...values: readonly (string | number)[]) =>
      void redis.eval(script, keys.length, ...keys, ...values).catch(() => {});
    let counted = tokens;
    this.#inFlight.add(id);
    return {
      spent: (spent) => {
        if (limit.tokensPerMinute === undefined) return;
        send(spend, [window, state], id, counted, spent);
        counted = spent;
      },
      overloaded: () => {
        this.#isReduced = true;
        send(reduce, [state], at, limit.concurrency);
      },
      release: () => {
        this.#inFlight.delete(id);
        send(release, [flying, state], id, limitsChannel, this.#key);
      },
    };
  }

  succeeded({ concurrency }: EndpointLimit): void {
    if (!this.#isReduced) return;
    const values = [concurrency, successesPerStep, limitsChannel, this.#key];
    this.#place.redis.eval(increase, 1, this.#keys.state, ...values).catch(() => {});
  }
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
