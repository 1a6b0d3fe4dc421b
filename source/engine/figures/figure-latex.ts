/** Formats figures as LaTeX tables with `booktabs`; a comment names further packages that notes and wide, long or wordy tables need. */
import { standIns, signs } from "../../look/signs.ts";
import type { Cell, Figure, TableColumn, TableFigure } from "../figure.ts";
import { width } from "../text/printable.ts";
import { columnHeads, foldedTitle, markedOnce } from "./column-heads.ts";
import { toAscii } from "../text/ascii-text.ts";
import { type Emphasis, withEmphasis } from "./emphasis.ts";
import { prepared } from "./prepared-figure.ts";
import { partsOf, type Parts, textsOf } from "./figure-parts.ts";
import { visibleText } from "./markup.ts";

/** Tables with more columns, or wider tables, have a smaller font and span both columns of a two-column page. */
const mostOrdinary = 8;
/** Characters per line in the text size of an ordinary article (345 points), and in the smaller sizes. */
const ordinary = 60;
const sizes = [
  { size: "\\footnotesize", characters: 76 },
  { size: "\\scriptsize", characters: 90 },
  { size: "\\tiny", characters: Infinity },
] as const;
/** Longer texts are set as paragraphs. */
const longestText = 40;
/** Tables with more lines continue on the next page. */
const mostOnPage = 45;

const marked: Emphasis = {
  strong: (text) => `\\textbf{${text}}`,
  underlined: (text) => `\\underline{${text}}`,
};
const asTheyAre: Emphasis = { strong: (text) => text, underlined: (text) => text };

/**
 * Returns a `table` environment with grouped titles, a rule before the reported rows at its end, and warnings and notes below the
 * rows (`threeparttable`). A fully reported row is marked once, as in print, and `intervals` follow their values on request.
 * `\resizebox` shrinks wide tables to the line width, if the document has it; long tables use `longtable`.
 */
export function latexParts(figure: Figure, warnings: readonly string[], intervals: boolean): Parts {
  const { title, columns, rows } = prepared(figure).readable;
  const unit = prepared(figure).units;
  const caption = `\\caption{${escapeLatex(unit === undefined ? title : `${title} (${unit})`)}}`;
  const emphasis = { ...marked, intervals };
  const shape = shapeOf(columns, rows, intervals);
  const notes = prepared(figure)
    .notes(warnings, "")
    .filter((note) => intervals || !/^~?\[a, b\]: /.test(note))
    .map(escapeParagraph);
  const set = { caption, shape, head: headOf(columns, shape), notes };
  const { before, after } = shape.lines > mostOnPage ? longTable(set) : floatingTable(set);
  const top = [
    `% \\usepackage{${[...shape.packages, ...(notes.length > 0 && shape.lines <= mostOnPage ? ["threeparttable"] : [])].join(", ")}}`,
    ...before,
    "",
  ].join("\n");
  const lastOwn = rows.findLastIndex((row) => !row.some(({ reported }) => reported === true));
  const body = textsOf(rows, (row, index) => {
    const fields = markedOnce(row).map((cell, column) =>
      withEmphasis(cell, shape.isParagraph[column] === true ? escapeParagraph : escapeLatex, emphasis),
    );
    return `${lineOf(fields)}\n${index === lastOwn && index < rows.length - 1 ? "    \\midrule\n" : ""}`;
  });
  return partsOf(top, body, [...after, ""].join("\n"));
}

