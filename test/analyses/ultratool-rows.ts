/** Hand-made rows as in UltraTool runs, so every number of a figure can be computed by hand. */
import type { RunRows } from "../../source/engine/analysis.ts";
import type { PaperNumbers } from "../../source/engine/suite.ts";
import type { Facets, Row, RunSpec, Score } from "../../source/engine/types.ts";
import { ultratool } from "../../suites/ultratool/index.ts";
import { bareRow } from "../bare-row.ts";
import { bareSpec } from "../bare-spec.ts";

export type Made = {
  readonly facets?: Facets;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value?: number | undefined;
};

export function made(split: string, model: string, rows: readonly Made[], more: Partial<RunSpec> = {}): RunRows {
  const [language = "", aspect = ""] = split.split("/");
  const run = `${split} ${model}`;
  return {
    run,
    label: `${split}, ${model}`,
    spec: { ...spec, split, model, ...more },
    suite: ultratool,
    rows: rows.map((row, index) => rowOf(run, String(index), { language, aspect, edition: "published" }, row)),
    reported: { values: [], tables: [] },
    warnings: [],
    readsAnswerKey: false,
  };
}

export function withPrinted(run: RunRows, reported: PaperNumbers): RunRows {
  return { ...run, reported };
}

const spec = bareSpec("ultratool", {
  split: "",
  data: "published",
  options: { lists: "python", parser: "gpt" },
  model: "",
});

function rowOf(run: string, task: string, facets: Facets, row: Made): Row {
  const score: Score = {
    value: row.value,
    metrics: row.metrics ?? {},
    checks: [],
    errors: [],
    ...(row.labels === undefined ? {} : { labels: row.labels }),
  };
  return bareRow(run, task, { facets: { ...facets, ...row.facets }, score, cost: 0 });
}
