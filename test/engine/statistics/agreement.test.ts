import { expect, it } from "vitest";
import {
  agreementOf,
  fleissKappa,
  kappaInterval,
  kappaOf,
  kappaValue,
  majority,
} from "../../../source/engine/statistics/agreement.ts";

it("Fleiss' kappa is computed for two or three raters, excluding items that lack a verdict", () => {
  const [yes, no] = [true, false];
  // Agreeing pairs: 1, 1/3, 1 and 1/3, on average 2/3; 1/2 by chance.
  const items = [
    [yes, yes, yes],
    [yes, yes, no],
    [no, no, no],
    [yes, no, no],
  ];
  expect(fleissKappa(items)).toBeCloseTo(1 / 3, 12);
  expect(fleissKappa([...items, [yes, undefined, no]])).toBeCloseTo(1 / 3, 12);
  // Two raters who disagree on the only item agree as rarely as possible.
  expect(fleissKappa([[yes, no]])).toBe(-1);
  // Three of four pairs agree; (5/8)^2 + (3/8)^2 by chance.
  const pairs = [
    [yes, yes],
    [yes, yes],
    [no, no],
    [yes, no],
  ];
  expect(fleissKappa(pairs)).toBeCloseTo((3 / 4 - 34 / 64) / (1 - 34 / 64), 12);
});

it("Fleiss' kappa is undefined for one rater, for no items, and for verdicts that are all equal", () => {
  expect(fleissKappa([[true], [false]])).toBeUndefined();
  expect(fleissKappa([])).toBeUndefined();
  expect(fleissKappa([[true, true]])).toBeUndefined();
  expect(fleissKappa([[false, false]])).toBeUndefined();
});

/** Pairs of verdicts of person and judge: both success, only the person, only the judge, both failure. */
const judged = (tp: number, fn: number, fp: number, tn: number) =>
  [tp, fn, fp, tn].flatMap((count, kind) =>
    Array.from({ length: count }, () => ({ people: kind < 2, judge: kind % 2 === 0 })),
  );

it("a judge's agreement equals SciPy's values and the formulas of Fleiss, Cohen and Everitt", () => {
  const found = agreementOf(judged(18, 4, 3, 15));
  expect(found).toMatchObject({ n: 40, tp: 18, fn: 4, fp: 3, tn: 15, peopleRate: 0.55, judgeRate: 0.525, leanP: 1 });
  expect(found.lean).toBeCloseTo(-0.025, 12);
  expect(found.pabak).toBeCloseTo(0.65, 12);
  expect(found.phi).toBeCloseTo(0.6490612250874742, 12);
  expect(found.ppv).toBeCloseTo(18 / 21, 12);
  expect(found.npv).toBeCloseTo(15 / 19, 12);
  expect(found.kappa!.kappa).toBeCloseTo(0.6482412060301507, 12);
  expect(found.kappa!.error).toBeCloseTo(0.12056296150016446, 12);
  expect(found.kappa!.most).toBeCloseTo(0.949748743718593, 12);
  expect(found.agreement!.share).toBe(33 / 40);
  expect(found.sensitivity!.share).toBe(18 / 22);
  expect(found.sensitivity!.exact.low).toBeCloseTo(0.5971542169221286, 9);
  expect(found.sensitivity!.exact.high).toBeCloseTo(0.9481327006875631, 9);
  expect(found.specificity!.share).toBe(15 / 18);
  expect(found.specificity!.exact.low).toBeCloseTo(0.5858225086052259, 9);
  expect(found.specificity!.exact.high).toBeCloseTo(0.9642149168784253, 9);
  const { low, high } = kappaInterval(found.kappa!);
  expect([low, high].map((end) => end.toFixed(6))).toEqual(["0.411942", "0.884540"]);
});

it("intervals of agreement are exact, and end at 0 or 1 if none or all are right", () => {
  const { sensitivity, specificity } = agreementOf(judged(0, 9, 0, 9));
  expect(sensitivity!.exact.low).toBe(0);
  expect(sensitivity!.exact.high).toBeCloseTo(0.3362671168799428, 9);
  expect(specificity!.exact.low).toBeCloseTo(0.6637328831200572, 9);
  expect(specificity!.exact.high).toBe(1);
  const { exact } = agreementOf(judged(1, 8, 0, 0)).sensitivity!;
  expect(exact.low).toBeCloseTo(0.002809136746599214, 9);
  expect(exact.high).toBeCloseTo(0.48249651491733697, 9);
});

it("ratios of agreement without a denominator are undefined", () => {
  const nothing = agreementOf([]);
  for (const name of ["agreement", "kappa", "pabak", "phi", "sensitivity", "ppv", "npv", "peopleRate", "lean"] as const)
    expect(nothing[name], name).toBeUndefined();
  // Both always say success: no agreement beyond chance is possible.
  const same = agreementOf(judged(5, 0, 0, 0));
  expect(same).toMatchObject({ kappa: undefined, phi: undefined, specificity: undefined, npv: undefined, ppv: 1 });
  // A constant judge correlates with no person, and has kappa 0.
  const constant = agreementOf(judged(3, 0, 2, 0));
  expect(constant).toMatchObject({ phi: undefined, kappa: { kappa: 0, error: 0, most: 0 }, ppv: 0.6 });
  // Each of the four margins is a factor, so omitting one would be noticed.
  expect(agreementOf(judged(1, 2, 3, 5)).phi).toBeCloseTo(-1 / Math.sqrt(3 * 8 * 4 * 7), 12);
});

it("Cohen's kappa covers more than two kinds, over the items that both people labelled", () => {
  // scikit-learn 1.9.1, cohen_kappa_score(list("aabbccab"), list("abbbccca")).
  const [one, other] = [[..."aabbccab"], [..."abbbccca"]];
  expect(kappaOf(one, other)).toBeCloseTo(0.4418604651162791, 12);
  expect(kappaOf([...one, "a", undefined], [...other, undefined, "b"])).toBeCloseTo(0.4418604651162791, 12);
  expect(kappaOf(["a", "a"], ["a", "a"])).toBeUndefined();
  expect(kappaOf([], [])).toBeUndefined();
  expect(kappaValue([[5]])).toBeUndefined();
  expect(
    kappaValue([
      [2, 1],
      [1, 2],
    ]),
  ).toBeCloseTo(1 / 3, 12);
});

it("the majority counts only judges that gave a verdict, and is undefined for a tie", () => {
  expect(majority([true, true, false])).toBe(true);
  expect(majority([false, undefined, false, true])).toBe(false);
  expect(majority([true, false, undefined])).toBeUndefined();
  expect(majority([])).toBeUndefined();
});
