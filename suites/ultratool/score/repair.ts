/** The official repair ladders: texts to try in order until one parses. */
import { quoted } from "./quote-tables.ts";
import { creationRepairs } from "./repair-creation.ts";
import { cutAfterBraces, type Ladder } from "./rewriting.ts";

/** One rung: what it does, in words for a figure, and the text to try. A rung whose mark is absent gives undefined. */
export type Repair = { readonly name: string; readonly text: string | undefined };

/** The rungs of a ladder, the untouched text first. Lazy: texts are made only when asked for. */
export function repairs(text: string, ladder: Ladder): Iterable<Repair> {
  switch (ladder) {
    case "A":
      return awarenessRepairs(text);
    case "P":
      return usageRepairs(text);
    case "C":
      return creationRepairs(text);
    default:
      return ladder satisfies never;
  }
}

function* awarenessRepairs(text: string): Generator<Repair> {
  yield { name: "as is", text };
  yield { name: "insert }", text: insert(text, "}") };
  yield { name: 'insert "}', text: insert(text, '"}') };
  yield { name: "cut after the last entry", text: cutAfterBraces(text, 1) };
  yield { name: "quotes", text: quoted(text, "A") };
}

function* usageRepairs(text: string): Generator<Repair> {
  yield { name: "as is", text };
  yield { name: "insert }", text: insert(text, "}") };
  yield { name: "insert }}", text: insert(text, "}}") };
  yield { name: "close entries", text: text.replaceAll('"}, {"step', '"}}, {"step') };
  yield { name: 'insert "}', text: insert(text, '"}') };
  yield { name: "insert ]}}", text: insert(text, "]}}") };
  yield { name: "drop 1", text: drop(text, 1) };
  yield { name: "drop 2", text: drop(text, 2) };
  yield { name: "braces 3 to 2", text: text.replaceAll("}}}", "}}") };
  yield { name: "cut after the last entry", text: cutAfterBraces(text, 2) };
  const table = quoted(text, "P");
  yield { name: "quotes", text: table };
  yield { name: "quotes, braces 3 to 2", text: table.replaceAll("}}}", "}}") };
  yield { name: "quotes, insert ]}}", text: insert(table, "]}}") };
}

/** Puts `added` just before the last character. */
export function insert(text: string, added: string): string {
  return text.slice(0, -1) + added + text.slice(-1);
}

/** Removes `count` characters before the last one. Characters are code points, as in Python. */
export function drop(text: string, count: number): string {
  let to = text.length - 1;
  for (let dropped = 0; dropped < count && to > 0; dropped++) to -= isPair(text, to) ? 2 : 1;
  return text.slice(0, Math.max(0, to)) + text.slice(-1);
}

function isPair(text: string, to: number): boolean {
  return to >= 2 && (text.codePointAt(to - 2) ?? 0) > 0xffff;
}
