/** Which values of a figure are shown in percent, where neither their texts nor its axes say so. */
import type { Cell, Figure, TableFigure } from "../figure.ts";
import { columnName } from "./column-heads.ts";
import { atOnce, eachInTurn, type Pieces } from "../work/pieces.ts";
import { areShownInPercent, shownInPercent } from "./shown-in-percent.ts";

/** By figure, which never changes: it is looked at whenever the figure is drawn. */
const known = new WeakMap<Figure, { readonly note: string | undefined }>();

/** `values in %`, `in %: Succ, F1 app` where not all are, or undefined where there is nothing to say. */
export function unitNote(figure: Figure): string | undefined {
  const found = known.get(figure);
  return found === undefined ? atOnce(unitNoteInPieces(figure)) : found.note;
}

/** The same for any number of cells; `unitNote` of this figure then knows it. */
export function* unitNoteInPieces(figure: Figure): Pieces<string | undefined> {
  const note = figure.kind === "table" ? yield* tableNote(figure) : noteOf(figure);
  known.set(figure, { note });
  return note;
}

function noteOf(figure: Exclude<Figure, TableFigure>): string | undefined {
  switch (figure.kind) {
    case "grid":
      return figure.plain !== true && figure.cells.some((row) => row.some(isBarePercent)) ? all : undefined;
    case "bars":
      return !namesPercent.test(figure.unit) && figure.bars.some(({ cell }) => isBarePercent(cell)) ? all : undefined;
    case "lines":
    case "points":
      return undefined;
    default:
      return figure satisfies never;
  }
}

const all = "values in %";
const namesPercent = /%|percent/i;

/** The name of the axis of lines, with the unit where their values are shown in percent. */
export function valueAxis({ y, series }: Extract<Figure, { kind: "lines" }>): string {
  const cells = series.flatMap(({ points }) => points.map(({ cell }) => cell));
  const inPercent = areShownInPercent(cells) && !cells.some(({ text }) => text.includes("%"));
  return inPercent && !namesPercent.test(y) ? `${y}, %` : y;
}

/** Of rows or of columns, whichever keep to one unit. A count (`n`) goes without saying. */
function* tableNote({ columns, rows }: Pick<TableFigure, "columns" | "rows">): Pieces<string | undefined> {
  const byColumn = columns.map((column): Named => ({ name: columnName(column), title: column.title, unit: undefined }));
  const byRow: Named[] = [];
  yield* eachInTurn(rows, (row) => {
    const units = row.map(unitOf);
    for (const [at, of] of byColumn.entries()) of.unit = together(of.unit, units[at]);
    const name = row[0]?.text ?? "";
    byRow.push({ name, title: name, unit: units.slice(1).reduce(together, undefined) });
  });
  for (const units of [byColumn, byRow]) {
    if (units.some(({ unit }) => unit === "mixed")) continue;
    const inPercent = units.filter(({ unit }) => unit === "percent");
    const others = units.filter(({ name, unit }) => unit === "other" && name !== "n");
    if (inPercent.length === 0) return undefined;
    if (others.length === 0) return all;
    // `Succ` stands for all columns of that title, where they are of one unit.
    const nameOf = ({ name, title, unit }: Named) =>
      units.some((other) => other.title === title && other.unit !== undefined && other.unit !== unit) ? name : title;
    const names = (of: readonly Named[]) => [...new Set(of.map(nameOf))].join(", ");
    return inPercent.length <= others.length ? `in %: ${names(inPercent)}` : `${all}, but for ${names(others)}`;
  }
  // Rows of another unit, such as p-values below shares, are named by themselves.
  const apart = byRow.map(({ unit }) => unit === "other");
  if (!apart.includes(true)) return undefined;
  const note = yield* tableNote({ columns, rows: rows.filter((_, index) => !apart[index]) });
  const names = byRow.filter((_, index) => apart[index]).map(({ name }) => name);
  return note === undefined ? undefined : `${note}; not in ${[...new Set(names)].join(", ")}`;
}

/** A column or row, by its whole name and by the last part of it. */
type Named = { readonly name: string; readonly title: string; unit: Unit };

/** Of the numbers among some cells; undefined where there are none, or their texts say it. */
type Unit = "percent" | "other" | "mixed" | undefined;

function unitOf(cell: Cell | undefined): Unit {
  return isBareNumber(cell) ? (shownInPercent(cell) ? "percent" : "other") : undefined;
}

function together(one: Unit, other: Unit): Unit {
  return one === undefined || one === other ? other : other === undefined ? one : "mixed";
}

/** What reads as nothing is the same in every unit. */
function isBareNumber(cell: Cell | undefined): cell is Cell {
  return cell?.value !== undefined && Number.parseFloat(cell.text) !== 0 && !cell.text.includes("%");
}

function isBarePercent(cell: Cell | undefined): boolean {
  return isBareNumber(cell) && shownInPercent(cell);
}
