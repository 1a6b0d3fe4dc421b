/** How an invocation of a run ended, as its log says it. */

/**
 * A rule of the run's own by which it ends before its tasks have: the tasks it leaves out are not missing. A rule that is added
 * here gives its name to `run-ended`; everything else follows from that.
 */
export type StopRule = "budget";

export type RunEnding = {
  readonly reason: "done" | "stopped" | "failed";
  readonly message?: string;
  /** The rule that ended it; absent if none did. Logs of version 0.1.0 do not have it. */
  readonly rule?: StopRule;
};
