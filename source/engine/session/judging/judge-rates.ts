/** Describes the reliability of a judge: its agreement with people, and the rate of successes corrected by their labels. */
import { agreementOf, type Agreement, type Kappa, kappaInterval, kappaValue } from "../../statistics/agreement.ts";
import { clusterBootstrap } from "../../statistics/cluster-bootstrap.ts";
import { clusteredMean } from "../../statistics/clustered-mean.ts";
import { peopleRate, predictionPowered, roganGladen } from "../../statistics/corrected-rate.ts";
import type { Interval } from "../../statistics/interval.ts";
import { counted } from "../../text/counted.ts";
import type { JudgedItem } from "./judged-items.ts";
import type { PeopleVerdict } from "./people-verdicts.ts";

/** A judged answer that people judged, too. */
export type CheckedItem = { readonly item: JudgedItem; readonly people: boolean; readonly judge: boolean };

/**
 * Returns the answers with this judge's verdicts and people's verdicts on them, and the answers that people have judged as well.
 */
export function judgedBy(
  judge: string,
  items: readonly JudgedItem[],
  said: (item: JudgedItem) => PeopleVerdict | undefined,
) {
  const all = items.flatMap((item) => {
    const verdict = item.verdicts.get(judge)?.verdict;
    return verdict === undefined ? [] : [{ item, judge: verdict, people: said(item) }];
  });
  const known = all.flatMap((each) => (each.people === undefined ? [] : [{ ...each, people: each.people.verdict }]));
  return { all, known };
}

/** With fewer labels, corrections are rough. */
const few = 30;

/** Describes in a table how well a judge agrees with people's labels. */
export function checkedWord(n: number, kappa: Kappa | undefined, interval: Interval | undefined): string {
  if (n === 0) return "judge unchecked";
  const isChance = interval !== undefined && interval.low <= 0 && interval.high >= 0;
  const value = kappa === undefined ? "-" : kappa.kappa.toFixed(2);
  const said = isChance ? `no better than chance (kappa ${value})` : `kappa ${value}`;
  return `judge checked on ${counted(n, "answer")}: ${said}${n < few ? ", few labels" : ""}`;
}

/** Describes the agreement in one or two words for a column; the notes contain the full text. */
export function briefWord(n: number, interval: Interval | undefined): string {
  if (n === 0) return "unchecked";
  if (n < few) return "few labels";
  return interval !== undefined && interval.low <= 0 && interval.high >= 0 ? "chance level" : "checked";
}

/** Agreement with intervals: over clusters if there are repeats of a task. */
export type CheckedAgreement = Agreement & {
  readonly items: readonly CheckedItem[];
  /** Intervals clustered by task. If absent, the statistics' own intervals apply, because each task has one answer. */
  readonly clustered?: Readonly<
    Record<"agreement" | "kappa" | "sensitivity" | "specificity" | "lean", Interval | undefined>
  >;
  readonly kappaInterval: Interval | undefined;
};

export function checkedAgreement(items: readonly CheckedItem[]): CheckedAgreement {
  const found = agreementOf(items);
  const clusters = [...Map.groupBy(items, ({ item }) => item.cluster).values()];
  if (clusters.length === items.length)
    return { ...found, items, kappaInterval: found.kappa && kappaInterval(found.kappa) };
  const counts = clusters.map(countsOf);
  const over = (value: (...counts: Counts) => number | undefined) =>
    clusterBootstrap(counts, (sums) => value(...(sums as Counts)), "judges");
  const clustered = {
    agreement: over((tp, fn, fp, tn) => (tp + tn) / (tp + fn + fp + tn)),
    kappa: over((tp, fn, fp, tn) =>
      kappaValue([
        [tp, fn],
        [fp, tn],
      ]),
    ),
    sensitivity: over((tp, fn) => shareOf(tp, tp + fn)),
    specificity: over((_, __, fp, tn) => shareOf(tn, tn + fp)),
    lean: over((tp, fn, fp, tn) => (fp - fn) / (tp + fn + fp + tn)),
  };
  return { ...found, items, clustered, kappaInterval: clustered.kappa };
}

