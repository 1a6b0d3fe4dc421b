/** What becomes of runs when the program is told to end: those that workers execute may go on without it. */
import { printable } from "../../engine/text/printable.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import type { Clock } from "../../engine/work/clock.ts";
import type { EndpointContext } from "../shell/command.ts";

/** Milliseconds that runs have to stop after an interruption; what workers have not stopped by then goes on without this program. */
const patience = 2000;
/** Milliseconds after an interruption at which the program ends, whatever it waits for. */
export const longestEnding = 4000;

const active: ReadonlySet<RunState["status"]> = new Set(["loading", "running", "paused", "stopping"]);

/** A line for each run that workers go on with when this program ends now. */
export function leftToWorkers(workbench: SessionWorkbench): string {
  return workbench
    .cells()
    .flatMap(({ id, kind, name }) => {
      const state = kind === "run" ? workbench.state(id) : undefined;
      const runs = state?.kind === "run" ? state.runs.filter(({ away, status }) => away && active.has(status)) : [];
      return runs.map(
        (run) =>
          `${name || "run"} (${run.label}): ${whatGoesOn(run)}; planwright run ${workbench.folder} takes up what they have done`,
      );
    })
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function whatGoesOn({ unheard, status }: RunState): string {
  if (unheard !== undefined) return `${unheard}, so its workers go on with what they have`;
  return status === "stopping" ? "its workers have not all stopped yet, and may go on" : "its workers go on";
}

/**
 * Stops runs once the command is interrupted, and leaves what has not stopped soon, with a line on what goes on elsewhere. Returns how
 * to take that back.
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
