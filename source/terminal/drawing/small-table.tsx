/**
 * A small table without a cursor, set by `ink-table`. It looks as tables of figures do (`figures/drawing/table.ts`): its frame and
 * the rules between its rows are emptied through `skeleton`, whose pieces Ink then gives no place; the one below the titles is theirs.
 */
import { Box } from "ink";
import inkTable from "ink-table";
import type { ReactNode } from "react";
import type { Cell, TableColumn } from "../../engine/figure.ts";
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { inkOf, type Span, styled } from "../../engine/figures/drawing/line.ts";
import { cellText } from "../../engine/figures/drawing/cell-text.ts";
import { pad, printable, width } from "../../engine/text/printable.ts";
import { useTerminal } from "../terminal.ts";
import { TextRow } from "./rows.tsx";

/** Titles, none twice and none above another one, and cells that fit into the window. */
export type SmallTableProps = {
  readonly columns: readonly Pick<TableColumn, "title" | "align">[];
  readonly rows: readonly (readonly Cell[])[];
  /** Colours of the runs named in it. */
  readonly colourOf?: ColourOf;
};

/** How many lines it takes: a line of titles, a rule and its rows. */
export function smallTableLines({ rows }: SmallTableProps): number {
  return rows.length + 2;
}

/** Returns how many columns it takes, with the blanks before and between its own. */
export function smallTableColumns(table: SmallTableProps): number {
  return widthsOf(table, false).reduce((sum, wide) => sum + wide + 2, 1);
}

function widthsOf({ columns, rows }: SmallTableProps, ascii: boolean): readonly number[] {
  return columns.map(({ title }, at) =>
    Math.max(width(printable(title)), ...rows.map((row) => width(cellText(row[at]!, ascii)))),
  );
}

/** Its types describe a CommonJS module; in the bundle and in tests its default export is the component. */
const Table = inkTable as unknown as typeof inkTable.default;

/** Its types give the column to cells alone, its code to titles too. */
type PieceProps = { readonly column?: number; readonly children?: ReactNode };

export function SmallTable(props: SmallTableProps): ReactNode {
  const { columns, rows, colourOf } = props;
  const { theme } = useTerminal();
  const { rule } = theme.symbols;
  const widths = widthsOf(props, theme.ascii);
  const titles = columns.map(({ title }) => printable(title));
  const texts = rows.map((row) => row.map((cell) => cellText(cell, theme.ascii)));
  const colours = new Map(texts.flat().map((text) => [text, colourOf?.(text)]));
  // `ink-table` counts characters, not columns: the blanks around a text are set anew.
  const piece = ({ column = 0, children }: PieceProps, ink: (text: string) => Omit<Span, "text">) => {
    const text = String(children).trim();
    const line = [{ text: ` ${pad(text, widths[column]!, columns[column]!.align)} `, ...ink(text) }];
    return <TextRow line={line} columns={widths[column]! + 2} />;
  };
  const header = (props: PieceProps) => {
    const { column = 0 } = props;
    const [before, after] = [column === 0 ? " " : rule, column === widths.length - 1 ? " " : rule];
    const under = `${before}${rule.repeat(widths[column]!)}${after}`;
    return (
      <Box flexDirection="column">
        {piece(props, () => ({ style: "strong" }))}
        <TextRow line={styled("rule", under)} columns={widths[column]! + 2} />
      </Box>
    );
  };
  const cell = (props: PieceProps) => piece(props, (text) => inkOf(colours.get(text), "plain"));
  // It keeps the pieces it was made with, so another layout needs another table.
  const layout = JSON.stringify([widths, rule, [...colours]]);
  const data = texts.map((row) => Object.fromEntries(row.map((text, at) => [titles[at]!, text])));
  return (
    <Box paddingLeft={1}>
      <Table key={layout} data={data} columns={titles} header={header} cell={cell} skeleton={nothing} />
    </Box>
  );
}

const nothing = () => null;
