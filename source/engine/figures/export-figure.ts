/** Exports figures as text files: CSV, JSON, Markdown, LaTeX, SVG, HTML, Vega-Lite. */
import { paper } from "../../look/paper.ts";
import type { Cell, Figure } from "../figure.ts";
import { columnHeads, columnName } from "./column-heads.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import { type Emphasis, withEmphasis } from "./emphasis.ts";
import { figureCsvParts } from "./figure-csv.ts";
import { figureJsonParts } from "./figure-json.ts";
import { latexParts } from "./figure-latex.ts";
import { prepared } from "./prepared-figure.ts";
import { partsOf, type Parts, textsOf } from "./figure-parts.ts";
import { type PictureShape, svgParts } from "./figure-svg.ts";
import { vegaParts } from "./figure-vega.ts";
import { escapeMarkup, visibleText } from "./markup.ts";

/**
 * Every export contains `warnings` (built-in models, sample data, incomplete data), except CSV, whose warnings are in
 * `exportedNotes`. `intervals` adds intervals to LaTeX; the other formats always contain them. `shape` applies to pictures.
 */
export function figureParts(
  figure: Figure,
  format: TextFormat,
  warnings: readonly string[] = [],
  colourOf: ColourOf = () => undefined,
  intervals = false,
  shape: PictureShape = {},
): Parts {
  // Reads all cells now, because notes and tables need them.
  void prepared(figure).look;
  switch (format) {
    case "csv":
      return figureCsvParts(figure);
    case "json":
      return figureJsonParts(figure, warnings);
    case "md":
      return markdown(figure, warnings);
    case "tex":
      return latexParts(figure, warnings, intervals);
    case "svg":
      return svgParts(figure, prepared(figure).notes(warnings), { colourOf, ...shape });
    case "html":
      return html(figure, warnings, colourOf);
    case "vega":
      return vegaParts(figure, prepared(figure).notes(warnings), colourOf, shape.plain);
  }
}

/** Returns the notes of a figure, one per line; undefined if there are no notes. */
export function exportedNotes(figure: Figure, warnings: readonly string[]): string | undefined {
  // Exported values are exact shares.
  const unit = prepared(figure).units === undefined ? "" : "shares are fractions from 0 to 1";
  const notes = prepared(figure).notes(warnings, unit);
  return notes.length === 0
    ? undefined
    : notes.map((note) => `${visibleText(note).replace(/[\r\n]+/g, " ")}\n`).join("");
}

function markdown(figure: Figure, warnings: readonly string[]): Parts {
  const { title, columns, rows } = prepared(figure).readable;
  const line = (fields: readonly string[]) => `| ${fields.join(" | ")} |`;
  const emphasis: Emphasis = { strong: (text) => `**${text}**`, underlined: (text) => `<u>${text}</u>` };
  const head = [
    `**${escapeMarkdown(title)}**`,
    "",
    line(columns.map((column) => escapeMarkdown(columnName(column)))),
    line(columns.map(({ align }) => (align === "right" ? "--:" : ":--"))),
    "",
  ].join("\n");
  const notes = [
    "",
    ...prepared(figure)
      .notes(warnings)
      .map((note) => `- ${escapeMarkdown(note)}`),
    "",
  ].join("\n");
  const body = textsOf(rows, (row) => `${line(row.map((cell) => withEmphasis(cell, escapeMarkdown, emphasis)))}\n`);
  return partsOf(head, body, notes);
}

/** Returns the text on one line, and escapes the characters that Markdown, or HTML within it, would interpret. */
const escapeMarkdown = (text: string): string =>
  visibleText(text)
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\\|<[\]*`]/g, "\\$&")
    .replaceAll("&", "&amp;");

function html(figure: Figure, warnings: readonly string[], colourOf: ColourOf): Parts {
  const { title, columns, rows } = prepared(figure).readable;
  const cell = (tag: string, align: string, markup: string) => `<${tag} style="text-align:${align}">${markup}</${tag}>`;
  const emphasis: Emphasis = {
    strong: (text) => `<strong>${text}</strong>`,
    underlined: (text) => `<u>${text}</u>`,
  };
  const line = (row: readonly Cell[]) => {
    const fields = row.map((each, index) =>
      cell("td", columns[index]?.align ?? "left", withEmphasis(each, escapeMarkup, emphasis)),
    );
    return `<tr>${fields.join("")}</tr>`;
  };
  const heads = columnHeads(columns).map(
    (level) =>
      `<tr>${level.map((head) => `<th colspan="${head.count}">${escapeMarkup(head.title)}</th>`).join("")}</tr>`,
  );
  const top = [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"/><title>${escapeMarkup(title)}</title>`,
    `<style>body{font:15px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid ${paper.tableRule}}</style></head><body>`,
    `<h1>${escapeMarkup(title)}</h1>`,
    "",
  ].join("\n");
  const picture = figure.kind === "table" ? [] : partsOf(svgParts(figure, [], { colourOf }), "\n");
  const head = [
    `<table><thead>${heads.join("")}<tr>${columns.map((column) => cell("th", column.align, escapeMarkup(column.title))).join("")}</tr></thead>`,
    "<tbody>",
  ].join("\n");
  const body = textsOf(rows, (row, at) => `${at === 0 ? "" : "\n"}${line(row)}`);
  const notes = prepared(figure)
    .notes(warnings)
    .map((note) => `<li>${escapeMarkup(note)}</li>`);
  return partsOf(top, picture, head, body, `</tbody></table>\n<ul>${notes.join("")}</ul></body></html>\n`);
}

export const textFormats = ["csv", "json", "md", "tex", "svg", "html", "vega"] as const;
type TextFormat = (typeof textFormats)[number];

/** The file formats of exported figures. PNG and PDF are made of the SVG. */
export const exportFormats = [...textFormats, "png", "pdf"] as const;
export type ExportFormat = (typeof exportFormats)[number];
