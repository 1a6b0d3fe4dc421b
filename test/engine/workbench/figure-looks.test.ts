import { describe, expect, it } from "vitest";
import { analyses } from "../../../analyses/index.ts";
import { planAnalysisCell } from "../../../source/engine/session/analysis-cell.ts";
import { seededOrder } from "../../../source/engine/statistics/sequential-test.ts";
import type { Row, Task } from "../../../source/engine/types.ts";
import { GrowingRows } from "../../../source/engine/log/rows/growing-rows.ts";
import { GrowingList } from "../../../source/engine/work/growing-list.ts";
import { AnalysisCells } from "../../../source/engine/workbench/figures/analysis-state.ts";
import { bareRow } from "../../bare-row.ts";
import { tinySuite } from "./tiny-suite.ts";

const count = 2_000;
const seed = 3;
const { suite: tiny } = tinySuite();
const suite = { ...tiny, facets: [...tiny.facets, { name: "scenario", title: "Scenario" }] };
const tasks: readonly Task[] = Array.from({ length: count }, (_, at) => ({
  id: `t${at}`,
  question: `What is ${at}?`,
  input: at,
  answer: at,
  facets: { parity: at % 2 === 0 ? "even" : "odd", scenario: `s${at % 5}` },
}));
const spec = { suite: "tiny", model: "builtin/oracle", seed, trial: 1, options: {}, budget: {}, filter: {} };

/** Returns a row for each task: right, wrong, without a score, or stopped. */
function endedRow({ id, question, facets }: Task): Row {
  const at = Number(id.slice(1));
  if (at % 13 === 7) {
    const kind = at % 2 === 0 ? "model" : "stopped";
    return bareRow("r", id, { question, facets, state: "failed", failure: { kind, message: "no" } });
  }
  const value = at % 3 === 0 ? 0 : 1;
  const score = { value, metrics: { right: value }, checks: [], errors: [] } as unknown as Row["score"];
  return bareRow("r", id, { question, facets, score });
}

const running = ({ id, question, facets }: Task) => bareRow("r", id, { question, facets, state: "running" });

/** Numbers of ended tasks at which a figure is computed. */
const looks = [100, 110, 300, 301, 1_000, 1_999, count];

/** Returns a row that notes its task in `read` whenever a field is read. */
const watched = (row: Row, read: Set<string>): Row =>
  new Proxy(row, {
    get(fields, name) {
      read.add(fields.task);
      return Reflect.get(fields, name) as unknown;
    },
  });

/** Computes figures of these rows, of which `open` belong to tasks that have not ended. */
function figuresOf(cells: AnalysisCells, source: string, rows: readonly Row[]) {
  const planned = planAnalysisCell(source, analyses);
  const reported = { values: [], tables: [] };
  const run = {
    run: "r",
    spec,
    label: "main",
    suite,
    rows,
    warnings: [],
    readsAnswerKey: false,
    isAtRest: false,
    reported,
  };
  const job = { cell: "c", source, problems: [], none: "", runs: [run], claimants: [] };
  const { state } = cells.workOut(planned, job as never, () => tasks);
  expect(state.problems).toEqual([]);
  expect(state.figures.length).toBeGreaterThan(0);
  return state;
}

/** The figures, with the tasks of their cells. */
const written = ({ figures, filled }: ReturnType<typeof figuresOf>) => JSON.stringify([figures, filled]);

const orders = [
  { order: "the file's order", started: tasks },
  {
    order: "the seeded order",
    started: seededOrder(
      tasks.map(({ id }) => id),
      String(seed),
    ).map((id) => tasks[Number(id.slice(1))]!),
  },
];

describe("the figures of a run that executes", () => {
  for (const { order, started } of orders)
    it.each([
      "difficulty\nby: parity",
      "difficulty\ncolumns: [parity]\nmeasures: [right, tokens]",
      "overview",
      "scenario",
    ])(`read each new row once, and equal the figures of all rows: tasks in ${order}, pane: %s`, (pane) => {
      const source = `pane: ${pane}`;
      const list = new GrowingList<Row>();
      const read = new Set<string>();
      const [cells, others] = [new AnalysisCells(), new AnalysisCells()];
      for (const ended of looks) {
        const before = list.length;
        for (const task of started.slice(before, ended)) list.push(watched(endedRow(task), read));
        const open = started.slice(ended, ended + 4).map(running);
        read.clear();
        const live = figuresOf(cells, source, list.with(open));
        const again = started.slice(0, before).filter(({ id }) => read.has(id));
        // The first rows show what the figure may have, and the last rows the order of the tasks.
        expect(again.length, `rows read again at ${ended} tasks`).toBeLessThanOrEqual(before === 0 ? 0 : 16);
        const all = [...started.slice(0, ended).map(endedRow), ...open];
        expect(written(live)).toBe(written(figuresOf(others, source, all)));
      }
    });

  it.each(orders)("equal the figures of all rows if the 51st task takes long: tasks in $order", ({ started }) => {
    const source = "pane: overview";
    const rows = new GrowingRows();
    const read = new Set<string>();
    const [cells, others] = [new AnalysisCells(), new AnalysisCells()];
    const all = started.map((task) => watched(endedRow(task), read));
    for (const [before, ended] of [
      [0, 100],
      [100, 1_000],
      [1_000, 1_999],
      [1_999, count],
    ] as const) {
      const slow = ended < count ? running(started[50]!) : all[50]!;
      const now = all.slice(0, ended).with(50, slow);
      read.clear();
      const live = figuresOf(cells, source, rows.of(now));
      const again = started.slice(0, before).filter(({ id }, at) => at !== 50 && read.has(id));
      // Fewer than 500 rows behind a task that has not ended are no list yet.
      expect(again.length, `rows read again at ${ended} tasks`).toBeLessThanOrEqual(before > 500 ? 16 : 49 + 16);
      expect(written(live)).toBe(written(figuresOf(others, source, [...now])));
    }
  });
});
