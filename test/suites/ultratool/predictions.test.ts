/** `planwright score ultratool`: files in our layout and the publishers', and invalid lines. */
import { evaluate } from "../../../source/engine/measures/measure.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Predictions } from "../../../source/engine/prediction.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { bareRow } from "../../bare-row.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { describePublished, shared, sharedJson, sharedLines } from "../../shared.ts";
import { modes, synthetic } from "./fixtures.ts";
import { dataWarnings } from "../../../source/engine/loaded-suite.ts";

const signal = new AbortController().signal;
type Where = { readonly folder: string; readonly data: "sample" | "published" };
const sample: Where = { folder: sampleFolder("ultratool"), data: "sample" };
const published: Where = { folder: shared("data", "ultratool"), data: "published" };

function score(split: string, values: readonly Json[], where: Where = sample, parser = "gpt"): Promise<Predictions> {
  const lines = values.map((value, index) => ({ number: index + 1, value }));
  return ultratool.predictions!.score({ lines, ...where, split, flags: { parser }, signal });
}

type Records = readonly Record<string, Json>[];
type Numbers = Record<string, number>;

/** Measures of a suite over the entries that `--into` would save. */
function kept(predictions: Predictions, measure: string): number | undefined {
  const rows = predictions.entries.map(({ task, score: scored }) =>
    bareRow("run", task.id, { facets: task.facets, score: scored }),
  );
  return evaluate(
    ultratool.measures.find(({ name }) => name === measure)!,
    rows,
  ).value;
}

describePublished("the publishers' own predictions", () => {
  const models = ["gpt-4", "gpt-3.5"] as const;
  const file = (model: string, task: string) =>
    sharedLines<{ id: number; output: string; eval: Json }>(
      "data",
      "ultratool",
      "predictions",
      "en",
      model,
      `${task}.jsonl.gz`,
    );
  const rows = <Value>(task: string) => sharedLines<Value>("data", "ultratool", "en", `${task}.jsonl.gz`);
  type Official = {
    models: Record<string, Record<"planning" | "tool_usage" | "tool_usage_awareness", Record<string, unknown>>>;
  };
  const official = () => sharedJson<Official>("conformance", "ultratool", "official_scores.json");
  const table = async () => (await ultratool.reported!()).values;

  test.each(models)(
    "give the published numbers of %s to the last digit, and so does the run saved from them",
    async (model) => {
      const expected = official().models[model]!;
      const row = model === "gpt-4" ? "GPT-4" : "GPT-3.5";
      const reported = (await table()).filter((value) => value.row === row);
      const agrees = (measure: string, value: number | undefined) =>
        expect(Number(value!.toFixed(4))).toBe(reported.find((each) => each.measure === measure)!.value);

      const awareness = await score("en/tool_usage_awareness", file(model, "tool_usage_awareness"), published);
      const { global_correct, local_correct, local_total, bad_parse } = expected.tool_usage_awareness;
      expect(awareness.aggregate).toMatchObject({ global_correct, local_correct, local_total, bad_parse } as object);
      agrees("official.tool_usage_awareness.global", (awareness.aggregate as Numbers)["global"]);
      agrees("official.tool_usage_awareness.local", kept(awareness, "official.tool_usage_awareness.local"));
      agrees("official.tool_usage_awareness.global", kept(awareness, "official.tool_usage_awareness.global"));

      const usage = await score("en/tool_usage", file(model, "tool_usage"), published);
      const { unrounded, steps, bad_parse: bad } = expected.tool_usage;
      expect(usage.aggregate).toEqual({ local_levenshtein: unrounded, steps, bad_parse: bad });
      expect(kept(usage, "official.tool_usage")).toBeCloseTo(unrounded as number, 9);
      agrees("official.tool_usage", kept(usage, "official.tool_usage"));

      const planning = await score("en/planning", file(model, "planning_judge"), published);
      const sums = Object.entries(expected.planning["sum_of_scores"] as Numbers);
      expect(planning.aggregate).toEqual(Object.fromEntries(sums.map(([name, sum]) => [name, sum / 10_000])));
      agrees("official.planning", kept(planning, "official.planning"));
    },
  );

  test("have the same scores in the layout that repeats the test row, with or without the judge's line around it", async () => {
    const ours = await score("en/tool_usage", file("gpt-3.5", "tool_usage"), published);
    const data = rows<Json>("tool_usage");
    const theirs = file("gpt-3.5", "tool_usage").map(({ output }, index) => ({
      data: data[index]!,
      "init output": output,
    }));
    const scored = await score("en/tool_usage", theirs, published);
    expect(scored.records).toEqual(ours.records);
    expect(scored.aggregate).toEqual(ours.aggregate);
    expect(scored.entries[700]!.task.facets).toEqual(ours.entries[700]!.task.facets);

    const plans = rows<Json>("planning").slice(0, 20);
    const judged = file("gpt-4", "planning_judge").slice(0, 20);
    const lines = judged.map((line, index) => ({
      data: { data: plans[index]!, "init output": "1. A" },
      eval: line.eval,
    }));
    const around = await score("en/planning", lines, published);
    expect(around.aggregate).toEqual((await score("en/planning", judged, published)).aggregate);
  });

  test("are paired with their task by the repeated test row, in any order", async () => {
    const data = rows<Json>("tool_usage_awareness");
    const outputs = file("gpt-4", "tool_usage_awareness");
    const line = (index: number) => ({ data: data[index]!, "init output": outputs[index]!.output });
    const { entries } = await score("en/tool_usage_awareness", [line(700), line(3)], published);
    expect(entries.map(({ task }) => task.id)).toEqual(["700", "3"]);
  });
});

