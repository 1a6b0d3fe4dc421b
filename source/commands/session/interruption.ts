/** Stops runs when the program is interrupted; runs on workers may continue without it. */
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { printable } from "../../engine/text/printable.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import type { Clock } from "../../engine/work/clock.ts";
import type { EndpointContext } from "../shell/command.ts";
import { runCells, runsOfCells } from "./open-session.ts";
import { runLine } from "./session-report.ts";

/** Milliseconds for runs to stop after an interruption; workers that have not stopped by then continue without this program. */
const patience = 2000;

const active: ReadonlySet<RunState["status"]> = new Set(["loading", "running", "paused", "stopping"]);

/** Returns a line for each run that workers continue if this program ends now. */
export const leftToWorkers = (workbench: SessionWorkbench): string =>
  runCells(workbench)
    .flatMap(({ name, runs }) =>
      runs
        .filter(({ away, status }) => away === true && active.has(status))
        .map(
          (run) =>
            `${name || "run"} (${run.label}): ${whatGoesOn(run)}; planwright run ${workbench.folder} collects their results`,
        ),
    )
    .map((line) => `${printable(line)}\n`)
    .join("");

function whatGoesOn({ unheard, status }: RunState): string {
  if (unheard !== undefined) return `${unheard}, so the workers continue with their tasks`;
  return status === "stopping" ? "some workers have not stopped yet and may continue" : "the workers continue";
}

/**
 * Stops runs once the command is interrupted. Runs that do not stop soon continue without this program, and a line names those
 * that continue elsewhere. Returns a function that removes the handler.
 */
export function stopOnInterruption(
  workbench: SessionWorkbench,
  { signal, stderr }: EndpointContext,
  clock: Clock,
  stop: () => void,
): () => void {
  const leave = () => {
    workbench.refresh();
    stderr(leftToWorkers(workbench));
    workbench.leave();
  };
  let timer: ReturnType<Clock["setTimeout"]> | undefined;
  const interrupted = () => {
    stop();
    timer = clock.setTimeout(leave, patience);
  };
  signal.addEventListener("abort", interrupted, { once: true });
  return () => {
    clock.clearTimeout(timer);
    signal.removeEventListener("abort", interrupted);
  };
}

/**
 * Stops running runs first, so that the summary has final states: runs stopped here are listed as `stopped`. Runs of other
 * programs continue.
 */
export async function farewell(workbench: SessionWorkbench): Promise<string> {
  const stopped = workbench.openElsewhere ? [] : activeRuns(workbench);
  const was = new Map(stopped.map((run) => [partOf(run), run.away === true ? "continued by workers" : "stopped"]));
  if (!workbench.openElsewhere) await stopRuns(workbench);
  const lines = [`Session: ${printable(workbench.folder)}${workbench.dirty ? " (last changes not saved)" : ""}`];
  for (const { name, runs } of runCells(workbench)) {
    for (const run of runs) {
      if (run.status === "ready") continue;
      const status = run.status === "partial" ? (was.get(partOf(run)) ?? run.status) : run.status;
      const line =
        run.status === "reading"
          ? `${printable(run.label)}: the log of this run has not been read yet`
          : runLine(run, status);
      lines.push(`  ${name === "" ? "" : `${printable(name)}: `}${line}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

const activeRuns = (workbench: SessionWorkbench): readonly RunState[] =>
  runsOfCells(workbench).filter(({ status }) => active.has(status));

function stopRuns(workbench: SessionWorkbench): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => activeRuns(workbench).length === 0 && resolve();
  const release = workbench.subscribe(check);
  workbench.leave();
  check();
  return promise.finally(release);
}
