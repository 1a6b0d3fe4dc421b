/** Compares the blocks of a log with their recorded checksums. */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Stretch } from "./log-index.ts";
import { checksumOfBytes } from "./log-lines.ts";

export type WrittenBlock = Stretch & { readonly crc: number };

/** The blocks to compare, as passed to a thread. */
export type BlockComparison = { readonly path: string; readonly blocks: readonly WrittenBlock[] };

/** Returns the blocks that differ from their checksums. All are read into the same memory, because a log may have gigabytes. */
export function changedBlocks({ path, blocks }: BlockComparison): Stretch[] {
  const longest = blocks.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const memory = Buffer.allocUnsafe(Math.min(longest, mostMemory));
  const changed = blocks.filter((block) => checksumOfBytes(path, block, memory) !== block.crc);
  return changed.map(({ from, to }) => ({ from, to }));
}

const mostMemory = 1024 * 1024;

/** Below this number of bytes, comparing is faster than starting a thread. */
export const fewBytes = 1024 * 1024;

/** Compares in a separate thread if the log is large, because a log may have gigabytes. */
export async function changedBlocksInThread(comparison: BlockComparison): Promise<readonly Stretch[]> {
  const file = workerFile();
  const bytes = comparison.blocks.reduce((sum, { from, to }) => sum + to - from, 0);
  if (file === undefined || bytes <= fewBytes) return changedBlocks(comparison);
  const { promise, resolve, reject } = Promise.withResolvers<readonly Stretch[]>();
  const worker = new Worker(file, { workerData: comparison, name: "log-check" });
  // The thread does not keep the program alive.
  worker.unref();
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", () => reject(new Error("Expected the check of a log to end with a result")));
  return promise;
}

/** Returns the worker's file, next to this file both in source and in a bundle; undefined if it is absent. */
function workerFile(): URL | undefined {
  const source = import.meta.url.endsWith(".ts");
  const file = new URL(source ? "./log-check-worker.ts" : "./log-check-worker.js", import.meta.url);
  return existsSync(file) ? file : undefined;
}
