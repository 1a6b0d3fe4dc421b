/**
 * The token of a round identifies the program that coordinates it. Only one program may do so, even if the session's folder was
 * copied, because two would trim the stream of each other. Redis executes each step atomically and measures time, because the
 * clocks of machines may differ.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { inodeOf } from "../engine/files/inode.ts";
import { Problem } from "../engine/problem.ts";
import { machineClock } from "../engine/work/clock.ts";
import type { Redis } from "./connection.ts";
import type { Manifest } from "./manifest.ts";
import { type RoundKeys, roundsKey } from "./rounds/round-keys.ts";
import type { RoundFiles } from "./rounds/round-world.ts";

/** Milliseconds without a heartbeat after which any other coordinator may replace this coordinator. */
export const silence = 10_000;
/** Milliseconds between checks of a coordinator that may have ended. */
const lookAgain = 500;

/** The coordinator of a round, as seen by other programs. */
export type Reader = {
  readonly host: string;
  /** The session's folder. */
  readonly folder: string;
  /** Milliseconds since its last heartbeat. */
  readonly silent: number;
};

/** Another program coordinates the round. */
export class RoundTaken extends Problem {
  override readonly name = "RoundTaken";

  constructor(message: string) {
    super("stopped", message);
  }
}

/**
 * Refuses if a coordinator of another folder sent a heartbeat recently. For the same folder, the folder's lock proves that the
 * previous coordinator has ended.
 */
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
/** A full Redis accepts a script that deletes something first. Without this a full stream could never be read. */
const evenIfFull = "redis.call('HDEL', KEYS[1], 'heard')";
const claim = `
if redis.call('EXISTS', KEYS[2]) == 0 then return 'gone' end
${mayTake}
${evenIfFull}
${take}
return own and 'own' or 'other'`;

/** Begins the round with the token. After the manifest, the arguments alternate between path and content of each file. */
const begin = `
${mayTake}
${take}
redis.call('HDEL', KEYS[1], 'ended')
for index = 8, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[index], ARGV[index + 1]) end
redis.call('SET', KEYS[2], ARGV[7])
redis.call('ZADD', KEYS[4], now, ARGV[6])
return 'own'`;

/** Executes commands, each on the key with its index, if the token matches. */
const write = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
for index, command in ipairs(cjson.decode(ARGV[2])) do redis.call(command[1], KEYS[index + 1], unpack(command, 2)) end
return 1`;

/** Records a heartbeat of the coordinator with this token. */
const renew = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
${evenIfFull}
redis.call('HSET', KEYS[1], 'heard', time[1] * 1000 + math.floor(time[2] / 1000))
return 1`;

const release = `
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then redis.call('HDEL', KEYS[1], 'heard') end
return 0`;

/** Has no effect if the round was removed in the meantime, so that none of its keys remains. */
const end = `
if redis.call('HEXISTS', KEYS[1], 'token') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'ended', '1')
redis.call('SET', KEYS[2], '1')
return 1`;

type Refused = readonly [host: string, folder: string, heard: string, silent: number];

/** A Redis command, the key that it writes, and its further arguments. */
export type KeyCommand = readonly [command: string, key: string, ...values: string[]];

/** `ended`: the end of the round was requested. `gone`: the round is no longer in Redis. */
export type Hold = "held" | "ended" | "gone";

export class Coordinator {
  readonly #token = randomUUID();
  readonly #redis: Redis;
  readonly #keys: RoundKeys;
  readonly #place: readonly [host: string, folder: string, inode: string];

  /** `folder`: the folder of the session that contains the run. */
  constructor(redis: Redis, keys: RoundKeys, folder: string) {
    this.#redis = redis;
    this.#keys = keys;
    this.#place = [hostname(), folder, inodeOf(folder) ?? folder];
  }

  /**
   * Takes the token of an existing round. While another coordinator may have ended, calls `waiting` with it; `waiting` returns
   * whether to continue until that coordinator sends a heartbeat or has sent none for 10 s. Resolves to whether the previous
   * coordinator used another folder, whose log may have events that are missing in this one; undefined if the round does not
   * exist. Throws `RoundTaken`.
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
      await new Promise<void>((resolve) => void machineClock.setTimeout(resolve, lookAgain));
    }
  }

  /** Begins the round, in full or not at all. Throws `RoundTaken`. */
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

  /** Checks that this program still has the token. Throws `RoundTaken` if another coordinator has it. */
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
      throw new RoundTaken(`${folder} on ${host} now coordinates this run's workers; this session writes nothing more`);
    // A full Redis may have evicted the token.
    return (await this.claim()) === undefined ? "gone" : "held";
  }

  /** Executes all commands, or none if the round no longer exists. Throws `RoundTaken`. */
  async write(...commands: readonly KeyCommand[]): Promise<void> {
    const keys = [this.#keys.coordinator, ...commands.map(([, key]) => key)];
    const all = JSON.stringify(commands.map(([command, , ...values]) => [command, ...values]));
    const isWritten = () => this.#redis.eval(write, keys.length, ...keys, this.#token, all);
    if ((await isWritten()) === 0 && (await this.check()) !== "gone") await isWritten();
  }

  /** Sends a heartbeat, which a full Redis accepts as well. */
  async renew(): Promise<void> {
    await this.#redis.eval(renew, 1, this.#keys.coordinator, this.#token);
  }

  /** Lets another coordinator take the round at once. */
  async release(): Promise<void> {
    await this.#redis.eval(release, 1, this.#keys.coordinator, this.#token);
  }
}

function refusal([host, folder, , silent]: Refused): RoundTaken {
  const seconds = Math.round(silent / 1000);
  return new RoundTaken(
    `${folder} on ${host} coordinates this run's workers (last seen ${seconds} s ago). Continue the run there, or end it there and run it here again`,
  );
}

/** Sets a round to end early and requests its coordinator to end the run. */
export async function askToEnd(redis: Redis, { coordinator, cut }: RoundKeys): Promise<void> {
  await redis.eval(end, 2, coordinator, cut);
}

/** Parses the coordinator's hash; undefined if there was no recent heartbeat. */
export function readerIn(hash: Readonly<Record<string, string>>, now: number): Reader | undefined {
  const { host, folder, heard } = hash;
  const silent = now - Number(heard);
  if (host === undefined || folder === undefined || !(silent < silence)) return undefined;
  return { host, folder, silent: Math.max(0, silent) };
}