describePublished("the fixtures as prediction lines", () => {
  test.each(modes)("give the expected scores for awareness and selection, %s parser", async (mode) => {
    for (const [split, name] of [
      ["en/tool_usage_awareness", "synthetic_awareness"],
      ["en/tool_creation_awareness", "synthetic_awareness"],
      ["en/tool_selection", "synthetic_selection"],
    ] as const) {
      const lines = synthetic<Json>(name);
      const { records, aggregate } = await score(split, lines, published, mode);
      expect(records).toHaveLength(lines.length);
      for (const [index, record] of (records as Records).entries()) {
        const { id, kind, [mode]: expected } = lines[index]!;
        expect(record["id"]).toBe(id);
        expect(record["parse_ok"], kind).toBe(kind === "format_word" ? false : expected.parse_ok);
        if (expected.crash_in_score === undefined) expect(record["global"], kind).toBe(expected.global);
      }
      expect((aggregate as Numbers)["local_total"]).toBe(lines.flatMap(({ reference }) => reference).length);
    }
  });

  test("give the expected scores for usage", async () => {
    const lines = synthetic<Json>("synthetic_usage");
    const { records } = await score("en/tool_usage", lines, published);
    for (const [index, record] of (records as Records).entries()) {
      const { gpt } = lines[index]!;
      if (gpt.crash_in_score === undefined) expect(record["step_scores"]).toEqual(gpt.step_scores);
    }
  });
});

