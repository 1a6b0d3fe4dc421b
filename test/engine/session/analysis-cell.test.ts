import { describe, expect, test } from "vitest";
import type { Analysis } from "../../../source/engine/analysis.ts";
import { planAnalysisCell } from "../../../source/engine/session/analysis-cell.ts";

const scale: Analysis = { name: "scale", title: "Scale", question: "", choices: () => ({}), compute: () => [] };
const plan = (source: string) => planAnalysisCell(source, [scale]);

describe("an analysis cell", () => {
  test("is rejected with one error if it is longer than 20 KB", () => {
    const { problems, analysis } = plan(`pane: ${'"'.repeat(40 * 1024)}`);
    expect(analysis).toBeUndefined();
    expect(problems).toEqual([{ message: expect.stringMatching(/^Expected at most 20 KB of YAML .* got 40\.0 KB/) }]);
  });

  test("reports its possible fields if it selects no analysis", () => {
    const problemsOf = (source: string) => plan(source).problems.map(({ message, line }) => [message, line]);
    expect(problemsOf("pnae: errors\nby: level\n")).toEqual([
      [expect.stringMatching(/^Expected `pane` to be one of .*, got only `pnae`, `by`$/), 1],
    ]);
    expect(problemsOf("pane: erors\n")).toEqual([[expect.stringMatching(/, got `"erors"`$/), 1]]);
    expect(problemsOf("{}")).toEqual([[expect.stringMatching(/, got nothing$/), undefined]]);
  });

  test.each(["pane", "analysis"])("selects its analysis by `%s`", (field) => {
    expect(plan(`${field}: scale\nof: [main]\nmetric: success\n`)).toEqual({
      analysis: scale,
      name: "scale",
      of: ["main"],
      chosen: { metric: ["success"] },
      only: {},
      claims: [],
      problems: [],
    });
    expect(plan(`# none such\n${field}: shapes\n`).problems).toEqual([
      { message: `Expected \`${field}\` to be one of scale, got \`"shapes"\``, line: 2 },
    ]);
  });

  test("accepts one claim or several, and reports the line of a mistake", () => {
    const claim = "prompting=layered > prompting=flat on success";
    const read = { text: claim, metric: "success", least: 0 };
    expect(plan(`pane: scale\nclaim: ${claim}\n`).claims).toMatchObject([read]);
    const several = plan(`pane: scale\nclaim:\n  - ${claim}\n  - k=3 > k=10 on success by 2\n`);
    expect(several).toMatchObject({ claims: [read, { least: 2 }], problems: [], chosen: {} });
    expect(plan("pane: scale\nclaim: flat is best\n").problems).toMatchObject([{ line: 2 }]);
    expect(plan("pane: scale\nclaim: [{a: 1}]\n").problems).toMatchObject([
      { message: 'Expected `claim` to be text, got `{"a":1}`', line: 2 },
    ]);
  });

  test.each(["x", "{metric: success}"])("rejects a field `__proto__`: %s", (value) => {
    expect(plan(`pane: scale\n__proto__: ${value}\n`).problems).toEqual([
      { message: "Expected one of the choices of the analysis, got `__proto__`", line: 2 },
    ]);
  });

  test("is rejected if it has both `analysis` and `pane` with different names", () => {
    expect(plan("analysis: scale\npane: errors\n").problems).toEqual([
      { message: "Expected `analysis` or `pane`, which mean the same, got both", line: 2 },
    ]);
  });
});
