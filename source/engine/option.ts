/** A choice a suite or a strategy offers beyond the fields every run has. */

/** A choice a run cell may set beyond the fixed fields, with its possible values; the first is the default. */
export type Option = {
  readonly name: string;
  readonly title: string;
  readonly values: readonly (string | number)[] | "number" | "text" | "model";
  /** For `model`: what may stand there instead of a model's name. */
  readonly words?: readonly string[];
  readonly default: string | number;
  /** Left out of a run's settings where it has its default: runs saved before there was this choice stay what they are. */
  readonly quiet?: boolean;
  /** Only offered where this holds, for instance for one strategy. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  readonly note?: string;
  /** By value: what every figure of runs with that value says in its notes. */
  readonly noted?: Readonly<Record<string, string>>;
};