describePublished("the published data of UltraTool", () => {
  test("lack two test sets, for which the tasks of this project are labelled home-made", async () => {
    const loaded = await ultratool.open(published);
    const homeMade = (split: string) =>
      dataWarnings(loaded, bareSpec("ultratool", { split })).filter((warning) => warning.includes("home-made"));
    expect(homeMade("en/tool_selection")).toHaveLength(1);
    expect(homeMade("zh/tool_selection")[0]).toContain("(zh)");
    expect(homeMade("en/planning")).toEqual([]);
    for (const language of ["en", "zh"]) {
      for (const aspect of ["tool_selection", "tool_creation_awareness"]) {
        const tasks = await loaded.tasks(`${language}/${aspect}`);
        expect(tasks).toHaveLength(1000);
        expect(new Set(tasks.map(({ facets }) => facets["edition"]))).toEqual(new Set(["home-made"]));
        const steps = tasks.flatMap(({ answer }) => (answer as { steps: { tool: string }[] }).steps);
        expect(steps.length).toBeGreaterThan(2200);
        if (aspect === "tool_creation_awareness") {
          expect(steps).toHaveLength(2381);
          const made = steps.filter(({ tool }) => tool === "1").length;
          expect(made / steps.length).toBeGreaterThan(0.4);
          expect(made / steps.length).toBeLessThan(0.6);
        }
      }
    }
    const { figures } = await score("en/tool_selection", [{ id: 0, output: "[]" }], published);
    expect(figures[0]!.notes.join()).toContain("not the published test set");
  });

  test("have the official counts of scored steps, in both languages", async () => {
    const loaded = await ultratool.open(published);
    for (const language of ["en", "zh"]) {
      for (const [aspect, count] of [
        ["tool_usage_awareness", 8459],
        ["tool_usage", 2281],
        ["tool_creation", 1544],
      ] as const) {
        const tasks = await loaded.tasks(`${language}/${aspect}`);
        expect(tasks).toHaveLength(1000);
        expect(tasks.flatMap(({ answer }) => (answer as { steps: unknown[] }).steps)).toHaveLength(count);
      }
    }
  });

  test("have facets with the counted values", async () => {
    const loaded = await ultratool.open(published);
    const tasks = await loaded.tasks("en/planning");
    const sum = (facet: string) => tasks.reduce((total, { facets }) => total + Number(facets[facet]), 0);
    expect(sum("steps")).toBe(11_079);
    expect(tasks.filter(({ facets }) => facets["domain"] === "Finance")).toHaveLength(142);
    expect(sum("tools") / 1000).toBeCloseTo(2.132, 3);
    expect(sum("nested")).toBe(297);
    expect(Math.max(...tasks.map(({ facets }) => Number(facets["depth"])))).toBe(4);
  });
});

describe("prediction lines that contain their references", () => {
  const line = (step: string, tool: string): Json => ({
    reference: [{ step: "1.1 Ask", tool: "1" }],
    output: `[{'step': '${step}', 'tool': '${tool}'}]`,
  });
  let empty: Where;
  beforeEach(() => void (empty = { folder: mkdtempSync(join(tmpdir(), "planwright-ultratool-")), data: "published" }));
  afterEach(() => rmSync(empty.folder, { recursive: true }));

  test("are scored without installed data", async () => {
    const { entries } = await score("en/tool_usage_awareness", [line("1.1 Ask", "1"), line("1.1 Ask", "0")], empty);
    expect(entries.map((entry) => [entry.task.id, entry.score.value])).toEqual([
      ["line 1", 1],
      ["line 2", 0],
    ]);
  });

  test("require installed data if a line lacks its reference", async () => {
    const lines = [line("1.1 Ask", "1"), { id: 0, output: "[]" }];
    await expect(score("en/tool_usage_awareness", lines, empty)).rejects.toThrow(DataProblem);
  });
});

describe("a malformed line of predictions", () => {
  const bad: readonly (readonly [string, string, Json, string])[] = [
    ["an unknown row", "en/tool_usage", { id: 99, output: "[]" }, "a row number from 0 to 7, got `99`"],
    ["no output", "en/tool_usage", { id: 1 }, "Expected `output`"],
    ["an output that is not text", "en/tool_usage", { id: 1, output: [] }, "Expected `output` to be the model's text"],
    ["not an object", "en/tool_usage", "text", "Expected an object such as {id, output}, got `text`"],
    ["no judgement", "en/planning", { id: 1, output: "1. A" }, "Expected `eval`"],
    [
      "a reference of another shape",
      "en/tool_usage",
      { reference: [{ step: 1 }], output: "" },
      "Expected `0.step` in `reference` to be text",
    ],
    [
      "an id that is not a number",
      "en/planning",
      { id: {}, eval: [] },
      "Expected `id` to be a row number from 0, got `{}`",
    ],
  ];
  test.each(bad)("is rejected with the line number: %s", async (_, split, line, message) => {
    const good: Json = split === "en/planning" ? { id: 0, eval: [] } : { id: 0, output: "[]" };
    await expect(score(split, [good, line])).rejects.toThrow(`Line 2: `);
    await expect(score(split, [good, line])).rejects.toThrow(message);
  });
});

