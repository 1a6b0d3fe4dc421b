import { expect, it } from "vitest";
import { metricOfRun, rowContents } from "../../../source/engine/measures/row-contents.ts";
import type { Row } from "../../../source/engine/types.ts";
import { madeRow } from "../../analyses/made-run.ts";

const rows: readonly Row[] = [
  madeRow("x", { task: "a", right: 1, facets: { level: "easy" }, metrics: { hits: 2 } }),
  madeRow("x", { task: "b", right: 0, facets: { level: "hard" }, errors: ["app", "key"] }),
  madeRow("y", {
    task: "c",
    right: 0,
    facets: { level: "easy" },
    failed: "context",
    metrics: { "errors.overridden": 3 },
  }),
  madeRow("y", { task: "d", failed: "model" }),
  madeRow("y", { task: "e", failed: "stopped" }),
  madeRow("z", { task: "f", running: true }),
  madeRow("y", { task: "g", right: null }),
];

it("row contents count facet values in order of appearance, and how tasks ended", () => {
  const { facets, metrics, errorKinds, runs, endedRuns, ended, spent, counts } = rowContents(rows);
  expect([...facets].map(([name, values]) => [name, [...values]])).toEqual([
    [
      "level",
      [
        ["easy", 2],
        ["hard", 1],
      ],
    ],
  ]);
  expect([...metrics]).toEqual(["hits", "right", "errors.overridden"]);
  expect([...errorKinds]).toEqual(["app", "key"]);
  expect([[...runs], [...endedRuns]]).toEqual([
    ["x", "y", "z"],
    ["x", "y"],
  ]);
  expect(ended.map(({ task }) => task)).toEqual(["a", "b", "c", "d", "g"]);
  expect(spent.map(({ task }) => task)).toEqual(["a", "b", "c", "d", "e", "g"]);
  expect(counts).toEqual({ failed: 1, stopped: 1, open: 1, unscored: 1, full: 1 });
});

it("row contents share the array of rows if all have ended, and otherwise keep the order of those that have", () => {
  const ended = rows.slice(0, 4);
  expect([rowContents(ended).ended, rowContents(ended).spent]).toEqual([ended, ended]);
  expect(rowContents(ended).ended).toBe(ended);
  expect(rowContents(ended).spent).toBe(ended);
  const [stopped, open] = [rows[4]!, rows[5]!];
  const tasksOf = (given: readonly Row[]) => given.map(({ task }) => task);
  const first = rowContents([open, stopped, ...ended]);
  expect([tasksOf(first.ended), tasksOf(first.spent)]).toEqual([tasksOf(ended), tasksOf([stopped, ...ended])]);
  const last = rowContents([...ended, stopped, open]);
  expect([tasksOf(last.ended), tasksOf(last.spent)]).toEqual([tasksOf(ended), tasksOf([...ended, stopped])]);
  expect(tasksOf(rowContents([open, open]).spent)).toEqual([]);
});

it("row contents count the errors of ended rows, and the errors that a person changed or removed", () => {
  const [, wrong] = rows;
  const changed = wrong!.score!.errors.map((error) => ({ ...error, override: {} as never }));
  const corrected = { ...wrong!, score: { ...wrong!.score!, errors: [changed[0]!, wrong!.score!.errors[1]!] } };
  const open = { ...corrected, state: "running" } as const;
  expect(rowContents([corrected, open, ...rows]).mistakes).toEqual({ all: 4, changed: 1, overridden: 3 });
  expect(rowContents([]).mistakes).toEqual({ all: 0, changed: 0, overridden: 0 });
});

it("a metric of the whole run is read from the first task that has it", () => {
  const later = madeRow("x", { task: "h", right: 1, metrics: { hits: 9 } });
  expect(metricOfRun([rows[1]!, rows[3]!, rows[0]!, later], "hits")).toBe(2);
  expect(metricOfRun(rows, "tries")).toBeUndefined();
});
