/**
 * The current activity of a run and its transitions: every status except those read from the log is a member of this union, and
 * only `afterEvent` changes it.
 */
import type { RunnerOptions, TaskRunner } from "../../run/runner.ts";

/** Reaction if the first tasks of a run all fail with the same message: `pause` asks the user at the screen. */
export type WhenFailing = "pause" | "stop" | "continue";

export type RunOptions = {
  /** Executes only these tasks, again if necessary, instead of those without a score. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly failing?: WhenFailing | undefined;
  /** Stores replies, and reuses stored replies. */
  readonly cache?: boolean | undefined;
  /**
   * True if no user requested the execution, as when the session is opened: only results of workers are collected, and no task is
   * started.
   */
  readonly isOpening?: boolean | undefined;
  /** Resources shared with other runs. */
  readonly shared?: Pick<RunnerOptions, "places" | "roomLeft" | "interleaved"> | undefined;
};

/** The result of the last activity: `failed` if it could not complete. */
export type ActivityResult = { readonly failed: boolean; readonly message: string | undefined };

export type RunActivity =
  | ({ readonly kind: "idle" } & ActivityResult)
  /** A label correction is being written; the outcome of the previous activity stays. */
  | ({ readonly kind: "correcting" } & ActivityResult)
  /** A start requested during a correction, which happens after it unless the run is stopped before. */
  | ({ readonly kind: "queued"; readonly stopped: boolean } & ActivityResult)
  /** Reads data, makes toolkits, or scores saved answers; `doing` names a long step. */
  | { readonly kind: "loading"; readonly stopped: boolean; readonly doing: string | undefined }
  /** Executes tasks. */
  | { readonly kind: "running" | "stopping"; readonly runner: TaskRunner }
  /** `message` is the reason why the run paused by itself. */
  | { readonly kind: "paused"; readonly runner: TaskRunner; readonly message?: string };

export type RunActivityEvent =
  | { readonly type: "start" | "correct" | "resume" | "stop" }
  | { readonly type: "pause"; readonly message?: string }
  | { readonly type: "execute"; readonly runner: TaskRunner }
  | { readonly type: "progress"; readonly doing: string | undefined }
  /** `unclosed`: why the log could not be closed; undefined if it was closed. */
  | ({ readonly type: "ended"; readonly unclosed: string | undefined } & ActivityResult)
  | { readonly type: "corrected"; readonly unclosed: string | undefined };

export const idle = { kind: "idle", failed: false, message: undefined } as const satisfies RunActivity;

/** Returns the activity after an event, or the same object if the event does not apply. */
export function afterEvent(activity: RunActivity, event: RunActivityEvent): RunActivity {
  switch (activity.kind) {
    case "idle":
      if (event.type === "start") return { kind: "loading", stopped: false, doing: undefined };
      return event.type === "correct" ? { ...activity, kind: "correcting" } : activity;
    case "correcting":
      if (event.type === "start") return { ...activity, kind: "queued", stopped: false };
      return event.type === "corrected" ? { kind: "idle", ...closed(activity, event.unclosed) } : activity;
    case "queued":
      if (event.type === "stop" && !activity.stopped) return { ...activity, stopped: true };
      if (event.type !== "corrected") return activity;
      return activity.stopped
        ? { kind: "idle", ...closed(activity, event.unclosed) }
        : { kind: "loading", stopped: false, doing: undefined };
    case "loading":
      if (event.type === "stop" && !activity.stopped) return { ...activity, stopped: true };
      if (event.type === "progress") return { ...activity, doing: event.doing };
      if (event.type === "execute" && !activity.stopped) return { kind: "running", runner: event.runner };
      return event.type === "ended" ? { kind: "idle", ...closed(event, event.unclosed) } : activity;
    case "running":
    case "paused":
    case "stopping":
      return whileExecuting(activity, event);
  }
}

type Executing = Extract<RunActivity, { readonly kind: "running" | "paused" | "stopping" }>;

function whileExecuting(activity: Executing, event: RunActivityEvent): RunActivity {
  const { kind, runner } = activity;
  switch (event.type) {
    case "pause":
      if (kind !== "running") return activity;
      return { kind: "paused", runner, ...(event.message === undefined ? {} : { message: event.message }) };
    case "resume":
      return kind === "paused" ? { kind: "running", runner } : activity;
    case "stop":
      return kind === "stopping" ? activity : { kind: "stopping", runner };
    case "ended":
      return { kind: "idle", ...closed(event, event.unclosed) };
    case "start":
    case "correct":
    case "execute":
    case "progress":
    case "corrected":
      return activity;
  }
}

/** A log that cannot be closed is a failure; an earlier failure's message takes precedence. */
const closed = ({ failed, message }: ActivityResult, unclosed: string | undefined): ActivityResult =>
  unclosed === undefined ? { failed, message } : { failed: true, message: message ?? unclosed };
