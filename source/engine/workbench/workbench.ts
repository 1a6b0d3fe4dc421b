/** The interface of the terminal and the headless commands: one open session, its runs and its figures. */
import type { SessionCodes } from "../session/codes/session-codes.ts";
import type { OutsideChange } from "../session/document/outside-change.ts";
import type { SessionPrograms } from "./document/session-programs.ts";
import type { StrayRuns } from "./runs/stray-runs.ts";
import type { WorkersChoice } from "./runs/workers-choice.ts";
import type { SessionWorkbench } from "./session-workbench.ts";

export * from "./session-state.ts";

/** Parts that a screen sees less of than there is. */
type Parts = {
  readonly outside?: Pick<OutsideChange, "theirs" | "missing" | "taken" | "take" | "keep"> | undefined;
  readonly codes: Pick<SessionCodes, "person" | "file" | "codebook" | "problems">;
  readonly strayRuns: Pick<StrayRuns, keyof StrayRuns>;
  readonly workers?: Pick<WorkersChoice, keyof WorkersChoice> | undefined;
  readonly programs: Pick<SessionPrograms, "unallowed" | "allow" | "toolNames" | "processNames">;
};
/** Members that only commands use. */
type Headless =
  | "guard"
  | "loadedSuites"
  | "sharing"
  | "openElsewhere"
  | "bugs"
  | "proposed"
  | "takeUp"
  | "executed"
  | "atRest"
  | "setFields"
  | "leave";
type Awaited = "exportAnswers" | "exportedRuns" | "counted" | "settled" | "refresh";

/** The workbench of the terminal: `SessionWorkbench`, or a test double of it. */
export type Workbench = Parts & Omit<SessionWorkbench, keyof Parts | Headless | Awaited>;
