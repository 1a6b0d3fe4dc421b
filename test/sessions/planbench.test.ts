/** PlanBench's notebook, run on the sample: nothing is wrong with it, and the leaderboard has a row of the run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import { suites } from "../../suites/index.ts";
import { analysisOf, TemporarySessions } from "../engine/workbench/temporary-session.ts";

const sessions = new TemporarySessions();
afterAll(() => sessions.end());

test("PlanBench's notebook runs on the sample, with each run beside its published rows", async () => {
  const text = readFileSync(join(packageFolder(), "sessions", "planbench", "session.md"), "utf8");
  const workbench = await sessions.open(text, { suites });
  for (const { id, kind } of workbench.cells()) if (kind === "run") await workbench.run(id);
  await workbench.settled();
  workbench.refresh();
  for (const { id, kind, name } of workbench.cells()) {
    const state = workbench.state(id);
    if (state.kind === "note") continue;
    expect(state.problems, `${kind} ${name}`).toEqual([]);
    if (state.kind === "analysis") expect([state.missing, state.figures.length > 0], name).toEqual([undefined, true]);
    if (state.kind === "run")
      for (const { label, status, counts } of state.runs)
        expect([status, counts.failed, counts.unscored], `${name}: ${label}`).toEqual(["done", 0, 0]);
  }
  const [leaderboard] = analysisOf(workbench, "leaderboard").figures as readonly TableFigure[];
  const own = leaderboard!.rows.slice(10).map((row) => row.slice(1).map(({ value }) => value !== undefined));
  expect(own).toEqual([
    [true, false, false, false],
    [false, true, false, false],
  ]);
});
