/** The answers of runs as files in a publisher's own format. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadedSuites } from "./loaded-suites.ts";
import { fileName } from "../figures/export-files.ts";
import { outcomeOf } from "../run/execute-task.ts";
import { lastAttempt } from "../run/rescore.ts";
import type { RunControl } from "./run-control.ts";
import type { Json, Step, Task } from "../types.ts";

/** Tasks whose events are in memory at one time. */
const batch = 500;

/** One file per run whose suite knows the format, with every task of the run; tasks without an answer are written as such. */
export async function writeAnswers(
  runs: readonly { readonly label: string; readonly control: RunControl }[],
  format: string,
  loadedSuites: LoadedSuites,
  folder: string,
): Promise<readonly string[]> {
  const written: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (const { label, control } of runs) {
    const exporter = loadedSuites.suite(control.spec.suite).exporters?.[format];
    if (exporter === undefined) continue;
    const tasks = await control.tasks();
    const rows: { task: Task; answer: Json | undefined; steps: readonly Step[] }[] = [];
    for (let from = 0; from < tasks.length; from += batch) {
      const some = tasks.slice(from, from + batch);
      const events = control.store.tasks(new Set(some.map(({ id }) => id)));
      for (const task of some) {
        const { answer, steps } = outcomeOf({ events: lastAttempt(events.get(task.id) ?? []) }, undefined);
        rows.push({ task, answer, steps });
      }
    }
    const path = join(folder, `${format}-${fileName(label)}-${control.planned.run}.jsonl`);
    writeFileSync(path, exporter(rows));
    written.push(path);
  }
  return written;
}
