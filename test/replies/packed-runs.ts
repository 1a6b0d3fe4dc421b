/** Logs of many runs in one file: their prompts are nearly equal, so together they need a third of the bytes. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Packs logs by run. `runs` keeps its order. */
export function packRuns(runs: ReadonlyMap<string, Buffer>): Buffer {
  const index = JSON.stringify([...runs].map(([run, { length }]) => [run, length]));
  const whole = Buffer.concat([Buffer.from(`${index}\n`), ...runs.values()]);
  // The window contains all of them, so that the first prompt serves the last run.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: whole.length };
  return brotliCompressSync(whole, { params });
}

export function unpackRuns(packed: Buffer): ReadonlyMap<string, Buffer> {
  const whole = brotliDecompressSync(packed);
  let from = whole.indexOf("\n") + 1;
  const index = JSON.parse(whole.toString("utf8", 0, from)) as readonly (readonly [string, number])[];
  return new Map(index.map(([run, length]) => [run, whole.subarray(from, (from += length))]));
}
