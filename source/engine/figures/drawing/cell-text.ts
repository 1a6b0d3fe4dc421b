/** A cell of a table or heat map in words. */
import { type Cell, shortfallOf } from "../../figure.ts";
import { printable } from "../../text/printable.ts";
import { intervalText } from "../interval-text.ts";
import { symbolsOf } from "./symbols.ts";

/**
 * A cell's text with its marks: `~` before what rests on few tasks; behind it the mark of the best or second best, a dagger for
 * what is reported by a paper, how few tasks it rests on, and, if wanted, the interval.
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
