import { renderToString } from "ink";
import { describe, expect, it } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { SummaryTable, fitsSummary } from "../../../source/terminal/figures/summary-table.tsx";
import { TerminalContext } from "../../../source/terminal/terminal.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { doubleTerminal } from "../double-terminal.ts";
import { long, percent, table } from "../sample-figures.ts";

const small: TableFigure = {
  ...table,
  columns: [
    { title: "model", align: "left" },
    { title: "Succ", align: "right" },
    { title: "Succ", align: "right" },
  ],
  rows: [
    [{ text: "builtin/slips" }, percent(0.5, 40), percent(0.25, 4)],
    [{ text: "GPT-4o × 3" }, { text: "2.0", value: 0.02, reported: true }, { text: "" }],
  ],
};

function drawn(ascii: boolean): string {
  return renderToString(
    <TerminalContext value={doubleTerminal({ theme: openTheme({ colour: false, ascii }) })}>
      <SummaryTable figure={small} at={{ row: 0, column: 1 }} />
    </TerminalContext>,
    { columns: 80 },
  );
}

describe("small tables", () => {
  it("are drawn with their cursor, two columns of one name kept apart", () => {
    expect(drawn(false).split("\n")).toEqual([
      "┌────────────────┬───────┬────────┐",
      "│  model         │  Succ │   Succ │",
      "├────────────────┼───────┼────────┤",
      "│  builtin/slips │ ▸50.0 │  ~25.0 │",
      "├────────────────┼───────┼────────┤",
      "│  GPT-4o × 3    │  2.0† │        │",
      "└────────────────┴───────┴────────┘",
    ]);
  });
  it("are ASCII where that is wanted", () => {
    expect(drawn(true)).toMatch(/^[\n\x20-\x7e]*$/);
  });
  it("are left to the windowed list when they are long, wide, or hold wide text", () => {
    expect(fitsSummary(small, 80, 20, false)).toBe(true);
    expect(fitsSummary(small, 30, 20, false)).toBe(false);
    expect(fitsSummary(small, 80, 6, false)).toBe(false);
    expect(fitsSummary(long, 200, 60, false)).toBe(false);
    expect(fitsSummary(table, 200, 60, false)).toBe(false);
  });
});
