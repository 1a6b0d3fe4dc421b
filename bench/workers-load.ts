/**
 * Executes the session's run cell, by the workers at an address or here, and prints seconds from the first event of its run to the
 * last score, how many milliseconds after an event this program had it (the median), and this program's seconds of processor time.
 * Arguments: session, address or nothing.
 */
import { SessionFolder } from "../source/engine/session/session-folder.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import type { Event } from "../source/engine/types.ts";
import { SessionWorkbench } from "../source/engine/workbench/session-workbench.ts";
import { WorkersElsewhere } from "../source/workers/workers-elsewhere.ts";
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";

const [path, url] = process.argv.slice(2) as [string, string?];
const delays: number[] = [];
let [first, last] = [Infinity, 0];
const onEvent = (_: string, event: Event) => {
  delays.push(Date.now() - event.at);
  first = Math.min(first, event.at);
  if (event.type === "scored") last = Math.max(last, event.at);
};
const settings = await openSettings();
const workbench = new SessionWorkbench({
  folder: new SessionFolder(path),
  suites,
  analyses,
  settings,
  elsewhere: new WorkersElsewhere(settings, path, url),
  onEvent,
});
// Watches as a screen does, so that workers send text as it streams.
workbench.subscribe(() => {
  for (const { id } of workbench.cells()) workbench.state(id);
});
const cell = workbench.cells().find(({ kind }) => kind === "run")!;
await workbench.run(cell.id);
const state = workbench.state(cell.id);
const statuses = state.kind === "run" ? state.runs.map(({ status, message }) => ({ status, message })) : [];
await workbench.close();
if (statuses.length === 0 || statuses.some(({ status }) => status !== "done"))
  throw new Error(`Expected the run to be done, got ${JSON.stringify(statuses)}`);
delays.sort((one, other) => one - other);
const { user, system } = process.cpuUsage();
const processor = (user + system) / 1e6;
console.log(JSON.stringify({ seconds: (last - first) / 1000, delay: delays[delays.length >> 1], processor }));
process.exit(0);
