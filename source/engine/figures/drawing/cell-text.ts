/** Formats a cell of a table or heat map. */
import { type Cell, shortfallOf } from "../../figure.ts";
import { printable } from "../../text/printable.ts";
import { intervalText } from "../interval-text.ts";
import { symbolsOf } from "../../../look/signs.ts";

/**
 * Returns a cell's text with its marks: `~` before values of few tasks, then the mark of the best or second best value, a dagger
 * for reported values, the number of scored tasks if some tasks have no score, and optionally the interval.
 */
export function cellText(cell: Cell | undefined, ascii: boolean, intervals = false): string {
  if (cell === undefined) return "";
  const symbols = symbolsOf(ascii);
  const text = printable(cell.text);
  const interval = intervals ? intervalText(cell) : undefined;
  const short = shortfallOf(cell);
  const faint = cell.faint === true ? symbols.faint : "";
  const rank = cell.rank === 1 ? symbols.best : cell.rank === 2 ? symbols.second : "";
  const reported = cell.reported === true && text !== "" ? symbols.reported : "";
  const of = short === undefined ? "" : ` (${short})`;
  return `${faint}${text}${rank}${reported}${of}${interval === undefined ? "" : ` ${interval}`}`;
}
