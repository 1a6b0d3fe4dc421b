/** The repairs of answers: each does what its name says, in the official order. */
import { expect, it } from "vitest";
import { drop, repairs } from "../../../suites/ultratool/score/repair.ts";
import { cut, rewrite, type Ladder } from "../../../suites/ultratool/score/rewriting.ts";

const braces = (count: number) => "}".repeat(count);
const namesOf = (ladder: Ladder) => [...repairs("[]", ladder)].map(({ name }) => name);

it("the repairs of awareness and selection are five, those of usage 13", () => {
  expect(namesOf("A")).toEqual(["as is", "insert }", 'insert "}', "cut after the last entry", "change quotes"]);
  expect(namesOf("P")).toEqual([
    "as is",
    "insert }",
    "insert }}",
    "close entries",
    'insert "}',
    "insert ]}}",
    "drop 1 character",
    "drop 2 characters",
    "change 3 braces to 2",
    "cut after the last entry",
    "change quotes",
    "change quotes, change 3 braces to 2",
    "change quotes, insert ]}}",
  ]);
});

it("the repairs of creation are 38", () => {
  expect(namesOf("C")).toEqual([
    "as is",
    "insert }",
    "insert }}",
    "insert }}}",
    "insert }}}}",
    'insert "}',
    'insert "} "}}',
    'insert "} "}} "}}}',
    "drop 1 character",
    "drop 2 characters",
    "change the first 9 braces to 7",
    "change the first 9 braces to 7, drop 1 character",
    "change the first 7 braces to 6",
    "change the first 7 braces to 6, drop 1 character",
    "change the first 6 braces to 5",
    "change the first 6 braces to 5, drop 1 character",
    "change the first 4 braces to 5",
    "change the first 4 braces to 5, drop 1 character",
    "drop the third-last ]",
    "cut after the last entry",
    "open an entry",
    "change 5 braces to 4",
    "change 6 braces to 5",
    "change 6 braces to 7",
    "change 7 braces to 8",
    "change 7 braces to 8, insert }",
    "change 4 braces to 5",
    "change 4 braces to 3",
    "change quotes",
    "change quotes, change 4 braces to 3",
    "change quotes, drop 1 character",
    "change quotes, change 6 braces to 5",
    "change quotes, drop the third-last ]",
    "change quotes, drop the last two characters",
    "change quotes, change 4 braces to 5",
    "change quotes, insert }",
    "change quotes, change 6 braces to 8",
    "change quotes, cut after the last entry",
  ]);
});

/** Does one part of a repair's name to a text of one unit per character; undefined if the text has nothing to repair. */
function done(part: string, text: string, ladder: Ladder): string | undefined {
  const [verb, ...words] = part.split(" ");
  const beforeLast = (added: string) => `${text.slice(0, -1)}${added}${text.at(-1)}`;
  const [from, to] = part.match(/\d/g)?.map(Number) ?? [];
  if (part === "as is") return text;
  if (part === "drop the last two characters") return text.slice(0, -2);
  if (part === "drop the third-last ]") return text.at(-3) === "]" ? text.slice(0, -3) + text.slice(-2) : undefined;
  if (part === "close entries") return text.split('"}, {"step').join('"}}, {"step');
  if (part === "open an entry") return /\}{4}, [^{]/.test(text) ? text.replace(/(\}{4}, )(?=[^{])/, "$1{") : undefined;
  if (verb === "insert")
    return words.reduce((made, word) => `${made.slice(0, -1)}${word}${made.at(-1)}`, beforeLast(""));
  if (verb === "drop") return text.slice(0, -1 - from!) + text.at(-1);
  if (part.startsWith("change the first"))
    return text.includes(braces(from!)) ? text.replace(braces(from!), braces(to!)) : undefined;
  if (verb === "change") return text.split(braces(from!)).join(braces(to!));
  const mark = `${braces({ A: 1, P: 2, C: 3 }[ladder])},`;
  return text.includes(mark) ? `${text.slice(0, text.lastIndexOf(mark) + mark.length - 1)}]` : undefined;
}

const runs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => `[{x${braces(count)}, {y${braces(count)}, z]`);
const others = [
  "[{x]}]",
  '[{"step": "1"}, {"step": "2"}, {"step": "3"}]',
  `[${braces(4)}, {${braces(4)}, x, ${braces(4)}, y]`,
  `[${braces(4)}, `,
  "[{x}, {y}}, {z}}}, end]",
];

it.each(["A", "P", "C"] as const)("each repair of ladder %s does what its name says", (ladder) => {
  for (const text of [...runs, ...others]) {
    const made = [...repairs(text, ladder)];
    for (const { name, text: repaired } of made) {
      const [first, ...parts] = name.split(", ");
      // How quotes are repaired is compared with the official program elsewhere.
      let expected =
        first === "change quotes" ? made.find((one) => one.name === first)!.text : done(first!, text, ladder);
      for (const part of parts) if (expected !== undefined) expected = done(part, expected, ladder);
      expect(repaired, `${name} of ${text}`).toBe(expected);
    }
  }
});

it("quotes of keys and values are repaired", () => {
  for (const ladder of ["A", "P", "C"] as const)
    expect([...repairs("[{'a': 'b'}]", ladder)].find(({ name }) => name === "change quotes")!.text).toBe(
      '[{"a": "b"}]',
    );
});

it("a character beyond the first 65,536 is removed whole, any other is one unit", () => {
  expect([drop("😀]", 1), drop("\u{10000}]", 1), drop("a\u{10000}]", 2)]).toEqual(["]", "]", "]"]);
  expect([drop("\uffffa]", 1), drop("a\uffff]", 1)]).toEqual(["\uffff]", "a]"]);
  expect([drop("]", 1), drop("]", 2), drop("ab]", 1)]).toEqual(["]", "]", "a]"]);
});

it("one to twelve spaces between two closing braces are removed", () => {
  const spaced = (count: number) => `}${" ".repeat(count)}}`;
  for (let count = 1; count <= 12; count++) expect(rewrite(spaced(count), "A")).toBe("}}");
  expect(rewrite(spaced(13), "A")).toBe(spaced(13));
});

it.each([
  ["C", "gpt", "[1}}}}, {2}}}, 3", "[1}}}}]"],
  ["C", "gpt", "[1}}}, 3", "[1}}}, 3]"],
  ["A", "gpt", "[1]", "[1]"],
  ["A", "gpt", "x] y", "x]"],
  ["A", "gpt", "a [b] [c] d", "[b] [c]"],
  ["A", "other", "[{}] [{}]", "[{}]"],
  ["A", "other", "[{1}] and [{2}", "[{1}]"],
  // A single list is kept whole even if a shorter one begins inside.
  ["A", "other", "[1, [{2}]", "[1, [{2}]"],
  ["A", "other", "[{[1]}] ]", "[{[1]}]"],
  ["A", "other", "[{1}]}][{2}]", "[{2}]"],
] as const)("ladder %s with parser %s reduces %s to %s", (ladder, mode, text, expected) => {
  expect(cut(text, ladder, mode)).toBe(expected);
});
