/** A figure of each kind, with everything a figure can contain: reported rows, few tasks, intervals, gaps, wide and hostile text. */
import type {
  BarsFigure,
  Cell,
  Figure,
  GridFigure,
  LinesFigure,
  PointsFigure,
  TableFigure,
} from "../../source/engine/figure.ts";

export function percent(value: number, n: number): Cell {
  const tasks = Array.from({ length: Math.min(n, 3) }, (_, index) => ({ run: "run-1", task: `mm-${index}` }));
  return { text: (value * 100).toFixed(1), value, n, tasks, ...(n < 10 && { faint: true }) };
}

const text = (words: string): Cell => ({ text: words });

export const table: TableFigure = {
  kind: "table",
  title: "By category",
  notes: ["Official mode. Denominators are tasks with a score.", "Sample data: 24 tasks written for this project."],
  columns: [
    { title: "category", align: "left" },
    { title: "model", align: "left" },
    { title: "F1 app", align: "right" },
    { title: "F1 API", align: "right" },
    { title: "Succ", align: "right" },
    { title: "n", align: "right" },
  ],
  rows: [
    [
      text("single app, single API"),
      text("builtin/slips"),
      percent(0.925, 40),
      percent(0.8, 40),
      percent(0.75, 40),
      text("40"),
    ],
    [
      text("single app, many APIs"),
      text("builtin/slips"),
      percent(0.9, 40),
      percent(0.7, 40),
      percent(0.5, 40),
      text("40"),
    ],
    [
      text("many apps, many APIs"),
      text("builtin/slips"),
      percent(0.6, 6),
      percent(0.4, 6),
      percent(0.166, 6),
      text("6"),
    ],
    [text("ホテル 予約"), text("evil\x1b[31m\x07"), percent(0.5, 12), percent(0.5, 12), percent(0.5, 12), text("12")],
    [
      text("many apps, many APIs"),
      text("GPT-4o"),
      { text: "", reported: true },
      { text: "71.1", value: 0.711, reported: true },
      { text: "2.0", value: 0.02, reported: true, note: "Table 2" },
      { text: "", reported: true },
    ],
  ],
};

export const grid: GridFigure = {
  kind: "grid",
  title: "Argument EM by scale",
  notes: ["Parallel: calls in the widest layer. Sequential: layers."],
  x: { label: "sequential", ticks: ["1", "2", "3", "4"] },
  y: { label: "parallel", ticks: ["1", "2", "3"] },
  range: [0, 1],
  cells: [
    [percent(0.95, 120), percent(0.8, 64), percent(0.61, 22), percent(0.5, 8)],
    [percent(0.7, 31), percent(0.52, 12), percent(0.4, 10), undefined],
    [percent(0.33, 9), percent(0, 3), undefined, undefined],
  ],
};

export const bars: BarsFigure = {
  kind: "bars",
  title: "Kinds of mistake",
  notes: ["Share of tasks with at least one."],
  unit: "percent of tasks",
  bars: [
    { label: "value, dependent", cell: percent(0.31, 90), low: 0.22, high: 0.41 },
    { label: "key, independent", cell: percent(0.12, 90), low: 0.07, high: 0.2 },
    { label: "time", cell: percent(0.05, 90), low: 0.02, high: 0.12 },
    { label: "space", cell: { text: "0.0", value: 0, n: 90 }, low: 0, high: 0.04 },
    { label: "time, in the paper", cell: { text: "10.2", value: 0.102, reported: true } },
  ],
};

export const lines: LinesFigure = {
  kind: "lines",
  title: "Success by number of demonstrations",
  notes: [],
  x: "demonstrations",
  y: "Succ (%)",
  series: [
    {
      label: "hierarchical",
      points: [0, 1, 3, 5].map((x, index) => {
        const value = [0.2, 0.35, 0.42, 0.45][index]!;
        return { x, cell: percent(value, 50), low: value - 0.1, high: value + 0.1 };
      }),
    },
    {
      label: "flat",
      points: [0, 1, 3, 5].map((x, index) => ({ x, cell: percent([0.1, 0.15, 0.33, 0.3][index]!, 50) })),
    },
  ],
};

export const points: PointsFigure = {
  kind: "points",
  title: "Tokens and success",
  notes: ["One point per run."],
  x: "tokens per task",
  y: "Succ (%)",
  points: [
    { x: 800, y: 40, group: "hierarchical", label: "run a", tasks: [{ run: "run-1", task: "mm-0" }] },
    { x: 1500, y: 55, group: "hierarchical", label: "run b" },
    { x: 700, y: 22, group: "flat", label: "run c" },
    { x: 2100, y: 30, group: "flat", label: "run d" },
  ],
};

export const long: TableFigure = {
  kind: "table",
  title: "All tasks",
  notes: [],
  columns: [
    { title: "task", align: "left" },
    { title: "question", align: "left" },
    { title: "EM", align: "right" },
  ],
  rows: Array.from({ length: 200 }, (_, row) => [
    text(`mm-${row}`),
    text(`Book a table for ${row} people and tell everybody when and where it is`),
    percent((row % 10) / 10, 40),
  ]),
};

export const figures: Readonly<Record<string, Figure>> = { table, grid, bars, lines, points };
