/**
 * A small table without a cursor, set by `ink-table`. It looks as tables of figures do (`figures/drawing/table.ts`): its frame and
 * the rules between its rows are emptied through `skeleton`, whose pieces Ink then gives no place.
 */
import inkTable from "ink-table";
import type { PropsWithChildren, ReactNode } from "react";
import { pad } from "../../engine/text/printable.ts";
import type { Style } from "../../engine/figures/drawing/line.ts";
import { TextRow } from "./rows.tsx";

/** Titles, none twice, and rows of short texts without wide characters, as `ink-table` counts characters: numbers, set to the right. */
export type SmallTableProps = { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Its types describe a CommonJS module; in the bundle and in tests its default export is the component. */
const Table = inkTable as unknown as typeof inkTable.default;

export function SmallTable({ titles, rows }: SmallTableProps): ReactNode {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const columns = titles.map((title, column) => pad(title, widths[column]!, "right"));
  const data = rows.map((row) =>
    Object.fromEntries(row.map((text, column) => [columns[column]!, pad(text, widths[column]!, "right")])),
  );
  return <Table data={data} columns={columns} skeleton={Nothing} header={Heading} cell={Field} />;
}

function Nothing(): ReactNode {
  return null;
}

function Heading({ children }: PropsWithChildren): ReactNode {
  return <Piece text={textOf(children)} style="strong" />;
}

function Field({ children }: PropsWithChildren): ReactNode {
  return <Piece text={textOf(children)} style="plain" />;
}

function Piece({ text, style }: { readonly text: string; readonly style: Style }): ReactNode {
  return <TextRow line={[{ text, style }]} columns={text.length} />;
}

function textOf(children: ReactNode): string {
  return typeof children === "string" ? children : "";
}
