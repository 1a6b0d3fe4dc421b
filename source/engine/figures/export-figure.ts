/** Figures as text files: CSV, JSON, Markdown, LaTeX, SVG, HTML. */
import type { Cell, Figure } from "../figure.ts";
import { csvLine } from "../text/csv.ts";
import { figureJson } from "./figure-json.ts";
import { figureSvg } from "./figure-svg.ts";
import { figureTable } from "./figure-table.ts";
import { escapeMarkup, visibleText } from "./markup.ts";
import { jsonText } from "../text/json-text.ts";
import type { ExportFormat } from "./export-format.ts";

/** `warnings` (built-in models, sample data, incomplete data) are part of every export. */
export function exportFigure(figure: Figure, format: ExportFormat, warnings: readonly string[] = []): string {
  switch (format) {
    case "csv":
      return csv(figure, warnings);
    case "json":
      return `${jsonText({ warnings, ...(figureJson(figure) as object) }, 2)}\n`;
    case "md":
      return markdown(figure, warnings);
    case "tex":
      return latex(figure, warnings);
    case "svg":
      return figureSvg(figure, warnings);
    case "html":
      return html(figure, warnings);
    default:
      return format satisfies never;
  }
}

const marked = ({ text, reported, faint }: Cell) =>
  `${faint === true ? "~" : ""}${text}${reported === true && text !== "" ? " †" : ""}`;
const notesOf = (figure: Figure, warnings: readonly string[]) => {
  const reported = figureTable(figure).rows.some((row) => row.some((cell) => cell.reported === true));
  return [...warnings, ...figure.notes, ...(reported ? ["† reported by the paper"] : [])];
};

/** Full precision, a header line, RFC 4180 quoting; warnings follow as lines of one field that begins with `#`. */
function csv(figure: Figure, warnings: readonly string[]): string {
  const { columns, rows } = figureTable(figure);
  const exact = ({ text, value }: Cell) => (value === undefined ? text : String(value));
  // Values are exact, so what is shown in percent is a share here.
  const lines = [
    columns.map(({ title }) => title.replace(/^% of /, "share of ")),
    ...rows.map((row) => row.map(exact)),
  ];
  return [...lines, ...warnings.map((warning) => [`# ${warning}`])]
    .map((line) => csvLine(line.map(visibleText)))
    .join("");
}

function markdown(figure: Figure, warnings: readonly string[]): string {
  const { title, columns, rows } = figureTable(figure);
  const line = (fields: readonly string[]) => `| ${fields.map(escapeMarkdown).join(" | ")} |`;
  return [
    `**${escapeMarkdown(title)}**`,
    "",
    line(columns.map((column) => column.title)),
    line(columns.map(({ align }) => (align === "right" ? "--:" : ":--"))),
    ...rows.map((row) => line(row.map(marked))),
    "",
    ...notesOf(figure, warnings).map((note) => `- ${escapeMarkdown(note)}`),
    "",
  ].join("\n");
}

/** On one line, with nothing in it that Markdown, or HTML within it, would obey. */
function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\\|<[\]*`]/g, "\\$&")
    .replaceAll("&", "&amp;");
}

/** A `table` environment for `booktabs`. */
function latex(figure: Figure, warnings: readonly string[]): string {
  const { title, columns, rows } = figureTable(figure);
  const line = (fields: readonly string[]) => `    ${fields.map(escapeLatex).join(" & ")} \\\\`;
  return [
    ...notesOf(figure, warnings).map((note) => `% ${visibleText(note).replace(/[\r\n]+/g, " ")}`),
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${escapeLatex(title)}}`,
    `  \\begin{tabular}{${columns.map(({ align }) => align[0]).join("")}}`,
    "    \\toprule",
    line(columns.map((column) => column.title)),
    "    \\midrule",
    ...rows.map((row) => line(row.map(marked))),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
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

function escapeLatex(text: string): string {
  return visibleText(text).replace(
    /[\\~^†<>|]|[&%$#_{}]|[\r\n]+/g,
    (found) => latexSpecial[found] ?? (/[\r\n]/.test(found) ? " " : `\\${found}`),
  );
}

function html(figure: Figure, warnings: readonly string[]): string {
  const { title, columns, rows } = figureTable(figure);
  const cell = (tag: string, align: string, text: string) =>
    `<${tag} style="text-align:${align}">${escapeMarkup(text)}</${tag}>`;
  const body = rows.map(
    (row) => `<tr>${row.map((each, index) => cell("td", columns[index]?.align ?? "left", marked(each))).join("")}</tr>`,
  );
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"/><title>${escapeMarkup(title)}</title>`,
    "<style>body{font:15px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ddd}</style></head><body>",
    `<h1>${escapeMarkup(title)}</h1>`,
    ...(figure.kind === "table" ? [] : [figureSvg(figure, [])]),
    `<table><thead><tr>${columns.map(({ title: name, align }) => cell("th", align, name)).join("")}</tr></thead>`,
    `<tbody>${body.join("\n")}</tbody></table>`,
    `<ul>${notesOf(figure, warnings)
      .map((note) => `<li>${escapeMarkup(note)}</li>`)
      .join("")}</ul></body></html>`,
    "",
  ].join("\n");
}
