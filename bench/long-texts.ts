/** Measures long texts, documents and tables: each must stay far below a noticeable delay, and grow only with the length. */
import { clusterView } from "../source/engine/clustering/toolkits/cluster-view.ts";
import { drawFigure } from "../source/engine/figures/drawing/draw-figure.ts";
import { symbolsOf } from "../source/look/signs.ts";
import type { TableFigure } from "../source/engine/figure.ts";
import { readSession } from "../source/engine/session/document/session-document.ts";
import { printable, width, wrap } from "../source/engine/text/printable.ts";
import { WrappedText } from "../source/terminal/drawing/wrapped-text.ts";
import { noteLines } from "../source/terminal/notebook/note-lines.ts";
import type { Measurement } from "./measurement.ts";

const cell = "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n";

export async function bench(): Promise<readonly Measurement[]> {
  const table = tableOf(10_000);
  const draw = (row: number) =>
    drawFigure(table, { width: 120, ascii: false, at: { row, column: 1 }, window: [row - 30, row + 31] });
  const from = performance.now();
  await neighbours(16_531);
  const view = performance.now() - from;
  return [
    timed("300 KB of text made printable, measured and wrapped", () => {
      printable("\x1b[".repeat(100_000));
      width("a\u0301".repeat(50_000));
      wrap("x".repeat(100_000), 80);
    }),
    timed("300 KB of a reply wrapped as they grow in 100 steps", () => {
      const text = "lorem ipsum dolor ".repeat(17_000);
      const growing = new WrappedText();
      for (let end = 0; end <= text.length; end += 3000) growing.lines(text.slice(0, end), 80);
    }),
    timed("600 KB of emphasis marks drawn as a note", () => noteLines("*_`".repeat(200_000), 80, symbolsOf(false))),
    timed("a document of 5 MB read", () => readSession(`# Big\n\n${"word ".repeat(1_000_000)}\n\n${cell}`)),
    timed("a document of 10,000 cells read", () => readSession(cell.repeat(10_000))),
    timed("a table of 10,000 rows drawn around 100 of them", () => {
      for (let row = 0; row < 10_000; row += 100) draw(row);
    }),
    { what: "neighbours of 16,531 APIs", ours: view, unit: "ms" },
  ];
}

function timed(what: string, work: () => unknown): Measurement {
  const from = performance.now();
  work();
  return { what, ours: performance.now() - from, unit: "ms" };
}

function tableOf(rows: number): TableFigure {
  return {
    kind: "table",
    title: "Long",
    notes: [],
    columns: ["task", "value"].map((title) => ({ title, align: "left" as const })),
    rows: Array.from({ length: rows }, (_, row) => [{ text: `t-${row}` }, { text: `${row}`, value: row }]),
  };
}

async function neighbours(count: number): Promise<void> {
  const values = Float32Array.from({ length: count * 2 }, (_, index) => (index % 2 === 0 ? (index / 2) ** 2 : 0));
  const apis = Array.from({ length: count }, (_, row) => ({ name: `api ${row}`, group: "g" }));
  await clusterView(
    apis,
    { rows: count, dims: 2, values },
    apis.map(() => 0),
    [{ id: 0, description: "all" }],
  );
}
