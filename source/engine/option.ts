/** A choice a suite or a strategy offers beyond the fields every run has, and where it counts. */

/** Values by the names of options, or of the settings `strategy` and `judge` (`none` where there is none). */
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
  /** Beside one of these it makes none, whatever `effect` says. */
  readonly noEffect?: readonly OptionValues[];
  readonly note?: string;
  /** By value: what every figure of runs with that value says in its notes. */
  readonly noted?: Readonly<Record<string, string>>;
  /** Its value in the runs of the paper, and that in words: every figure of runs with another one says so. */
  readonly paper?: { readonly value: string | number; readonly title: string };
};

/** Where nobody judges the answers. */
export const withoutJudge: readonly OptionValues[] = [{ judge: ["none"] }];

type Offering = { readonly options?: readonly Option[] };

/** The options of a suite and of one of its strategies, each once. */
export function optionsFor(suite: Offering, strategy: Offering | undefined): readonly Option[] {
  const byName = new Map<string, Option>();
  for (const option of [...(suite.options ?? []), ...(strategy?.options ?? [])]) {
    if (!byName.has(option.name)) byName.set(option.name, option);
  }
  return [...byName.values()];
}

/** The values of a run: of its strategy, and of options. */
type Given = Readonly<Record<string, string | number>>;

/** Whether an option applies beside these other values. */
export const applies = ({ when = {} }: Option, given: Given): boolean => holds(when, given);

/** Whether these are among the values; what has no value is no objection. */
export function holds(when: OptionValues, given: Given): boolean {
  return Object.entries(when).every(
    ([name, values]) => given[name] === undefined || values.includes(String(given[name])),
  );
}

/** What holds beside these other values where a cell says nothing. */
export function defaultOf({ default: standard, defaults = [] }: Option, given: Given): string | number {
  return defaults.find(({ when }) => areGiven(when, given))?.value ?? standard;
}

/** Whether an option makes a difference beside these values. */
export function makesDifference({ effect, noEffect = [] }: Option, given: Given): boolean {
  return effect?.some((when) => holds(when, given)) !== false && !noEffect.some((when) => areGiven(when, given));
}

const areGiven = (when: OptionValues, given: Given): boolean =>
  Object.entries(when).every(([name, values]) => values.includes(String(given[name])));
