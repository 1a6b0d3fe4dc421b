/**
 * Scores of trivial answers, cached on disk by everything that they depend on, so that each is computed once for all sessions of
 * a user. Nothing is ever removed from the folder.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunFloors } from "../../analysis.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import type { Score } from "../../types.ts";
import { keptPromise } from "../../work/kept-promise.ts";

/** Scores, of which equal ones are listed once; `of` is the index of each task's score, -1 for none. */
const keptFloors = z.object({
  tasks: z.array(z.string()),
  floors: z.array(
    z.object({
      name: z.string(),
      readsAnswerKey: z.exactOptional(z.literal(true)),
      scores: z.array(
        z.looseObject({
          metrics: z.record(z.string(), z.number()),
          checks: z.array(z.object({ name: z.string(), kept: z.optional(z.boolean()) })),
          errors: z.array(z.object({ kind: z.string() })),
        }),
      ),
      of: z.array(z.int()),
    }),
  ),
  unscored: z.array(z.string()),
});

export class KeptFloors {
  readonly #folder: string | undefined;
  readonly #known = new Map<string, Promise<unknown>>();

  /** `folder` is the cache; absent if floors are not stored. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Returns the scores for these inputs: cached, or computed by `score`. */
  of(inputs: readonly unknown[], score: () => Promise<RunFloors>): Promise<RunFloors> {
    const hash = createHash("sha256")
      .update(JSON.stringify([packageVersion(), ...inputs]))
      .digest("hex");
    return keptPromise(this.#known, hash, async () => {
      const path = this.#folder === undefined ? undefined : join(this.#folder, `${hash}.json`);
      const kept = path === undefined ? undefined : await readFloors(path);
      if (kept !== undefined) return kept;
      const floors = await score();
      if (path !== undefined) this.#keep(path, floors);
      return floors;
    });
  }

  /** Stores floors in a file; if writing fails, they are computed again next time. */
  #keep(path: string, floors: RunFloors): void {
    try {
      makeFolder(this.#folder!);
      replaceFile(path, JSON.stringify(packed(floors)), { durable: false, mode: 0o600 });
    } catch {
      // The folder is not writable.
    }
  }
}

function packed({ floors, unscored }: RunFloors): z.infer<typeof keptFloors> {
  const tasks = [...new Set(floors.flatMap(({ scores }) => [...scores.keys()]))];
  return {
    tasks,
    floors: floors.map(({ name, readsAnswerKey, scores }) => {
      const places = new Map([...new Set(scores.values())].map((score, at) => [score, at]));
      const of = tasks.map((task) => places.get(scores.get(task)!) ?? -1);
      const all = [...places.keys()] as unknown as z.infer<typeof keptFloors>["floors"][number]["scores"];
      return { name, ...(readsAnswerKey && { readsAnswerKey }), scores: all, of };
    }),
    unscored: [...unscored],
  };
}

/**
 * Returns stored floors; undefined if the file is missing or invalid. Restores undefined fields, which scores contain and JSON
 * omits.
 */
async function readFloors(path: string): Promise<RunFloors | undefined> {
  try {
    const { tasks, floors, unscored } = keptFloors.parse(JSON.parse(await readFile(path, "utf8")));
    return {
      floors: floors.map(({ name, readsAnswerKey, scores: all, of }) => {
        const whole = all.map((score) => ({
          ...score,
          value: typeof score["value"] === "number" ? score["value"] : undefined,
          checks: score.checks.map((check) => ({ name: check.name, kept: check.kept })),
        })) as unknown as readonly Score[];
        const scores = new Map(
          tasks.flatMap((task, at) => (of[at]! in whole ? [[task, whole[of[at]!]!] as const] : [])),
        );
        return { name, ...(readsAnswerKey && { readsAnswerKey }), scores };
      }),
      unscored,
    };
  } catch {
    return undefined;
  }
}
