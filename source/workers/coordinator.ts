/**
 * The token of a round: which program coordinates it. One at a time does, also if the session's folder was copied: two would trim the
 * stream under each other. Redis decides each step as a whole and counts the time, as clocks of different machines need not agree.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { inodeOf } from "../engine/files/inode.ts";
import { Problem } from "../engine/problem.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import type { Redis } from "./connection.ts";
import type { Manifest } from "./manifest.ts";
import { type RoundKeys, roundsKey } from "./rounds/round-keys.ts";
import type { RoundFiles } from "./rounds/round-world.ts";

/** Milliseconds after which a coordinator that is not heard any more is replaced by any other one. */
export const silence = 10_000;
/** Milliseconds between two looks at a coordinator that may be dead. */
const lookAgain = 500;

/** Who coordinates a round, as far as others see it. */
export type Reader = {
  readonly host: string;
  /** The session's. */
  readonly folder: string;
  /** Milliseconds since it was heard last. */
  readonly silent: number;
};

/** Another program coordinates the round. */
export class RoundTaken extends Problem {
  override readonly name = "RoundTaken";

  constructor(message: string) {
    super("stopped", message);
  }
}

/** Refuses while a coordinator of another folder was heard a short time ago; of its own, the folder's lock says that it is dead. */
const mayTake = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token, host, folder, inode, heard = unpack(redis.call('HMGET', KEYS[1], 'token', 'host', 'folder', 'inode', 'heard'))
heard = heard or '0'
local silent = now - (tonumber(heard) or 0)
local own = host == ARGV[2] and inode == ARGV[4]
if token and token ~= ARGV[1] and not own and silent < tonumber(ARGV[5]) then return {host, folder, heard, silent} end
`;
const take = `
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'host', ARGV[2], 'folder', ARGV[3], 'inode', ARGV[4], 'heard', now)
`;
/** Makes a Redis that is full take what follows: it does once something is deleted. Without it a full stream is never read. */
const evenIfFull = "redis.call('HDEL', KEYS[1], 'heard')";
const claim = `
if redis.call('EXISTS', KEYS[2]) == 0 then return 'gone' end
${mayTake}
${evenIfFull}
${take}
return own and 'own' or 'other'`;

/** Begins the round with the token; behind the manifest stand the files, path and content in turn. */
const begin = `
${mayTake}
${take}
redis.call('HDEL', KEYS[1], 'ended')
for index = 8, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[index], ARGV[index + 1]) end
redis.call('SET', KEYS[2], ARGV[7])
redis.call('ZADD', KEYS[4], now, ARGV[6])
return 'own'`;

/** Executes commands, each with the key of its number, if the token is this one. */
const write = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
for index, command in ipairs(cjson.decode(ARGV[2])) do redis.call(command[1], KEYS[index + 1], unpack(command, 2)) end
return 1`;

