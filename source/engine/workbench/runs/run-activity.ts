/**
 * What the program is doing with one run, and what comes next: every status but those read from the log is this union's, and
 * `afterEvent` is the only way from one to the next.
 */
import type { RunnerOptions, TaskRunner } from "../../run/runner.ts";

/** What is done when the first tasks of a run all fail with the same words: `pause` asks the person before the screen. */
export type WhenFailing = "pause" | "stop" | "continue";

export type RunOptions = {
  /** Executes just these tasks, again if need be, instead of what has no score yet. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly failing?: WhenFailing | undefined;
  /** Keeps replies, and takes those that are kept. */
  readonly cache?: boolean | undefined;
  /** Nobody asked for it, as when the session is opened: only what workers have is taken up, and nothing is begun. */
  readonly isOpening?: boolean | undefined;
  /** What it shares with other runs. */
  readonly shared?: Pick<RunnerOptions, "places" | "roomLeft"> | undefined;
};

/** How the last activity ended: `failed` where it could not do what it was begun for. */
export type ActivityResult = { readonly failed: boolean; readonly message: string | undefined };

export type RunActivity =
  | ({ readonly kind: "idle" } & ActivityResult)
  /** A label correction is being written; the outcome of what was before stays. */
  | ({ readonly kind: "correcting" } & ActivityResult)
  /** Asked to start while a correction is being written: starts after it, unless stopped before. */
  | ({ readonly kind: "queued"; readonly stopped: boolean } & ActivityResult)
  /** Data is read, toolkits are made, or saved answers are scored; `doing` says what, where that takes long. */
  | { readonly kind: "loading"; readonly stopped: boolean; readonly doing: string | undefined }
  /** Tasks are executed. */
  | { readonly kind: "running" | "stopping"; readonly runner: TaskRunner }
  /** `message`: why it was paused, where nobody asked for it. */
  | { readonly kind: "paused"; readonly runner: TaskRunner; readonly message?: string };

export type RunActivityEvent =
  | { readonly type: "start" | "correct" | "resume" | "stop" }
  | { readonly type: "pause"; readonly message?: string }
  | { readonly type: "execute"; readonly runner: TaskRunner }
  | { readonly type: "progress"; readonly doing: string | undefined }
  /** `unclosed`: why the log could not be closed; it could where undefined. */
  | ({ readonly type: "ended"; readonly unclosed: string | undefined } & ActivityResult)
  | { readonly type: "corrected"; readonly unclosed: string | undefined };

export const idle = { kind: "idle", failed: false, message: undefined } as const satisfies RunActivity;

/** The activity after an event; the very same object where the event means nothing now. */
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
    default:
      return activity satisfies never;
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
    default:
      return event satisfies never;
  }
}

/** A log that cannot be closed is a failure of its own; an earlier failure's message is shown rather. */
function closed({ failed, message }: ActivityResult, unclosed: string | undefined): ActivityResult {
  return unclosed === undefined ? { failed, message } : { failed: true, message: message ?? unclosed };
}