/** Protects a bracket or star after a row end, and a bracket after `\item`, which would be parsed as an argument. */
const bracketless = (text: string) => text.replace(/^(?=[[*])/, "{}");

const lineOf = (fields: readonly string[]) => `    ${bracketless(fields.join(" & "))} \\\\`;

/** Returns the titles; grouped titles have a rule below them. */
function headOf(columns: readonly TableColumn[], { titles }: Shape): readonly string[] {
  const heads = columnHeads(columns).flatMap((level) => [
    lineOf(
      level.map((head) => (head.title === "" ? "" : `\\multicolumn{${head.count}}{c}{${escapeLatex(head.title)}}`)),
    ),
    `    ${level.flatMap((head) => (head.title === "" ? [] : [`\\cmidrule(lr){${head.from + 1}-${head.from + head.count}}`])).join(" ")}`,
  ]);
  return [
    "    \\toprule",
    ...heads,
    lineOf(columns.map(({ align }, column) => stacked(titles[column]!.map(escapeLatex), align))),
    "    \\midrule",
  ];
}

/** Stacks lines within one field. */
const stacked = (lines: readonly string[], align: TableColumn["align"]): string =>
  lines.length === 1 ? lines[0]! : `\\shortstack[${align[0]}]{${lines.join("\\\\")}}`;

type Shape = {
  /** The lines of each column title. */
  readonly titles: readonly (readonly string[])[];
  readonly isParagraph: readonly boolean[];
  readonly aligned: string;
  /** Width in characters. */
  readonly wide: number;
  readonly isWide: boolean;
  readonly lines: number;
  readonly packages: readonly string[];
};

/** Estimates the width and length of a table of these rows. */
function shapeOf(columns: readonly TableColumn[], rows: TableFigure["rows"], intervals: boolean): Shape {
  const widthOf = (cell: Cell) => width(withEmphasis(cell, visibleText, { ...asTheyAre, intervals }));
  const below = columns.map(() => 0);
  for (const row of rows)
    for (const [column, cell] of row.entries()) below[column] = Math.max(below[column]!, widthOf(cell));
  const isParagraph = columns.map(({ align }, column) => align === "left" && below[column]! > longestText);
  const titles = columns.map(({ title }, column) => foldedTitle(title, below[column]!));
  const widest = columns.map((_, column) => Math.max(below[column]!, ...titles[column]!.map(width)));
  const words = isParagraph.filter(Boolean).length;
  const others = widest.reduce((sum, each, column) => sum + (isParagraph[column]! ? 2 : each + 2), 0);
  const [{ characters: small }] = sizes;
  // Paragraphs share the rest of the line, with a minimum for legibility.
  const share = words === 0 ? 0 : Math.max(0.2, Math.min(0.6, (1 - others / small) / words));
  const inLine = share * small;
  let lines = 0;
  for (const row of rows)
    lines += Math.max(1, ...row.map((cell, at) => (isParagraph[at]! ? Math.ceil(widthOf(cell) / inLine) : 1)));
  const wide = others + words * inLine;
  const isWide = columns.length > mostOrdinary || wide > ordinary;
  const paragraph = `>{\\raggedright\\arraybackslash}p{${share.toFixed(2)}\\linewidth}`;
  const aligned = columns.map(({ align }, column) => (isParagraph[column]! ? paragraph : align[0])).join("");
  return {
    titles,
    isParagraph,
    aligned: isWide ? `@{}${aligned}@{}` : aligned,
    wide,
    isWide,
    lines,
    packages: [
      "booktabs",
      ...(words > 0 ? ["array"] : []),
      ...(lines > mostOnPage ? ["longtable"] : isWide ? ["graphicx"] : []),
    ],
  };
}

type Set = {
  readonly caption: string;
  readonly shape: Shape;
  readonly head: readonly string[];
  /** Escaped. */
  readonly notes: readonly string[];
};

/** The text before and after the rows of a table. */
type Environment = { readonly before: readonly string[]; readonly after: readonly string[] };

/** Sets the notes as a list of the width of the text in a document without `threeparttable`. */
const withoutPackage = [
  "\\ifcsname threeparttable\\endcsname\\else\\newenvironment{threeparttable}{}{}",
  "\\newenvironment{tablenotes}[1][]{\\list{}{\\leftmargin0pt\\labelsep0pt\\itemsep0pt\\parsep0pt}}{\\endlist}\\fi",
].join("");

/** Limits the notes to the width of the text, because `threeparttable` has measured the table before it was shrunk. */
const shrunkNotes = [
  "  \\ifcsname TPT@hsize\\endcsname\\expandafter\\let\\csname TPT@whole\\expandafter\\endcsname\\csname TPT@hsize\\endcsname",
  "  \\expandafter\\def\\csname TPT@hsize\\endcsname{\\csname TPT@whole\\endcsname\\ifdim\\hsize>\\textwidth\\hsize\\textwidth\\linewidth\\hsize\\fi}\\fi",
];

function floatingTable({ caption, shape: { aligned, isWide }, head, notes }: Set): Environment {
  const environment = isWide ? "table*" : "table";
  const narrow = "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%";
  const before = [
    `\\begin{${environment}}`,
    "  \\centering",
    ...(isWide ? [`  ${sizes[0].size}`, "  \\setlength{\\tabcolsep}{3pt}"] : []),
    `  ${caption}`,
    ...(notes.length > 0 ? [`  ${withoutPackage}`, "  \\begin{threeparttable}"] : []),
    ...(isWide ? ["  \\providecommand{\\resizebox}[3]{#3}", narrow] : []),
    `  \\begin{tabular}{${aligned}}`,
    ...head,
  ];
  const below = [
    ...(isWide ? shrunkNotes : []),
    "  \\begin{tablenotes}[flushleft]",
    ...(isWide ? [] : [`    ${sizes[0].size}`]),
    ...notes.map((note) => `    \\item ${bracketless(note)}`),
    "  \\end{tablenotes}",
    "  \\end{threeparttable}",
  ];
  const after = [
    "    \\bottomrule",
    `  \\end{tabular}${isWide ? "}" : ""}`,
    ...(notes.length > 0 ? below : []),
    `\\end{${environment}}`,
  ];
  return { before, after };
}

/** Formats a table over several pages, which cannot be scaled, only set in a smaller font; its notes are paragraphs after it. */
function longTable({ caption, shape: { aligned, wide }, head, notes }: Set): Environment {
  const { size } = sizes.find(({ characters }) => wide <= characters)!;
  const before = [
    `{${size}`,
    "\\setlength{\\tabcolsep}{3pt}",
    `\\begin{longtable}{${aligned}}`,
    `    ${caption} \\\\`,
    ...head,
    "    \\endfirsthead",
    ...head,
    "    \\endhead",
    "    \\bottomrule",
    "    \\endfoot",
  ];
  const below = notes.map((note) => `\\par\\noindent ${note}`);
  return { before, after: ["\\end{longtable}", ...below, ...(below.length > 0 ? ["\\par"] : []), "}"] };
}

const latexSpecial: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  [signs.reported]: "$^{\\dagger}$",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
};

/** Signs for invisible characters, which the fonts of TeX lack. */
const stoodFor = new RegExp(`[\\u2400-\\u2426${standIns.lineBreak}${standIns.direction}\\ufffd]`, "g");

const special = new RegExp(`[\\\\~^${signs.reported}<>|]|[&%$#_{}]|[\\r\\n]+`, "g");

function escapeLatex(text: string): string {
  return visibleText(text)
    .replace(stoodFor, toAscii)
    .replace(special, (found) => latexSpecial[found] ?? (/[\r\n]/.test(found) ? " " : `\\${found}`));
}

/** Matches break points in text without blanks, such as JSON. */
const breaks = /(?<=[,:;/_=)}\]])(?=[^\s,:;/_=)}\]])/;

/** Escapes text and allows line breaks in it. */
const escapeParagraph = (text: string): string => text.split(breaks).map(escapeLatex).join("\\allowbreak{}");
