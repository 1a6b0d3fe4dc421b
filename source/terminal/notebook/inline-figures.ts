/** The figures of an analysis cell in the notebook, side by side if they fit; long figures are truncated. */
import { drawFigure, drawnSigns, signTexts } from "../../engine/figures/drawing/draw-figure.ts";
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { wantedColumns } from "../../engine/figures/drawing/wanted-columns.ts";
import { factOf } from "../../engine/work/fact.ts";
import type { Figure } from "../../engine/figure.ts";
import { abreast } from "../drawing/abreast.ts";
import { plural } from "../../look/amounts.ts";
import type { Theme } from "../drawing/theme.ts";
import { isForAnotherRun, runTitle, titleLines } from "./figure-title.ts";

/** Lines of a figure's body shown in the notebook. */
const inline = 12;
/** Columns between two figures. */
const gap = 4;
/** Fewest columns of a figure that adapts its width, and of a figure below a long title. */
const narrowest = 56;
const narrowTitle = 36;

export type Look = { readonly columns: number; readonly theme: Theme; readonly colourOf: ColourOf };

/** `marks`: the marks of warnings about these figures. */
export function inlineFigures(figures: readonly Figure[], marks: readonly string[], look: Look): Line[] {
  const rows = rowsOf(figures, look).map((row) => rowParts(row, marks, look, figures));
  // Figures below each other that have the same foot, such as their scale, show it once.
  return rows.flatMap((row, at) => {
    const next = rows[at + 1];
    const isShared = next !== undefined && row.foot.length > 0 && textOf(next.foot) === textOf(row.foot);
    return [[], ...row.lines, ...(isShared ? [] : row.foot)];
  });
}

const textOf = (lines: readonly Line[]) => lines.map(lineText).join("\n");

/** Fewest lines that show something of a figure. */
const fewest = 8;

/**
 * Draws as many rows of figures as fit into `height` lines below the figure `above`, whose title and scale are not repeated; the
 * last row may be truncated, which a line reports.
 */
export function figuresThatFit(
  above: Figure,
  figures: readonly Figure[],
  marks: readonly string[],
  look: Look,
  height: number,
) {
  const lines: Line[] = [];
  /** The row of figures that each line belongs to. */
  const rows: (readonly Placed[])[] = [];
  let last = above.kind === "grid" ? textOf(drawn(above, marks, look, "nothing").foot) : "";
  for (const row of rowsOf(figures, look)) {
    const parts = rowParts(row, marks, look, [above, ...figures]);
    const more = [...parts.lines, ...(textOf(parts.foot) === last ? [] : parts.foot)];
    last = textOf(parts.foot);
    const left = height - lines.length - 1;
    if (more.length <= left) lines.push([], ...more);
    else {
      const cut: Line = [{ text: `  ${look.theme.symbols.more} Tab shows the whole figure`, style: "accent" }];
      if (left < fewest) break;
      lines.push([], ...more.slice(0, left - 1), cut);
    }
    while (rows.length < lines.length) rows.push(row);
    if (more.length > left) break;
  }
  const figureAt = (line: number, column: number) => standingAt(rows[line] ?? [], column)?.figure;
  return { lines, figureAt };
}

/** Returns the figure at this column; a gap belongs to the figure before it. */
function standingAt(row: readonly Placed[], column: number): Placed | undefined {
  let end = 0;
  return row.find((each) => column < (end += each.columns + gap)) ?? row.at(-1);
}

type Placed = { readonly figure: Figure; readonly columns: number };

/** Arranges figures in order, as many side by side as fit. Figures that adapt their width share the remaining width. */
function rowsOf(figures: readonly Figure[], { columns, theme }: Look): readonly (readonly Placed[])[] {
  const rows: Placed[][] = [];
  let used = 0;
  for (const figure of figures) {
    const wanted = wantedColumns(figure, theme.ascii, "beside");
    const own = wanted === 0 ? narrowest : Math.max(wanted, Math.min(narrowTitle, figure.title.length));
    const row = rows.at(-1);
    if (row !== undefined && used + gap + own <= columns) {
      row.push({ figure, columns: own });
      used += gap + own;
    } else {
      rows.push([{ figure, columns: own }]);
      used = own;
    }
  }
  return rows.map((row) => widened(row, columns, theme));
}

