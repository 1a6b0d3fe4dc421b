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
  return [
    cell.faint === true ? symbols.faint : "",
    text,
    cell.rank === 1 ? symbols.best : cell.rank === 2 ? symbols.second : "",
    cell.reported === true && text !== "" ? symbols.reported : "",
    short === undefined ? "" : ` (${short})`,
    interval === undefined ? "" : ` ${interval}`,
  ].join("");
}
