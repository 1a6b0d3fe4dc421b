import { beforeAll, expect, test } from "vitest";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { PredictionProblem } from "../../../source/engine/prediction.ts";
import type { Json } from "../../../source/engine/types.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";
import { openPublished, rowOf, scoreAnswer } from "./sample-rows.ts";
import { expectClose } from "./close.ts";
import type { ScoringFile } from "./published.ts";
import { categoryNames, scoringFile } from "./published.ts";

function predict(values: readonly Json[]) {
  return appbench.predictions!.score({
    lines: values.map((value, index) => ({ number: index + 1, value })),
    folder: shared("data", "appbench"),
    data: "published",
    split: "all",
    flags: {},
    signal: new AbortController().signal,
  });
}

describePublished("answers of another program in AppBench", () => {
  let files: ScoringFile[];
  beforeAll(() => {
    files = categoryNames.map(scoringFile);
  });

  test("get the expected records and totals, category by category", async () => {
    for (const { records, aggregate } of files) {
      const scored = await predict(records.map(({ sample_id: task, output }) => ({ task, output })));
      for (const [index, record] of scored.records.entries()) {
        const { parse: _, ...blocks } = records[index]!.expected;
        expectClose(record, { task: records[index]!.sample_id, ...blocks }, records[index]!.id);
      }
      const { records: _, ...blocks } = aggregate;
      expectClose(scored.aggregate, blocks, "aggregate");
    }
  });

  test("have the same totals when computed from rows, like a run's", async () => {
    for (const { records, aggregate } of files) {
      const scored = await predict(records.map(({ sample_id: task, output }) => ({ task, output })));
      const rows = scored.entries.map(({ task, score }) => rowOf(task, score));
      const of = (name: string) =>
        evaluate(
          appbench.measures.find((measure) => measure.name === name)!,
          rows,
        ).value;
      const { official, official_analysis, paper } = aggregate;
      const { analysis } = official_analysis.evaluation!;
      expectClose(
        {
          app_hit_f1: of("official.f1-app"),
          api_hit_f1: of("official.f1-api"),
          complete_match: of("official.success"),
          app_exact_match: of("official.em-app"),
          api_exact_match: of("official.em-api"),
          argu_exact_match: of("official.argument-em"),
        },
        official.derived,
        "official",
      );
      expectClose(of("official.argument-f1"), official.evaluation!.argu_hit_f1, "arguments");
      expectClose(of("official.dependent-argument-f1"), official.evaluation!.depend_argu_hit_f1, "dependent");
      expectClose(of("official.independent-argument-f1"), official.evaluation!.non_depend_argu_hit_f1, "independent");
      expectClose(
        {
          app: { em: of("analysis.em-app"), f1: of("analysis.f1-app") },
          api: { em: of("analysis.em-api"), f1: of("analysis.f1-api") },
          succ: of("analysis.success"),
          analysis: {
            all_key_missing: of("analysis.key-missing"),
            depend_key_missing: of("analysis.key-missing-dependent"),
            indendpent_key_missing: of("analysis.key-missing-independent"),
            all_key_value_mismatch: of("analysis.value-mismatch"),
            depend_key_value_mismatch: of("analysis.value-mismatch-dependent"),
            independent_key_value_mismatch: of("analysis.value-mismatch-independent"),
            date_value_error: of("analysis.time"),
            location_value_error: of("analysis.space"),
            percent_key_missing: of("analysis.tasks-key-missing"),
            percent_depend_key_missing: of("analysis.key-dependent"),
            percent_key_value_mismatch: of("analysis.tasks-value-mismatch"),
            percent_depend_key_value_mismatch: of("analysis.value-dependent"),
          },
        },
        official_analysis.evaluation,
        "analysis",
      );
      expectClose(
        of("analysis.key-independent"),
        analysis["percent_key_missing"]! - analysis["percent_depend_key_missing"]!,
        "key-independent",
      );
      expectClose(
        {
          f1_app: of("paper.f1-app"),
          f1_api: of("paper.f1-api"),
          em_app: of("paper.em-app"),
          em_api: of("paper.em-api"),
          succ: of("paper.success"),
        },
        { f1_app: paper.f1_app, f1_api: paper.f1_api, em_app: paper.em_app, em_api: paper.em_api, succ: paper.succ },
        "paper",
      );
    }
  });

  test("score like a run with the same answers", async () => {
    const loaded = await openPublished();
    const tasks = new Map((await loaded.tasks("all")).map((task) => [task.id, task]));
    for (const { records } of files) {
      const scored = await predict(records.map(({ sample_id: task, output }) => ({ task, output })));
      for (const [index, { answer, score }] of scored.entries.entries()) {
        expect(await scoreAnswer(loaded, tasks.get(records[index]!.sample_id)!, answer)).toEqual(score);
      }
    }
  });

  test("have app1 and app2 replaced by the apps of their first-stage answer", async () => {
    const { placeholder_mapping: cases } = sharedJson<{
      placeholder_mapping: {
        id: string;
        sample_id: string;
        app_selection_output: string;
        output: string;
        expected: { official: Record<string, unknown> };
      }[];
    }>("conformance", "appbench", "app_selection.json");
    const { records } = await predict(
      cases.map(({ sample_id: task, output, app_selection_output: apps }) => ({ task, output, apps })),
    );
    for (const [index, record] of records.entries()) {
      const { error, evaluation, counters } = (record as { official: Record<string, unknown> }).official;
      expectClose({ error, evaluation, counters }, cases[index]!.expected.official, cases[index]!.id);
    }
  });

  test.each<[string, Json, string]>([
    ["a line that is not an object", "mm-010", "an object `{task, output, apps?}`"],
    ["a task that does not exist", { task: "mm-999", output: "" }, "mm-999"],
    ["a task named after a built-in", { task: "constructor", output: "" }, "constructor"],
    ["no task", { output: "" }, "got nothing"],
    ["no output", { task: "mm-010" }, "got nothing"],
    ["an output that is not text", { task: "mm-010", output: ["Movies: [a = b()]"] }, 'got `["Movies: [a = b()]"]`'],
    ["apps that are not text", { task: "mm-010", output: "", apps: 3 }, "got `3`"],
  ])("are rejected with the line number for %s", async (_, value, amiss) => {
    const bad = predict([{ task: "ss-000", output: "fine" }, value]);
    await expect(bad).rejects.toThrow(PredictionProblem);
    await expect(bad).rejects.toMatchObject({ line: 2 });
    await expect(bad).rejects.toThrow(/^Line 2: Expected .*/);
    await expect(bad).rejects.toThrow(amiss);
  });

  test("can cover only some tasks, for example those of a folder like the sample", async () => {
    const { records } = await appbench.predictions!.score({
      lines: [{ number: 1, value: { task: "ss-000", output: "Ferries: [a = findferry()]" } }],
      folder: sampleFolder("appbench"),
      data: "published",
      split: "all",
      flags: {},
      signal: new AbortController().signal,
    });
    expect(records).toHaveLength(1);
  });

  test("are scored, not rejected, if missing, empty or garbage", async () => {
    expect((await predict([])).records).toEqual([]);
    const { records, aggregate, figures } = await predict([
      { task: "ss-000", output: "" },
      { task: "ss-001", output: "\u0000] = (" },
    ]);
    expect(records).toHaveLength(2);
    expect((aggregate as { official: { error: string } }).official.error).toBe("ZeroDivisionError");
    expect(figures[0]!.kind).toBe("table");
    // Percent with two decimals, as the paper prints.
    const shown = figures.flatMap((figure) => (figure.kind === "table" ? figure.rows : []));
    for (const [category, n, ...values] of shown) {
      expect([category!.text, n!.text]).toEqual([expect.any(String), "2"]);
      for (const { text } of values) expect(text).toBe("0.00");
    }
  });
});