/** Says that the coordinator with this token lives. */
const renew = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
${evenIfFull}
redis.call('HSET', KEYS[1], 'heard', time[1] * 1000 + math.floor(time[2] / 1000))
return 1`;

const release = `
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then redis.call('HDEL', KEYS[1], 'heard') end
return 0`;

/** Unless the round was taken away meanwhile: nothing of it may stay behind. */
const end = `
if redis.call('HEXISTS', KEYS[1], 'token') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'ended', '1')
redis.call('SET', KEYS[2], '1')
return 1`;

type Refused = readonly [host: string, folder: string, heard: string, silent: number];

/** A command of Redis, the key it writes, and what stands behind that. */
export type KeyCommand = readonly [command: string, key: string, ...values: string[]];

/** `ended`: somebody wants the round to end. `gone`: it is not in Redis any more. */
export type Hold = "held" | "ended" | "gone";

export class Coordinator {
  readonly #token = randomUUID();
  readonly #redis: Redis;
  readonly #keys: RoundKeys;
  readonly #place: readonly [host: string, folder: string, inode: string];
  readonly #clock: Clock;

  /** `folder`: of the session whose run this is. */
  constructor(redis: Redis, keys: RoundKeys, folder: string, clock: Clock = machineClock) {
    this.#redis = redis;
    this.#keys = keys;
    this.#place = [hostname(), folder, inodeOf(folder) ?? folder];
    this.#clock = clock;
  }

  /**
   * Takes the token of a round that is there. While another coordinator may be dead, `waiting` is told who it is, and returns whether
   * to wait: until that one is heard again, or has been silent for 10 s. Resolves to whether the last coordinator was of another
   * folder, whose log has what this one's may lack; undefined for a round that is not there. Throws `RoundTaken`.
   */
  async claim(waiting: (reader: Reader) => boolean = () => true): Promise<boolean | undefined> {
    const { coordinator, manifest } = this.#keys;
    let first: string | undefined;
    for (;;) {
      const values = [this.#token, ...this.#place, silence];
      const found = (await this.#redis.eval(claim, 2, coordinator, manifest, ...values)) as string | Refused;
      if (typeof found === "string") return found === "gone" ? undefined : found === "other";
      const [host, folder, heard, silent] = found;
      first ??= heard;
      if (Number(heard) > Number(first) || !waiting({ host, folder, silent })) throw refusal(found);
      await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, lookAgain));
    }
  }

  /** Begins the round, whole or not at all. Throws `RoundTaken`. */
  async begin(round: string, content: Manifest, files: RoundFiles): Promise<void> {
    const { coordinator, manifest, files: filesKey } = this.#keys;
    const keys = [coordinator, manifest, filesKey, roundsKey];
    const values = [
      this.#token,
      ...this.#place,
      silence,
      round,
      JSON.stringify(content),
      ...Object.entries(files).flat(),
    ];
    const found = (await this.#redis.eval(begin, keys.length, ...keys, ...values)) as string | Refused;
    if (typeof found !== "string") throw refusal(found);
  }

  /** Looks whether it still has the token. Throws `RoundTaken` if another coordinator has. */
  async check(): Promise<Hold> {
    const [token, ended, host, folder] = await this.#redis.hmget(
      this.#keys.coordinator,
      "token",
      "ended",
      "host",
      "folder",
    );
    if (token === this.#token) return ended === null ? "held" : "ended";
    if (typeof token === "string")
      throw new RoundTaken(
        `${folder} on ${host} coordinates this run's workers by now: nothing more is written in this session`,
      );
    // A Redis that was full may have thrown it away.
    return (await this.claim()) === undefined ? "gone" : "held";
  }

  /** Writes all of it, or nothing if there is no such round any more. Throws `RoundTaken`. */
  async write(...commands: readonly KeyCommand[]): Promise<void> {
    const keys = [this.#keys.coordinator, ...commands.map(([, key]) => key)];
    const all = JSON.stringify(commands.map(([command, , ...values]) => [command, ...values]));
    const isWritten = () => this.#redis.eval(write, keys.length, ...keys, this.#token, all);
    if ((await isWritten()) === 0 && (await this.check()) !== "gone") await isWritten();
  }

  /** Says that it lives, also to a Redis that is full. */
  async renew(): Promise<void> {
    await this.#redis.eval(renew, 1, this.#keys.coordinator, this.#token);
  }

  /** Lets any other coordinator follow at once. */
  async release(): Promise<void> {
    await this.#redis.eval(release, 1, this.#keys.coordinator, this.#token);
  }
}

function refusal([host, folder, , silent]: Refused): RoundTaken {
  const seconds = Math.round(silent / 1000);
  return new RoundTaken(
    `${folder} on ${host} coordinates this run's workers (heard ${seconds} s ago): go on there, or end it there and run again`,
  );
}

/** Cuts a round that somebody coordinates, and lets that coordinator know that its run is to end. */
export async function askToEnd(redis: Redis, { coordinator, cut }: RoundKeys): Promise<void> {
  await redis.eval(end, 2, coordinator, cut);
}

/** Reads who coordinates a round from what stands under its key; undefined if nobody was heard a short time ago. */
export function readerIn(hash: Readonly<Record<string, string>>, now: number): Reader | undefined {
  const { host, folder, heard } = hash;
  const silent = now - Number(heard);
  if (host === undefined || folder === undefined || !(silent < silence)) return undefined;
  return { host, folder, silent: Math.max(0, silent) };
}
