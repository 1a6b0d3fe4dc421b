/** The official repair ladders: texts to try in order until one parses. */
import { quoted } from "./quote-tables.ts";
import { creationRepairs } from "./repair-creation.ts";
import { drop, insert, type Repair } from "./repair-rung.ts";
import { cutAfterBraces, type Ladder } from "./rewriting.ts";

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
