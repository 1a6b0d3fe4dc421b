/** Rewriting, cutting and repairing, one rule at a time; and the strict parser for comparison. */
import { describe, expect, test } from "vitest";
import { pythonInt } from "../../../suites/ultratool/score/awareness.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { formOf, readOfficial, readStrict } from "../../../suites/ultratool/score/reading.ts";
import { cut, rewrite } from "../../../suites/ultratool/score/rewriting.ts";
import { drop, insert } from "../../../suites/ultratool/score/repair.ts";

describe("rewriting of an answer", () => {
  test.each([
    ["A", "```json\n[1]\n```", "[1]"],
    ["A", "输出：[true, false, null, None]", '[True, False, "null", "None"]'],
    ["C", "[null, None]", '["null", None]'],
    ["A", String.raw`a\_b，c`, "a_b,c"],
    ["C", String.raw`a\_b，c`, "a_b，c"],
    ["A", '{"a": 1}, "step": 2}# ...', '{"a": 1}, {"step": 2}'],
    ["P", "[{}{}]", "[{}, {}]"],
    ["A", "[{}{}]", "[{}{}]"],
    ["C", "f({1})", "f({1}"],
    ["A", "} } }   }            }", "}} }}}"],
  ] as const)("%s: %s", (ladder, text, expected) => {
    expect(rewrite(text, ladder)).toBe(expected);
  });

  test("changes text inside strings, which makes valid answers unreadable", () => {
    const answer = '[{"step": "1.1 Postscript: None", "tool": "0"}]';
    expect(readOfficial(answer, "A", "gpt").ok).toBe(false);
    expect(readStrict(answer, "A")).toBeDefined();
    expect(formOf(answer, readOfficial(answer, "A", "gpt"))).toBe("json");
  });
});

describe("truncation of an answer", () => {
  test.each([
    ["A", "gpt", "Here: [1] done", "[1]"],
    ["A", "gpt", "[{'a': 1}, {'b': 2", "[{'a': 1}]"],
    ["P", "gpt", "[{'a': {}}, {'b': 2", "[{'a': {}}]"],
    ["A", "gpt", "[1, 2", "[1, 2]"],
    ["A", "gpt", "no list", "no list"],
    ["A", "other", "[1] and [{2}] or [{3}] end]", "[{3}]"],
    ["A", "gpt", "[1] and [{2}] or [{3}] end]", "[1] and [{2}] or [{3}] end]"],
    ["A", "other", "[1] and [2]", "[1]"],
    ["A", "other", "[{[{}]", "[{[{}]"],
  ] as const)("%s %s: %s", (ladder, mode, text, expected) => {
    expect(cut(text, ladder, mode)).toBe(expected);
  });
});

describe("repairs of an answer", () => {
  test("are tried in order, and the first successful repair is reported", () => {
    const read = (text: string, ladder: "A" | "P" | "C") => {
      const { value, repair, attempts } = readOfficial(text, ladder, "gpt");
      return [pythonRepr(value), repair, attempts];
    };
    expect(read("[{'a': '1'}]", "A")).toEqual(["[{'a': '1'}]", "as is", 1]);
    expect(read("[{'a': '1']", "A")).toEqual(["[{'a': '1'}]", "insert }", 2]);
    expect(read('[{"a": "1]', "A")).toEqual(["[{'a': '1'}]", 'insert "}', 3]);
    expect(read("[{'a': {'b': '1']", "P")).toEqual(["[{'a': {'b': '1'}}]", "insert }}", 3]);
    expect(read("[{'a': {'b': {'c': {'d': 1]", "C")).toEqual(["[{'a': {'b': {'c': {'d': 1}}}}]", "insert }}}}", 5]);
    expect(read("nothing", "A")).toEqual(["[]", "failed", 4]);
  });

  test("insert and remove characters before the last character, counted in code points", () => {
    expect(insert("ab]", "}")).toBe("ab}]");
    expect(drop("ab😀]", 1)).toBe("ab]");
    expect(drop("a]", 2)).toBe("]");
    expect([insert("", "}"), drop("", 1)]).toEqual(["}", ""]);
  });
});

