/**
 * Agreement of judges with people and with each other: Cohen's and Fleiss' kappa, sensitivity, specificity and the judge's
 * bias.
 */
import { betaQuantile } from "./beta.ts";
import { type Interval, wilson, z } from "./interval.ts";
import { mcnemarExact } from "./paired.ts";

/** One task's verdicts: true for success. */
export type VerdictPair = { readonly people: boolean; readonly judge: boolean };

/** Cohen's kappa of two raters over the same items; each is undefined if chance alone would always agree. */
export type Kappa = {
  readonly kappa: number;
  /** Standard error by Fleiss, Cohen and Everitt 1969. */
  readonly error: number;
  /** The maximum for these margins. */
  readonly most: number;
};

/** A share with Wilson's and the exact (Clopper and Pearson 1934) interval at 95 %. */
export type SharedCount = { readonly share: number; readonly wilson: Interval; readonly exact: Interval };

/** A judge compared with people on the same tasks. A value without a denominator is undefined. */
export type Agreement = {
  readonly n: number;
  /** Tasks by people's verdict and the judge's: success and success, success and failure, failure and success, failure and failure. */
  readonly tp: number;
  readonly fn: number;
  readonly fp: number;
  readonly tn: number;
  readonly agreement: SharedCount | undefined;
  readonly kappa: Kappa | undefined;
  /** Twice the agreement minus 1: kappa if both verdicts were equally frequent. */
  readonly pabak: number | undefined;
  readonly phi: number | undefined;
  readonly sensitivity: SharedCount | undefined;
  readonly specificity: SharedCount | undefined;
  readonly ppv: number | undefined;
  readonly npv: number | undefined;
  readonly peopleRate: number | undefined;
  readonly judgeRate: number | undefined;
  /** The judge's rate of successes minus people's, with McNemar's exact p. */
  readonly lean: number | undefined;
  readonly leanP: number;
};

/** Compares a judge with people over the tasks that both judged. */
export function agreementOf(pairs: readonly VerdictPair[]): Agreement {
  const count = (people: boolean, judge: boolean) =>
    pairs.filter((each) => each.people === people && each.judge === judge).length;
  const [tp, fn, fp, tn] = [count(true, true), count(true, false), count(false, true), count(false, false)];
  const n = pairs.length;
  const margins = (tp + fn) * (fp + tn) * (tp + fp) * (fn + tn);
  return {
    n,
    tp,
    fn,
    fp,
    tn,
    agreement: sharedCount(tp + tn, n),
    kappa: cohenKappa([
      [tp, fn],
      [fp, tn],
    ]),
    pabak: ratio(2 * (tp + tn) - n, n),
    phi: margins === 0 ? undefined : (tp * tn - fp * fn) / Math.sqrt(margins),
    sensitivity: sharedCount(tp, tp + fn),
    specificity: sharedCount(tn, tn + fp),
    ppv: ratio(tp, tp + fp),
    npv: ratio(tn, tn + fn),
    peopleRate: ratio(tp + fn, n),
    judgeRate: ratio(tp + fp, n),
    lean: ratio(fp - fn, n),
    leanP: mcnemarExact(fp, fn),
  };
}

/**
 * Returns Cohen's kappa (1960) of a square table of counts: `table[i][j]` items that the first rater put into kind i and the
 * second into kind j. Undefined if both raters used only one and the same kind, or if there are no items.
 */
function cohenKappa(table: CountTable): Kappa | undefined {
  const { n, rows, columns, expected, rest, above } = kappaParts(table);
  if (rest === 0) return undefined;
  return {
    kappa: above / rest,
    error: Math.sqrt(Number(kappaSpread(table, rows, columns)) / n) / rest ** 2,
    most: (n * sum(rows.map((count, kind) => Math.min(count, columns[kind]!))) - expected) / rest,
  };
}

type CountTable = readonly (readonly number[])[];