/**
 * Number of answers for each pair of verdicts, people's first and the judge's second: success and success, success and failure,
 * failure and success, both failure.
 */
type Counts = [number, number, number, number];

function countsOf(items: readonly CheckedItem[]): Counts {
  const counts: Counts = [0, 0, 0, 0];
  for (const { people, judge } of items) counts[(people ? 0 : 2) + (judge ? 0 : 1)]! += 1;
  return counts;
}

const shareOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** A rate with its 95 % interval, from 0 to 1. */
export type Rate = { readonly rate: number; readonly interval: Interval | undefined };

/** The rate of successes of one run's answers. */
export type JudgedRates = {
  /** The judge's share over all answers that it judged. */
  readonly raw: Rate & { readonly n: number };
  /** Number of answers that people judged, and number of answers among them that were drawn at random. */
  readonly labelled: number;
  readonly drawn: number;
  /**
   * The success rate according to people in the drawn answers, and the power-tuned estimate for all answers; undefined without
   * drawn answers.
   */
  readonly people?: Rate;
  readonly tuned?: Rate;
  /**
   * The rate corrected by sensitivity and specificity in the drawn answers of other runs; undefined if the run has its own
   * labels.
   */
  readonly roganGladen?: Rate | "the judge is no better than chance";
};

type Judgement = { readonly item: JudgedItem; readonly judge: boolean; readonly people: PeopleVerdict | undefined };

/**
 * Returns the rates of one run's answers by one judge; `others` are its answers of other runs. Undefined without verdicts. Repeats
 * of a task count as their mean.
 */
export function judgedRates(own: readonly Judgement[], others: readonly Judgement[]): JudgedRates | undefined {
  const all = meansOf(own);
  const raw = clusteredMean(own.map(({ item, judge }) => ({ value: Number(judge), cluster: item.cluster })));
  if (raw === undefined) return undefined;
  const drawn = own.filter(({ people }) => people?.isDrawn === true);
  const labelled = own.filter(({ people }) => people !== undefined);
  const found = {
    raw: { rate: raw.mean, interval: raw.interval, n: own.length },
    labelled: labelled.length,
    drawn: drawn.length,
  };
  if (drawn.length > 0) {
    const sample = meansOf(drawn);
    const rest = [...all].flatMap(([task, { judge }]) => (sample.has(task) ? [] : [judge]));
    const tuned = predictionPowered([...sample.values()], rest)?.tuned;
    const isRepeated = sample.size < drawn.length;
    const values = drawn.map(({ item, people }) => ({ value: Number(people!.verdict), cluster: item.cluster }));
    const people = isRepeated ? clusteredMean(values) : peopleRate([...sample.values()]);
    const rate = people === undefined ? undefined : "rate" in people ? people.rate : people.mean;
    return {
      ...found,
      ...(rate !== undefined && { people: { rate, interval: people!.interval } }),
      ...(tuned !== undefined && { tuned: { rate: inUnit(tuned.estimate), interval: clipped(tuned.interval) } }),
    };
  }
  const known = others.flatMap(({ judge, people }) =>
    people?.isDrawn === true ? [{ judge, people: people.verdict }] : [],
  );
  if (labelled.length > 0 || known.length === 0) return found;
  const corrected = roganGladen(
    known,
    [...all.values()].map(({ judge }) => judge),
  );
  return {
    ...found,
    roganGladen:
      corrected === undefined
        ? "the judge is no better than chance"
        : { rate: corrected.estimate, interval: corrected.interval },
  };
}

/** Means by task of the verdicts. */
function meansOf(of: readonly Judgement[]): ReadonlyMap<string, { readonly judge: number; readonly people: number }> {
  const mean = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;
  return new Map(
    [...Map.groupBy(of, ({ item }) => item.cluster)].map(([task, each]) => [
      task,
      {
        judge: mean(each.map(({ judge }) => judge)),
        people: mean(each.flatMap(({ people }) => people?.verdict ?? [])),
      },
    ]),
  );
}

const inUnit = (share: number) => Math.min(1, Math.max(0, share));
const clipped = ({ low, high }: Interval): Interval => ({ low: inUnit(low), high: inUnit(high) });
