/**
 * Executes the session's run cell as a notebook on the screen does and prints the processor time, in seconds, of the
 * screen's thread and of all threads until so many tasks have ended (on Linux). Arguments: session, number of tasks.
 */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { analyses } from "../analyses/index.ts";
import type { ThreadData } from "../source/analysis-thread.ts";
import { SessionFolder } from "../source/engine/session/session-folder.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import { SessionWorkbench } from "../source/engine/workbench/session-workbench.ts";
import { suites } from "../suites/index.ts";

const [path, most] = process.argv.slice(2) as [string, string];
/** Linux counts 100 ticks a second. */
const ownSeconds = () => {
  const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const workerData: ThreadData = { session: path, own: [] };
const workbench = new SessionWorkbench({
  folder: new SessionFolder(path),
  suites,
  analyses,
  settings: await openSettings(),
  startThread: () => new Worker(new URL("../source/analysis-thread.ts", import.meta.url), { workerData }),
});
const look = () => {
  for (const { id } of workbench.cells()) workbench.state(id);
  workbench.prepare();
};
look();
await workbench.counted();
const [own, whole] = [ownSeconds(), process.cpuUsage()];
const cell = workbench.cells().find(({ kind }) => kind === "run")!;
const ended = Promise.withResolvers<void>();
workbench.subscribe(() => {
  look();
  const state = workbench.state(cell.id);
  const [run] = state.kind === "run" ? state.runs : [];
  if (run !== undefined && run.counts.right + run.counts.wrong >= Number(most)) ended.resolve();
});
void workbench.run(cell.id);
await ended.promise;
const { user, system } = process.cpuUsage(whole);
console.log(JSON.stringify({ screen: ownSeconds() - own, whole: (user + system) / 1e6 }));
process.exit(0);