test("unreadable answers in predictions are scored, whatever they contain", async () => {
  const outputs = [
    "",
    "garbage",
    "[",
    "}".repeat(100_000),
    "[".repeat(100_000),
    "\ud800",
    "[{'step': 5}]",
    "None",
    "{}",
  ];
  for (const split of ["en/tool_usage", "en/tool_usage_awareness", "zh/tool_selection", "zh/tool_creation_awareness"]) {
    const { records, entries } = await score(
      split,
      outputs.map((output) => ({ id: 2, output })),
    );
    expect(records).toHaveLength(outputs.length);
    for (const { score: scored } of entries) expect(scored.value).toBe(0);
  }
});

describe("judgements as predictions", () => {
  const dimensions = ["Format Compliance", "Accuracy", "Content Reasonableness", "Executability", "Richness", "Total"];
  const judgement = (score: number): Json => dimensions.map((name) => ({ [`${name} Score`]: score }));

  test("are grouped by sample, and a sample without judgements counts as zeros", async () => {
    const [, , , fourth] = (await (await ultratool.open(sample)).tasks("en/tool_creation")) as readonly {
      answer: unknown;
    }[];
    const { steps } = fourth!.answer as { steps: { step: string }[] };
    const lines = [
      { id: 0, step: "2.2 Send", eval: judgement(8) },
      { id: 3, step: steps[0]!.step, eval: judgement(6) },
      { id: 2, eval: null },
    ];
    const { aggregate, records, entries } = await score("en/tool_creation", lines);
    const zeros = 2;
    expect((aggregate as Numbers)["overall"]).toBeCloseTo((0.8 + 0.6) / (2 + zeros), 12);
    expect(records).toEqual([
      { id: 0, scores: [8, 8, 8, 8, 8, 8] },
      { id: 3, scores: [6, 6, 6, 6, 6, 6] },
      { id: 2, scores: null },
    ]);
    expect(entries).toHaveLength(3);
  });

  test("give no score if a judgement is unreadable", async () => {
    const { records, entries, figures } = await score("en/planning", [
      { id: 0, eval: "no" },
      { id: 1, eval: [] },
    ]);
    expect(records).toEqual([
      { id: 0, scores: null },
      { id: 1, scores: null },
    ]);
    for (const { score: known } of entries)
      expect([known.value, known.labels?.["judge"]]).toEqual([undefined, "unreadable"]);
    expect(figures[0]!.notes).toContain("2 judgements could not be read and are left out");
  });

  test("give the score if the judgement is readable, without a note on omissions", async () => {
    const names = ["Accuracy", "Completeness", "Executability", "Syntactic Soundness", "Structural Rationality"];
    const judgement: Json = [...names, "Efficiency", "Overall"].map((name) => ({ [`${name} Score`]: 7 }));
    const { records, entries, figures } = await score("en/planning", [{ id: 0, eval: judgement }]);
    expect(records).toEqual([{ id: 0, scores: [7, 7, 7, 7, 7, 7, 7] }]);
    expect([entries[0]!.score.value, entries[0]!.score.labels?.["judge"]]).toEqual([0.7, "read"]);
    expect(figures[0]!.notes.join()).not.toContain("left out");
  });
});

/** The cells of a table as texts. */
const cellsOf = (predictions: Predictions, at: number) => {
  const figure = predictions.figures[at]!;
  return figure.kind === "table" ? figure.rows.map((row) => row.map(({ text }) => text)) : [];
};

