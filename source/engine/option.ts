/** A choice a suite or a strategy offers beyond the fields every run has. */

/** Values by the names of options, or of the setting `strategy`. */
export type OptionValues = Readonly<Record<string, readonly string[]>>;

/** A choice a run cell may set beyond the fixed fields, with its possible values; the first is the default. */
export type Option = {
  readonly name: string;
  readonly title: string;
  readonly values: readonly (string | number)[] | "number" | "text" | "model";
  /** For `model` and `number`: what may stand there instead of a model's name, or of a number. */
  readonly words?: readonly string[];
  readonly default: string | number;
  /** Other defaults, beside these values of options listed before it; the first that fits counts. */
  readonly defaults?: readonly { readonly when: OptionValues; readonly value: string | number }[];
  /** Left out of a run's settings where it has its default: runs saved before there was this choice stay what they are. */
  readonly quiet?: boolean;
  /** What runs did that were saved before there was this choice, where that is not the default: it is left out instead. */
  readonly former?: string | number;
  /** Only offered where this holds, for instance for one strategy. */
  readonly when?: OptionValues;
  /**
   * It makes a difference only beside one of these. Elsewhere it still is one of a run's settings, as in version 0.1.0, but no
   * reason for another run of a grid. Absent: wherever it is offered.
   */
  readonly effect?: readonly OptionValues[];
  readonly note?: string;
  /** By value: what every figure of runs with that value says in its notes. */
  readonly noted?: Readonly<Record<string, string>>;
  /** Its value in the runs of the paper, and that in words: every figure of runs with another one says so. */
  readonly paper?: { readonly value: string | number; readonly title: string };
};
