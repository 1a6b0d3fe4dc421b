/**
 * Executes the run cell of a session without a screen until it has ended, or reads a file of questions, and prints what it takes.
 * Argument: the session, or the file.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { analyses } from "../analyses/index.ts";
import { SessionFolder } from "../source/engine/session/session-folder.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import { SessionWorkbench } from "../source/engine/workbench/session-workbench.ts";
import { readQuestions } from "../suites/own/data/question-file.ts";
import { suites } from "../suites/index.ts";

/** In MB; `closing` in seconds of processor time. */
export type RunWeight = Readonly<Record<"begun" | "ended" | "peak" | "rows" | "log" | "closing", number>>;
export type QuestionsWeight = { readonly seconds: number; readonly memory: number };

const first = 20_000;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const held = () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const secondsSince = (before: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const [path] = process.argv.slice(2) as [string];
console.log(JSON.stringify(statSync(path).isDirectory() ? await runWeight(path) : questionsWeight(path)));
process.exit(0);

function questionsWeight(file: string): QuestionsWeight {
  const [before, resident] = [process.cpuUsage(), process.memoryUsage.rss()];
  const { tasks } = readQuestions(file);
  const seconds = secondsSince(before);
  return { seconds, memory: tasks.length === 0 ? 0 : (process.memoryUsage.rss() - resident) / 1e6 };
}

async function runWeight(session: string): Promise<RunWeight> {
  const folder = new SessionFolder(session);
  const workbench = new SessionWorkbench({ folder, suites, analyses, settings: await openSettings() });
  await workbench.counted();
  const cell = workbench.cells().find(({ kind }) => kind === "run")!;
  let begun: number | undefined;
  let closing: NodeJS.CpuUsage | undefined;
  workbench.subscribe(() => {
    const state = workbench.state(cell.id);
    const counts = state.kind === "run" ? state.runs[0]?.counts : undefined;
    if (counts === undefined || counts.right < first) return;
    begun ??= held();
    // The last tasks are stopped as by a signal.
    if (counts.waiting > 0 || closing !== undefined) return;
    closing = process.cpuUsage();
    workbench.stop(cell.id);
  });
  await workbench.run(cell.id);
  const seconds = closing === undefined ? 0 : secondsSince(closing);
  const [run] = readdirSync(join(session, "runs"));
  const sizeOf = (name: string) =>
    (statSync(join(session, "runs", run!, name), { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  const rows = sizeOf("rows.jsonl") + sizeOf("rows.zst");
  return { begun: begun ?? held(), ended: held(), peak, rows, log: sizeOf("events.jsonl"), closing: seconds };
}
