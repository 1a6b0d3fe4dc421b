/**
 * `npm run -s build && node bench/frames-soak.ts [MINUTES]`: 32 streams of 100 tokens a second in the live screen at 200x60, ten minutes
 * unless said otherwise, and a line for each tenth of them: neither memory nor frames may grow. Not part of `npm run bench`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, startServer } from "./child-program.ts";
import { quantile, seconds, streams, watchRun } from "./frames.ts";
import { publishedData } from "./published.ts";

/** Tokens of a reply that takes six seconds, so that tasks and runs come and go. */
const tokens = 600;
const tasks = 800;
const parts = 10;

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0 && minutes <= 600)) throw new Error(`Expected minutes, up to 600, got ${process.argv[2]}`);
const data = await publishedData("appbench", "test_mm.json");
if (data === undefined) throw new Error("Expected published AppBench data, as the sample has too few tasks");
const folder = mkdtempSync(join(tmpdir(), "planwright-bench-soak-"));
const server = await startServer(["--lorem", "--latency", "20", "--tokens", String(tokens), "--pace", "10"]);
try {
  const trials = Math.ceil((minutes * 60 * streams * 100) / (tokens * tasks)) + 1;
  const watch = { url: server.url, data, columns: 200, rows: 60 };
  const { end } = await watchRun(program, folder, watch, trials, ["--expose-gc"]);
  await seconds(minutes * 60);
  const { frames, memory } = await end();
  console.log("minute  frames  work p50  p95 (ms)  bytes, mean  heap kept  process (MB)");
  for (let part = 0; part < parts; part++) {
    const within = ([at]: readonly [number, ...number[]]) => Math.floor((at / (minutes * 60)) * parts) === part;
    const [shown, kept] = [frames.filter(within), memory.filter(within)];
    if (shown.length === 0) continue;
    const work = shown.map(([, milliseconds]) => milliseconds);
    const numbers = [
      ((part + 1) * minutes) / parts,
      shown.length,
      quantile(work, 0.5),
      quantile(work, 0.95),
      shown.reduce((sum, [, , bytes]) => sum + bytes, 0) / shown.length,
      Math.max(...kept.map(([, heap]) => heap)),
      Math.max(...kept.map(([, , process]) => process)),
    ];
    console.log(numbers.map((value) => String(Number(value.toPrecision(3))).padStart(8)).join("  "));
  }
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