test.each([
  ["[1]", "json"],
  ["```json\n[1]\n```", "fenced json"],
  ["```\n[\n1]\n``` as asked", "fenced json"],
  ["Here:\n[1]```", "python"],
  ["[{'a': 1}]", "python"],
  ["[{'a': 1", "repaired"],
  ["nothing", "unreadable"],
  ["```\n[1]", "python"],
])("the answer %j is written as %s", (answer, form) => {
  expect(formOf(answer, readOfficial(answer, "A", "gpt"))).toBe(form);
});

test("an answer that fails at the same first characters is not parsed again", () => {
  const work = (answer: string) => {
    const { work: characters, attempts } = readOfficial(answer, "A", "gpt");
    return [characters, attempts];
  };
  // The parser looks at two characters behind the first brace: it must see them before an answer can be given up.
  expect(work("}")).toEqual([7, 4]);
  expect(work("}}")).toEqual([6, 4]);
  expect(work("}}}")).toEqual([3, 4]);
  expect(work("[x]")).toEqual([12, 4]);
  expect(work("[1]")).toEqual([3, 1]);
});

describe("the strict parser of answers", () => {
  test("accepts only plain JSON of the asked shape", () => {
    const one = '[{"step": "1.1 a", "tool": "1"}]';
    expect(readStrict(one, "A")).toBeDefined();
    expect(readStrict(` ${one}\n`, "A")).toBeDefined();
    for (const other of [
      `\`\`\`\n${one}\n\`\`\``,
      one.replaceAll('"', "'"),
      `${one}.`,
      one.slice(0, -1),
      "{}",
      '[{"step": 1}]',
      "[1]",
    ])
      expect(readStrict(other, "A"), other).toBeUndefined();
    expect(readStrict(one, "P")).toBeUndefined();
    expect(readStrict('[{"step": "1.1 a", "tool": "t", "param": {}}]', "P")).toBeDefined();
    expect(readStrict(one, "C")).toBeUndefined();
    expect(readStrict('[{"step": "1.1 a", "tool": {}}]', "C")).toBeDefined();
    expect(readStrict('[{"step": "1.1 a", "tool": "1"}, 1]', "A")).toBeUndefined();
    expect(readStrict('[{"step": "1.1 a", "tool": 1, "param": {}}]', "P")).toBeUndefined();
    // JSON, but nested more deeply than Python reads.
    expect(readStrict(`${"[".repeat(300)}${"]".repeat(300)}`, "A")).toBeUndefined();
  });

  test("keeps floats as floats, large integers exact, and surrogate pairs joined", () => {
    const answer = String.raw`[{"step": "1.1", "tool": "t", "param": {"a": 5.0, "b": 12345678901234567890, "c": "\ud83d\ude00\/", "d": [true, null]}}]`;
    expect(pythonRepr(readStrict(answer, "P")!)).toContain(
      "{'a': 5.0, 'b': 12345678901234567890, 'c': '😀/', 'd': [True, None]}",
    );
  });
});

test("flags are read as whole numbers as by Python's int", () => {
  const flags = ["1", " 0 ", "+1", "-1", "01", "1_0", "１", "٣", true, 1.9, "1.0", "yes", "", "1__0", "_1", null];
  expect(flags.map((flag) => pythonInt(typeof flag === "number" ? { kind: "float", value: flag } : flag))).toEqual(
    [1, 0, 1, -1, 1, 10, 1, 3, 1, 1, "", "", "", "", "", ""].map((value) => (value === "" ? undefined : value)),
  );
  // Some scripts' digits follow directly on those of another.
  expect(["𝟎", "𝟗", "𝟘", "𝟡", "𝟿𝟶", "٠", "９"].map(pythonInt)).toEqual([0, 9, 0, 9, 90, 0, 9]);
  expect([pythonInt("1".padStart(4300, "0")), pythonInt("1".padStart(4301, "0"))]).toEqual([1, undefined]);
  expect([pythonInt([1]), pythonInt(12n), pythonInt({ kind: "float", value: Infinity })]).toEqual([
    undefined,
    12,
    undefined,
  ]);
});
