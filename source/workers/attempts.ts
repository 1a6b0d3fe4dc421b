/**
 * Decides which attempt at a task counts. Redis executes each step atomically. The attempt that started last counts until an
 * attempt has ended, and only its events enter the stream, each once and in order, however often they are sent.
 */
import { beforeAgain, type Redis } from "./connection.ts";
import type { Clock } from "../engine/work/clock.ts";
import { aliveKey, type RoundKeys } from "./rounds/round-keys.ts";
import type { Shipment } from "./messages.ts";

/** `deaths`: worker processes that ended while they executed the task; undefined if the task must not be executed again. */
export type Begun = { readonly deaths: number } | undefined;

/** A task, the attempt at it, and the worker process that executes it. */
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

/** Starts an attempt that replaces the previous attempt; counts a death if the previous attempt's process no longer exists. */
export async function beginAttempt(redis: Redis, keys: RoundKeys, { task, attempt, worker }: Attempt): Promise<Begun> {
  const all = [keys.manifest, keys.cut, keys.ended, keys.attempts, keys.deaths];
  const deaths = Number(await redis.eval(begin, all.length, ...all, task, attempt, worker, aliveKey("")));
  return deaths < 0 ? undefined : { deaths };
}

type Waiting = {
  /** Once aborted, an error from Redis is thrown instead of retried. */
  readonly signal: AbortSignal;
  /** Called with the reason if Redis rejects the attempt, and with undefined once Redis accepts it. */
  readonly refused: (message: string | undefined) => void;
  readonly clock: Clock;
};

/**
 * Starts an attempt at a task that no other worker has; retries for as long as Redis rejects it, for example because Redis is
 * full.
 */
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

/** Number of requests that were sent, and number of their input and output tokens. */
export type Spent = { readonly requests: number; readonly tokens: number };
const nothing: Spent = { requests: 0, tokens: 0 };

/**
 * Appends a shipment to the stream and adds its usage to the round's, if its attempt still counts and no earlier event is
 * missing. Resolves to the number of the attempt's events in the stream; undefined if another attempt counts. Then records that
 * the sender is running.
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

/** Ends an unfinished attempt that the worker returns; this does not count as a death. */
export async function giveAttemptBack(redis: Redis, keys: RoundKeys, { task, attempt }: Attempt): Promise<void> {
  await redis.eval(giveBack, 1, keys.attempts, task, attempt);
}

/** Resolves to the tasks among these that have an unfinished attempt by a running worker process. */
export async function openAttempts(
  redis: Redis,
  keys: RoundKeys,
  tasks: readonly string[],
): Promise<readonly string[]> {
  const open = await Promise.all(
    tasks.map(async (task) => {
      const [attempt, ended] = await Promise.all([redis.hget(keys.attempts, task), redis.sismember(keys.ended, task)]);
      const worker = ended === 1 ? undefined : attempt?.split("|")[1];
      return worker !== undefined && (await redis.exists(aliveKey(worker))) === 1;
    }),
  );
  return tasks.filter((_, index) => open[index]);
}
