/** The longest ladder: tools are nested deep, so models lose count of their closing braces. */
import { quoted } from "./quote-tables.ts";
import { drop, insert, type Repair } from "./repair-rung.ts";
import { cutAfterBraces } from "./rewriting.ts";

const run = (count: number) => "}".repeat(count);

export function* creationRepairs(text: string): Generator<Repair> {
  yield { name: "as is", text };
  for (let count = 1; count <= 4; count++) yield { name: `insert ${run(count)}`, text: insert(text, run(count)) };
  const quote = insert(text, '"}');
  yield { name: 'insert "}', text: quote };
  const quotes = insert(quote, '"}}');
  yield { name: 'insert "} "}}', text: quotes };
  yield { name: 'insert "} "}} "}}}', text: insert(quotes, '"}}}') };
  yield { name: "drop 1", text: drop(text, 1) };
  yield { name: "drop 2", text: drop(text, 2) };
  for (const [from, to] of [
    [9, 7],
    [7, 6],
    [6, 5],
    [4, 5],
  ] as const) {
    const first = text.includes(run(from)) ? text.replace(run(from), run(to)) : undefined;
    yield { name: `first braces ${from} to ${to}`, text: first };
    if (first !== undefined) yield { name: `first braces ${from} to ${to}, drop 1`, text: drop(first, 1) };
  }
  yield { name: "no third-last ]", text: withoutThirdLast(text) };
  yield { name: "cut after the last entry", text: cutAfterBraces(text, 3) };
  yield { name: "open an entry", text: openEntry(text) };
  yield { name: "braces 5 to 4", text: text.replaceAll(run(5), run(4)) };
  yield { name: "braces 6 to 5", text: text.replaceAll(run(6), run(5)) };
  yield { name: "braces 6 to 7", text: text.replaceAll(run(6), run(7)) };
  const eight = text.replaceAll(run(7), run(8));
  yield { name: "braces 7 to 8", text: eight };
  yield { name: "braces 7 to 8, insert }", text: insert(eight, "}") };
  yield { name: "braces 4 to 5", text: text.replaceAll(run(4), run(5)) };
  yield { name: "braces 4 to 3", text: text.replaceAll(run(4), run(3)) };
  yield* quotedRepairs(quoted(text, "C"));
}

function* quotedRepairs(text: string): Generator<Repair> {
  yield { name: "quotes", text };
  yield { name: "quotes, braces 4 to 3", text: text.replaceAll(run(4), run(3)) };
  yield { name: "quotes, drop 1", text: drop(text, 1) };
  yield { name: "quotes, braces 6 to 5", text: text.replaceAll(run(6), run(5)) };
  yield { name: "quotes, no third-last ]", text: withoutThirdLast(text) };
  yield { name: "quotes, no last two", text: text.slice(0, -2) };
  yield { name: "quotes, braces 4 to 5", text: text.replaceAll(run(4), run(5)) };
  yield { name: "quotes, insert }", text: insert(text, "}") };
  yield { name: "quotes, braces 6 to 8", text: text.replaceAll(run(6), run(8)) };
  yield { name: "quotes, cut after the last entry", text: cutAfterBraces(text, 3) };
}

function withoutThirdLast(text: string): string | undefined {
  return text.at(-3) === "]" ? text.slice(0, -3) + text.slice(-2) : undefined;
}

/** Puts `{` after the first `}}}}, ` that is not followed by one. */
function openEntry(text: string): string | undefined {
  const mark = "}}}}, ";
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    const after = at + mark.length;
    if (after < text.length && text[after] !== "{") return `${text.slice(0, after)}{${text.slice(after)}`;
  }
  return undefined;
}
