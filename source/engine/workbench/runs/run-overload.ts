/** What overload leaves of the requests in flight of a run that is being executed. */
import type { TaskRunner } from "../../run/runner.ts";
import type { ToldRun } from "../sharing/session-message.ts";
import type { RunState } from "../workbench.ts";

/** `told`: what the program says that executes the run, if it is another one; `own`: what this program's limiters say. */
export function overloadNow(
  runner: TaskRunner | undefined,
  told: ToldRun | undefined,
  own: () => string | undefined,
): Pick<RunState, "overload"> {
  const here = runner?.leave === undefined ? runner && own() : runner.overload;
  const overload = here ?? told?.overload;
  return overload === undefined ? {} : { overload };
}
