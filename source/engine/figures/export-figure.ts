/** Figures as text files: CSV, JSON, Markdown, LaTeX, SVG, HTML. */
import { type Cell, type Figure, shortfallOf } from "../figure.ts";
import { csvLine } from "../text/csv.ts";
import { columnHeads, columnName } from "./column-heads.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import { figureJsonParts } from "./figure-json.ts";
import { type Parts, textless, textsOf } from "./figure-parts.ts";
import { svgParts } from "./figure-svg.ts";
import { rankNote } from "./drawing/draw-figure.ts";
import { toAscii } from "./drawing/symbols.ts";
import { tableOutline } from "./drawing/table-outline.ts";
import { figureTable, figureTableInPieces, readableTable } from "./figure-table.ts";
import { intervalText } from "./interval-text.ts";
import { lookedThrough } from "./looked-through.ts";
import { escapeMarkup, visibleText } from "./markup.ts";
import { unitNote } from "./unit-note.ts";
import { eachInTurn } from "../work/pieces.ts";
import type { ExportFormat } from "./export-format.ts";

/** `warnings` (built-in models, sample data, incomplete data) are part of every export; those of CSV are in `exportedNotes`. */
export function* figureParts(
  figure: Figure,
  format: ExportFormat,
  warnings: readonly string[] = [],
  colourOf: ColourOf = () => undefined,
): Parts {
  // What notes and tables of it are made of is known from here on.
  const table = yield* textless(figureTableInPieces(figure));
  yield* textless(lookedThrough([...new Set([figure, table])]));
  switch (format) {
    case "csv":
      return yield* csv(figure);
    case "json":
      return yield* figureJsonParts(figure, warnings);
    case "md":
      return yield* markdown(figure, warnings);
    case "tex":
      return yield* latex(figure, warnings);
    case "svg":
      return yield* svgParts(figure, warnings, { colourOf });
    case "html":
      return yield* html(figure, warnings, colourOf);
    default:
      return format satisfies never;
  }
}

const plainText = (text: string) => text;

/** A cell's text with its marks; `strong` and `underlined` put the best and second best in the words of a format. */
type Emphasis = { readonly strong: (text: string) => string; readonly underlined: (text: string) => string };

function marked(cell: Cell, escape: (text: string) => string, { strong, underlined }: Emphasis): string {
  const { text, reported, faint, rank } = cell;
  const emphasised = rank === 1 ? strong : rank === 2 ? underlined : plainText;
  const interval = intervalText(cell);
  const short = shortfallOf(cell);
  return [
    escape(faint === true ? "~" : ""),
    emphasised(escape(text)),
    escape(reported === true && text !== "" ? " †" : ""),
    short === undefined ? "" : ` ${escape(`(${short})`)}`,
    interval === undefined ? "" : ` ${escape(interval)}`,
  ].join("");
}
/** What is to be known of a figure beside its numbers; `unit` is what is said of theirs, empty for nothing. */
const notesOf = (figure: Figure, warnings: readonly string[], unit = unitNote(figure)) => {
  const { marks, hasIntervals } = tableOutline(figureTable(figure));
  const rank = rankNote(marks, "Bold: best of its column; underlined: second best");
  return [
    ...warnings,
    ...figure.notes,
    ...(unit === undefined || unit === "" ? [] : [unit]),
    ...(marks.reported ? ["† reported by the paper"] : []),
    ...(rank === undefined ? [] : [rank]),
    ...(marks.short ? ["~ (a of b): of b tasks that ended, a have a score"] : []),
    ...(hasIntervals ? ["[a, b]: 95 % interval"] : []),
  ];
};

/**
 * Full precision, a header line, RFC 4180 quoting, and nothing else: warnings and notes go into a file beside it. Beside values
 * with intervals stand their ends, beside those that rest on too few tasks how many have a score, as `1 of 10`.
 */
