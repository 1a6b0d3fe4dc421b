/** A choice that a suite or strategy offers beyond the common settings, and its conditions. */

/** Values by the names of options, or of the settings `strategy` and `judge` (`none` without a judge). */
export type OptionValues = Readonly<Record<string, readonly string[]>>;

/** A choice that a run cell may set in addition to the fixed fields, with its possible values; the first value is the default. */
export type Option = {
  readonly name: string;
  readonly title: string;
  readonly values: readonly (string | number)[] | "number" | "text" | "model";
  /** For `model` and `number`: words accepted instead of a model's name or a number. */
  readonly words?: readonly string[];
  readonly default: string | number;
  /** Other defaults that depend on values of options listed earlier; the first match applies. */
  readonly defaults?: readonly { readonly when: OptionValues; readonly value: string | number }[];
  /** True to omit the default of a run's settings, so that runs saved before this option existed keep their ids. */
  readonly quiet?: boolean;
  /**
   * The value that applies to runs saved before this option existed, if it is not the default. Ids then omit this value instead
   * of the default.
   */
  readonly former?: string | number;
  /** Offered only if these values are set, for instance for one strategy. */
  readonly when?: OptionValues;
  /**
   * Settings with one of which the option has an effect. Without them it is still hashed, as in version 0.1.0, but adds no runs
   * to a grid. If absent, it always has an effect.
   */
  readonly effect?: readonly OptionValues[];
  /** Settings with one of which the option has no effect, whatever `effect` contains. */
  readonly noEffect?: readonly OptionValues[];
  /** True if the option determines only how answers are scored: a run that differs in nothing else reuses the answers. */
  readonly scoring?: true;
  readonly note?: string;
  /** Note, by value, for every figure of runs with that value. */
  readonly noted?: Readonly<Record<string, string>>;
  /** Value in the paper's runs, and its description: figures of runs with another value have a note. */
  readonly paper?: { readonly value: string | number; readonly title: string };
};

/** Runs without a judge. */
export const withoutJudge: readonly OptionValues[] = [{ judge: ["none"] }];

/** The system message, an option of every benchmark; models read it before the benchmark's own. */
export const systemOption: Option = {
  name: "system",
  title: "System message",
  values: "text",
  default: "",
  quiet: true,
  note: "precedes the benchmark's system message: a text, or a file of the notebook that ends in .md or .txt",
};

/** `roles` are those of a strategy; a strategy without roles sends no requests to models. */
type Offering = { readonly options?: readonly Option[]; readonly roles?: readonly string[] };

/** Returns the options of a suite and one of its strategies, each once. */
export function optionsFor(suite: Offering, strategy: Offering | undefined): readonly Option[] {
  const byName = new Map<string, Option>();
  for (const option of [...(suite.options ?? []), ...(strategy?.options ?? [])]) {
    if (!byName.has(option.name)) byName.set(option.name, option);
  }
  if (strategy?.roles?.length !== 0 && !byName.has(systemOption.name)) byName.set(systemOption.name, systemOption);
  return [...byName.values()];
}

/** Values of a run: its strategy and options. */
type Given = Readonly<Record<string, string | number>>;

/** Returns whether an option applies with these other values. */
export const applies = ({ when = {} }: Option, given: Given): boolean => holds(when, given);

/** Returns whether the values contain these; an unset value matches. */
export function holds(when: OptionValues, given: Given): boolean {
  return Object.entries(when).every(
    ([name, values]) => given[name] === undefined || values.includes(String(given[name])),
  );
}

/** Returns the default of an option, given the other values; used if a cell sets none. */
export const defaultOf = ({ default: standard, defaults = [] }: Option, given: Given): string | number =>
  defaults.find(({ when }) => areGiven(when, given))?.value ?? standard;

/** Returns whether an option makes a difference with these values. */
export const makesDifference = ({ effect, noEffect = [] }: Option, given: Given): boolean =>
  effect?.some((when) => holds(when, given)) !== false && !noEffect.some((when) => areGiven(when, given));

const areGiven = (when: OptionValues, given: Given): boolean =>
  Object.entries(when).every(([name, values]) => values.includes(String(given[name])));
