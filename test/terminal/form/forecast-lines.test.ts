import { describe, expect, it } from "vitest";
import type { Forecast } from "../../../source/engine/workbench/workbench.ts";
import { forecastLines } from "../../../source/terminal/form/forecast-lines.ts";
import type { Theme } from "../../../source/terminal/drawing/theme.ts";

const theme = { symbols: { wrong: "x", failed: "!", more: "..." } } as unknown as Theme;
const forecast: Forecast = { runs: 1, tasks: 2, calls: 3, input: 4, output: 5, cost: 0, problems: [], warnings: [] };
const lines = (change: Partial<Forecast>, columns: number) =>
  forecastLines({ ...forecast, ...change }, theme, columns).map((line) => line.map(({ text }) => text).join(""));

describe("what an experiment takes, in the form", () => {
  it("shows warnings whole, on further lines where one is too short", () => {
    const warnings = ["responses come from a cache in which most were made up", "solvability is taken as given"];
    expect(lines({ warnings }, 40).slice(2)).toEqual([
      " ! responses come from a cache in which",
      "   most were made up",
      " ! solvability is taken as given",
    ]);
    expect(lines({ warnings }, 120)).toHaveLength(4);
  });

  it("marks that there is more where there is no room, problems first", () => {
    const warnings = ["one", "two", "three", "four"];
    expect(lines({ warnings, problems: [{ message: "no such endpoint" }] }, 60).slice(2)).toEqual([
      " x no such endpoint",
      " ! one",
      " ! two",
      " ! three ...",
    ]);
  });
});
