import { expect, test } from "vitest";
import { pickedRuns } from "../../../source/engine/workbench/runs/wanted-runs.ts";
import { madeRun, madeSpec } from "../../analyses/made-run.ts";

const runs = [
  madeRun("a", [], { spec: { ...madeSpec, model: "lab/a", shots: 0 } }),
  madeRun("b", [], { spec: { ...madeSpec, model: "lab/b", shots: 0 } }),
  madeRun("b3", [], { spec: { ...madeSpec, model: "lab/b", shots: 3 } }),
];
const picked = (only: Readonly<Record<string, readonly string[]>>) => {
  const { picked: found, problems } = pickedRuns(runs, only);
  return [found.map(({ run }) => run), problems.map(({ message }) => message)];
};

test("`only` selects each run of a grid whose value for every named setting is one of the named values", () => {
  expect(picked({})).toEqual([["a", "b", "b3"], []]);
  expect(picked({ model: ["lab/b"] })).toEqual([["b", "b3"], []]);
  expect(picked({ model: ["lab/b", "lab/a"], shots: ["0"] })).toEqual([["a", "b"], []]);
});

test("a value in `only` that no run has is reported with the existing values", () => {
  expect(picked({ model: ["lab/c"] })).toEqual([
    [],
    ["Expected `only` to pick `model` among lab/a, lab/b, got `lab/c`"],
  ]);
  expect(picked({ colour: ["red"] })[1]).toEqual([
    expect.stringMatching(
      /^Expected `only` to name settings of the runs \(model, strategy, shots, .*\), got `colour`$/,
    ),
  ]);
  expect(picked({ model: ["lab/a"], shots: ["3"] })).toEqual([
    [],
    ["Expected `only` to pick runs of this session, but none has all these values"],
  ]);
});
