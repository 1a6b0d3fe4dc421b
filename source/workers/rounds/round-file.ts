/**
 * Records in the run's folder that a run was given to workers and is unfinished, so that the next program that opens the session
 * can continue it. The file omits the address of Redis, because another person's session must not determine where the program
 * connects.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { currentRound } from "../../engine/migration/round-file.ts";
import { readRedisUrl, redisAddress } from "../../engine/settings/redis-place.ts";
import { fallback } from "../../engine/work/fallback.ts";

export type RoundFile = {
  /** The round's id: the run's id and a random suffix. */
  readonly round: string;
  /** Hash of the address of Redis. */
  readonly address: string;
  /** Ids of the round's tasks. */
  readonly tasks: readonly string[];
};

const schema = z.object({
  round: z.string(),
  address: z.string(),
  tasks: z.array(z.string()),
});

const pathOf = (folder: string) => join(folder, "workers.json");

/** Equal for all spellings of an address. Throws `Problem` if the text is not an address of Redis. */
export const addressHash = (url: string): string =>
  createHash("sha256")
    .update(redisAddress(readRedisUrl(url)))
    .digest("hex")
    .slice(0, 32);

/** Reads the file in this run's folder; undefined if it is missing, invalid, or names a round of another run. */
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

const isRoundOf = (run: string, round: string): boolean =>
  round.startsWith(`${run}-`) && /^[0-9a-f]{12}$/.test(round.slice(run.length + 1));

/** Returns whether a round file has the hash of this address. */
export const isAddress = (url: string, hash: string): boolean => hashOf(url) === hash;

/** Returns undefined if the text is not an address. */
const hashOf = (url: string): string | undefined => fallback(() => addressHash(url));

export function writeRoundFile(folder: string, round: RoundFile): void {
  makeFolder(folder);
  replaceFile(pathOf(folder), JSON.stringify(round));
}

export function removeRoundFile(folder: string): void {
  rmSync(pathOf(folder), { force: true });
}
