import { expect, test } from "vitest";
import type { TableFigure } from "../../../../source/engine/figure.ts";
import { type AnalysisState, withoutFigures } from "../../../../source/engine/workbench/analysis-state.ts";
import { FigureWork } from "../../../../source/engine/workbench/thread/figure-work.ts";

const empty: AnalysisState = {
  ...withoutFigures(undefined, {}),
  runs: [],
  labels: [],
  problems: [],
  missing: undefined,
};
const figure: TableFigure = { kind: "table", title: "Made", columns: [], rows: [], notes: [] };
const whole: AnalysisState = { ...empty, figures: [figure] };

/** Tells of two steps, and ends with its signal. */
async function work(signal: AbortSignal, progress: (at: string) => void): Promise<AnalysisState> {
  await Promise.resolve();
  progress("Reading 1 of 2");
  progress("Reading 2 of 2");
  signal.throwIfAborted();
  return whole;
}

test("a cell without figures says what is worked out, and nothing once that is done", async () => {
  const figures = new FigureWork();
  const said: (string | undefined)[] = [];
  const done = figures.begin("cell", "text", work, empty, () => said.push(figures.shown("cell", "text")?.missing));
  expect(figures.shown("cell", "text")?.missing).toBe("Working out what the runs came to");
  expect(figures.shown("cell", "another text")).toBeUndefined();
  expect(await done).toBe(whole);
  expect(said).toEqual(["Reading 1 of 2", "Reading 2 of 2"]);
  expect(figures.shown("cell", "text")).toBeUndefined();
});

test("a cell with figures shows them until there are new ones", async () => {
  const figures = new FigureWork();
  const done = figures.begin("cell", "text", work, whole, () => {});
  expect(figures.shown("cell", "text")).toBe(whole);
  await done;
});

test("another text of the cell ends what was worked out for the one before", async () => {
  const figures = new FigureWork();
  const first = figures.begin("cell", "text", work, empty, () => {});
  const second = figures.begin("cell", "another text", work, empty, () => {});
  expect(await Promise.all([first, second])).toEqual([undefined, whole]);
});