function* csv(figure: Figure): Parts {
  const { columns, rows } = figureTable(figure);
  const exact = ({ text, value }: Cell) => (value === undefined ? text : String(value));
  const [ended, short] = [columns.map(() => false), columns.map(() => false)];
  const look = (row: readonly Cell[]) => {
    for (const [column, cell] of row.entries()) {
      ended[column] ||= cell.low !== undefined;
      short[column] ||= shortfallOf(cell) !== undefined;
    }
  };
  yield* textless(eachInTurn(rows, look));
  const end = (value: number | undefined) => (value === undefined ? "" : String(value));
  // Values are exact, so what is shown in percent is a share here.
  const names = columns.map((column) =>
    columnName(column)
      .replace(/^%$/, "share")
      .replace(/^% of /, "share of ")
      .replace(/, %$/, ""),
  );
  const line = (fields: readonly string[]) => csvLine(fields.map(visibleText));
  yield line(
    names.flatMap((name, column) => [
      name,
      ...(short[column] === true ? [`${name} scored`] : []),
      ...(ended[column] === true ? [`${name} low`, `${name} high`] : []),
    ]),
  );
  yield* textsOf(rows, (row) =>
    line(
      row.flatMap((cell, column) => [
        exact(cell),
        ...(short[column] === true ? [shortfallOf(cell) ?? ""] : []),
        ...(ended[column] === true ? [end(cell.low), end(cell.high)] : []),
      ]),
    ),
  );
}

/** What is to be known of a figure beside its numbers, a line each; undefined where there is nothing. */
export function exportedNotes(figure: Figure, warnings: readonly string[]): string | undefined {
  // Values are exact there.
  const unit = unitNote(figure) === undefined ? "" : "shares are fractions from 0 to 1";
  const notes = notesOf(figure, warnings, unit);
  return notes.length === 0
    ? undefined
    : notes.map((note) => `${visibleText(note).replace(/[\r\n]+/g, " ")}\n`).join("");
}

function* markdown(figure: Figure, warnings: readonly string[]): Parts {
  const { title, columns, rows } = readableTable(figure);
  const line = (fields: readonly string[]) => `| ${fields.join(" | ")} |`;
  const emphasis: Emphasis = { strong: (text) => `**${text}**`, underlined: (text) => `<u>${text}</u>` };
  yield [
    `**${escapeMarkdown(title)}**`,
    "",
    line(columns.map((column) => escapeMarkdown(columnName(column)))),
    line(columns.map(({ align }) => (align === "right" ? "--:" : ":--"))),
    "",
  ].join("\n");
  yield* textsOf(rows, (row) => `${line(row.map((cell) => marked(cell, escapeMarkdown, emphasis)))}\n`);
  yield ["", ...notesOf(figure, warnings).map((note) => `- ${escapeMarkdown(note)}`), ""].join("\n");
}

