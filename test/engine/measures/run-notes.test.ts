import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { withRunNotes } from "../../../source/engine/measures/run-notes.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, madeSpec, madeSuite } from "../../analyses/made-run.ts";

const suite = {
  ...madeSuite,
  options: [
    { name: "shown", title: "Shown", paper: { value: 0, title: "all" } },
    { name: "hints", title: "Hints", noted: { on: "with hints" } },
  ],
} as unknown as Suite;
const run = (name: string, spec: Partial<RunSpec> = {}, more: Partial<RunRows> = {}) =>
  madeRun(name, [{ task: "a", right: 1 }], { suite, spec: { ...madeSpec, ...spec }, ...more });
const figure: Figure = { kind: "table", title: "T", notes: ["own"], columns: [], rows: [] };
const notes = (...runs: readonly RunRows[]) => withRunNotes([figure], runs)[0]!.notes;

describe("the notes of runs", () => {
  it("come before the figure's own notes, and name the runs if the notes apply only to some runs", () => {
    expect(notes(run("x"))).toEqual(["own"]);
    expect(withRunNotes([figure], [run("x")])[0]).toBe(figure);
    const noted = { notes: ["late"] };
    expect(notes(run("x", {}, noted), run("y", {}, noted))).toEqual(["late", "own"]);
    expect(notes(run("x", {}, noted), run("y"), run("z", {}, noted))).toEqual(["x; z: late", "own"]);
  });

  it("report options that differ from those of the paper, and options with a note", () => {
    expect(notes(run("x", { options: { shown: 50 } }))).toEqual(["Shown: 50 (in the paper: all)", "own"]);
    expect(notes(run("x", { options: { shown: 0 } }))).toEqual(["Shown: all (as in the paper)", "own"]);
    expect(notes(run("x", { options: { hints: "on" } }))).toEqual(["with hints", "own"]);
    expect(notes(run("x", { options: { hints: "off" } }))).toEqual(["own"]);
  });

  it("report the user's own prompts, including judges' prompts", () => {
    expect(notes(run("x", { prompts: { plan: "p" } }))).toEqual(["prompt replaced: plan", "own"]);
    expect(notes(run("x", { prompts: { plan: "p" }, judgePrompts: { judge: "j" } }))).toEqual([
      "prompts replaced: plan, judge",
      "own",
    ]);
  });

  it("count tasks whose score or errors a person corrected", () => {
    const corrected = (...which: readonly ("score" | "errors" | "none")[]) => {
      const rows = which.flatMap((how, at) =>
        madeRun("x", [
          { task: `t${at}`, right: 1, metrics: how === "errors" ? { "errors.overridden": 1 } : {} },
        ]).rows.map((row) => (how === "score" ? { ...row, score: { ...row.score!, override: {} as never } } : row)),
      );
      return notes(run("x", {}, { rows }))[0];
    };
    expect(corrected("none")).toBe("own");
    expect(corrected("score")).toBe("1 of 1 task was corrected by a person");
    expect(corrected("score", "errors", "none")).toBe("2 of 3 tasks were corrected by a person");
  });
});
