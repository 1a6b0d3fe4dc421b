/** Finds a word in the pages of the documentation and in the commands' usages. */
import { signs } from "../../look/signs.ts";
import { fit } from "../../engine/text/printable.ts";

/** A page that can be searched: its text, and the command that prints it. */
export type Page = { readonly prints: string; readonly text: string };

const mostLines = 30;
/** Maximum columns of a line that was found, after the command that prints its page. */
const lineColumns = 80;

/**
 * Returns the headings and lines that contain the word, best first, each after the command that prints its page: headings before
 * lines, the whole word before a part of another word. Empty if no page contains the word.
 */
export function foundLines(pages: readonly Page[], word: string): readonly string[] {
  const wanted = word.toLowerCase();
  const found = pages.flatMap(({ prints, text }) =>
    text.split("\n").flatMap((line) => {
      const rank = rankOf(line, wanted);
      return rank === undefined ? [] : [{ prints, line: line.trim(), rank }];
    }),
  );
  const sorted = found.toSorted((a, b) => a.rank - b.rank);
  const width = Math.max(...sorted.slice(0, mostLines).map(({ prints }) => prints.length));
  const lines = sorted
    .slice(0, mostLines)
    .map(({ prints, line }) => `${prints.padEnd(width)}  ${around(line, wanted)}`);
  return found.length > mostLines ? [...lines, `${found.length - mostLines} more lines contain the word.`] : lines;
}

/** Returns the rank of a line, lower is better; undefined if it does not contain the word. */
function rankOf(line: string, wanted: string): number | undefined {
  const text = line.toLowerCase();
  const at = text.indexOf(wanted);
  if (at < 0) return undefined;
  const isWhole = !/\w/.test(text[at - 1] ?? " ") && !/\w/.test(text[at + wanted.length] ?? " ");
  return (line.startsWith("#") ? 0 : 2) + (isWhole ? 0 : 1);
}

/** Returns the part of a long line that has the word. */
function around(line: string, wanted: string): string {
  const at = line.toLowerCase().indexOf(wanted);
  const from = at + wanted.length > lineColumns ? line.indexOf(" ", Math.max(0, at - lineColumns / 2)) : 0;
  return `${from > 0 ? signs.more : ""}${fit(line.slice(Math.max(0, from)).trim(), lineColumns)}`;
}
