import { expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { runTable } from "../../../source/terminal/notebook/run-table.ts";
import { runState } from "../double-workbench.ts";

const drawn = (change: Partial<RunState>): string =>
  runTable([runState(change)], 120, openTheme({ colour: false, ascii: false }), 0, new Map())
    .map(lineText)
    .join("\n");

it("a run that was given to workers offers no key to start it", () => {
  for (const status of ["ready", "partial"] as const) {
    expect(drawn({ status })).toMatch(/r (runs|resumes)/);
    expect(drawn({ status, givenAway: true })).not.toMatch(/r (runs|resumes)/);
  }
});

it("the total has no state if all runs are done", () => {
  const states = (...statuses: readonly RunState["status"][]) =>
    runTable(
      statuses.map((status, at) => runState({ run: `r${at}`, label: `run ${at}`, status })),
      120,
      openTheme({ colour: false, ascii: false }),
      0,
      new Map(),
    )
      .map((line) => lineText(line).trim())
      .filter((line) => /^(run \d|total) /.test(line))
      .map((line) => line.match(/done|paused/)?.[0]);
  expect(states("done", "done")).toEqual(["done", "done", undefined]);
  expect(states("done", "paused")).toEqual(["done", "paused", "paused"]);
});
