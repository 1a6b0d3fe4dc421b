/** Describes the field under the cursor: its note and its choices. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import { fit, printable, wrap } from "../../engine/text/printable.ts";
import { plural } from "../drawing/amount.ts";
import { choiceLine, choiceText, titleWidth } from "../input/choice-list.tsx";
import type { Field } from "./form-fields.ts";

/** Returns the note of the chosen field, in as many lines as the longest note takes, so that nothing moves. */
export function fieldNote(
  fields: readonly Field[],
  chosen: Field | undefined,
  columns: number,
  height: number,
): readonly Line[] {
  const wrapped = (note = "") => (note === "" ? [] : wrap(printable(note), Math.max(10, columns - 6)));
  const longest = Math.max(0, ...fields.map(({ note }) => wrapped(note).length));
  // In a low window the fields have priority.
  const rows = Math.min(longest, height < 20 ? 1 : 3);
  const lines = wrapped(chosen?.note);
  return Array.from({ length: rows }, (_, row): Line => {
    const text = row === rows - 1 && lines.length > rows ? lines.slice(row).join(" ") : (lines[row] ?? "");
    return [{ text: text === "" ? "" : `     ${text}`, style: "faint" }];
  });
}

/** Returns the whole note beside the fields, with as many choices as there are rows; `taken` are the chosen ones. */
export function choicesBeside(
  field: Field,
  taken: readonly string[],
  columns: number,
  rows: number,
  symbols: Symbols,
): readonly Line[] {
  const { title, note, choices, typed } = field;
  const about = note === undefined ? [] : wrap(printable(note), Math.max(10, columns - 4));
  const head: readonly Line[] = [
    [
      { text: ` ${printable(title)}`, style: "title" },
      { text: `  Enter ${typed ? "takes what is typed" : "chooses"}`, style: "faint" },
    ],
    ...about.map((text): Line => [{ text: `   ${text}`, style: "faint" }]),
    ...(choices.length === 0 ? [] : [[]]),
  ];
  const room = Math.max(0, rows - head.length);
  const shown = choices.slice(0, choices.length > room ? Math.max(0, room - 1) : room);
  const titles = titleWidth(shown);
  const lines = shown.map((choice) => {
    const isTaken = taken.includes(choice.value);
    const text = choiceText(choice, isTaken ? "   * " : "     ", titles);
    return choiceLine(fit(text, columns), choice.faint, isTaken);
  });
  const rest = choices.length - shown.length;
  const more: readonly Line[] =
    rest === 0 ? [] : [[{ text: `     ${symbols.more} ${plural(rest, "more choice")}`, style: "faint" }]];
  return [...head, ...lines, ...more];
}
