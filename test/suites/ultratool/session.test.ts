/** The session that reproduces the published table from the published predictions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aspects } from "../../../analyses/aspects.ts";
import { formatting } from "../../../analyses/formatting.ts";
import type { RunRows } from "../../../source/engine/analysis.ts";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { packageFolder } from "../../../source/engine/settings/package-folder.ts";
import { readPredictions } from "../../../source/engine/workbench/runs/prediction-run.ts";
import { planRunCell, type PlannedRun } from "../../../source/engine/session/run-cell.ts";
import { readSession } from "../../../source/engine/session/document/session-document.ts";
import { bareRow } from "../../bare-row.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { describePublished, shared } from "../../shared.ts";

const text = readFileSync(join(packageFolder(), "sessions", "ultratool-table", "session.md"), "utf8");

function plannedRuns(): readonly PlannedRun[] {
  const cells = readSession(text).segments.filter(({ kind }) => kind === "run");
  return cells.flatMap(({ source }) => {
    const { runs, problems } = planRunCell(source, { suites: [ultratool], defaultData: () => "sample" });
    expect(problems).toEqual([]);
    return runs;
  });
}

test("every run cell of UltraTool's session is read without a problem or a model", () => {
  const runs = plannedRuns();
  expect(runs).toHaveLength(6);
  for (const { predictions, spec } of runs) {
    expect(predictions).toMatch(/^predictions\/en\//);
    expect(spec.data).toBe("published");
  }
});

describePublished("the published predictions", () => {
  async function scoredRun({ run, label, spec, predictions }: PlannedRun): Promise<RunRows> {
    const folder = shared("data", "ultratool");
    const lines = await readPredictions(join(folder, predictions!));
    const { signal } = new AbortController();
    const scored = await ultratool.predictions!.score({
      lines,
      folder,
      data: "published",
      split: spec.split,
      flags: { parser: String(spec.options["parser"]) },
      signal,
    });
    const rows = scored.entries.map(({ task, score }) => bareRow(run, task.id, { facets: task.facets, score }));
    const reported = await ultratool.reported!();
    const more = { suite: ultratool, warnings: [], readsAnswerKey: false, reported };
    return { run, label, spec, rows, ...more };
  }

  test("give the values of the paper in four of the nine columns", async () => {
    const runs = await Promise.all(plannedRuns().map(scoredRun));
    const [figure] = aspects.compute(runs, { language: "en", mode: "official", published: "beside" }) as [TableFigure];
    const rowOf = (name: string) => figure.rows.find(([model]) => model!.text === name)!.map((cell) => cell.text);
    for (const [own, theirs] of [
      ["rescored/gpt-4", "GPT-4"],
      ["rescored/gpt-3.5", "GPT-3.5"],
    ] as const) {
      const reported = rowOf(theirs);
      const rebuilt = rowOf(own);
      const there = rebuilt.flatMap((value, column) => (column > 0 && value !== "-" ? [column] : []));
      expect(there.map((column) => figure.columns[column]!.title)).toEqual(["Plan", "UsAw G", "UsAw L", "Usage"]);
      expect(there.map((column) => rebuilt[column])).toEqual(there.map((column) => reported[column]));
    }
    expect(figure.notes.join("\n")).toContain("No answers here for: Tool creation awareness, global");
  });

  test("are not plain JSON in most cases, by the recorded counts", async () => {
    const runs = await Promise.all(
      plannedRuns()
        .filter(({ spec }) => spec.split !== "en/planning")
        .map(scoredRun),
    );
    const forms = formatting.compute(runs, {})[1] as TableFigure;
    const json = forms.rows.map(([model, aspect, plain, fenced]) => [
      model!.text,
      aspect!.text,
      plain!.value! * 1000 + fenced!.value! * 1000,
    ]);
    expect(json).toEqual([
      ["rescored/gpt-4", "tool usage awareness", 507],
      ["rescored/gpt-4", "tool usage", 956],
      ["rescored/gpt-3.5", "tool usage awareness", 304],
      ["rescored/gpt-3.5", "tool usage", 288],
    ]);
  });
});
