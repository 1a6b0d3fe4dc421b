import { describe, expect, it } from "vitest";
import { analyses } from "../../analyses/index.ts";
import type { Analysis, Codebook, RunRows } from "../../source/engine/analysis.ts";
import { figureJson } from "../../source/engine/figures/figure-json.ts";
import { GrowingRows } from "../../source/engine/log/rows/growing-rows.ts";
import { planAnalysisCell } from "../../source/engine/session/analysis-cell.ts";
import { rowsByCode } from "../../source/engine/session/codes/coded-rows.ts";
import { pick, randomFrom } from "../../source/engine/statistics/random.ts";
import type { Row } from "../../source/engine/types.ts";
import { analysisState, beforeFigures } from "../../source/engine/workbench/figures/analysis-state.ts";
import { type PoolableRun, pooledRuns } from "../../source/engine/workbench/runs/wanted-runs.ts";
import { suites } from "../../suites/index.ts";
import { runsOf, waysToAsk } from "./every-figure.ts";

/** Analyses that compare the rows of several runs anew at each look. */
const rereading = ["compare"];

/** Whether a row is wanted by its position does not depend on its content: the first rows show which values a figure may have. */
const first = 20;

/** Returns a row that notes its run and task in `read` whenever a field is read. */
const watched = (row: Row, read: Set<string>): Row =>
  new Proxy(row, {
    get(fields, name) {
      read.add(`${fields.run} ${fields.task}`);
      return Reflect.get(fields, name) as unknown;
    },
  });

/** Returns a run with this many copies of the rows of its ended tasks, each of another task. */
function enlarged(run: RunRows, copies: number): RunRows {
  const ended = run.rows.filter(({ state }) => state !== "running");
  const copied = (at: number) =>
    ended.map((row) => ({ ...row, task: `${row.task}#${at}`, question: `${row.question} ${at}` }));
  return { ...run, rows: Array.from({ length: copies }, (_, at) => copied(at)).flat() };
}

const usual = (analysis: Analysis, runs: readonly RunRows[]): string =>
  Object.entries(waysToAsk(analysis, runs)[0]!)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");

/** Computes the figures of an analysis with its usual choices. */
function figuresOf(analysis: Analysis, runs: readonly RunRows[]) {
  const source = `pane: ${analysis.name}\n${usual(analysis, runs)}`;
  const { figures, problems } = analysisState(beforeFigures(planAnalysisCell(source, analyses), runs, [], ""));
  expect(problems).toEqual([]);
  return figures;
}

const written = (figures: ReturnType<typeof figuresOf>) => JSON.stringify(figures.map(figureJson));

const applying = (runs: readonly RunRows[]) =>
  analyses.filter(({ missing, name }) => name !== "sql" && missing?.(runs) === undefined);

/** Looks at the figures of the first tasks of these runs, then of more of them. */
function lookAt(runs: readonly RunRows[], join: (runs: readonly RunRows[]) => readonly RunRows[]) {
  const read = new Set<string>();
  const seen = runs.map(({ rows }) => rows.map((row) => watched(row, read)));
  const compared: string[] = [];
  for (const analysis of applying(join(runs))) {
    const lists = runs.map(() => new GrowingRows());
    for (const [before, ended] of [
      [0, 60],
      [60, 61],
      [61, 100],
    ] as const) {
      const live = join(runs.map((run, at) => ({ ...run, rows: lists[at]!.of(seen[at]!.slice(0, ended)) })));
      read.clear();
      const figures = figuresOf(analysis, live);
      const again = runs.map(({ rows }) =>
        rows.slice(first, before).filter(({ run, task }) => read.has(`${run} ${task}`)),
      );
      if (!rereading.includes(analysis.name)) expect(again.flat(), `${analysis.name} at ${ended} tasks`).toEqual([]);
      const anew = join(runs.map((run) => ({ ...run, rows: run.rows.slice(0, ended) })));
      expect(written(figures)).toBe(written(figuresOf(analysis, anew)));
    }
    compared.push(analysis.name);
  }
  return compared;
}

describe("the figures of runs that execute", () => {
  it.each(suites.filter(({ name }) => !["mcp", "process"].includes(name)))(
    "read each new row once, and equal the figures of all rows: $name",
    async (suite) => {
      const runs = (await runsOf(suite)).map((run) => enlarged(run, 10));
      expect(lookAt(runs, (all) => all).length).toBeGreaterThan(3);
    },
  );

  it("read each new row once if trials are pooled", async () => {
    const runs = (await runsOf(suites.find(({ name }) => name === "planningarena")!)).map((run) => enlarged(run, 10));
    const pool = { key: "p", label: "both" };
    const join = (all: readonly RunRows[]) => pooledRuns(all.map((run): PoolableRun => ({ ...run, pool })));
    expect(lookAt(runs, join)).toEqual(expect.arrayContaining(["difficulty", "errors", "overview", "efficiency"]));
  });

  it("read each new row once if rows have codes", async () => {
    const [run] = (await runsOf(suites[0]!, "seed: 1")).map((each) => enlarged(each, 10));
    const codes = run!.rows.slice(0, 70).map(({ task }) => {
      const code = { id: task, by: "anna", at: "2026-01-01T00:00:00Z", kind: "misread" };
      return [task, { codes: [code, { ...code, id: `${task} again`, by: "ben" }], labelled: [] }] as const;
    });
    const codebook: Codebook = { kinds: [{ name: "misread" }], runs: new Map([[run!.run, new Map(codes)]]) };
    const join = (all: readonly RunRows[]) =>
      all.map((each) => ({ ...each, codes: codebook, rows: rowsByCode(each.rows, codebook) }));
    expect(lookAt([run!], join)).toEqual(expect.arrayContaining(["agreement", "difficulty", "errors", "overview"]));
  });

  it.each(["appbench", "planningarena", "travelplanner"])(
    "equal the figures of all rows after each ended task, if tasks end in a random order: %s",
    async (name) => {
      const runs = await runsOf(suites.find((suite) => suite.name === name)!);
      const known = runs.map((run) => enlarged(run, 2));
      for (const analysis of applying(known)) {
        const random = randomFrom(analysis.name);
        const lists = known.map(() => new GrowingRows());
        const open = new Set([0, 1, 2, 3]);
        while (open.size > 0) {
          const ended = pick([...open], random);
          const next = Math.max(...open) + 1;
          open.delete(ended);
          if (next < known[0]!.rows.length) open.add(next);
          const begun = Math.max(...open, next - 1) + 1;
          const now = known.map(({ rows }) =>
            rows
              .slice(0, begun)
              .map((row, at): Row => (open.has(at) ? { ...row, state: "running", score: undefined } : row)),
          );
          const live = known.map((run, at) => ({ ...run, rows: lists[at]!.of(now[at]!) }));
          if (analysis.missing?.(live) !== undefined) continue;
          const anew = known.map((run, at) => ({ ...run, rows: now[at]! }));
          expect(written(figuresOf(analysis, live)), analysis.name).toBe(written(figuresOf(analysis, anew)));
        }
      }
    },
  );
});
