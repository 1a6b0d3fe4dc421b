/** Reference values: the formulas of the papers in NumPy 2.4.6. */
import { describe, expect, it } from "vitest";
import { peopleRate, predictionPowered, roganGladen } from "../../../source/engine/statistics/corrected-rate.ts";
import { wilson } from "../../../source/engine/statistics/interval.ts";

const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const labelled = [
  ...times(18, { people: true, judge: true }),
  ...times(4, { people: true, judge: false }),
  ...times(3, { people: false, judge: true }),
  ...times(15, { people: false, judge: false }),
];
const unlabelled = [...times(60, true), ...times(40, false)];

const expectClose = (found: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, number>>) => {
  for (const [name, value] of Object.entries(wanted)) expect(found[name], name).toBeCloseTo(value, 12);
};

describe("the rate by people's labels", () => {
  it("is the share of successes, with Wilson's interval", () => {
    expect(peopleRate(labelled)).toEqual({ successes: 22, n: 40, rate: 0.55, interval: wilson(22, 40) });
    expect(peopleRate([])).toBeUndefined();
  });
});

describe("Rogan and Gladen's corrected rate", () => {
  it("is corrected by sensitivity and specificity, with a standard error by the delta method", () => {
    const found = roganGladen(labelled, unlabelled)!;
    expectClose(found, { estimate: 0.6651162790697673, unclipped: 0.6651162790697673, error: 0.12140755708111789 });
    expectClose(found.interval, { low: 0.4271618397397855, high: 0.9030707183997492 });
  });

  it("is limited to the range from 0 to 1, and so is its interval", () => {
    const all = roganGladen(labelled, times(10, true))!;
    expect(all.unclipped).toBeCloseTo((1 + 5 / 6 - 1) / (9 / 11 + 5 / 6 - 1), 12);
    expect(all).toMatchObject({ estimate: 1, interval: { high: 1 } });
    const none = roganGladen(labelled, times(10, false))!;
    expect(none.unclipped).toBeCloseTo((5 / 6 - 1) / (9 / 11 + 5 / 6 - 1), 12);
    expect(none).toMatchObject({ estimate: 0, interval: { low: 0 } });
  });

  it("is undefined if one group of labels is missing, or the judge is uninformative", () => {
    const right = { people: true, judge: true };
    const wrong = { people: false, judge: true };
    expect(roganGladen(labelled, [])).toBeUndefined();
    expect(roganGladen([right], unlabelled)).toBeUndefined();
    expect(roganGladen([wrong], unlabelled)).toBeUndefined();
    expect(roganGladen([right, wrong], unlabelled)).toBeUndefined();
    // Sensitivity 1/2 and specificity 1/2: the judge is no better than a coin.
    const coin = [right, { people: true, judge: false }, wrong, { people: false, judge: false }];
    expect(roganGladen(coin, unlabelled)).toBeUndefined();
    expect(roganGladen([...coin, right], unlabelled)).toBeDefined();
  });
});

describe("the prediction-powered rate", () => {
  it("adds the judge's mean error to the judge's rate, weighted by the information in the verdicts", () => {
    const found = predictionPowered(labelled, unlabelled)!;
    expectClose(found, { estimate: 0.625, error: 0.08221541826202673 });
    expectClose(found.interval, { low: 0.46386074123253096, high: 0.786139258767469 });
    expectClose(found.tuned, { weight: 0.4723791588198369, estimate: 0.5854284369114877, error: 0.06561734023847403 });
    expectClose(found.tuned.interval, { low: 0.4568208132827678, high: 0.7140360605402076 });
  });

  it("has weight 0 for a constant or mostly wrong judge, and at most weight 1 for any judge", () => {
    const ofPeople = [true, true, false, false];
    const judged = (judge: (people: boolean) => boolean | number) =>
      ofPeople.map((people) => ({ people, judge: judge(people) }));
    expect(
      predictionPowered(
        judged(() => true),
        [true, true],
      )!.tuned,
    ).toMatchObject({ weight: 0, estimate: 0.5 });
    expect(
      predictionPowered(
        judged((people) => !people),
        [true, false],
      )!.tuned.weight,
    ).toBe(0);
    expect(
      predictionPowered(
        judged((people) => (people ? 0.6 : 0.4)),
        times(40, 0.5),
      )!.tuned.weight,
    ).toBe(1);
  });

  it("is undefined without labelled or without unlabelled tasks", () => {
    expect(predictionPowered([], unlabelled)).toBeUndefined();
    expect(predictionPowered(labelled, [])).toBeUndefined();
  });
});
