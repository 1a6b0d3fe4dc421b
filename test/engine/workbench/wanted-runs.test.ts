import { expect, it } from "vitest";
import {
  countOf,
  endedOf,
  restingKey,
  rowsKey,
  type WantedRun,
} from "../../../source/engine/workbench/runs/wanted-runs.ts";

const sums = { rows: 20, right: 1, wrong: 2, unscored: 3, failed: 4 };

function wanted(version: number, isExecuted: boolean, named?: object): WantedRun {
  const table = { version, sums: () => sums };
  return { control: { planned: { run: "r" }, isExecuted, store: { table } }, label: "flat", named } as never;
}

it("counts tasks with a score or a failure as ended, and all others only as rows", () => {
  const runs = [wanted(1, true), wanted(2, false)];
  expect(endedOf(runs)).toBe(20);
  expect(countOf(runs)).toBe(40);
  expect(endedOf([])).toBe(0);
});

it("changes the key of rows with every change, and the other key not while these are added", () => {
  expect(rowsKey(wanted(1, true))).not.toBe(rowsKey(wanted(2, true)));
  expect(rowsKey(wanted(1, false))).not.toBe(rowsKey(wanted(2, false)));
  expect(restingKey(wanted(1, true))).toBe(restingKey(wanted(2, true)));
  // A person corrects tasks of a run at rest.
  expect(restingKey(wanted(1, false))).not.toBe(restingKey(wanted(2, false)));
  expect(restingKey(wanted(1, true))).not.toBe(restingKey(wanted(1, false)));
  expect(restingKey(wanted(1, true))).not.toBe(restingKey(wanted(1, true, { prompts: "careful" })));
});
