/** The official repair ladders: texts to try in order until one parses, and the edits that produce them. */
import { cutAfterBraces, type Ladder } from "./rewriting.ts";

/** Returns the rungs of a ladder, starting with the unchanged text. Lazy: each text is built on demand. */
export const repairs = (text: string, ladder: Ladder): Iterable<Repair> =>
  rungsOf(text, ladder)
    .values()
    .map(([name, make]) => ({ name, text: make() }));

function rungsOf(text: string, ladder: Ladder): Rungs {
  switch (ladder) {
    case "A":
      return awarenessRungs(text);
    case "P":
      return usageRungs(text);
    case "C":
      return creationRungs(text);
    default:
      return ladder satisfies never;
  }
}

const awarenessRungs = (text: string): Rungs => [
  ["as is", () => text],
  ["insert }", () => insert(text, "}")],
  ['insert "}', () => insert(text, '"}')],
  ["cut after the last entry", () => cutAfterBraces(text, 1)],
  ["change quotes", () => quoted(text, "A")],
];

function usageRungs(text: string): Rungs {
  let made: string | undefined;
  const table = () => (made ??= quoted(text, "P"));
  return [
    ["as is", () => text],
    ["insert }", () => insert(text, "}")],
    ["insert }}", () => insert(text, "}}")],
    ["close entries", () => text.replaceAll('"}, {"step', '"}}, {"step')],
    ['insert "}', () => insert(text, '"}')],
    ["insert ]}}", () => insert(text, "]}}")],
    ["drop 1 character", () => drop(text, 1)],
    ["drop 2 characters", () => drop(text, 2)],
    ["change 3 braces to 2", () => text.replaceAll("}}}", "}}")],
    ["cut after the last entry", () => cutAfterBraces(text, 2)],
    ["change quotes", table],
    ["change quotes, change 3 braces to 2", () => table().replaceAll("}}}", "}}")],
    ["change quotes, insert ]}}", () => insert(table(), "]}}")],
  ];
}

/** One rung: the name of the repair in figures, and the text to try; undefined if the text to repair does not occur. */
export type Repair = { readonly name: string; readonly text: string | undefined };

/** The rungs of one text, each with a function that builds its text. */
type Rungs = readonly (readonly [name: string, make: () => string | undefined])[];

/** Inserts `added` before the last character. */
export const insert = (text: string, added: string): string => text.slice(0, -1) + added + text.slice(-1);

/** Removes `count` characters before the last one. Characters are code points, as in Python. */
export function drop(text: string, count: number): string {
  let to = text.length - 1;
  for (let dropped = 0; dropped < count && to > 0; dropped++) to -= isPair(text, to) ? 2 : 1;
  return text.slice(0, to) + text.slice(-1);
}

const isPair = (text: string, to: number): boolean => text.codePointAt(to - 2)! > 0xffff;

type Table = readonly (readonly [from: string, to: string])[];

const start: Table = [
  ["{'", '{"'],
  ["'}", '"}'],
  ["', '", '", "'],
  ["\", '", '", "'],
  ["', \"", '", "'],
  ["': '", '": "'],
  ["': \"", '": "'],
  ["\": '", '": "'],
  ["': {", '": {'],
];

const tables: Readonly<Record<Ladder, Table>> = {
  A: [
    ...start,
    ["['", "["],
    ["']", "]"],
    [", '", ', "'],
    ["'),", ')",'],
    ['""None""', '"None"'],
    ['"{step', '{"step'],
    ["')}", ')"}'],
  ],
  P: [
    ...start,
    ["['", "["],
    ["']", "]"],
    [", '", ', "'],
    ["'),", ')",'],
    ["': ", '": '],
    ["', {", '", {'],
    ["')}", ')"}'],
    ['}}," {', "}}, {"],
    ['""None""', '"None"'],
  ],
  C: [...start, ["}, '", '}, "'], ["': ", '": '], [", '", ', "'], ["':", '":'], ['}, "step', '}, {"step']],
};

function quoted(text: string, ladder: Ladder): string {
  let result = text;
  for (const [from, to] of tables[ladder]) result = result.replaceAll(from, to);
  return result;
}

const run = (count: number) => "}".repeat(count);

function creationRungs(text: string): Rungs {
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
    ["drop 1 character", () => drop(text, 1)],
    ["drop 2 characters", () => drop(text, 2)],
    ...firstBraces.flatMap(([from, to]) => firstBracesRungs(text, from, to)),
    ["drop the third-last ]", () => withoutThirdLast(text)],
    ["cut after the last entry", () => cutAfterBraces(text, 3)],
    ["open an entry", () => openEntry(text)],
    ["change 5 braces to 4", () => text.replaceAll(run(5), run(4))],
    ["change 6 braces to 5", () => text.replaceAll(run(6), run(5))],
    ["change 6 braces to 7", () => text.replaceAll(run(6), run(7))],
    ["change 7 braces to 8", eight],
    ["change 7 braces to 8, insert }", () => insert(eight(), "}")],
    ["change 4 braces to 5", () => text.replaceAll(run(4), run(5))],
    ["change 4 braces to 3", () => text.replaceAll(run(4), run(3))],
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
    [`change the first ${from} braces to ${to}`, first],
    [`change the first ${from} braces to ${to}, drop 1 character`, dropped],
  ];
}

const quotedRungs = (table: () => string): Rungs => [
  ["change quotes", table],
  ["change quotes, change 4 braces to 3", () => table().replaceAll(run(4), run(3))],
  ["change quotes, drop 1 character", () => drop(table(), 1)],
  ["change quotes, change 6 braces to 5", () => table().replaceAll(run(6), run(5))],
  ["change quotes, drop the third-last ]", () => withoutThirdLast(table())],
  ["change quotes, drop the last two characters", () => table().slice(0, -2)],
  ["change quotes, change 4 braces to 5", () => table().replaceAll(run(4), run(5))],
  ["change quotes, insert }", () => insert(table(), "}")],
  ["change quotes, change 6 braces to 8", () => table().replaceAll(run(6), run(8))],
  ["change quotes, cut after the last entry", () => cutAfterBraces(table(), 3)],
];

const withoutThirdLast = (text: string): string | undefined =>
  text.at(-3) === "]" ? text.slice(0, -3) + text.slice(-2) : undefined;

/** Inserts `{` after the first `}}}}, ` that is not followed by one. */
function openEntry(text: string): string | undefined {
  const at = text.search(/(?<=\}{4}, )[^{]/);
  return at === -1 ? undefined : `${text.slice(0, at)}{${text.slice(at)}`;
}
