import { expect, test } from "vitest";
import { aspects } from "../../analyses/aspects.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { ultratool } from "../../suites/ultratool/index.ts";
import { made, withPrinted } from "./ultratool-rows.ts";

const awareness = (correct: number, steps: number) => ({
  value: correct / steps,
  metrics: {
    "tool_usage_awareness.global": correct === steps ? 1 : 0,
    "tool_usage_awareness.correct": correct,
    "tool_usage_awareness.steps": steps,
    "strict.tool_usage_awareness.global": 0,
    "strict.tool_usage_awareness.correct": 0,
    "strict.tool_usage_awareness.steps": steps,
  },
});

function table(runs: Parameters<typeof aspects.compute>[0], chosen: Record<string, string> = {}): TableFigure {
  const [figure] = aspects.compute(runs, { language: "en", mode: "official", published: "off", ...chosen });
  return figure as TableFigure;
}

test("the aspects analysis puts runs of one model on several splits into one row, with denominators and tasks", () => {
  const figure = table([
    made("en/planning", "a/one", [
      { value: 0.8, metrics: { planning: 0.8 } },
      { value: 0.6, metrics: { planning: 0.6 } },
    ]),
    made("en/tool_usage_awareness", "a/one", [awareness(3, 4), awareness(2, 2)]),
    made("en/planning", "a/two", [{ value: 0.5, metrics: { planning: 0.5 } }]),
  ]);
  const heads = figure.columns.map(({ title }) => title);
  expect(heads).toEqual([
    "Model",
    "Plan",
    "CrAw G",
    "CrAw L",
    "Create",
    "UsAw G",
    "UsAw L",
    "Sel G",
    "Sel L",
    "Usage",
    "Overall",
  ]);
  expect(figure.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["a/one", "70.00", "-", "-", "-", "50.00", "83.33", "-", "-", "-", "-"],
    ["a/two", "50.00", "-", "-", "-", "-", "-", "-", "-", "-", "-"],
  ]);
  expect(figure.rows[0]![6]).toMatchObject({ n: 6, value: 5 / 6 });
  expect(figure.rows[0]![6]!.tasks).toEqual([
    { run: "en/tool_usage_awareness a/one", task: "0" },
    { run: "en/tool_usage_awareness a/one", task: "1" },
  ]);
  expect(figure.notes.join("\n")).toContain("No answers here for: Tool creation awareness, global");
});

test("the aspects analysis has only the parsed columns in strict mode", () => {
  const figure = table([made("en/tool_usage_awareness", "a/one", [awareness(2, 2)])], { mode: "strict" });
  expect(figure.columns).toHaveLength(8);
  expect(figure.rows[0]!.map(({ text }) => text)).toEqual(["a/one", "-", "-", "0.00", "0.00", "-", "-", "-"]);
});

test("the aspects analysis shows the published rows as reported", async () => {
  const run = withPrinted(
    made("en/planning", "a/one", [{ value: 1, metrics: { planning: 1 } }]),
    await ultratool.reported!(),
  );
  const figure = table([run], { published: "beside" });
  expect(figure.rows).toHaveLength(15);
  const gpt4 = figure.rows.find(([model]) => model!.text === "GPT-4")!;
  const numbers = "74.07 56.10 75.18 61.17 62.50 90.85 79.30 88.69 83.32 74.58";
  expect(gpt4.map(({ text }) => text).join(" ")).toBe(`GPT-4 ${numbers}`);
  expect(gpt4.every(({ reported }) => reported === true)).toBe(true);
});

test("the aspects analysis marks home-made tasks, and lists settings that differ", () => {
  const selection = {
    facets: { edition: "home-made" },
    metrics: { "tool_selection.global": 1, "tool_selection.correct": 1, "tool_selection.steps": 1 },
    value: 1,
  };
  const figure = table([
    made("en/tool_selection", "a/one", [selection]),
    made("en/tool_selection", "a/one", [selection], { options: { lists: "json", parser: "gpt" } }),
  ]);
  expect(figure.rows.map(([model]) => model!.text)).toEqual(["a/one · lists python", "a/one · lists json"]);
  expect(figure.rows[0]![7]).toMatchObject({ text: "100.00#", note: expect.stringContaining("not comparable") });
  expect(figure.notes.join("\n")).toContain("#: home-made tasks");
});

test("the aspects analysis separates languages, and rejects other suites", () => {
  const runs = [made("zh/planning", "a/one", [{ metrics: { planning: 1 } }]), made("en/planning", "a/one", [])];
  expect(aspects.choices(runs)["language"]).toEqual(["zh"]);
  expect(table(runs).rows).toEqual([]);
  expect(aspects.missing!([made("", "m", [{ facets: {} }])].map((run) => ({ ...run, rows: [] })))).toContain(
    "not grouped by ability",
  );
});
