/** The answers of runs as files in a publisher's own format. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Benches } from "./benches.ts";
import type { RunControl } from "./run-control.ts";

/** One file per run whose suite knows the format, with every task of the run; tasks without an answer are written as such. */
export async function writeAnswers(
  runs: readonly { readonly label: string; readonly control: RunControl }[],
  format: string,
  benches: Benches,
  folder: string,
): Promise<readonly string[]> {
  const written: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (const { label, control } of runs) {
    const exporter = benches.suite(control.spec.suite).exporters?.[format];
    if (exporter === undefined) continue;
    const tasks = await control.tasks();
    const rows = tasks.map((task) => ({ task, answer: control.trajectory(task.id)?.answer }));
    const path = join(folder, `${format}-${label.replace(/[^\w.-]+/g, "-")}-${control.planned.run}.jsonl`);
    writeFileSync(path, exporter(rows));
    written.push(path);
  }
  return written;
}
