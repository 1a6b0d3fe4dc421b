/** The screen of a terminal as an SVG: its characters at their positions, in their colours. */
import type { IBufferCell, Terminal } from "@xterm/headless";

const [wide, high, margin, baseline] = [8.4, 17, 12, 13];
/** Colours of a terminal: background, text, and its sixteen colours; the other 240 are computed as the usual cube and greys. */
type Colours = { readonly paper: string; readonly ink: string; readonly palette: readonly string[] };

const darkPalette = [
  "#3b4048",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#d6d9de",
  "#6b7280",
  "#f08a92",
  "#b4dd96",
  "#f5d898",
  "#83c3ff",
  "#d99aec",
  "#7fd3dd",
  "#ffffff",
];

const lightPalette = [
  "#24292f",
  "#cf222e",
  "#116329",
  "#7d4e00",
  "#0969da",
  "#8250df",
  "#1b7c83",
  "#57606a",
  "#6e7781",
  "#a40e26",
  "#1a7f37",
  "#633c01",
  "#218bff",
  "#a475f9",
  "#3192aa",
  "#8c959f",
];

const grounds = {
  dark: { paper: "#16181d", ink: "#d6d9de", palette: darkPalette },
  light: { paper: "#ffffff", ink: "#1f2328", palette: lightPalette },
} as const satisfies Readonly<Record<string, Colours>>;
export type Ground = keyof typeof grounds;

type Look = {
  readonly fill: string;
  readonly back: string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
};

export function screenSvg(terminal: Terminal, ground: Ground = "dark"): string {
  return pictureOf(terminal, grounds[ground], screenMarks(terminal, ground));
}

/** The characters of a picture at their places, whatever their colours: lines without trailing blanks. */
export function pictureText(svg: string): string {
  const lines: string[][] = [];
  for (const [, x, y, text] of svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/g)) {
    const row = Math.round((Number(y) - baseline - margin) / high);
    const column = Math.round((Number(x) - margin) / wide);
    const cells = (lines[row] ??= []);
    for (const [index, character] of [...text!.replaceAll("&lt;", "<").replaceAll("&amp;", "&")].entries())
      cells[column + index] = character;
  }
  return Array.from(lines, (cells = []) =>
    Array.from(cells, (cell = " ") => cell)
      .join("")
      .trimEnd(),
  ).join("\n");
}

/** Returns the texts on the screen and the rectangles behind them. */
function screenMarks(terminal: Terminal, ground: Ground): readonly string[] {
  return Array.from({ length: terminal.rows }, (_, row) => rowMarks(terminal, row, ground, row)).flat();
}

/** Returns the marks of a row of the screen, drawn in the place of another row. */
function rowMarks({ cols, buffer }: Terminal, row: number, ground: Ground, place: number): readonly string[] {
  const colours = grounds[ground];
  const marks: string[] = [];
  const line = buffer.active.getLine(buffer.active.viewportY + row);
  for (let column = 0; line !== undefined && column < cols;) {
    const look = lookOf(line.getCell(column), colours);
    let text = "";
    let end = column;
    for (; end < cols; end++) {
      const cell = line.getCell(end);
      if (!same(lookOf(cell, colours), look) && !(look.back === undefined && isBlank(cell, colours))) break;
      text += cell?.getChars() || " ";
    }
    marks.push(...run(column, place, end - column, text, look));
    column = end;
  }
  return marks;
}

/** A picture as large as the screen, with these marks on its paper. */
function pictureOf({ cols, rows }: Terminal, { paper }: Colours, marks: readonly string[]): string {
  const [width, height] = [cols * wide + 2 * margin, rows * high + 2 * margin];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${paper}"/>`,
    ...marks,
    "</svg>",
    "",
  ].join("\n");
}

/**
 * Screens of one terminal, one after the other, each for so many seconds, again and again: as an animation where pictures may move,
 * else the last of them.
 */
export class ScreenSequence {
  readonly #frames: (readonly string[])[] = [];

  add(terminal: Terminal): void {
    this.#frames.push(screenMarks(terminal, "dark"));
  }

  svg(terminal: Terminal, seconds: number): string {
    const count = this.#frames.length;
    const share = 100 / count;
    const style = `@keyframes seen{0%,${share.toFixed(2)}%{visibility:visible}${(share + 0.01).toFixed(2)}%,100%{visibility:hidden}}
.frame{visibility:hidden;animation:seen ${count * seconds}s step-end infinite}
@media (prefers-reduced-motion:reduce){.frame{animation:none}.frame:last-child{visibility:visible}}`;
    const frames = this.#frames.flatMap((marks, index) => [
      `<g class="frame" style="animation-delay:${index * seconds}s">`,
      ...marks,
      "</g>",
    ]);
    return pictureOf(terminal, grounds.dark, [`<style>${style}</style>`, ...frames]);
  }
}

