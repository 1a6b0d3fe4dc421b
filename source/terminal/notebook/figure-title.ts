/** The title of a figure, in which a run's name has the run's colour. */
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { inkOf, type Line, lineWidth } from "../../engine/figures/drawing/line.ts";
import { brieflyNamed } from "../../engine/figures/drawing/brief-names.ts";
import type { Figure } from "../../engine/figure.ts";
import { fitMiddle, printable, width } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { notesBadge } from "../figures/cell-texts.ts";

/** Splits a title into the measured quantity and the run's name, which is empty if there is none. */
function titleParts({ title }: Figure, colourOf: ColourOf): { readonly measured: string; readonly name: string } {
  // The run's name is at the end and may contain a colon too.
  let end = title.indexOf(": ") + 2;
  while (end > 1 && colourOf(title.slice(end)) === undefined) end = title.indexOf(": ", end) + 2;
  const name = end > 1 ? title.slice(end) : "";
  return { measured: title.slice(0, title.length - name.length), name };
}

/** Returns true if a figure shows for another run the same measure as the previous figure, with the same number of notes. */
export function isForAnotherRun(figure: Figure, before: Figure | undefined, colourOf: ColourOf): boolean {
  if (before?.kind !== figure.kind || before.notes.length !== figure.notes.length) return false;
  const [own, other] = [figure, before].map((each) => titleParts(each, colourOf));
  return own!.name !== "" && other!.name !== "" && own!.measured === other!.measured;
}

/**
 * Returns the title with the number of its notes, which includes warnings; if `room` is too small, only the title is truncated.
 */
export function titleLine(figure: Figure, marks: readonly string[], colourOf: ColourOf, room = Infinity): Line {
  const { measured: whole, name } = titleParts(figure, colourOf);
  const badge = notesBadge(figure, marks);
  const behind: Line = [{ text: badge === "" ? "" : `  ${badge}`, style: "faint" }];
  const [measured, run] = [printable(whole), brieflyNamed(printable(name))];
  const left = Math.max(0, room - lineWidth(behind));
  // The measure and the run get at least half of the room each, if they need it.
  const ofRun = Math.min(width(run), Math.max(Math.floor(left / 2), left - width(measured)));
  return [
    { text: fitMiddle(measured, left - ofRun), style: "title" },
    { text: fitMiddle(run, ofRun), ...inkOf(colourOf(name), "title") },
    ...behind,
  ];
}

/** Returns the title of a figure for another run: its name. */
export function runTitle(figure: Figure, colourOf: ColourOf, columns: number): Line[] {
  const { name } = titleParts(figure, colourOf);
  return [[{ text: fitMiddle(brieflyNamed(printable(name)), columns), ...inkOf(colourOf(name), "title") }]];
}

/** Returns the whole title in as many lines as it needs; the badge of its notes is not broken. */
export function titleLines(figure: Figure, marks: readonly string[], colourOf: ColourOf, columns: number): Line[] {
  const title = titleLine(figure, marks, colourOf);
  if (lineWidth(title) <= columns) return [title];
  const badge = title.at(-1)!;
  const lines = wrapSpans(title.slice(0, -1), columns, "");
  const last = lines.at(-1)!;
  if (lineWidth([...last, badge]) <= columns) return lines.with(-1, [...last, badge]);
  return [...lines, [{ ...badge, text: badge.text.trimStart() }]];
}
