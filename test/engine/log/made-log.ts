/** Logs of invented runs: tests state how many tasks, and what each reply contains. */
import { join } from "node:path";
import type { Log } from "../../../source/engine/log/file/log.ts";
import type { RunStore } from "../../../source/engine/log/run-store.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

export const spec: RunSpec = bareSpec("tiny");
export const logOf = (folder: string) => join(folder, "events.jsonl");
export const catalogue = "a catalogue of many tools ".repeat(20);

/** Six events per task, and two of the run; four tasks run at a time, interleaved. */
export function writeRun(store: RunStore, tasks: number, words = "a reply "): void {
  const log = store.open();
  log.append({ type: "run-started", run: "r", spec, total: tasks, warnings: [] });
  const names = Array.from({ length: tasks }, (_, index) => `t${index}`);
  for (let from = 0; from < tasks; from += 4) {
    const some = names.slice(from, from + 4);
    for (const task of some) log.append({ type: "started", task, facets: {}, question: `Question of ${task}` });
    for (const task of some) ask(log, task);
    for (const task of some) log.append({ type: "text", task, request: 0, text: `${task}: ${words}` });
    for (const task of some) log.append({ type: "answer", task, answer: task });
    for (const task of some) log.append({ type: "finish", task, request: 0, reason: "stop" });
    for (const task of some) score(log, task);
  }
  log.append({ type: "run-ended", reason: "done" });
}

function ask(log: Log, task: string): void {
  const messages = [
    { role: "system", content: catalogue },
    { role: "user", content: `What is to be done for ${task}?` },
  ] as const;
  log.append({ type: "prompt", task, request: 0, role: "model", model: "lab/m", stage: "plan", messages });
}

export function score(log: Log, task: string, value = 1): void {
  log.append({ type: "scored", task, score: { value, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 });
}
