/** PlanBench's notebook, run on the sample: it has no problem, and the leaderboard has a row of the run. */
import { afterAll, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import { analysisOf, TemporarySessions } from "../engine/workbench/temporary-session.ts";
import { expectFilled, playedNotebook } from "./played-notebook.ts";

const sessions = new TemporarySessions();
afterAll(() => sessions.end());

test("PlanBench's notebook runs on the sample, with each run next to its published rows", async () => {
  const workbench = await playedNotebook(sessions, "planbench");
  expectFilled(workbench);
  const [leaderboard] = analysisOf(workbench, "leaderboard").figures as readonly TableFigure[];
  const own = leaderboard!.rows.slice(10).map((row) => row.slice(1).map(({ value }) => value !== undefined));
  expect(own).toEqual([
    [true, false, false, false],
    [false, true, false, false],
  ]);
});
