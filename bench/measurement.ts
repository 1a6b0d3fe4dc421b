/** A line of the bench's table. Its numbers have one unit and come from one run; only their ratios are valid elsewhere. */
export type Measurement = Alone | Compared;

type Line = {
  /** With the size of what is done: "k-means 16,464 x 768, k 1,800". No two lines of the table say the same. */
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
};

type Alone = Line & { readonly beside?: undefined; readonly goal?: undefined; readonly bound?: Bound };

/** The table in the documentation contains it. */
export type Compared = Line & {
  /** The same work done by another program, such as version 0.1.0. */
  readonly beside: Reference | LeftOut;
  /** Highest acceptable ratio to `beside`. */
  readonly goal?: number;
  readonly bound: Bound;
};

/** The theoretical minimum, such as an empty program, or why none is known. */
export type Bound = Reference | LeftOut | { readonly unknown: string };

/** The reference that is measured too. */
export type Reference = { readonly of: string; readonly value: number };

/** The measurement that was omitted, and the reason: "no published AppBench data". */
export type LeftOut = { readonly of: string; readonly leftOut: string };

type Lines = readonly (Measurement | LeftOut)[];

/** Large ones take ten minutes, the largest half an hour. */
export type Size = "usual" | "large" | "largest";

/**
 * What a file of measurements exports as `bench`: gives its lines at once, or each as it is measured. A whole line that cannot be
 * measured is left out with its reason; `most` says up to which size they are asked for.
 */
export type Bench = (wanted: { readonly most: Size }) => Promise<Lines> | AsyncIterable<Lines[number]>;
