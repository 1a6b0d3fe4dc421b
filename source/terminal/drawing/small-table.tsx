/**
 * A small table without a cursor, laid out by `ink-table`. It looks like the tables of figures
 * (`figures/drawing/table.ts`): `skeleton` renders nothing, which removes the frame and the rules between rows, and the
 * titles draw their own rule.
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

/** Titles must be unique and each cell must fit into the window. */
export type SmallTableProps = {
  readonly columns: readonly Pick<TableColumn, "title" | "align">[];
  readonly rows: readonly (readonly Cell[])[];
  /** Returns the colour of a run named in a cell. */
  readonly colourOf?: ColourOf;
};

/** Returns the number of lines of the table: titles, a rule and the rows. */
export const smallTableLines = ({ rows }: SmallTableProps): number => rows.length + 2;

/** Returns the number of columns that the table takes, including the blanks around each column. */
export const smallTableColumns = (table: SmallTableProps): number =>
  widthsOf(table, false).reduce((sum, wide) => sum + wide + 2, 1);

const widthsOf = ({ columns, rows }: SmallTableProps, ascii: boolean): readonly number[] =>
  columns.map(({ title }, at) =>
    Math.max(width(printable(title)), ...rows.map((row) => width(cellText(row[at]!, ascii)))),
  );

/** The types of the package describe a CommonJS module; in the bundle and in tests the default export is the component. */
const Table = inkTable as unknown as typeof inkTable.default;

/** The column, which the package's code passes to titles although its types pass it only to cells. */
type PieceProps = { readonly column?: number; readonly children?: ReactNode };

export function SmallTable(props: SmallTableProps): ReactNode {
  const { columns, rows, colourOf } = props;
  const { theme } = useTerminal();
  const { rule } = theme.symbols;
  const widths = widthsOf(props, theme.ascii);
  const titles = columns.map(({ title }) => printable(title));
  const texts = rows.map((row) => row.map((cell) => cellText(cell, theme.ascii)));
  const colours = new Map(texts.flat().map((text) => [text, colourOf?.(text)]));
  // `ink-table` counts characters instead of columns, so the padding of each text is redone.
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
  // It keeps the components it was created with, so a new layout needs a new table.
  const layout = JSON.stringify([widths, rule, [...colours]]);
  const data = texts.map((row) => Object.fromEntries(row.map((text, at) => [titles[at]!, text])));
  return (
    <Box paddingLeft={1}>
      <Table key={layout} data={data} columns={titles} header={header} cell={cell} skeleton={nothing} />
    </Box>
  );
}

const nothing = () => null;
