import { expect, it } from "vitest";
import { labelSample } from "../../../../source/engine/session/codes/label-sample.ts";
import { bareRow } from "../../../bare-row.ts";

const rows = Array.from({ length: 1000 }, (_, index) => bareRow(index < 500 ? "a" : "b", `t${index % 500}`));
const tasksOf = (seed: number, n: number, of = rows) =>
  labelSample(of, { seed, n }).map(({ run, task }) => `${run} ${task}`);

it("a label sample has the same tasks for every person if runs, number and seed are the same", () => {
  expect(tasksOf(7, 50)).toEqual(tasksOf(7, 50, rows.toReversed()));
  expect(tasksOf(7, 50)).not.toEqual(tasksOf(8, 50));
});

it("a larger label sample contains the smaller sample, and an added task replaces at most one task", () => {
  expect(tasksOf(7, 80).slice(0, 50)).toEqual(tasksOf(7, 50));
  const more = tasksOf(7, 50, [...rows, bareRow("b", "new")]);
  expect(more.filter((task) => task !== "b new")).toEqual(tasksOf(7, 50).slice(0, more.includes("b new") ? 49 : 50));
});

it("label samples draw each task with about the same frequency", () => {
  const times = new Map<string, number>();
  for (let seed = 0; seed < 200; seed++)
    for (const task of tasksOf(seed, 100)) times.set(task, (times.get(task) ?? 0) + 1);
  // Each task is drawn 20 times in 200 on average; the chi-squared statistic with 999 degrees of freedom is below 1,145 with p 0.999.
  const statistic = rows.reduce((sum, { run, task }) => sum + ((times.get(`${run} ${task}`) ?? 0) - 20) ** 2 / 20, 0);
  expect(statistic).toBeLessThan(1_145);
});

it("label samples contain only tasks that have ended", () => {
  const failure = { kind: "stopped", message: "" } as const;
  const some = [
    bareRow("a", "1"),
    bareRow("a", "2", { state: "running" }),
    bareRow("a", "3", { state: "failed", failure }),
    bareRow("a", "4", { state: "failed", failure: { kind: "model", message: "" } }),
  ];
  expect(tasksOf(1, 10, some).toSorted()).toEqual(["a 1", "a 4"]);
});
