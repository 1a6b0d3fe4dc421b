/** What the runs of a session have in common. */
import type { Models } from "../../models/models.ts";
import type { Execution } from "../../run/execute-task.ts";
import type { CachedReplies } from "../../run/cached-replies.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Clock } from "../../work/clock.ts";
import type { ReadLimits } from "../../text/read-bounds.ts";
import type { Event } from "../../types.ts";
import type { Elsewhere } from "./elsewhere.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";

export type RunContext = {
  readonly loadedSuites: LoadedSuites;
  readonly models: Models;
  readonly folder: SessionFolder;
  /** Replies of earlier requests, of this session and of others. */
  readonly cache: CachedReplies;
  readonly changed: () => void;
  readonly clock: Clock;
  /** Agents of the user's, by name; absent: there are none. */
  readonly agent?: Execution["agent"];
  /** Where runs are executed that this program does not execute itself; absent: nowhere. */
  readonly elsewhere?: Elsewhere | undefined;
  /** True where this program alone writes below the folder: from the start, or since it has taken the session over. */
  readonly writes: () => boolean;
  /** True where somebody looks on while long logs are read: see `RunStore`. */
  readonly patient: boolean;
  /** How much of recordings may be read; absent: the usual. */
  readonly reading?: ReadLimits | undefined;
  /** Gets every event of a run as it comes; absent: nobody asks. */
  readonly onEvent?: ((run: string, event: Event) => void) | undefined;
};
