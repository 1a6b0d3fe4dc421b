/** The official repair ladders: texts to try in order until one parses. */
import { quoted } from "./quote-tables.ts";
import { creationRungs } from "./repair-creation.ts";
import { drop, insert, type Repair, type Rungs } from "./repair-rung.ts";
import { cutAfterBraces, type Ladder } from "./rewriting.ts";

/** The rungs of a ladder, the untouched text first. Lazy: texts are made only when asked for. */
export function repairs(text: string, ladder: Ladder): Iterable<Repair> {
  return rungsOf(text, ladder)
    .values()
    .map(([name, make]) => ({ name, text: make() }));
}

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

function awarenessRungs(text: string): Rungs {
  return [
    ["as is", () => text],
    ["insert }", () => insert(text, "}")],
    ['insert "}', () => insert(text, '"}')],
    ["cut after the last entry", () => cutAfterBraces(text, 1)],
    ["quotes", () => quoted(text, "A")],
  ];
}

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
    ["drop 1", () => drop(text, 1)],
    ["drop 2", () => drop(text, 2)],
    ["braces 3 to 2", () => text.replaceAll("}}}", "}}")],
    ["cut after the last entry", () => cutAfterBraces(text, 2)],
    ["quotes", table],
    ["quotes, braces 3 to 2", () => table().replaceAll("}}}", "}}")],
    ["quotes, insert ]}}", () => insert(table(), "]}}")],
  ];
}
