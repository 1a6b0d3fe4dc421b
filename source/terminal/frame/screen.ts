/**
 * The screens. The app keeps a stack of them; screens below the top keep their state and are drawn only if a wide
 * window shows them beside it.
 */
import type { PromptTemplate } from "../../engine/protocol.ts";
import type { Step, TaskRef } from "../../engine/types.ts";
import type { LabelSample } from "../../engine/analysis.ts";
import type { Scope } from "../input/keys.ts";

/** A list of tasks; or several lists, with each task once; or all tasks of some runs of a cell, including future runs. */
export type TaskSource =
  | readonly TaskRef[]
  | { readonly lists: readonly (readonly TaskRef[])[] }
  | { readonly cell: string; readonly runs: readonly string[] };

export type Screen =
  | { readonly kind: "notebook" }
  /** A figure of an analysis cell over the whole window; `figure` is its index. */
  | { readonly kind: "figure"; readonly cell: string; readonly figure: number }
  /** The set-up form of an existing run cell, or of a new one to insert below `after`. */
  | { readonly kind: "form"; readonly cell?: string; readonly after?: string }
  /** A run as it executes, with up to four trajectories as they stream. */
  | { readonly kind: "live"; readonly cell: string; readonly run: string }
  /** All tasks of a run, the tasks of a value in a figure, or any other list; `none` explains an empty list. */
  | { readonly kind: "tasks"; readonly title: string; readonly tasks: TaskSource; readonly none?: string }
  /** A task; `siblings` is the list from which it was opened, for next and previous. */
  | {
      readonly kind: "trajectory";
      readonly ref: TaskRef;
      readonly siblings: readonly TaskRef[];
      /** Opens the steps at the first error in the model's words. */
      readonly atWords?: true;
      readonly blind?: BlindLabelling;
    }
  /** A task of a random sample that is labelled blind. */
  | {
      readonly kind: "labelling";
      readonly ref: TaskRef;
      readonly siblings: readonly TaskRef[];
      readonly blind: BlindLabelling;
    }
  /**
   * A fork from a request of a task, with the stage and texts of the original: its last user message, its reply, and the last
   * result before it.
   */
  | {
      readonly kind: "fork";
      readonly ref: TaskRef;
      readonly request: number;
      readonly stage: string;
      readonly message: string;
      readonly reply?: string;
      readonly result?: string;
      /** The text at which the screen was opened; `index` is its position among the messages or results. */
      readonly at?: ForkedText;
      readonly index?: number;
    }
  /** Two runs task by task. */
  | { readonly kind: "compare"; readonly runs: readonly [string, string] }
  /**
   * A task in two runs with plans, steps or calls side by side, or in up to four runs with their calls; `tasks` is the list from
   * which it was opened.
   */
  | {
      readonly kind: "beside";
      readonly task: string;
      readonly tasks: readonly string[];
      readonly runs: readonly [string, string, ...(readonly string[])];
      /** Absent: the screen opens with the plans if there are two runs. */
      readonly section?: "calls";
    }
  /** A long text: licences, warnings, notes on the data. */
  | { readonly kind: "text"; readonly title: string; readonly text: string }
  /** A request as it is sent, beside the templates from which it is made. Without `edit`, templates are not shown. */
  | {
      readonly kind: "prompt";
      readonly task: string;
      readonly sent: SentPrompt;
      readonly templates: readonly UsedTemplate[];
      /** The templates are not shown at first. */
      readonly isHidden?: boolean;
      /** Puts a file of the notebook in the place of a template. */
      readonly edit?: (used: UsedTemplate) => void;
    }
  /** All keys; the keys of `scope`, from which help was opened, come first. */
  | { readonly kind: "help"; readonly scope?: Scope };

export type SentPrompt = Pick<Extract<Step, { readonly type: "prompt" }>, "stage" | "model" | "messages" | "tools">;

/** A template, and the run's text for it: the template's own, unless the cell has another, possibly in `file`. */
export type UsedTemplate = { readonly template: PromptTemplate; readonly text: string; readonly file?: string };

/** Texts that a fork can replace. */
export type ForkedText = "message" | "result" | "reply";

/** The sample that is being labelled, and the start of the labelling; earlier codes are hidden. */
export type BlindLabelling = { readonly sample: LabelSample; readonly since: string };

export type ScreenOf<Kind extends Screen["kind"]> = Extract<Screen, { readonly kind: Kind }>;

/**
 * The props of every screen component. A screen below the top stays mounted with `active` false to keep its cursor, and must then
 * return null. It may draw at most `height` rows of `width` columns. In a wide window two or three screens are active; only the
 * `focused` screen takes keys.
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
   * Must be called after every render if this kind of screen opens another: with the screen that Enter would open, and the
   * columns that this screen needs to show all its contents.
   */
  readonly leadTo: (screen: Screen | undefined, columns?: number) => void;
};
