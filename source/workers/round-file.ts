/** That a run was given to workers and has not all come back, in the run's folder: whoever opens the session next goes on from there. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../engine/files/make-folder.ts";
import { replaceFile } from "../engine/files/replace-file.ts";
import { checkedValue } from "../engine/text/checked-record.ts";

export type RoundFile = {
  readonly round: string;
  /** The address of the Redis, in which no password is. */
  readonly url: string;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
};

const schema: z.ZodType<RoundFile> = z.object({ round: z.string(), url: z.string(), tasks: z.array(z.string()) });

const pathOf = (folder: string) => join(folder, "workers.json");

/** undefined where there is none, or somebody has written something else there. */
export function readRoundFile(folder: string): RoundFile | undefined {
  try {
    return checkedValue(schema, JSON.parse(readFileSync(pathOf(folder), "utf8")) as unknown, ({ path }) => {
      throw new SyntaxError(path.join("."));
    });
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function writeRoundFile(folder: string, round: RoundFile): void {
  makeFolder(folder);
  replaceFile(pathOf(folder), JSON.stringify(round));
}

export function removeRoundFile(folder: string): void {
  rmSync(pathOf(folder), { force: true });
}
