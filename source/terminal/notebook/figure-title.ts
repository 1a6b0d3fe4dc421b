/** The title of a figure, in which the name of a run has the run's colour. */
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
import type { Figure } from "../../engine/figure.ts";
import { printable } from "../../engine/text/printable.ts";
import { notesBadge } from "../figures/cell-notes.ts";

/** The marks of the warnings that concern a figure stand beside its title, and how many notes there are. */
export function titleLine(figure: Figure, marks: readonly string[], colourOf: ColourOf): Line {
  const { title } = figure;
  // The name of a run at its end, which may have a colon too.
  let end = title.indexOf(": ") + 2;
  while (end > 1 && colourOf(title.slice(end)) === undefined) end = title.indexOf(": ", end) + 2;
  const name = end > 1 ? title.slice(end) : "";
  const badge = notesBadge(figure, marks);
  return [
    { text: printable(title.slice(0, title.length - name.length)), style: "title" },
    { text: printable(name), ...inkOf(colourOf(name), "title") },
    { text: marks.length === 0 ? "" : ` ${marks.join("")}`, style: "warn" },
    { text: badge === "" ? "" : `  ${badge}`, style: "accent" },
  ];
}
