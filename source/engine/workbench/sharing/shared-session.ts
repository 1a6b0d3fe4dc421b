/** What of a workbench its session's other programs follow and steer. */
import type { Steering } from "../../run/steering.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { RunControl } from "../runs/run-control.ts";
import type { SessionCell } from "../workbench.ts";
import type { ToldRun } from "./session-message.ts";

export type SharedSession = {
  readonly folder: SessionFolder;
  cells(): readonly SessionCell[];
  controls(): readonly RunControl[];
  steer(cell: string, request: Steering): void;
  /** The document on disk is another one. */
  reread(): void;
  /** The session is this program's. */
  takeOver(): void;
  changed(): void;
};

/** Tells the followed runs what their program does; those that it does not name it executes no more. */
export function tellRuns({ controls, changed }: SharedSession, runs: readonly ToldRun[]): void {
  for (const { planned, followed } of controls()) followed?.tell(runs.find(({ run }) => run === planned.run));
  changed();
}