describe("the tables of scored answers", () => {
  const right = (step: string, tool: string) => `[{'step': '${step}', 'tool': '${tool}'}]`;
  const line = (output: string, ...steps: readonly (readonly [string, string])[]): Json => ({
    reference: steps.map(([step, tool]) => ({ step, tool })),
    output,
  });
  const lines = [
    line(right("1.1 Ask", "1"), ["1.1 Ask", "1"]),
    line(right("1.1 Ask", "1"), ["1.1 Ask", "1"], ["1.2 Send", "1"]),
    line("nothing to read", ["1.1 Ask", "1"]),
  ];

  test("show shares of answers and of steps next to the counts", async () => {
    const scored = await score("en/tool_usage_awareness", lines);
    expect(scored.aggregate).toEqual({
      global: 1 / 3,
      local: 2 / 4,
      global_correct: 1,
      local_correct: 2,
      local_total: 4,
      bad_parse: 1,
    });
    expect(scored.figures[0]!.title).toMatch(/, en$/);
    expect(cellsOf(scored, 0)).toEqual([
      ["global", "33.33 %"],
      ["local", "50.00 %"],
      ["global correct", "1"],
      ["local correct", "2"],
      ["local total", "4"],
      ["bad parse", "1"],
    ]);
    expect(scored.records).toEqual([
      { id: 0, global: 1, local_correct: 1, local_total: 1, parse_ok: true },
      { id: 1, global: 0, local_correct: 1, local_total: 2, parse_ok: true },
      { id: 2, global: 0, local_correct: 0, local_total: 1, parse_ok: false },
    ]);
  });

  test("count how answers were read, the most frequent way first", async () => {
    const scored = await score("en/tool_usage_awareness", lines);
    const [first, second] = cellsOf(scored, 1);
    expect([first![1], second![1]]).toEqual(["2", "1"]);
    expect(scored.figures[1]!.notes).toEqual(["3 answers; repairs are tried in a fixed order until the answer parses"]);
    const figure = scored.figures[1]!;
    expect(figure.kind === "table" && figure.rows[0]![1]).toMatchObject({ value: 2, n: 3 });
  });

  test("are zeros for no answers", async () => {
    const none = await score("en/tool_usage_awareness", []);
    expect(none.aggregate).toEqual({
      global: 0,
      local: 0,
      global_correct: 0,
      local_correct: 0,
      local_total: 0,
      bad_parse: 0,
    });
    expect((await score("en/planning", [])).aggregate).toEqual({});
  });
});

describe("judgements of plans", () => {
  const names = ["Accuracy", "Completeness", "Executability", "Syntactic Soundness", "Structural Rationality"];
  const judged = (points: number): Json =>
    [...names, "Efficiency", "Overall"].map((name) => ({ [`${name} Score`]: points }));

  test("are averaged over the readable judgements, of ten points each", async () => {
    const scored = await score("en/planning", [
      { id: 0, output: "1. A\n1. B", eval: judged(8) },
      { id: 1, eval: judged(5) },
      { id: 2, eval: null },
    ]);
    expect(Object.values(scored.aggregate as Numbers)).toEqual(Array.from({ length: 7 }, () => 13 / 20));
    expect(scored.figures[0]!.notes).toEqual(["1 judgements could not be read and are left out"]);
    expect(cellsOf(scored, 0)[0]![1]).toBe("65.00 %");
    // The mistakes of a plan need its text.
    expect(scored.entries.map(({ score: own }) => own.errors.map(({ kind }) => kind))).toEqual([
      ["duplicate-number"],
      [],
      [],
    ]);
    expect(scored.entries.map(({ answer }) => answer)).toEqual([
      { output: "1. A\n1. B", judgement: judged(8) },
      { output: "", judgement: judged(5) },
      { output: "", judgement: null },
    ]);
  });
});

describe("judged tools", () => {
  const dimensions = ["Format Compliance", "Accuracy", "Content Reasonableness", "Executability", "Richness", "Total"];
  const judged = (points: number): Json => dimensions.map((name) => ({ [`${name} Score`]: points }));
  const reference = (...steps: readonly string[]) => steps.map((step) => ({ step, tool: { name: "t" } }));

  test("belong to their step, or to the only step, or to no step if the step is unknown", async () => {
    const two = { reference: reference("1.1 Make", "1.2 Send") };
    const one = { reference: reference("1.1 Make") };
    const scored = await score("en/tool_creation", [
      { ...two, step: "1.2 Send", eval: judged(10) },
      { ...one, eval: judged(6) },
      { reference: reference("2.1 Mail"), step: "9.9 Fly", eval: judged(10) },
    ]);
    // A step that was not judged counts as zero only in a sample without judgements.
    expect(scored.entries.map(({ score: own }) => own.value)).toEqual([1, 0.6, 0]);
    expect(scored.entries.map(({ answer }) => (answer as { judged: number }).judged)).toEqual([1, 1, 1]);
    const unnamed = { ...two, eval: "7 points" };
    await expect(score("en/tool_creation", [unnamed])).rejects.toThrow(
      "Line 1: Expected `step`, the step whose tool was judged",
    );
  });
});
