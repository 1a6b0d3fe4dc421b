/** A line of the bench's table. Its numbers are in one unit and from one run: only their ratios mean anything elsewhere. */
export type Measurement = {
  /** With the size of what is done: "k-means 16,464 x 768, k 1,800". No two lines of the table say the same. */
  readonly what: string;
  readonly ours: number;
  readonly unit: string;
  /** The same work done by another program, such as version 0.1.0. A line with it stands in the README. */
  readonly beside?: Reference | LeftOut;
  /** How many times `beside` it should take at most. */
  readonly goal?: number;
  /** What no program gets below, such as an empty one. */
  readonly bound?: Reference | LeftOut;
};

/** What is measured beside it. */
export type Reference = { readonly of: string; readonly value: number };

/** What would be measured, and why it is not: "no published AppBench data". */
export type LeftOut = { readonly of: string; readonly leftOut: string };

/**
 * What a file of measurements exports as `bench`. A whole line that cannot be measured is left out with its reason; `large`
 * asks for those that take an hour.
 */
export type Bench = (wanted: { readonly large: boolean }) => Promise<readonly (Measurement | LeftOut)[]>;
