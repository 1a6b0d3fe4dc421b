/**
 * That a run was given to workers and has not all come back, in the run's folder: whoever opens the session next goes on from there. It
 * does not hold the address of their Redis: a session comes from anywhere, and decides nowhere to connect to.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { currentRound } from "../../engine/migration/round-file.ts";
import { readRedisUrl, redisAddress } from "../../engine/settings/redis-place.ts";

export type RoundFile = {
  /** Its id: the run's, and a random number. */
  readonly round: string;
  /** A hash of the address of the Redis. */
  readonly address: string;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
};

const schema = z.object({
  round: z.string(),
  address: z.string(),
  tasks: z.array(z.string()),
});

const pathOf = (folder: string) => join(folder, "workers.json");

/** Equal for all spellings of an address. Throws `Problem` for what is no address of a Redis. */
export function addressHash(url: string): string {
  return createHash("sha256")
    .update(redisAddress(readRedisUrl(url)))
    .digest("hex")
    .slice(0, 32);
}

/** The file in the folder of this run; undefined if there is none, or its content is not ours or names a round of another run. */
export function readRoundFile(folder: string, run: string): RoundFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(pathOf(folder), "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === "ENOENT" || code === "EISDIR") return undefined;
    throw error;
  }
  const { data } = schema.safeParse(currentRound(value, hashOf));
  if (data === undefined || !isRoundOf(run, data.round)) return undefined;
  return data;
}

function isRoundOf(run: string, round: string): boolean {
  return round.startsWith(`${run}-`) && /^[0-9a-f]{12}$/.test(round.slice(run.length + 1));
}

/** Whether a round file has the hash of this address. */
export function isAddress(url: string, hash: string): boolean {
  return hashOf(url) === hash;
}

/** Undefined for what is no address. */
function hashOf(url: string): string | undefined {
  try {
    return addressHash(url);
  } catch {
    return undefined;
  }
}

export function writeRoundFile(folder: string, round: RoundFile): void {
  makeFolder(folder);
  replaceFile(pathOf(folder), JSON.stringify(round));
}

export function removeRoundFile(folder: string): void {
  rmSync(pathOf(folder), { force: true });
}
