/** The longest ladder: tools are nested deep, so models lose count of their closing braces. */
import { quoted } from "./quote-tables.ts";
import { drop, insert, type Rungs } from "./repair-rung.ts";
import { cutAfterBraces } from "./rewriting.ts";

const run = (count: number) => "}".repeat(count);

export function creationRungs(text: string): Rungs {
  let made: string | undefined;
  const table = () => (made ??= quoted(text, "C"));
  const quote = () => insert(text, '"}');
  const quotes = () => insert(quote(), '"}}');
  const eight = () => text.replaceAll(run(7), run(8));
  return [
    ["as is", () => text],
    ...[1, 2, 3, 4].map((count) => [`insert ${run(count)}`, () => insert(text, run(count))] as const),
    ['insert "}', quote],
    ['insert "} "}}', quotes],
    ['insert "} "}} "}}}', () => insert(quotes(), '"}}}')],
    ["drop 1", () => drop(text, 1)],
    ["drop 2", () => drop(text, 2)],
    ...firstBraces.flatMap(([from, to]) => firstBracesRungs(text, from, to)),
    ["no third-last ]", () => withoutThirdLast(text)],
    ["cut after the last entry", () => cutAfterBraces(text, 3)],
    ["open an entry", () => openEntry(text)],
    ["braces 5 to 4", () => text.replaceAll(run(5), run(4))],
    ["braces 6 to 5", () => text.replaceAll(run(6), run(5))],
    ["braces 6 to 7", () => text.replaceAll(run(6), run(7))],
    ["braces 7 to 8", eight],
    ["braces 7 to 8, insert }", () => insert(eight(), "}")],
    ["braces 4 to 5", () => text.replaceAll(run(4), run(5))],
    ["braces 4 to 3", () => text.replaceAll(run(4), run(3))],
    ...quotedRungs(table),
  ];
}

const firstBraces = [
  [9, 7],
  [7, 6],
  [6, 5],
  [4, 5],
] as const;

function firstBracesRungs(text: string, from: number, to: number): Rungs {
  const first = () => (text.includes(run(from)) ? text.replace(run(from), run(to)) : undefined);
  const dropped = () => {
    const found = first();
    return found && drop(found, 1);
  };
  return [
    [`first braces ${from} to ${to}`, first],
    [`first braces ${from} to ${to}, drop 1`, dropped],
  ];
}

function quotedRungs(table: () => string): Rungs {
  return [
    ["quotes", table],
    ["quotes, braces 4 to 3", () => table().replaceAll(run(4), run(3))],
    ["quotes, drop 1", () => drop(table(), 1)],
    ["quotes, braces 6 to 5", () => table().replaceAll(run(6), run(5))],
    ["quotes, no third-last ]", () => withoutThirdLast(table())],
    ["quotes, no last two", () => table().slice(0, -2)],
    ["quotes, braces 4 to 5", () => table().replaceAll(run(4), run(5))],
    ["quotes, insert }", () => insert(table(), "}")],
    ["quotes, braces 6 to 8", () => table().replaceAll(run(6), run(8))],
    ["quotes, cut after the last entry", () => cutAfterBraces(table(), 3)],
  ];
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
