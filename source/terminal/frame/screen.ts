/** The screens. The app keeps a stack of them; those below the top keep their state, and draw nothing unless a wide window shows them beside it. */
import type { TaskRef } from "../../engine/types.ts";
import type { Scope } from "../input/binding.ts";

/** These tasks; or those of some lists, each once; or all of some runs of this cell, those to come too. */
export type TaskSource =
  | readonly TaskRef[]
  | { readonly lists: readonly (readonly TaskRef[])[] }
  | { readonly cell: string; readonly runs: readonly string[] };

export type Screen =
  | { readonly kind: "notebook" }
  /** One figure of an analysis cell over the whole window; `figure` is its index. */
  | { readonly kind: "figure"; readonly cell: string; readonly figure: number }
  /** The set-up form of an existing run cell, or of a new one to be inserted below `after`. */
  | { readonly kind: "form"; readonly cell?: string; readonly after?: string }
  /** A run as it executes: up to four trajectories as they stream. */
  | { readonly kind: "live"; readonly cell: string; readonly run: string }
  /** All tasks of a run, the tasks behind a value of a figure, or any other list of tasks; `none`: why it has none. */
  | { readonly kind: "tasks"; readonly title: string; readonly tasks: TaskSource; readonly none?: string }
  /** One task; `siblings` is the list it was opened from, for next and previous. */
  | {
      readonly kind: "trajectory";
      readonly ref: TaskRef;
      readonly siblings: readonly TaskRef[];
      /** Begins in the steps, at the first error in the model's words. */
      readonly atWords?: true;
    }
  /** Continuing from a request of a task with something changed; `stage` and `message` (its last user message) are the original's. */
  | {
      readonly kind: "fork";
      readonly ref: TaskRef;
      readonly request: number;
      readonly stage: string;
      readonly message: string;
    }
  /** Two runs task by task. */
  | { readonly kind: "compare"; readonly runs: readonly [string, string] }
  /** One task in two runs, its plans or its steps beside each other; `tasks` is the list it was opened from. */
  | {
      readonly kind: "beside";
      readonly task: string;
      readonly tasks: readonly string[];
      readonly runs: readonly [string, string];
    }
  /** A long text: licences, warnings, notes on the data. */
  | { readonly kind: "text"; readonly title: string; readonly text: string }
  /** All keys; those of `scope`, where help was asked for, first. */
  | { readonly kind: "help"; readonly scope?: Scope };

export type ScreenOf<Kind extends Screen["kind"]> = Extract<Screen, { readonly kind: Kind }>;

/**
 * The props of every screen component. A screen below the top stays mounted with `active` false, so that its cursor is kept; it must
 * then return null. It may draw `height` rows of `width` columns at most. In a wide window two or three screens are active, of which
 * one is `focused`: only that one takes keys.
 */
export type ScreenProps<Kind extends Screen["kind"]> = {
  readonly screen: ScreenOf<Kind>;
  readonly active: boolean;
  readonly focused: boolean;
  readonly width: number;
  readonly height: number;
  /** The screen that was opened from this one. */
  readonly opened: Screen | undefined;
  /**
   * To be called after every render with what Enter would open, where this kind of screen leads to something, and with the columns it
   * needs itself to leave nothing out.
   */
  readonly leadTo: (screen: Screen | undefined, columns?: number) => void;
};
