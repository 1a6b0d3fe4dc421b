import { describe, expect, it } from "vitest";
import { lineText, lineWidth } from "../../../source/engine/figures/drawing/line.ts";
import { briefModel } from "../../../source/engine/settings/label.ts";
import { experimentSentence } from "../../../source/terminal/form/experiment-sentence.ts";
import { readCellMap, valueNames, valuesGiven } from "../../../source/terminal/form/form-values.ts";
import { cellLines } from "../../../source/terminal/notebook/cell-lines.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { suites } from "../../../suites/index.ts";
import { runState } from "../double-workbench.ts";
import { openScreen } from "../open-screen.tsx";

function told(source: string, totals: readonly number[] = [], available?: number) {
  const given = readCellMap(source);
  const { differs, others } = experimentSentence(valuesGiven(given), valueNames(given), suites, { totals, available });
  return { differs, others };
}

const first = "suite: appbench\nsplit: all\ndata: sample\nmodel: builtin/slips?rate=0.5&pace=8\n";

describe("the sentence that summarises an experiment", () => {
  it("contains the settings that differ, then the model, then the benchmark with its tasks", () => {
    expect(told(`${first}prompting: [hierarchical, flat]`, [31, 31])).toEqual({
      differs: ["hierarchical ⇄ flat"],
      others: ["slips(50 %)", "AppBench, all 31 sample tasks"],
    });
  });

  it("describes a setting that differs by its name or by the unit of its values", () => {
    expect(told(`${first}shots: [0, 3]\ntemperature: [0, 0.7]\nsystem: ["", careful]`).differs).toEqual([
      "0 ⇄ 3 shots",
      "temperature 0 ⇄ 0.7",
      "system  ⇄ careful",
    ]);
    expect(told("suite: ultratool\nreasoning: [auto, keep]").differs).toEqual(["reasoning auto ⇄ keep"]);
  });

  it("uses the names that the cell gives to values", () => {
    expect(told(`${first}system: {terse: "Be brief.", careful: careful.md}`).differs).toEqual(["terse ⇄ careful"]);
  });

  it.each([
    ["data: sample", [], undefined, "AppBench, all sample tasks"],
    ["split: mm\nlimit: 50", [], undefined, "AppBench mm, 50 tasks"],
    ["split: mm\nlimit: 50", [50], 200, "AppBench mm, 50 of 200 tasks"],
    ["split: mm\nlimit: 50", [20], 20, "AppBench mm, all 20 tasks"],
    ["split: mm\nlimit: 50", [50], undefined, "AppBench mm, 50 tasks"],
    ["data: own", [1], 1, "AppBench, 1 own task"],
    ["", [7, 10], 10, "AppBench, 7 to 10 tasks"],
    ["", [0, 7], 7, "AppBench, all 7 tasks"],
  ] as const)("contains the number of tasks: %s", (fields, totals, available, text) => {
    expect(told(`suite: appbench\n${fields}`, totals, available).others).toEqual([text]);
  });

  it("says once that a role has the built-in model of its name", () => {
    const roles = (responder: string) => told(`suite: planningarena\nresponder: ${responder}`).others.slice(1);
    expect(roles("builtin/responder")).toEqual(["built-in responder"]);
    expect(roles("lab/small")).toEqual(["responder lab/small"]);
    expect(told("suite: ultratool\njudge: builtin/oracle").others.slice(1)).toEqual(["judge oracle"]);
  });

  it("has other settings at its end, and accepts several values for a filter", () => {
    expect(
      told(
        `${first}strategy: direct\nfilter: {category: [SS, SM]}\njudge: {model: lab/judge, temperature: 0.2}\nshots: 3`,
      ).others.slice(2),
    ).toEqual(["AppBench, all sample tasks", "category SS, SM", "judge lab/judge (temperature 0.2)", "3 shots"]);
    expect(told("suite: appbench\ndata: mine").others).toEqual(["AppBench, all tasks", "data mine"]);
    expect(told("suite: own\nfrom: facts.csv").others).toEqual(["Own questions facts.csv, all tasks"]);
    expect(told("suite: appbench\nfork: {run: abc, task: ss-001, request: 2}").others).toEqual([
      "AppBench, all tasks",
      "fork of ss-001 at request 2",
    ]);
  });

  it("describes a built-in model by the options that change its results", () => {
    expect(briefModel("builtin/slips?rate=0.5&pace=8")).toBe("slips(50 %)");
    expect(briefModel("builtin/slips?wrong-place-value=0.6&rate=0.1")).toBe("slips(wrong-place-value 0.6, 10 %)");
    expect(briefModel("builtin/responder?pace=40")).toBe("responder");
    expect(briefModel("lab/qwen?x=1")).toBe("lab/qwen?x=1");
  });
});

describe("the head of a run cell", () => {
  const theme = openTheme({ colour: false, ascii: false });
  const head = (source: string, columns: number) =>
    cellLines(
      { id: "c", kind: "run", name: "main", source },
      { kind: "run", problems: [], runs: [runState({ readsAnswerKey: false })] },
      columns,
      theme,
      0,
      { suites, warned: { said: [], marks: ["[1]"] } },
    );

  it("is truncated at the end, before the number of its notes, if there is no room", () => {
    const [line] = head(`${first}prompting: [hierarchical, flat]`, 60);
    expect(lineText(line!)).toBe("run main  hierarchical ⇄ flat · slips(50 %) · AppBe…  1 note");
    expect(lineWidth(line!)).toBe(60);
  });

  it("shows all settings that differ, on as many lines as necessary", () => {
    const models = Array.from({ length: 8 }, (_, index) => `lab/a-model-of-some-length-${index}`);
    const lines = head(`suite: appbench\nmodel: [${models.join(", ")}]`, 78);
    const text = lines.map(lineText).join("\n");
    for (const model of models) expect(text).toContain(model);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(78);
    expect(text).toContain("AppBench, all 50 tasks");
  });

  it("shows all settings below it after Right, and only the sentence after Left", async () => {
    const screen = await openScreen({ columns: 100, rows: 40 });
    await screen.press("j", "\x1b[C");
    expect(screen.text()).toMatch(/ prompting +hierarchical, flat /);
    expect(screen.text()).toMatch(/at default: .*temperature 0/s);
    await screen.press("l");
    expect(screen.text()).toContain("All settings of the cell are shown");
    await screen.press("\x1b[D");
    expect(screen.text()).not.toContain("at default:");
    await screen.press("h");
    expect(screen.text()).toContain("The right arrow key shows all settings of the cell");
    await screen.close();
  });
});
