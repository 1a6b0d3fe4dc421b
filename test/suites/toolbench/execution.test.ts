import { expect, test } from "vitest";
import type { Step } from "../../../source/engine/types.ts";
import { plannedToolkits } from "../../../suites/toolbench/score/execution.ts";

test("the toolkits of a run are those of all its plans, each once, in the order they were first planned in", () => {
  const toolkit = (id: string, number: number): Step => ({
    type: "node",
    id,
    kind: "toolkit",
    label: `Toolkit ${number}`,
    state: "open",
    detail: { toolkit: number },
  });
  const api: Step = { type: "node", id: "p1.1/0", kind: "api", label: "look", state: "open", detail: { toolkit: 9 } };
  const note: Step = { type: "note", kind: "plan", text: "Two toolkits" };
  const steps = [note, toolkit("p1.1", 4), toolkit("p1.2", 0), api, toolkit("p2.1", 4), toolkit("p2.2", 7)];
  expect(plannedToolkits(steps)).toEqual([4, 0, 7]);
  expect(plannedToolkits([note, api])).toEqual([]);
});
