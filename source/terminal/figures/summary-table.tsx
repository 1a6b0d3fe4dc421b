/** Small tables of plain text, drawn by `ink-table`, which counts characters instead of columns and cannot scroll: see `fitsSummary`. */
import inkTable from "ink-table";
import type { PropsWithChildren, ReactNode } from "react";
import type { At } from "../../engine/figures/drawing/drawing.ts";
import { cellText, hasIntervals } from "../../engine/figures/drawing/table.ts";
import type { Style } from "../../engine/figures/drawing/line.ts";
import { toAscii } from "../../engine/figures/drawing/symbols.ts";
import type { TableFigure } from "../../engine/figure.ts";
import { pad, printable, width } from "../../engine/text/printable.ts";
import { TextRow } from "../drawing/rows.tsx";
import { useTheme } from "../terminal.ts";

const mostRows = 6;
/** Its types describe a CommonJS module; in the bundle and in tests its default export is the component. */
const Table = inkTable as unknown as typeof inkTable.default;

/**
 * Whether every text is one column per character, the table with its frame fits into the space, and nothing in it needs more
 * than text.
 */
export function fitsSummary(figure: TableFigure, columns: number, height: number, ascii: boolean): boolean {
  const { rows } = figure;
  if (rows.length === 0 || rows.length > mostRows || rows.length * 2 + 3 > height) return false;
  if (figure.columns.some(({ under }) => under !== undefined) || hasIntervals(figure)) return false;
  if (rows.some((row) => row.some(({ rank }) => rank !== undefined))) return false;
  const texts = [
    figure.columns.map(({ title }) => printable(title)),
    ...rows.map((row) => row.map((cell) => cellText(cell, ascii))),
  ];
  if (texts.flat().some((text) => width(text) !== text.length)) return false;
  const room = figure.columns.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? "").length)) + 4);
  return room.reduce((sum, each) => sum + each, figure.columns.length + 1) <= columns;
}

/** A text as it is shown; `toAscii` keeps its width. */
function shown(text: string, ascii: boolean): string {
  return ascii ? toAscii(text) : text;
}

export function SummaryTable({ figure, at }: { readonly figure: TableFigure; readonly at?: At }): ReactNode {
  const { ascii, symbols } = useTheme();
  // `ink-table` takes rows as objects by column title: equal titles are made different with blanks.
  const keys: string[] = [];
  const widths = figure.columns.map(({ title }, column) =>
    Math.max(printable(title).length, ...figure.rows.map((row) => cellText(row[column], ascii).length)),
  );
  for (const [column, { title, align }] of figure.columns.entries()) {
    let key = ` ${pad(shown(printable(title), ascii), widths[column]!, align)}`;
    while (keys.includes(key)) key += " ";
    keys.push(key);
  }
  const data = figure.rows.map((row, index) =>
    Object.fromEntries(
      keys.map((key, column) => {
        const mark = at?.row === index && at.column === column ? symbols.pointer : " ";
        return [
          key,
          mark + pad(shown(cellText(row[column], ascii), ascii), widths[column]!, figure.columns[column]!.align),
        ];
      }),
    ),
  );
  return <Table data={data} columns={keys} skeleton={Frame} header={Heading} cell={Field} />;
}

function Heading({ children }: PropsWithChildren): ReactNode {
  return <Piece text={plainText(children)} style="strong" />;
}

function Field({ children }: PropsWithChildren): ReactNode {
  const { symbols } = useTheme();
  const text = plainText(children);
  return <Piece text={text} style={text.trimStart().startsWith(symbols.pointer) ? "selected" : "plain"} />;
}

const corners: Readonly<Record<string, string>> = { "─": "-", "│": "|" };

function Frame({ children }: PropsWithChildren): ReactNode {
  const { ascii } = useTheme();
  const text = plainText(children);
  return <Piece text={ascii ? text.replace(/[^ ]/g, (sign) => corners[sign] ?? "+") : text} style="faint" />;
}

function Piece({ text, style }: { readonly text: string; readonly style: Style }): ReactNode {
  return <TextRow line={[{ text, style }]} columns={width(text)} />;
}

function plainText(children: ReactNode): string {
  return Array.isArray(children) ? children.map(plainText).join("") : typeof children === "string" ? children : "";
}