/** Returns only the value of the kappa of a table; undefined as in `cohenKappa`. */
export function kappaValue(table: CountTable): number | undefined {
  const { rest, above } = kappaParts(table);
  return rest === 0 ? undefined : above / rest;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Returns the margins, the agreement by chance, the remaining possible agreement, and the observed agreement above chance: the
 * latter three times the square of n, as whole numbers, so that a constant judge has exactly kappa 0 and no error.
 */
function kappaParts(table: CountTable) {
  const rows = table.map(sum);
  const columns = rows.map((_, kind) => sum(table.map((row) => row[kind]!)));
  const n = sum(rows);
  const expected = sum(rows.map((count, kind) => count * columns[kind]!));
  const above = n * sum(table.map((row, kind) => row[kind]!)) - expected;
  return { n, rows, columns, expected, rest: n * n - expected, above };
}

/**
 * Returns the variance of kappa in whole numbers: multiplied by n and by the fourth power of the part of the square of n that is
 * not due to chance.
 */
function kappaSpread(table: CountTable, rows: readonly number[], columns: readonly number[]): bigint {
  const [r, c] = [rows.map(BigInt), columns.map(BigInt)];
  const n = r.reduce((total, count) => total + count, 0n);
  const expected = r.reduce((total, count, kind) => total + count * c[kind]!, 0n);
  const agreed = table.reduce((total, row, kind) => total + BigInt(row[kind]!), 0n);
  const [rest, above] = [n * n - expected, n * agreed - expected];
  const below = rest - above;
  let spread = -((above * n * n - expected * below) ** 2n);
  for (const [i, row] of table.entries())
    for (const [j, count] of row.entries()) {
      const term = i === j ? n * rest - (r[i]! + c[i]!) * below : below * (c[i]! + r[j]!);
      spread += n * BigInt(count) * term ** 2n;
    }
  return spread;
}

/** Returns the 95 % interval of a kappa, by the normal distribution; it may exceed 1 and -1. */
export const kappaInterval = ({ kappa, error }: Kappa): Interval => ({
  low: kappa - z * error,
  high: kappa + z * error,
});

/** Returns kappa of two lists of verdicts over the items that have both; undefined as in `cohenKappa`. */
export function kappaOf<Kind>(one: readonly (Kind | undefined)[], other: readonly (Kind | undefined)[]) {
  const both = one.flatMap((a, item) => {
    const b = other[item];
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  const kinds = [...new Set(both.flat())];
  return cohenKappa(
    kinds.map((first) => kinds.map((second) => both.filter(([a, b]) => a === first && b === second).length)),
  )?.kappa;
}

/**
 * Returns Fleiss' kappa (1971) of several raters. `items` contains each item's verdicts; an item that lacks a verdict is omitted.
 * Undefined with fewer than two raters, without items, or if all verdicts are of one kind.
 */
export function fleissKappa(items: readonly (readonly (boolean | undefined)[])[]): number | undefined {
  const whole = items.filter((verdicts) => verdicts.every((verdict) => verdict !== undefined));
  const raters = Number(whole[0]?.length);
  if (!(raters >= 2)) return undefined;
  const successes = whole.map((verdicts) => verdicts.filter((verdict) => verdict).length);
  const all = successes.reduce((sum, count) => sum + count, 0);
  const total = whole.length * raters;
  if (all === 0 || all === total) return undefined;
  const agreed =
    successes.reduce((sum, count) => sum + count ** 2 + (raters - count) ** 2 - raters, 0) / (total * (raters - 1));
  const byChance = (all / total) ** 2 + (1 - all / total) ** 2;
  return (agreed - byChance) / (1 - byChance);
}

/** Returns the majority verdict; undefined for a tie or without verdicts. */
export function majority(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  const successes = verdicts.filter((verdict) => verdict === true).length;
  const failures = verdicts.filter((verdict) => verdict === false).length;
  if (successes > failures) return true;
  return failures > successes ? false : undefined;
}

const ratio = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

function sharedCount(successes: number, trials: number): SharedCount | undefined {
  const interval = wilson(successes, trials);
  if (interval === undefined) return undefined;
  return { share: successes / trials, wilson: interval, exact: clopperPearson(successes, trials) };
}

/** Returns the exact 95 % interval of a share (Clopper and Pearson 1934), from quantiles of the beta distribution. */
function clopperPearson(successes: number, trials: number): Interval {
  return {
    low: successes === 0 ? 0 : betaQuantile(0.025, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(0.975, successes + 1, trials - successes),
  };
}
