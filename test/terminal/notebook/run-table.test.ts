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
