/** Reads streaming CSV with RFC 4180 quoting, including commas and line breaks in quoted cells. */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

/** Maximum length of a record in characters, so that an unclosed quote does not consume the rest of a large file. */
const LONGEST_RECORD = 1 << 20;

/**
 * Passes every record to `row`, including the header; skips blank lines. Errors contain `name`. A quote inside a cell that does
 * not start with a quote is an ordinary character. Throws `DataProblem` for an unclosed quote.
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  row: (cells: readonly string[]) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  let records = 0;
  const take = (last: boolean) => {
    let at = 0;
    let quote = -1;
    while (at < text.length) {
      // Searched once per quote, not once per record, since most files have none.
      if (quote < at) quote = endless(text.indexOf('"', at));
      const end = recordEnd(text, at, quote, last);
      if (end === undefined) break;
      const record = text.slice(at, end.content);
      at = end.next;
      if (record === "") continue;
      records += 1;
      row(record.includes('"') ? quotedCells(record) : record.split(","));
    }
    text = text.slice(at);
    if (text.length > LONGEST_RECORD || (last && text !== "")) {
      throw new DataProblem(
        `Expected record ${records + 1} of ${name} to end its quoted value, found no closing quote`,
      );
    }
  };
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    take(false);
  }
  text += decoder.decode();
  take(true);
}

const endless = (index: number): number => (index === -1 ? Infinity : index);

/**
 * Finds the end of the record at `at`; `quote` is the position of the next quote. Returns undefined if the text ends before it,
 * unless the text is the `last`.
 */
function recordEnd(
  text: string,
  at: number,
  quote: number,
  last: boolean,
): { content: number; next: number } | undefined {
  const line = text.indexOf("\n", at);
  if (line !== -1 && quote > line) return endAt(text, at, line, line + 1);
  if (quote === Infinity) return last ? endAt(text, at, text.length, text.length) : undefined;
  let quoted = false;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      const close = text.indexOf('"', index);
      if (close === -1) return undefined;
      index = close;
      if (text[close + 1] === '"') index += 1;
      else quoted = false;
    } else if (character === '"' && (index === at || text[index - 1] === ",")) quoted = true;
    else if (character === "\n") return endAt(text, at, index, index + 1);
  }
  return last && !quoted ? endAt(text, at, text.length, text.length) : undefined;
}

const endAt = (text: string, from: number, content: number, next: number): { content: number; next: number } => ({
  content: content > from && text[content - 1] === "\r" ? content - 1 : content,
  next,
});

function quotedCells(record: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let cell = "";
    if (record[at] === '"') {
      at += 1;
      for (;;) {
        const close = record.indexOf('"', at);
        cell += record.slice(at, close === -1 ? record.length : close);
        at = close === -1 ? record.length : close + 1;
        if (record[at] !== '"' || close === -1) break;
        cell += '"';
        at += 1;
      }
    }
    const comma = record.indexOf(",", at);
    cell += record.slice(at, comma === -1 ? record.length : comma);
    cells.push(cell);
    if (comma === -1) return cells;
    at = comma + 1;
  }
}
