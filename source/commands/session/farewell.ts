/** The summary printed after the notebook is closed. */
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { printable } from "../../engine/text/printable.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { runLine } from "./session-report.ts";

/**
 * Stops what still runs first, so that the summary has final states: runs stopped here are listed as `stopped`. What other
 * programs execute goes on.
 */
export async function farewell(workbench: SessionWorkbench): Promise<string> {
  const active = workbench.openElsewhere ? [] : activeRuns(workbench);
  const was = new Map(active.map(({ run, away }) => [run, away === true ? "left to workers" : "stopped"]));
  if (!workbench.openElsewhere) await stopRuns(workbench);
  const lines = [`Session: ${printable(workbench.folder)}${workbench.dirty ? " (last changes not saved)" : ""}`];
  for (const { name, runs } of runCells(workbench)) {
    for (const run of runs) {
      if (run.status === "ready") continue;
      const status = run.status === "partial" ? (was.get(run.run) ?? run.status) : run.status;
      const line = run.status === "reading" ? `${printable(run.label)}: its log is not read yet` : runLine(run, status);
      lines.push(`  ${name === "" ? "" : `${printable(name)}: `}${line}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function runCells(workbench: SessionWorkbench) {
  return workbench.cells().flatMap(({ id, kind, name }) => {
    const state = kind === "run" ? workbench.state(id) : undefined;
    return state?.kind === "run" ? [{ id, name, runs: state.runs }] : [];
  });
}

function activeRuns(workbench: SessionWorkbench): readonly RunState[] {
  const active = new Set<string>(["loading", "running", "paused", "stopping"]);
  return runCells(workbench).flatMap(({ runs }) => runs.filter(({ status }) => active.has(status)));
}

function stopRuns(workbench: SessionWorkbench): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => activeRuns(workbench).length === 0 && resolve();
  const release = workbench.subscribe(check);
  workbench.leave();
  check();
  return promise.finally(release);
}
