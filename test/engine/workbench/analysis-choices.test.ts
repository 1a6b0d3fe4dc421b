import { describe, expect, it } from "vitest";
import { planAnalysisCell, settleChoices, toggled, withChoice } from "../../../source/engine/session/analysis-cell.ts";

const problemsOf = (offered: Parameters<typeof settleChoices>[0], chosen: Parameters<typeof settleChoices>[1]) =>
  settleChoices(offered, chosen).problems.map(({ message }) => message);

it("an unknown choice causes an error that lists the known choices, or a few of many with a count", () => {
  expect(problemsOf({ choices: { by: ["set", "group"] } }, { by: ["moon"] })).toEqual([
    "Expected `by` to be one of set, group, got `moon`",
  ]);
  const names = Array.from({ length: 16_000 }, (_, index) => `api-${index}`);
  const [many] = problemsOf({ choices: { api: names } }, { api: ["moon"] });
  expect(many).toMatch(/^Expected `api` to be one of api-0, .*, api-39 and 15,960 more, got `moon`$/);
  expect(settleChoices({ choices: { api: names } }, { api: ["api-15999"] })).toEqual({
    settled: { api: "api-15999" },
    listed: {},
    problems: [],
  });
});

describe("a choice of several values", () => {
  const offered = {
    choices: { by: ["set", "group"] },
    lists: {
      columns: { values: ["set", "group", "model"], standard: [], most: 2 },
      measures: {
        values: ["main", "all", "official.success", "strict.success"],
        standard: ["main"],
        alone: ["main", "all"],
      },
    },
  };

  it("keeps the order of values, accepts short names, and has a default if no value is chosen", () => {
    expect(settleChoices(offered, { columns: ["model", "set"] }).listed).toEqual({
      columns: ["model", "set"],
      measures: ["main"],
    });
    expect(settleChoices(offered, { measures: ["success"] }).listed["measures"]).toEqual(["official.success"]);
  });

  it("accepts the older words of some analyses, and writes the current word", () => {
    for (const word of ["metric", "measure"]) {
      expect(settleChoices(offered, { [word]: ["success"] }).listed["measures"]).toEqual(["official.success"]);
      expect(withChoice(`pane: scale\n${word}: success\n`, "measures", "all")).toBe("pane: scale\nmeasures: all\n");
    }
    expect(problemsOf(offered, { metric: ["moon"] })[0]).toMatch(/^Expected `metric` to be one of main, all/);
    expect(settleChoices({ choices: { metric: ["a", "b"] } }, { metric: ["b"] }).settled).toEqual({ metric: "b" });
  });

  it("rejects too many values, and rejects several values if only one is expected", () => {
    expect(problemsOf(offered, { columns: ["model", "set", "group"], by: ["set", "group"] })).toEqual([
      "Expected `columns` to be at most 2 values, got 3",
      "Expected `by` to be one value, got 2",
    ]);
  });

  it("is parsed from a value, a list, or settings with their values", () => {
    const { chosen, only, problems } = planAnalysisCell(
      "pane: difficulty\nrows: model\ncolumns: [a, b]\npaper: {shots: [0, 3], mode: x}\nonly: {model: lab/llama, shots: 3}\nmode: null",
      [],
    );
    expect(chosen).toEqual({ rows: ["model"], columns: ["a", "b"], paper: ["shots=0", "shots=3", "mode=x"], mode: [] });
    expect(only).toEqual({ model: ["lab/llama"], shots: ["3"] });
    expect(problems.map(({ message }) => message.slice(0, 30))).toEqual(
      ["Expected `pane` to be one of "].map((text) => expect.stringContaining(text)),
    );
  });

  it("rejects anything but a value or a list of values, and reports the line", () => {
    const { problems } = planAnalysisCell("pane: x\ncolumns: [[a]]\nonly: lab/llama", []);
    expect(problems.slice(1)).toEqual([
      { message: 'Expected `columns` to be a value or a list of values, got `[["a"]]`', line: 2 },
      {
        message: 'Expected `only` to name settings of the runs, such as {model: lab/llama}, got `"lab/llama"`',
        line: 3,
      },
    ]);
  });

  it("is built value by value, and the document contains only the chosen values", () => {
    const { columns, measures } = offered.lists;
    expect(toggled(columns, [], "set")).toEqual(["set"]);
    expect(toggled(columns, ["set"], "set")).toEqual([]);
    expect(toggled(columns, ["set", "group"], "model")).toEqual(["group", "model"]);
    expect(toggled(measures, ["main"], "strict.success")).toEqual(["strict.success"]);
    expect(toggled(measures, ["strict.success"], "all")).toEqual(["all"]);
    expect(toggled(measures, ["strict.success"], "strict.success")).toEqual(["main"]);
    const source = "pane: difficulty # why\n";
    const two = withChoice(source, "columns", ["set", "model"]);
    expect(two).toBe("pane: difficulty # why\ncolumns: [ set, model ]\n");
    expect(withChoice(two, "columns", ["set"])).toBe("pane: difficulty # why\ncolumns: set\n");
    expect(withChoice(two, "columns", [])).toBe(source);
  });
});
