/** The options for opening a workbench. */
import type { Worker } from "node:worker_threads";
import type { Analysis } from "../analysis.ts";
import type { LoadedSuites, OwnParts } from "./document/loaded-suites.ts";
import type { Models } from "../models/models.ts";
import type { Elsewhere } from "./runs/run-context.ts";
import type { SessionFolder } from "../session/session-folder.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Suite } from "../suite.ts";
import type { ReadLimits } from "../text/read-bounds.ts";
import type { Event } from "../types.ts";
import type { Clock } from "../work/clock.ts";

export type Opening = {
  readonly folder: SessionFolder;
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  /** Other parts of the user's own code, in addition to suites and analyses; absent if there are none. */
  readonly own?: OwnParts;
  readonly settings: SettingsStore;
  /** Text of a session that does not exist yet. */
  readonly template?: string;
  /** True if the document can be edited: unsaved changes are stored next to the document until they are saved or discarded. */
  readonly drafts?: boolean;
  readonly clock?: Clock;
  /** The folder for exports; absent: the session's own folder. */
  readonly exports?: string;
  /** True to take the session from a running program that has not reported for a minute. */
  readonly takeOver?: boolean;
  /** Receives every event of every run when it occurs. */
  readonly onEvent?: (run: string, event: Event) => void;
  /** Other programs that may execute runs; absent if only this program does. */
  readonly elsewhere?: Elsewhere;
  /** Starts the thread that computes analyses of many rows; absent to compute them in place. */
  readonly startThread?: () => Worker;
  /** The largest size of recordings to read; absent: the default. */
  readonly reading?: ReadLimits | undefined;
  readonly models?: (loadedSuites: LoadedSuites) => Models;
};
