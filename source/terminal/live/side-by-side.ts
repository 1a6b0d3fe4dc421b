import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";

/** The rows of the time before, by their place, each with the lines it was made of. */
export type KnownRows = { readonly own: readonly Line[]; readonly columns: number; readonly row: Line }[];

/** Texts beside each other as whole lines, so that each row of the window is one text. */
export function sideBySide(
  texts: readonly (readonly Line[])[],
  columns: number,
  height: number,
  bar: string,
  known: KnownRows = [],
): Line[] {
  return Array.from({ length: height }, (_, at) =>
    rowBeside(
      texts.map((lines) => lines[at]),
      columns,
      bar,
      known,
      at,
    ),
  );
}

/** One row of that, at its place. With `known`, which is kept up to date, one in which nothing has changed stays the same object. */
export function rowBeside(
  lines: readonly (Line | undefined)[],
  columns: number,
  bar: string,
  known: KnownRows = [],
  at = 0,
): Line {
  const own = lines.map((line) => line ?? nothing);
  const before = known[at];
  if (before?.columns === columns && isSame(before.own, own)) return before.row;
  const row = own.length === 1 ? own[0]! : rowOf(own, columns, bar);
  known[at] = { own, columns, row };
  return row;
}

const nothing: Line = [];

function isSame(before: readonly Line[], now: readonly Line[]): boolean {
  return before.length === now.length && now.every((line, index) => line === before[index]);
}

function rowOf(own: readonly Line[], columns: number, bar: string): Line {
  return own.flatMap((line, index): Line => {
    const fitted = fitLine(line, columns);
    if (index === own.length - 1) return fitted;
    return [...fitted, { text: " ".repeat(columns - lineWidth(fitted)) }, { text: ` ${bar} `, style: "rule" }];
  });
}
