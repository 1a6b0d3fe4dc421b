/** The parts of a workbench that other programs with the same session follow and steer. */
import type { Steering } from "../../run/steering.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { RunControl } from "../runs/run-control.ts";
import type { SessionCell } from "../session-state.ts";
import type { ToldRun } from "./session-message.ts";

export type SharedSession = {
  readonly folder: SessionFolder;
  cells(): readonly SessionCell[];
  controls(): readonly RunControl[];
  steer(cell: string, request: Steering): void;
  /** Called when the document on disk has changed. */
  reread(): void;
  /** Called when this program has locked the session. */
  takeOver(): void;
  changed(): void;
};

/** Passes reports to the followed runs; a run without a report is no longer executed. */
export function tellRuns({ controls, changed }: SharedSession, runs: readonly ToldRun[]): void {
  for (const { planned, followed } of controls()) followed?.tell(runs.find(({ run }) => run === planned.run));
  changed();
}
