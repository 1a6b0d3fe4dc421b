/**
 * Which attempt at a task counts, decided in Redis, where each step is all or nothing: the one begun last, until one has come to
 * its end. Only that one's events get into the stream, each once and in order, however often they are sent.
 */
import { beforeAgain, type Redis } from "./connection.ts";
import type { Clock } from "../engine/work/clock.ts";
import { aliveKey, type RoundKeys } from "./rounds/round-keys.ts";
import type { Shipment } from "./messages.ts";

/** `deaths`: worker processes that ended while they executed the task; undefined where it is not to be executed any more. */
export type Begun = { readonly deaths: number } | undefined;

/** A task and the attempt at it, by which worker process. */
export type Attempt = { readonly task: string; readonly attempt: string; readonly worker: string };

const begin = `
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('EXISTS', KEYS[2]) == 1 then return -1 end
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return -1 end
local dead = redis.call('HGET', KEYS[5], ARGV[1]) or ''
local before = redis.call('HGET', KEYS[4], ARGV[1])
if before then
  local attempt, worker = string.match(before, '^(.-)|(.-)|')
  if redis.call('EXISTS', ARGV[4] .. worker) == 0 then
    dead = dead .. attempt .. ','
    redis.call('HSET', KEYS[5], ARGV[1], dead)
  end
end
redis.call('HSET', KEYS[4], ARGV[1], ARGV[2] .. '|' .. ARGV[3] .. '|0')
local _, deaths = string.gsub(dead, ',', '')
return deaths`;

/** Begins an attempt, and supersedes the one before; counts that as a death where its process is no more. */
export async function beginAttempt(redis: Redis, keys: RoundKeys, { task, attempt, worker }: Attempt): Promise<Begun> {
  const all = [keys.manifest, keys.cut, keys.ended, keys.attempts, keys.deaths];
  const deaths = Number(await redis.eval(begin, all.length, ...all, task, attempt, worker, aliveKey("")));
  return deaths < 0 ? undefined : { deaths };
}

type Waiting = {
  /** Aborted when the task need not be begun any more: then what Redis says is thrown. */
  readonly signal: AbortSignal;
  /** Told why Redis does not take it; undefined once it does. */
  readonly refused: (message: string | undefined) => void;
  readonly clock: Clock;
};

/** The same of a task that nobody else has: where Redis does not take it now, as it is full, it is begun once Redis does. */
export async function beginWhenTaken(
  redis: Redis,
  keys: RoundKeys,
  attempt: Attempt,
  { signal, refused, clock }: Waiting,
): Promise<Begun> {
  for (;;)
    try {
      const begun = await beginAttempt(redis, keys, attempt);
      refused(undefined);
      return begun;
    } catch (error) {
      if (signal.aborted) throw error;
      refused((error as Error).message);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, beforeAgain));
    }
}

const append = `
local now = redis.call('HGET', KEYS[1], ARGV[1])
if not now then return -1 end
local attempt, worker, from = string.match(now, '^(.-)|(.-)|(%d+)$')
if attempt ~= ARGV[2] then
  local dead = redis.call('HGET', KEYS[4], ARGV[1])
  if dead then
    local first, last = string.find(dead, ARGV[2] .. ',', 1, true)
    if first then redis.call('HSET', KEYS[4], ARGV[1], string.sub(dead, 1, first - 1) .. string.sub(dead, last + 1)) end
  end
  return -1
end
if tonumber(from) ~= tonumber(ARGV[3]) then return tonumber(from) end
redis.call('XADD', KEYS[2], '*', 'of', ARGV[5])
local after = tonumber(ARGV[3]) + tonumber(ARGV[4])
redis.call('HSET', KEYS[1], ARGV[1], attempt .. '|' .. worker .. '|' .. after)
if ARGV[6] == 'end' then redis.call('SADD', KEYS[3], ARGV[1]) end
if ARGV[7] ~= '0' then redis.call('HINCRBY', KEYS[5], 'requests', ARGV[7]) end
if ARGV[8] ~= '0' then redis.call('HINCRBY', KEYS[5], 'tokens', ARGV[8]) end
return after`;

/** What events took: requests that were sent, and their tokens, of input and output. */
export type Spent = { readonly requests: number; readonly tokens: number };
const nothing: Spent = { requests: 0, tokens: 0 };

/**
 * Adds a shipment to the stream, and what it took to what the round took so far, if its attempt still counts and nothing is missing before it. Resolves to the number of events
 * of the attempt that are in the stream then; undefined where another attempt counts: whoever sent it lives, which is noted.
 */
export async function appendShipment(
  redis: Redis,
  keys: RoundKeys,
  shipment: Shipment,
  { requests, tokens }: Spent = nothing,
): Promise<number | undefined> {
  const { task, attempt, from, entries, end } = shipment;
  const count = entries.filter((entry) => "event" in entry).length;
  const all = [keys.attempts, keys.events, keys.ended, keys.deaths, keys.spent];
  const text = JSON.stringify(shipment);
  const values = [task, attempt, from, count, text, end === undefined ? "" : "end", requests, tokens];
  const number = Number(await redis.eval(append, all.length, ...all, ...values));
  return number < 0 ? undefined : number;
}

const giveBack = `
local now = redis.call('HGET', KEYS[1], ARGV[1])
if now and string.match(now, '^(.-)|') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0`;

/** Ends an attempt that came to no end, by the worker's own will: that is no death. */
export async function giveAttemptBack(redis: Redis, keys: RoundKeys, { task, attempt }: Attempt): Promise<void> {
  await redis.eval(giveBack, 1, keys.attempts, task, attempt);
}

/** Tasks with an attempt that has not come to its end, with the worker process of each. */
export async function openAttempts(redis: Redis, keys: RoundKeys): Promise<ReadonlyMap<string, string>> {
  const [attempts, ended] = await Promise.all([redis.hgetall(keys.attempts), redis.smembers(keys.ended)]);
  const over = new Set(ended);
  return new Map(
    Object.entries(attempts).flatMap(([task, text]) => (over.has(task) ? [] : [[task, text.split("|")[1] ?? ""]])),
  );
}
