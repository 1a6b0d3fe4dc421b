import { describe, expect, it, test } from "vitest";
import { allRuns } from "../../../source/terminal/frame/runs.ts";
import type { SessionCell } from "../../../source/engine/workbench/workbench.ts";
import { runState } from "../double-workbench.ts";
import { resolve } from "node:path";
import { writtenText } from "../../../source/terminal/frame/exports.ts";

/** Returns the labels of these cells' runs. A cell has its name, and the labels of its runs by id. */
function labelsOf(...cells: readonly (readonly [name: string, runs: Readonly<Record<string, string>>])[]) {
  const listed = cells.map(([name], at): SessionCell => ({ id: String(at), kind: "run", name, source: "" }));
  const runs = (id: string) => Object.entries(cells[Number(id)]![1]).map(([run, label]) => runState({ run, label }));
  const state = (id: string) => ({ kind: "run", runs: runs(id), problems: [] }) as const;
  return allRuns({ cells: () => listed, state }).map(({ label }) => label);
}

describe("the labels of a notebook's runs", () => {
  it("contain the cell's name if runs of several cells have the same label", () => {
    expect(
      labelsOf(["plans", { a: "slips, flat", b: "slips" }], ["trip", { c: "slips" }], ["one", { d: "oracle" }]),
    ).toEqual(["slips, flat", "plans: slips", "trip: slips", "oracle"]);
  });

  it("contain a number if their cells have no name", () => {
    expect(labelsOf(["", { a: "slips" }], ["", { b: "slips" }])).toEqual(["slips", "slips (2)"]);
  });

  it("are listed once if two cells contain the same run", () => {
    expect(labelsOf(["first", { a: "slips" }], ["again", { a: "slips", b: "oracle" }])).toEqual(["slips", "oracle"]);
  });
});

test("paths of written files are relative to the current folder, and several files are listed below the name of their folder", () => {
  const here = (path: string) => resolve("sessions/welcome/exports", path);
  expect(writtenText([here("a.csv")])).toBe("Written: sessions/welcome/exports/a.csv");
  expect(writtenText(["/elsewhere/a.csv"])).toBe("Written: /elsewhere/a.csv");
  expect(writtenText([here("a.svg"), here("b.svg"), here("atif/1.json")])).toBe(
    "Written: 3 files in sessions/welcome/exports: a.svg, b.svg, sessions/welcome/exports/atif/1.json",
  );
});
