/** tau2's notebook, run on the sample: nothing is wrong with it, faults are told apart, and pass^k has its rows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import { suites } from "../../suites/index.ts";
import { analysisOf, TemporarySessions } from "../engine/workbench/temporary-session.ts";

const sessions = new TemporarySessions();
afterAll(() => sessions.end());

test("tau2's notebook runs on the sample, and says who was at fault by which rule", async () => {
  const text = readFileSync(join(packageFolder(), "sessions", "tau2", "session.md"), "utf8");
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
