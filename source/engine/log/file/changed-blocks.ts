/** Compares the blocks of a log with the checksums that were written down with them. */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { crc32 } from "node:zlib";
import type { Stretch } from "./log-index.ts";
import { readBytes } from "./log-lines.ts";

export type WrittenBlock = Stretch & { readonly crc: number };

/** What is to be compared, as it is passed to a thread. */
export type BlockComparison = { readonly path: string; readonly blocks: readonly WrittenBlock[] };

/** Those of these blocks that are not what was written. */
export function changedBlocks({ path, blocks }: BlockComparison): Stretch[] {
  return blocks
    .filter(({ from, to, crc }) => crc32(readBytes(path, from, to)) !== crc)
    .map(({ from, to }) => ({ from, to }));
}

/** So many bytes are compared sooner than a thread is started. */
export const fewBytes = 1024 * 1024;

/** The same in a thread of its own, where it is much: a log may be gigabytes. */
export async function changedBlocksInThread(comparison: BlockComparison): Promise<readonly Stretch[]> {
  const file = workerFile();
  const bytes = comparison.blocks.reduce((sum, { from, to }) => sum + to - from, 0);
  if (file === undefined || bytes <= fewBytes) return changedBlocks(comparison);
  const { promise, resolve, reject } = Promise.withResolvers<readonly Stretch[]>();
  const worker = new Worker(file, { workerData: comparison, name: "log-check" });
  // A program that ends does not wait for it.
  worker.unref();
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", () => reject(new Error("Expected the check of a log to end with a result")));
  return promise;
}

/** The worker's own file, beside this one both in source and in a bundle; undefined when absent. */
function workerFile(): URL | undefined {
  const source = import.meta.url.endsWith(".ts");
  const file = new URL(source ? "./log-check-worker.ts" : "./log-check-worker.js", import.meta.url);
  return existsSync(file) ? file : undefined;
}
