/**
 * A small table without a cursor, set by `ink-table`. It looks as tables of figures do (`figures/drawing/table.ts`): its frame and
 * the rules between its rows are emptied through `skeleton`, whose pieces Ink then gives no place; the one below the titles is theirs.
 */
import { Box } from "ink";
import inkTable from "ink-table";
import type { PropsWithChildren, ReactNode } from "react";
import type { Cell, TableColumn } from "../../engine/figure.ts";
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
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

/** How many columns it takes, with the blanks before and between its own. */
export function smallTableColumns({ columns, rows }: SmallTableProps): number {
  const widest = ({ title }: SmallTableProps["columns"][number], at: number) =>
    Math.max(width(printable(title)), ...rows.map((row) => width(cellText(row[at]!, false))));
  return columns.reduce((sum, column, at) => sum + widest(column, at) + 2, 1);
}

/** Its types describe a CommonJS module; in the bundle and in tests its default export is the component. */
const Table = inkTable as unknown as typeof inkTable.default;

export function SmallTable({ columns, rows, colourOf }: SmallTableProps): ReactNode {
  const { theme } = useTerminal();
  const texts = rows.map((row) => row.map((cell) => cellText(cell, theme.ascii)));
  const titles = columns.map(({ title }) => printable(title));
  const widths = titles.map((title, at) => Math.max(width(title), ...texts.map((row) => width(row[at]!))));
  const set = (text: string, at: number) => pad(text, widths[at]!, columns[at]!.align);
  const keys = titles.map(set);
  const data = texts.map((row) => Object.fromEntries(row.map((text, at) => [keys[at]!, set(text, at)])));
  const colours = new Map(texts.flat().flatMap((text) => [[text, colourOf?.(text)] as const]));
  const { rule } = theme.symbols;
  // It keeps the pieces it was made with: with others it is another table.
  const layout = JSON.stringify([widths, rule, [...colours]]);
  return (
    <Box paddingLeft={1}>
      <Table key={layout} data={data} columns={keys} skeleton={Nothing} {...piecesOf(widths, rule, colours)} />
    </Box>
  );
}

function Nothing(): ReactNode {
  return null;
}

/** Its types give the column to cells alone, its code to titles too. */
type PieceProps = PropsWithChildren<{ readonly column?: number }>;

function piecesOf(widths: readonly number[], rule: string, colours: ReadonlyMap<string, number | undefined>) {
  return {
    header({ column = 0, children }: PieceProps): ReactNode {
      const [before, after] = [column === 0 ? " " : rule, column === widths.length - 1 ? " " : rule];
      const under = `${before}${rule.repeat(widths[column]!)}${after}`;
      return (
        <Box flexDirection="column">
          {piece([{ text: textOf(children), style: "strong" }], widths[column]!)}
          {piece([{ text: under, style: "rule" }], widths[column]!)}
        </Box>
      );
    },
    cell({ column = 0, children }: PieceProps): ReactNode {
      const text = textOf(children);
      return piece([{ text, ...inkOf(colours.get(text.trim()), "plain") }], widths[column]!);
    },
  };
}

/** `ink-table` counts characters, not columns: the blanks it adds after a text are set anew. */
function piece(line: Line, columns: number): ReactNode {
  const own = line.map((span) => ({ ...span, text: pad(span.text.trimEnd(), columns + 2) }));
  return <TextRow line={own} columns={columns + 2} />;
}

function textOf(children: ReactNode): string {
  return typeof children === "string" ? children : "";
}
