/** The texts of intervals: in percent if their value is, with a mark if they are rough, and whether a value is in percent at all. */
import { describe, expect, it } from "vitest";
import { restsOnFew, shortfallOf } from "../../../source/engine/figure.ts";
import {
  areShownInPercent,
  bracketNotes,
  briefInterval,
  intervalEnds,
  intervalText,
  intervalWord,
  shownInPercent,
} from "../../../source/engine/figures/interval-text.ts";

const share = { text: "45.0", value: 0.45, low: 0.3845, high: 0.5155 };
const steps = { text: "3.2", value: 3.2, low: 1.23456, high: 5 };

describe("an interval", () => {
  it("is in percent with one decimal if its value is in percent, otherwise it has up to three decimals", () => {
    expect(intervalText({ ...share, low: 0.3846, high: 0.5154 })).toBe("[38.5, 51.5]");
    expect(intervalText(steps)).toBe("[1.235, 5]");
    expect(intervalEnds({ text: "0.00", value: 0, low: 0, high: 0.3085 })).toEqual(["0.0", "30.9"]);
  });

  it("is rounded to whole percent if it is brief", () => {
    expect(briefInterval({ ...share, low: 0.384, high: 0.516 }, false)).toBe("38–52");
    expect(briefInterval({ ...share, low: 0.384, high: 0.516 }, true)).toBe("38-52");
    expect(briefInterval(steps, true)).toBe("1.235-5");
  });

  it("has a mark if it is rough", () => {
    expect(intervalText({ ...steps, rough: true })).toBe("~[1.235, 5]");
    expect(briefInterval({ ...steps, rough: true }, true)).toBe("~1.235-5");
  });

  it("does not exist without a value or one of its ends", () => {
    const { value: _, ...without } = share;
    for (const cell of [without, { ...share, low: undefined }, { ...share, high: undefined }])
      expect([intervalText(cell), briefInterval(cell, true), intervalEnds(cell)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
  });

  it("is explained, and so is its mark if a figure has one", () => {
    expect(bracketNotes({ rough: false, anytime: false })).toEqual(["[a, b]: 95 % interval"]);
    expect(bracketNotes({ rough: true, anytime: true })).toEqual([
      "[a, b]: 95 % confidence sequence, valid after every task",
      "~[a, b]: approximate 95 % interval; with 10 tasks, its actual coverage is below 88 %",
    ]);
    expect([intervalWord(undefined), intervalWord(true)]).toEqual(["interval", "confidence sequence"]);
  });
});

describe("a value is in percent", () => {
  it.each([
    ["45.0", 0.45, true],
    ["0.45", 0.45, false],
    ["95.1", 1, true],
    ["95", 1, false],
    ["104.9", 1, true],
    ["105", 1, false],
    ["-5.0", -0.05, true],
    // Only decimals tell whether 0 is a share.
    ["0.0", 0, true],
    ["0.00", 0, true],
    ["0.00 %", 0, true],
    ["0", 0, false],
    ["0.000", 0, false],
    ["45.0", undefined, false],
  ])("if its text is a hundred times the value: %s for %s is %s", (text, value, expected) => {
    expect(shownInPercent({ text, ...(value !== undefined && { value }) })).toBe(expected);
  });

  it("for a whole axis if one of its numbers other than 0 is", () => {
    const zero = { text: "0", value: 0 };
    expect(areShownInPercent([zero, { text: "45.0", value: 0.45 }])).toBe(true);
    expect(
      areShownInPercent([
        { text: "0.0", value: 0 },
        { text: "3", value: 3 },
      ]),
    ).toBe(false);
    expect(
      areShownInPercent([
        { text: "3", value: 3 },
        { text: "45.0", value: 0.45 },
      ]),
    ).toBe(true);
    expect(areShownInPercent([zero, { text: "0.0", value: 0 }, { text: "-" }])).toBe(true);
    expect(areShownInPercent([{ text: "-" }])).toBe(false);
    expect(areShownInPercent([])).toBe(false);
  });
});

describe("a value of fewer tasks than ended", () => {
  const rests = (scored: number, unscored: number, failed: number) => ({
    text: "1",
    value: 1,
    rests: { scored, unscored, failed },
  });

  it("is the number of scored tasks of all that ended", () => {
    expect([shortfallOf(rests(9, 0, 1)), shortfallOf(rests(1, 2, 7)), shortfallOf(rests(3, 0, 0))]).toEqual([
      "9 of 10",
      "1 of 10",
      undefined,
    ]);
    expect([shortfallOf({ text: "-", rests: rests(9, 0, 1).rests }), shortfallOf({ text: "1", value: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("is based on few tasks if less than 90 % have a score", () => {
    expect([rests(9, 0, 1), rests(9, 1, 0), rests(8, 0, 1), rests(17, 1, 1), rests(18, 1, 1)].map(restsOnFew)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect([restsOnFew({ text: "-", rests: rests(0, 0, 1).rests }), restsOnFew({ text: "1", value: 1 })]).toEqual([
      false,
      false,
    ]);
  });
});
