import { describe, expect, test } from "vitest";
import type { Analysis } from "../../../source/engine/analysis.ts";
import { planAnalysisCell } from "../../../source/engine/session/analysis-cell.ts";

const scale: Analysis = { name: "scale", title: "Scale", question: "", choices: () => ({}), compute: () => [] };
const plan = (source: string) => planAnalysisCell(source, [scale]);

describe("an analysis cell", () => {
  test("of more than 20 KB is refused with a sentence", () => {
    const { problems, analysis } = plan(`pane: ${'"'.repeat(40 * 1024)}`);
    expect(analysis).toBeUndefined();
    expect(problems).toEqual([{ message: expect.stringMatching(/^Expected at most 20 KB of YAML .* got 40\.0 KB/) }]);
  });

  test.each(["pane", "analysis"])("names its analysis as `%s`", (field) => {
    expect(plan(`${field}: scale\nof: [main]\nmetric: success\n`)).toEqual({
      analysis: scale,
      name: "scale",
      of: ["main"],
      chosen: { metric: ["success"] },
      only: {},
      problems: [],
    });
    expect(plan(`# none such\n${field}: shapes\n`).problems).toEqual([
      { message: `Expected \`${field}\` to be one of scale, got \`"shapes"\``, line: 2 },
    ]);
  });

  test.each(["x", "{metric: success}"])("takes no field `__proto__`: %s", (value) => {
    expect(plan(`pane: scale\n__proto__: ${value}\n`).problems).toEqual([
      { message: "Expected one of the choices of the analysis, got `__proto__`", line: 2 },
    ]);
  });

  test("is not read where the two names differ", () => {
    expect(plan("analysis: scale\npane: errors\n").problems).toEqual([
      { message: "Expected `analysis` or `pane`, which mean the same, got both", line: 2 },
    ]);
  });
});
