import { expect, test } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { runState } from "../double-workbench.ts";
import { enter, openScreen } from "../open-screen.tsx";

const left = (title: string) => ({ title, align: "left" as const });
const right = (title: string) => ({ title, align: "right" as const });

/** Draws a figure like the notebook and like its own screen. */
function drawn(columns: TableFigure["columns"], rows: readonly (readonly string[])[], ascii: boolean): string {
  const cells = rows.map((row) => row.map((text) => ({ text })));
  const figure: TableFigure = { kind: "table", title: "", columns, rows: cells, notes: [] };
  const { head, body } = drawFigure(figure, { width: 80, ascii });
  return [...head, ...body].map((line) => lineText(line).trimEnd()).join("\n");
}

test.each([false, true])(
  "ink-table's output looks like tables of figures, wide characters or not (ASCII: %s)",
  async (ascii) => {
    const screen = await openScreen({ columns: 80, rows: 30, ascii });
    const label = ascii ? "hierarchical" : "\u968e\u5c64";
    screen.workbench.setRuns("c2", [runState({ label }), runState({ run: "run-2", label: "flat" })]);
    await screen.press(":", "compare", enter);
    await screen.still();
    const columns = [left(""), left("Run"), right("Mean score"), right("Wins")];
    const rows = [
      ["1", label, "-", "0"],
      ["2", "flat", "-", "0"],
    ];
    expect(screen.text()).toContain(drawn(columns, rows, ascii));
    await screen.close();
  },
);

test("the forecast in the form looks like a table of figures", async () => {
  const screen = await openScreen({ columns: 80, rows: 40 });
  await screen.press("n");
  await screen.still();
  const lines = screen.lines().map((line) => line.trimEnd());
  const at = lines.findIndex((line) => line.includes("tokens in/out"));
  const values = lines[at + 2]!.trim().split(/ {2,}/);
  const columns = ["runs", "tasks", "requests", "tokens in/out", "cost"].map(right);
  expect(lines.slice(at, at + 3).join("\n")).toBe(drawn(columns, [values], false));
  await screen.close();
});
