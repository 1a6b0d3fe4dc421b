/** A part of the torture run and its report. Real time is allowed here, and nowhere else in the tests. */

export type Size = "short" | "whole" | "long";

export type Torture = {
  /** Determines alone the times and positions of faults. */
  readonly seed: number;
  /** A part of four minutes, all that fits into twenty-five, or everything. */
  readonly size: Size;
};

/** One line of the table. */
export type Line = {
  readonly what: string;
  readonly tries: number;
  /** Failures, each in a sentence. */
  readonly broken: readonly string[];
  /** Measured beside it. */
  readonly note?: string;
  /** Why it could not be tried on this machine. */
  readonly skipped?: string;
};

export type Part = (torture: Torture) => AsyncIterable<Line>;

/** The amount for a size. */
export function amount<Value>({ size }: Torture, short: Value, whole: Value, long = whole): Value {
  return { short, whole, long }[size];
}
