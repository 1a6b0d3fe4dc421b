import { describe, expect, test } from "vitest";
import type { CellState } from "../../../source/engine/workbench/workbench.ts";
import { remarksOf, warningMarks, warningText } from "../../../source/engine/workbench/figures/warning-marks.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { runState } from "../../terminal/double-workbench.ts";

const run = (id: string, ...runs: readonly { label: string; warnings: readonly string[] }[]) => ({
  id,
  state: {
    kind: "run",
    problems: [],
    runs: runs.map((each) => runState({ readsAnswerKey: false, status: "done", ...each })),
  } satisfies CellState,
});
const analysis = (id: string, ...warnings: readonly string[]) => ({
  id,
  state: {
    kind: "analysis",
    problems: [],
    missing: undefined,
    analysis: undefined,
    runs: [],
    choices: {},
    lists: {},
    listed: {},
    chosen: {},
    figures: [],
    warnings,
  } satisfies CellState,
});

describe("the warnings of a notebook", () => {
  test("are listed once, in the first cell that they concern, and have the same sign everywhere", () => {
    const cells = [
      run("one", { label: "flat", warnings: ["key", "sample"] }, { label: "layered", warnings: ["key"] }),
      analysis("figure", "key", "sample"),
      run("two", { label: "x", warnings: ["old data", "sample"] }),
      analysis("other", "old data"),
      analysis("clean"),
    ];
    const marks = warningMarks(cells);
    const shown = [...marks].map(([id, { said, marks: own }]) => [id, said.map(warningText), own.join("")]);
    expect(shown).toEqual([
      ["one", ["[1] key", "[2] flat: sample"], "[1][2]"],
      ["figure", [], "[1][2]"],
      ["two", ["[3] old data"], "[3][2]"],
      ["other", [], "[3]"],
    ]);
  });

  test("exclude a suite's remarks, which do not affect how numbers are read", () => {
    const cells = [run("one", { label: "flat", warnings: ["key", appbench.remarks![0]!] })];
    const { said } = warningMarks(cells, remarksOf({ suites: [appbench] })).get("one")!;
    expect(said.map(({ text, isRemark }) => [text, isRemark])).toEqual([
      ["key", undefined],
      [appbench.remarks![0], true],
    ]);
  });

  test("name their runs so that labels with commas stay distinguishable", () => {
    const of = ["torchhub, react", "torchhub, dfsdt"];
    const cell = run(
      "one",
      ...[...of, "other"].map((label) => ({ label, warnings: label === "other" ? ["b"] : ["a"] })),
    );
    expect(warningMarks([cell]).get("one")!.said.map(warningText)).toContain("[1] torchhub, react; torchhub, dfsdt: a");
  });

  test("report that a model reads the answer key before its run starts, in the same words as later", () => {
    const runs = (status: "ready" | "done", warnings: readonly string[]) =>
      warningMarks([{ id: "a", state: { kind: "run", problems: [], runs: [runState({ status, warnings })] } }]).get(
        "a",
      );
    expect(runs("ready", [])!.said.map(warningText)).toEqual(["[1] builtin/slips reads the answer key"]);
    expect(runs("done", ["builtin/slips reads the answer key"])).toEqual(runs("ready", []));
  });

  test("contain the name of the run only once, even if the text of the warning contains it, too", () => {
    const model = "builtin/slips?rate=1";
    const cell = run(
      "one",
      { label: model, warnings: [`${model} reads the key`] },
      { label: "lab/llama", warnings: [] },
    );
    expect(warningMarks([cell]).get("one")!.said.map(warningText)).toEqual([`[1] ${model} reads the key`]);
  });
});
