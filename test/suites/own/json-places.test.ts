import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { JsonPlaces } from "../../../suites/own/data/json-places.ts";

const names = ["question", "é", "n"];

/** The values found in a line; undefined if it is left to `JSON.parse`. */
function found(text: string): Readonly<Record<string, readonly [string, string]>> | undefined {
  const bytes = Buffer.from(`{"n":1}\n${text}\n{"n":2}`);
  const places = new JsonPlaces(bytes);
  for (const name of [...names, "n"]) places.add(name);
  expect(places.names).toEqual(names);
  if (!places.read(8, 8 + Buffer.byteLength(text))) return undefined;
  const known = names.flatMap((name, at) => {
    const value = places.values[at];
    return value === undefined ? [] : [[name, [value, places.text(at)] as const] as const];
  });
  return Object.fromEntries(known);
}

/** The same values by `JSON.parse`. */
function parsed(text: string) {
  const entries = Object.entries(JSON.parse(text) as Record<string, string | number>);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value === "number") return [name, ["number", JSON.stringify(value)]];
      return [name, [value === "" ? "empty" : "text", value]];
    }),
  );
}

describe("positions of JSON values", () => {
  it.each([
    ['{"question":"Why?","n":12}', { question: ["text", "Why?"], n: ["number", "12"] }],
    ['{"n": -7, "question": ""}', { n: ["number", "-7"], question: ["empty", ""] }],
    ['{"é":"你好"}', { é: ["text", "你好"] }],
    ['{"n":0}', { n: ["number", "0"] }],
    ['{"n":123456789012345}', { n: ["number", "123456789012345"] }],
    ['{"n":0.25}', { n: ["number", "0.25"] }],
  ])("are found in %s", (text, expected) => {
    expect(found(text)).toEqual(expected);
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    '{"question":"a\\"b"}',
    '{"question":"a\tb"}',
    '{"question":"a',
    '{"question":"a"',
    '{"question":"a"} ',
    '{"question":"a"},',
    '{"question":"a","question":"b"}',
    '{"other":1}',
    '{"n":1e3}',
    '{"n":01}',
    '{"n":-0}',
    '{"n":-}',
    '{"n":1.}',
    '{"n":1.50}',
    '{"n":0.01}',
    '{"n":1234567890123456}',
    '{"n":true}',
    '{"n":[1]}',
    '{"n":1 }',
    '{"n" :1}',
    "{}",
    "[1]",
    "",
  ])("are found by `JSON.parse` in %j", (text) => {
    expect(found(text)).toBeUndefined();
  });

  it("give the same values as `JSON.parse` in 20,000 random lines", () => {
    const random = randomFrom("json");
    const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)]!;
    const values = ['"a"', '""', "0", "17", "-3", "2.5", "0.0", "1e2", '"\\n"', "null", "-", '"é"', "05", "{}"];
    let looked = 0;
    for (let round = 0; round < 20_000; round++) {
      const pairs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        return `${pick(['"question"', '"n"', '"é"', '"x"', "n"])}${pick([":", ":", ": "])}${pick(values)}`;
      });
      const text = `${pick(["{", "{", ""])}${pairs.join(pick([",", ", ", ",,"]))}${pick(["}", "}", ""])}`;
      const own = found(text);
      if (own === undefined) continue;
      expect([text, parsed(text)]).toEqual([text, own]);
      looked += 1;
    }
    expect(looked).toBeGreaterThan(1_000);
  });
});
