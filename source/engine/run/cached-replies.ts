/**
 * Replies cached on disk (`cache: on`), so that a task does not repeat a request. Each reply is one file, written as a whole, so
 * that several programs can share the folder; no file is ever removed.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { joined } from "../text/joined-text.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { CachedPlace, TaskContext } from "../strategy.ts";
import type { Chunk, RunSpec } from "../types.ts";

export class CachedReplies {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the cache entries of one task's requests. The key contains the request, its destination, task and trial, and how
   * often the task had sent the same request before.
   */
  of(task: string, { suite, data, dataset = "", trial }: RunSpec): NonNullable<TaskContext["cached"]> {
    return async (model, request, repetition) => {
      const key = model.requestKey?.(request);
      if (key === undefined) return undefined;
      const place = [key, suite, data, dataset, task, trial, repetition];
      const hash = createHash("sha256").update(JSON.stringify(place)).digest("hex");
      return this.#place(model.name, join(this.#folder, hash.slice(0, 2), `${hash.slice(2)}.json`));
    };
  }

  async #place(model: string, path: string): Promise<CachedPlace> {
    const chunks = await readChunks(path);
    return {
      reply: chunks === undefined ? undefined : { model, chunks, took: "cache" },
      keep: async (streamed) => {
        if (!isReply(streamed)) return undefined;
        try {
          makeFolder(dirname(path));
          replaceFile(path, JSON.stringify(lastAttempt(streamed)), { durable: false, mode: 0o600 });
          return undefined;
        } catch (error) {
          return `The reply could not be saved: ${(error as Error).message}`;
        }
      },
    };
  }
}

/** Undefined if the file is missing or invalid: the request is then sent. */
async function readChunks(path: string): Promise<readonly Chunk[] | undefined> {
  try {
    const chunks: unknown = JSON.parse(await readFile(path, "utf8"));
    return isReply(chunks) ? chunks : undefined;
  } catch {
    return undefined;
  }
}

const isReply = (value: unknown): value is readonly Chunk[] =>
  Array.isArray(value) && (value.at(-1) as Partial<Chunk> | null)?.type === "finish";

/** Returns the chunks after the last retry, with neighbouring text joined. */
function lastAttempt(streamed: readonly Chunk[]): readonly Chunk[] {
  return [...joined(streamed.slice(streamed.findLastIndex(({ type }) => type === "retry") + 1))];
}
