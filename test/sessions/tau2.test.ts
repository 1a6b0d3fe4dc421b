/** tau2's notebook, run on the sample: it has no problem, faults are told apart, and pass^k has its rows. */
import { afterAll, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import { analysisOf, TemporarySessions } from "../engine/workbench/temporary-session.ts";
import { expectFilled, playedNotebook } from "./played-notebook.ts";

const sessions = new TemporarySessions();
afterAll(() => sessions.end());

test("tau2's notebook runs on the sample, and reports which side was at fault by which rule", async () => {
  const workbench = await playedNotebook(sessions, "tau2");
  expectFilled(workbench);
  const figures = analysisOf(workbench, "faults").figures as readonly TableFigure[];
  const faults = figures.find(({ title }) => title === "Who was at fault")!;
  const rules = new Set(faults.rows.map((row) => `${row[0]!.text}: ${row[1]!.text}`));
  expect([...rules]).toEqual(
    expect.arrayContaining([
      "Agent: wrong state",
      "Agent: text missing",
      "User: stopped within the first two messages",
      "User: stopped although the user has calls to make",
    ]),
  );
  const tries = analysisOf(workbench, "pass-hat-k").figures as readonly TableFigure[];
  expect(tries.some(({ title }) => title.includes("pass^k"))).toBe(true);
});