/**
 * Screens of one terminal, each for its own time, again and again. A row that several screens have is drawn once. If pictures may not
 * move, one screen is seen.
 */
export class ScreenFilm {
  readonly #rows = new Map<string, number>();
  readonly #frames: { readonly uses: string; readonly seconds: number }[] = [];
  #still = 0;

  /** Adds the screen for so many seconds; a screen like the one before lengthens that. `isStill`: the one that is seen at rest. */
  add(terminal: Terminal, seconds: number, isStill = false): void {
    const uses = Array.from({ length: terminal.rows }, (_, row) => {
      const marks = rowMarks(terminal, row, "dark", 0).join("");
      if (marks === "") return "";
      const known = this.#rows.get(marks) ?? this.#rows.size;
      this.#rows.set(marks, known);
      return `<use href="#r${known}"${row === 0 ? "" : ` y="${row * high}"`}/>`;
    }).join("");
    const last = this.#frames.at(-1);
    if (last?.uses === uses) this.#frames[this.#frames.length - 1] = { uses, seconds: last.seconds + seconds };
    else this.#frames.push({ uses, seconds });
    if (isStill) this.#still = this.#frames.length - 1;
  }

  svg(terminal: Terminal): string {
    const total = this.#frames.reduce((sum, { seconds }) => sum + seconds, 0);
    let from = 0;
    const styles = this.#frames.map(({ seconds }, index) => {
      const [begin, end] = [from, from + seconds].map((at) => Number(((at / total) * 100).toFixed(3)));
      from += seconds;
      const before = index === 0 ? "" : "0%{visibility:hidden}";
      return `@keyframes f${index}{${before}${begin}%{visibility:visible}${end}%,100%{visibility:hidden}}#f${index}{animation-name:f${index}}`;
    });
    const style = `g{visibility:hidden;animation:none ${round(total)}s step-end infinite}${styles.join("")}
@media (prefers-reduced-motion:reduce){g{animation:none!important}#f${this.#still}{visibility:visible}}`;
    const rows = [...this.#rows].map(
      ([marks, number]) => `<symbol id="r${number}" overflow="visible">${marks}</symbol>`,
    );
    return pictureOf(terminal, grounds.dark, [
      `<style>${style}</style>`,
      `<defs>${rows.join("")}</defs>`,
      ...this.#frames.map(({ uses }, index) => `<g id="f${index}">${uses}</g>`),
    ]);
  }
}

const round = (value: number) => Number(value.toFixed(1));

function run(
  column: number,
  row: number,
  cells: number,
  text: string,
  { fill, back, bold, dim, italic }: Look,
): string[] {
  const [x, y] = [margin + column * wide, margin + row * high];
  const marks =
    back === undefined
      ? []
      : [`<rect x="${round(x)}" y="${round(y)}" width="${round(cells * wide)}" height="${high}" fill="${back}"/>`];
  if (text.trim() === "") return marks;
  const weight = `${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}${italic ? ' font-style="italic"' : ""}`;
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  // textLength keeps columns aligned whatever font the viewer has.
  marks.push(
    `<text x="${round(x)}" y="${round(y + baseline)}" fill="${fill}"${weight} textLength="${round(cells * wide)}" xml:space="preserve">${safe}</text>`,
  );
  return marks;
}

/** Characters that are invisible in any style, so they need not end a text. */
function isBlank(cell: IBufferCell | undefined, colours: Colours): boolean {
  return (cell?.getChars() ?? "").trim() === "" && lookOf(cell, colours).back === undefined;
}

function lookOf(cell: IBufferCell | undefined, { paper, ink, palette }: Colours): Look {
  if (cell === undefined) return { fill: ink, back: undefined, bold: false, dim: false, italic: false };
  const front = colour(cell.isFgRGB(), cell.isFgDefault(), cell.getFgColor(), palette);
  const back = colour(cell.isBgRGB(), cell.isBgDefault(), cell.getBgColor(), palette);
  const inverse = cell.isInverse() !== 0;
  return {
    fill: inverse ? (back ?? paper) : (front ?? ink),
    back: inverse ? (front ?? ink) : back,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
  };
}

function colour(isRgb: boolean, isDefault: boolean, value: number, palette: readonly string[]): string | undefined {
  if (isDefault) return undefined;
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (value < 16) return palette[value];
  if (value >= 232) return `rgb(${Array.from({ length: 3 }, () => 8 + (value - 232) * 10).join(",")})`;
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  const cube = value - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(",")})`;
}

function same(a: Look, b: Look): boolean {
  return a.fill === b.fill && a.back === b.back && a.bold === b.bold && a.dim === b.dim && a.italic === b.italic;
}
