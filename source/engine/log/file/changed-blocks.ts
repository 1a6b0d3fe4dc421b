/** Compares the blocks of a log with their recorded checksums. */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { crc32 } from "node:zlib";
import type { Stretch } from "./log-index.ts";
import { readBytes } from "./log-lines.ts";

export type WrittenBlock = Stretch & { readonly crc: number };

/** The blocks to compare, as passed to a thread. */
export type BlockComparison = { readonly path: string; readonly blocks: readonly WrittenBlock[] };

/** Returns the blocks that differ from their checksums. */
export const changedBlocks = ({ path, blocks }: BlockComparison): Stretch[] =>
  blocks.filter(({ from, to, crc }) => crc32(readBytes(path, from, to)) !== crc).map(({ from, to }) => ({ from, to }));

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
