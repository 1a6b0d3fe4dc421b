import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { readingBytes } from "../../../suites/apibench/data/byte-core.ts";
import {
  extractCall,
  hubs,
  isStrictly,
  type Hub,
  listNodesSimply,
  matchCall,
  type ListNodes,
  type MatchKey,
} from "../../../suites/apibench/score/extraction.ts";
import { loadPythonGrammar } from "../../../suites/apibench/data/python-grammar.ts";
import { describePublished, sharedLines } from "../../shared.ts";

type Case = {
  id: string;
  hub: Hub;
  text: string;
  simple_rule_agrees: boolean;
  expected: {
    extracted: string | null;
    matched_index: number | null;
    matched_api_call: string | null;
    outcome: string;
  };
};

let listNodes: ListNodes;
beforeAll(async () => {
  listNodes = await loadPythonGrammar();
});

describePublished("calls in replies, compared with the official scripts", () => {
  const keys = new Map(
    hubs.map((hub) => [hub, sharedLines<MatchKey>("data", "apibench", "catalogue", `${hub}_match_keys.jsonl.gz`)]),
  );
  const cases = sharedLines<Case>("conformance", "toolplanner", "apibench_ast_cases.jsonl");

  it("are extracted and matched equally in all 252 cases", () => {
    expect(cases).toHaveLength(252);
    for (const { id, hub, text, expected } of cases) {
      const call = extractCall(text, hub);
      expect(call ?? null, id).toBe(expected.extracted);
      if (call === undefined) continue;
      expect(matchCall(listNodes(call), keys.get(hub)!), id).toBe(expected.matched_index);
    }
  });
});

describe("the Python grammar", () => {
  it("converts between byte and character offsets in texts with non-ASCII characters, of any length", () => {
    expect(listNodes("é('日本 🎈', x=1)").map(({ first }) => first)).toContain("é");
    const far = `${"# ü🎈 \n".repeat(1500)}f(1)`;
    expect(listNodes(far).filter(({ first }) => first === "f")).toEqual([{ text: "f(1)", first: "f" }]);
    expect(listNodes("\ud800(1)").at(0)?.text).toBe("\ufffd(1)");
  });

  it("is rejected if the parser's core has another version", async () => {
    const core = await readFile(createRequire(import.meta.url).resolve("web-tree-sitter/tree-sitter.wasm"));
    expect(readingBytes(core)).toHaveLength(core.length);
    expect(() => readingBytes(readingBytes(core))).toThrow(
      "Expected the parser's WebAssembly module to have 1 encodings, got 0",
    );
    expect(() => readingBytes(core.subarray(0, 9))).toThrow("complete WebAssembly module");
  });
});

describe("calls in hostile replies", () => {
  it("are extracted from any reply, even from an empty reply", () => {
    expect(extractCall("", "huggingface")).toBe("");
    expect(extractCall("api_call", "huggingface")).toBe("");
    expect(extractCall("no such field", "torchhub")).toBeUndefined();
    expect(extractCall("api_call: f(1)) api_provider: x)", "torchhub")).toBe("f(1))");
  });

  it("do not overflow the parser, however deeply they are nested", () => {
    const deep = `f(${"(".repeat(50_000)}`;
    expect(listNodes(deep).length).toBeGreaterThan(0);
    const chained = `f${"()".repeat(30_000)}`;
    expect(matchCall(listNodes(chained), [])).toBe(-1);
    expect(listNodesSimply(deep)).toEqual([]);
    expect(listNodesSimply("x = a.b(c(1)) and d(2)")).toEqual([{ first: "d", text: "d(2)" }]);
  });

  it("match nothing in an empty catalogue", () => {
    expect(matchCall([], [])).toBe(-1);
    expect(matchCall([{ text: "f()", first: "f" }], [])).toBe(-1);
  });
});

describe("a function that the reply calls twice", () => {
  const key = (needle: string): MatchKey => ({
    index: 0,
    usable: true,
    function: "load",
    needles: [needle],
    domain: "d",
    api_call: "load()",
  });
  const twice = () => listNodes("load('one', other('two'), load('three'))");

  it("is matched only by the call that the official traversal visits first", () => {
    const nodes = listNodes("f(load('one'), load('two'))");
    expect(nodes.filter(({ first }) => first === "load").map(({ text }) => text)).toEqual([
      "load('two')",
      "load('one')",
    ]);
    expect(matchCall(nodes, [key("two")])).toBe(0);
    expect(matchCall(nodes, [key("one")])).toBe(-1);
    expect(isStrictly(nodes, key("two"))).toBe(true);
    expect(isStrictly(nodes, key("one"))).toBe(false);
  });

  it("is matched by the last node if no call has the function", () => {
    const last = twice().at(-1)!.text;
    expect(last).not.toBe(twice()[0]!.text);
    expect(matchCall(twice(), [{ ...key("one"), function: "invented" }])).toBe(last.includes("one") ? 0 : -1);
    expect(matchCall(twice(), [{ ...key(last), function: "invented" }])).toBe(0);
  });
});

describe("the first entry of a catalogue that a reply matches", () => {
  const key = (index: number, name: string, ...needles: string[]): MatchKey => ({
    index,
    usable: index !== 4,
    function: name,
    needles,
    domain: "d",
    api_call: `${name}()`,
  });
  const keys = [
    key(0, "load", "resnet", "v2"),
    key(1, "make", "ab"),
    key(2, "load", "resnet"),
    key(3, "make", "bert-large"),
    key(4, "make", "bert"),
    key(5, "make", "bert"),
    key(6, "make", ""),
    key(7, "other", "vgg"),
  ];
  const nodes = (...texts: readonly (readonly [first: string, text: string])[]) =>
    texts.map(([first, text]) => ({ first, text }));

  it.each([
    ["all needles", nodes(["load", "load('resnet')"]), 2],
    ["needles in any order", nodes(["load", "load('v2', 'resnet')"]), 0],
    ["a needle of two characters", nodes(["x", "x('cab')"]), 1],
    ["the longer needle, which comes first", nodes(["x", "x('bert-large')"]), 3],
    ["no unusable entry", nodes(["x", "x('bert')"]), 5],
    ["an empty needle", nodes(["x", "x()"]), 6],
    ["the call of its own function, not the last one", nodes(["make", "make()"], ["x", "x('bert')"]), 6],
    ["the last call if its function is not called", nodes(["make", "make('ab')"], ["x", "x('resnet v2')"]), 0],
  ])("has %s", (_, given, index) => {
    expect(matchCall(given, keys)).toBe(index);
    const last = given.at(-1)!;
    const expected = keys.findIndex(({ usable, function: name, needles }) => {
      const { text } = given.find(({ first }) => first === name) ?? last;
      return usable && needles!.every((needle) => text.includes(needle));
    });
    expect(index).toBe(expected);
  });

  it("is found without looking for the needles of all entries", () => {
    const many = Array.from({ length: 900 }, (_, at) =>
      key(10, "make", `model-${at}/base`.padStart(20 + (at % 3), "x")),
    );
    const others = Array.from({ length: 900 }, (_, at) => key(10, "make", `${at}`.padStart(6, "0")));
    const includes = vi.spyOn(String.prototype, "includes");
    expect(matchCall(nodes(["x", "x('000007')"]), [...many, ...others])).toBe(907);
    expect(includes.mock.calls.length).toBeLessThan(910);
    includes.mockClear();
    expect(matchCall(nodes(["x", "x('lorem ipsum')"]), [...many, ...others])).toBe(-1);
    expect(includes).not.toHaveBeenCalled();
    includes.mockRestore();
  });
});
