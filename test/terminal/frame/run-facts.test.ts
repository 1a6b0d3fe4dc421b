import { expect, test } from "vitest";
import { runFacts } from "../../../source/terminal/frame/run-facts.ts";
import type { RunState, SessionCell } from "../../../source/engine/workbench/workbench.ts";
import { running, runState } from "../double-workbench.ts";

/** Returns the facts about one run cell for the status line. */
function factsOf(...runs: readonly Partial<RunState>[]) {
  const cells = (): readonly SessionCell[] => [{ id: "1", kind: "run", name: "main", source: "" }];
  const states = runs.map((run, at) => runState({ ...running, run: `r${at}`, ...run }));
  return runFacts({ cells, state: () => ({ kind: "run", runs: states, problems: [] }) }, "▸").facts;
}

test("the status line shows the tokens per second of the last minute after a run is resumed", () => {
  const resumed = { tokens: { input: 0, output: 90_000, estimated: false }, seconds: 2 };
  expect(factsOf({ ...resumed, speed: 40 })).toContain("40 tok/s");
  expect(factsOf({ ...resumed, speed: undefined }).join()).not.toContain("tok/s");
});

test("the status line adds the tokens per second of all active runs, and omits a sum below one", () => {
  expect(factsOf({ speed: 40 }, { speed: 2.5 }, { speed: 500, status: "done" })).toContain("43 tok/s");
  expect(factsOf({ speed: 1 })).toContain("1 tok/s");
  expect(factsOf({ speed: 0.9 }).join()).not.toContain("tok/s");
});
