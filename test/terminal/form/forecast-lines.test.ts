import { describe, expect, it } from "vitest";
import type { Forecast } from "../../../source/engine/workbench/workbench.ts";
import { forecastLines } from "../../../source/terminal/form/forecast-lines.ts";
import type { Theme } from "../../../source/terminal/drawing/theme.ts";

const theme = { symbols: { wrong: "x", failed: "!", more: "..." } } as unknown as Theme;
const forecast: Forecast = { runs: 1, tasks: 2, calls: 3, input: 4, output: 5, cost: 0, problems: [], warnings: [] };
const lines = (change: Partial<Forecast>, columns: number) =>
  forecastLines({ ...forecast, ...change }, theme, columns).map((line) => line.map(({ text }) => text).join(""));

describe("the forecast of an experiment in the form", () => {
  it("shows warnings in full, on several lines if necessary", () => {
    const warnings = ["responses come from a cache in which most were made up", "solvability is taken as given"];
    expect(lines({ warnings }, 40)).toEqual([
      " ! responses come from a cache in which",
      "   most were made up",
      " ! solvability is taken as given",
    ]);
    expect(lines({ warnings }, 120)).toHaveLength(2);
  });

  it("shows the smallest detectable difference from a saved run, and names that run", () => {
    const detectable = {
      against: "flat",
      measure: "Right",
      unit: "percent",
      tasks: 50,
      difference: 0.1834,
      spread: { kind: "disagreement", value: 0.26 },
      observed: true,
    } as const;
    expect(lines({ detectable }, 100)).toEqual([
      " Compared with flat (50 tasks), the run can detect a difference of 18.3 points in Right",
      " 80 % power, paired, p < 0.05; runs differ on 26 % of tasks",
    ]);
    const none = { ...detectable, difference: undefined, observed: false };
    expect(lines({ detectable: none }, 100)).toEqual([
      " Compared with flat (50 tasks), the run can detect no difference in Right",
      " 80 % power, paired, p < 0.05; independent runs would differ on 26 % of tasks",
    ]);
    const graded = { ...detectable, spread: { kind: "deviation", value: 0.4 } } as const;
    expect(lines({ detectable: graded }, 100).at(-1)).toBe(
      " 80 % power, paired, p < 0.05; standard deviation of the differences: 40.0 points",
    );
  });

  it("marks omitted lines if there is no room, and shows problems first", () => {
    const warnings = ["one", "two", "three", "four"];
    expect(lines({ warnings, problems: [{ message: "no such endpoint" }] }, 60)).toEqual([
      " x no such endpoint",
      " ! one",
      " ! two",
      " ! three ...",
    ]);
  });
});