/** On one line, with nothing in it that Markdown, or HTML within it, would obey. */
function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\\|<[\]*`]/g, "\\$&")
    .replaceAll("&", "&amp;");
}

/** Tables of more columns are set small, and across both columns of a page that has two. */
const mostOrdinary = 8;

/**
 * A `table` environment for `booktabs`: titles over several columns, a line before the reported rows at its end. A row that is
 * reported as a whole is marked once, as in print.
 */
function* latex(figure: Figure, warnings: readonly string[]): Parts {
  const { title, columns, rows } = readableTable(figure);
  const unit = unitNote(figure);
  // Behind the end of a row, a bracket or a star would be an argument of it.
  const line = (fields: readonly string[]) => `    ${fields.join(" & ").replace(/^(?=[[*])/, "{}")} \\\\`;
  const emphasis: Emphasis = {
    strong: (text) => `\\textbf{${text}}`,
    underlined: (text) => `\\underline{${text}}`,
  };
  const lastOwn = rows.findLastIndex((row) => !row.some(({ reported }) => reported === true));
  const heads = columnHeads(columns).flatMap((level) => [
    line(level.map((head) => (head.title === "" ? "" : `\\multicolumn{${head.count}}{c}{${escapeLatex(head.title)}}`))),
    `    ${level.flatMap((head) => (head.title === "" ? [] : [`\\cmidrule(lr){${head.from + 1}-${head.from + head.count}}`])).join(" ")}`,
  ]);
  const isWide = columns.length > mostOrdinary;
  const aligned = columns.map(({ align }) => align[0]).join("");
  const environment = isWide ? "table*" : "table";
  yield [
    ...notesOf(figure, warnings, "").map((note) => `% ${visibleText(note).replace(/[\r\n]+/g, " ")}`),
    `\\begin{${environment}}`,
    "  \\centering",
    ...(isWide ? ["  \\footnotesize", "  \\setlength{\\tabcolsep}{3pt}"] : []),
    `  \\caption{${escapeLatex(unit === undefined ? title : `${title} (${unit})`)}}`,
    `  \\begin{tabular}{${isWide ? `@{}${aligned}@{}` : aligned}}`,
    "    \\toprule",
    ...heads,
    line(columns.map((column) => escapeLatex(column.title))),
    "    \\midrule",
    "",
  ].join("\n");
  yield* textsOf(rows, (row, index) => {
    const own = line(markedOnce(row).map((cell) => marked(cell, escapeLatex, emphasis)));
    return `${own}\n${index === lastOwn && index < rows.length - 1 ? "    \\midrule\n" : ""}`;
  });
  yield ["    \\bottomrule", "  \\end{tabular}", `\\end{${environment}}`, ""].join("\n");
}

/** Cells that are all reported, or empty: with the mark on the first alone. */
function markedOnce(row: readonly Cell[]): readonly Cell[] {
  if (!row.every(({ reported, text }) => reported === true || text === "")) return row;
  return row.map((cell, index) => (index === 0 ? cell : { ...cell, reported: false }));
}

const latexSpecial: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "†": "$^{\\dagger}$",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
};

/** Signs that stand for what cannot be seen: the fonts of TeX have none of them. */
const stoodFor = /[\u2400-\u2426↵⟲\ufffd]/g;

function escapeLatex(text: string): string {
  return visibleText(text)
    .replace(stoodFor, toAscii)
    .replace(
      /[\\~^†<>|]|[&%$#_{}]|[\r\n]+/g,
      (found) => latexSpecial[found] ?? (/[\r\n]/.test(found) ? " " : `\\${found}`),
    );
}

function* html(figure: Figure, warnings: readonly string[], colourOf: ColourOf): Parts {
  const { title, columns, rows } = readableTable(figure);
  const cell = (tag: string, align: string, markup: string) => `<${tag} style="text-align:${align}">${markup}</${tag}>`;
  const emphasis: Emphasis = {
    strong: (text) => `<strong>${text}</strong>`,
    underlined: (text) => `<u>${text}</u>`,
  };
  const line = (row: readonly Cell[]) => {
    const fields = row.map((each, index) =>
      cell("td", columns[index]?.align ?? "left", marked(each, escapeMarkup, emphasis)),
    );
    return `<tr>${fields.join("")}</tr>`;
  };
  const heads = columnHeads(columns).map(
    (level) =>
      `<tr>${level.map((head) => `<th colspan="${head.count}">${escapeMarkup(head.title)}</th>`).join("")}</tr>`,
  );
  yield [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"/><title>${escapeMarkup(title)}</title>`,
    "<style>body{font:15px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ddd}</style></head><body>",
    `<h1>${escapeMarkup(title)}</h1>`,
    "",
  ].join("\n");
  if (figure.kind !== "table") {
    yield* svgParts(figure, [], { colourOf });
    yield "\n";
  }
  yield [
    `<table><thead>${heads.join("")}<tr>${columns.map((column) => cell("th", column.align, escapeMarkup(column.title))).join("")}</tr></thead>`,
    "<tbody>",
  ].join("\n");
  yield* textsOf(rows, (row, at) => `${at === 0 ? "" : "\n"}${line(row)}`);
  const notes = notesOf(figure, warnings).map((note) => `<li>${escapeMarkup(note)}</li>`);
  yield `</tbody></table>\n<ul>${notes.join("")}</ul></body></html>\n`;
}