function widened(row: readonly Placed[], columns: number, { ascii }: Theme): readonly Placed[] {
  if (row.length === 1) return [{ ...row[0]!, columns }];
  const elastic = row.filter(({ figure }) => wantedColumns(figure, ascii) === 0).length;
  const rest = row.reduce((left, each) => left - each.columns - gap, columns + gap);
  const more = elastic === 0 ? 0 : Math.floor(rest / elastic);
  return row.map((each) =>
    wantedColumns(each.figure, ascii) === 0 ? { ...each, columns: each.columns + more } : each,
  );
}

type RowParts = { readonly lines: readonly Line[]; readonly foot: readonly Line[] };

/**
 * Draws a row of figures; a foot that all of them share, such as their scale, is drawn once. `all` are the figures in reading
 * order: parts that a figure shares with the previous figure are not repeated.
 */
function rowParts(row: readonly Placed[], marks: readonly string[], look: Look, all: readonly Figure[]): RowParts {
  const { columns, theme } = look;
  const parts = row.map(({ figure, columns: own }) => {
    const before = all[all.indexOf(figure) - 1];
    const repeats: Repeats = !isForAnotherRun(figure, before, look.colourOf)
      ? "nothing"
      : row.length > 1
        ? "title"
        : "axes";
    return drawn(figure, marks, { ...look, columns: own }, repeats);
  });
  const feet = new Set(parts.map(({ foot }) => textOf(foot)));
  const common = feet.size === 1 ? parts[0]!.foot : [];
  const signs = row.map(({ figure, columns: own }) => signTexts(figure, { ...theme, width: own }));
  const shared = signs[0]!.filter((sign) => signs.every((others) => others.includes(sign)));
  const blocks = row.map(({ columns: own }, index): Line[] => {
    const { title, lines, foot } = parts[index]!;
    const rest = signs[index]!.filter((sign) => !shared.includes(sign));
    const below = [...(common.length > 0 ? [] : foot), ...drawnSigns(rest, own)];
    // All titles of a row get the height of the highest.
    const high = Math.max(...parts.map((part) => part.title.length));
    return [...title, ...Array.from({ length: high - title.length }, () => []), ...lines, ...below];
  });
  return {
    lines: abreast(blocks, (at) => row[at]!.columns, gap),
    foot: [...common, ...drawnSigns(shared, columns)],
  };
}

/** The parts that a figure shares with the previous figure: its title, and the names of its axes if it is below that figure. */
type Repeats = "nothing" | "title" | "axes";

/** Omits the names of a map's axes, unless they share their line with the number of tasks. */
const withoutAxes = ({ kind }: Figure, [names, ...rest]: readonly Line[]): readonly Line[] =>
  kind === "grid" && names?.slice(1).every(({ text }) => text === "") === true
    ? rest
    : [...(names === undefined ? [] : [names]), ...rest];

type Part = { readonly title: readonly Line[]; readonly lines: readonly Line[]; readonly foot: readonly Line[] };

type Known = { readonly key: string; readonly colourOf: ColourOf; readonly part: Part };

/** The last two drawings of a figure: a wide window shows it in the notebook and beside it. */
const partsOf = factOf<Figure, readonly Known[]>(() => []);

/** Cached, because the notebook is drawn many times a second while something runs. */
function drawn(figure: Figure, marks: readonly string[], look: Look, repeats: Repeats): Part {
  const { columns, theme, colourOf } = look;
  const key = `${repeats} ${columns} ${theme.ascii} ${theme.screen} ${marks.join("")}`;
  const last = partsOf(figure);
  const same = last.find((each) => each.key === key && each.colourOf === colourOf);
  if (same !== undefined) return same.part;
  const part = draw(figure, marks, look, repeats);
  partsOf.know(figure, [{ key, colourOf, part }, ...last.slice(0, 1)]);
  return part;
}

function draw(figure: Figure, marks: readonly string[], look: Look, repeats: Repeats): Part {
  const { columns, theme, colourOf } = look;
  const { head, body, foot } = drawFigure(figure, {
    width: columns,
    ascii: theme.ascii,
    screen: theme.screen,
    colours: theme.colours,
    colourOf,
    height: 10,
    window: [0, inline + 2],
  });
  // If only one or two rows are hidden, they are shown instead of a line that counts them.
  const most = body.length > inline + 2 ? inline : body.length;
  const more: Line[] =
    most === body.length
      ? []
      : [[{ text: `  ${theme.symbols.more} ${plural(body.length - most, "more row")}: Enter opens`, style: "accent" }]];
  return {
    title: repeats === "nothing" ? titleLines(figure, marks, colourOf, columns) : runTitle(figure, colourOf, columns),
    lines: [...(repeats === "axes" ? withoutAxes(figure, head) : head), ...body.slice(0, most), ...more],
    foot,
  };
}
