/** The official scorers' last resort against mixed quotes: ordered tables of literal replacements. */
import type { Ladder } from "./rewriting.ts";

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

export function quoted(text: string, ladder: Ladder): string {
  let result = text;
  for (const [from, to] of tables[ladder]) result = result.replaceAll(from, to);
  return result;
}
