/** What each general layer removes, and what it keeps. Whole replies are in `test/suites/dressed.test.ts`. */
import { expect, test } from "vitest";
import { fewWords, frames, guesses, repetitions } from "../../../source/engine/log/rows/frames.ts";
import { linePeelings, type Peeling } from "../../../source/engine/text/peelings.ts";

const own = frames.slice(linePeelings.length);
const scored = [...guesses, ...repetitions];

/** The texts that the general layers of this name produce from a text; none if they do not apply. */
const off = (name: string, text: string, layers: readonly Peeling[] = own) => [
  ...new Set(
    layers
      .filter((frame) => frame.name === name)
      .map(({ peel }) => peel(text))
      .filter((peeled) => peeled !== text),
  ),
];

test.each([
  ["marks", "◁think▷So.◁/think▷a▁b", "<think>So.</think>a b"],
  ["marks", "a,\nb,", "a\nb"],
  ["tags", "My answer is <answer>a b</answer>. Good luck!", "a b"],
  [
    "tags",
    '<call><name>f</name><parameter name="x">a b c</parameter></call>',
    '<name>f</name><parameter name="x">a b c</parameter>',
  ],
  ["tags", "<think>So.</think>\na", "a"],
  ["box", "Thought: done\nAction: Finish[a, b]", "a, b"],
  ["box", "It is $\\boxed{a}$. I hope so.", "a"],
  ["box", "Call answer(a)", "a"],
  ["box", "\\[a\\]", "a"],
  ["box", "Finish[a [b] c]", "a [b] c"],
  ["tags", "<a>x</a><b>y</b> z\n", "z"],
  ["box", "\u3010a b\u3011", "a b"],
  ["box", "<!-- a -->\n<!-- b -->", "a\nb"],
  ["box", "(a)\n(b)", "a\nb"],
  ["tags", "Well: <co: 0>a b</co: 0>", "a b"],
  ["tags", "[THINK]So.[/THINK]a", "a"],
  ["bullets", "a\n\u21B3 b\n\u21B3 c", "a\nb\nc"],
  ["line endings", "A: [x] B: [y]", "A: [x]\nB: [y]"],
  ["line endings", "(a b) (c d)", "(a b)\n(c d)"],
  ["line endings", "1. go 1.1 look", "1. go\n1.1 look"],
  ["escapes", "it''s", "it's"],
  ["escapes", '\\"a\\"', '"a"'],
  ["quotes", "\u201Ca\u201D \u2018b\u2019", "\"a\" 'b'"],
  ["numbers", "#1 a\n#2 b", "a\nb"],
  ["numbers", "L1: a\nL2: b", "a\nb"],
  ["numbers", "Step A. a\nStep B. b", "a\nb"],
  ["numbers", "\u6B65\u9AA41\uFF1Aa", "a"],
  ["quotes", "‘a’", "a"],
  ["table", "|---|\n| a |", "a"],
  ["table", "| x |\n|---|\n| a |\n|---|\n| b |", "a\n---\nb"],
  ["JSON", `curl -d '{"a": {"b": 1}}' x`, '{"a": {"b": 1}}'],
  ["JSON", '{"name": "f", "arguments": {"a": 1}}', '{"a":1}'],
  ["table", "| Field | Value |\n|---|---|\n| Answer | a<br>b |", "a\nb"],
  ["JSON", "{answer: 'it\\'s\\na', n: 1,}", '{"answer": "it\'s\\na", "n": 1}'],
  ["JSON", '{\n// so\n"a": 1 /* b */}', '{\n\n"a": 1 }'],
  ["JSON", '[TOOL_CALLS][{"name": "f", "arguments": {"text": "a"}}]', "a"],
  ["JSON", '{"function": {"name": "f", "arguments": "{\\"text\\": \\"a\\"}"}}', "a"],
  ["JSON", '{"name": "f", "parameters": {"a": "x", "b": "y"}}', '{"a":"x","b":"y"}'],
  ["JSON", '{"step": 1, "text": "a\\tb"}\n{"step": 2, "text": "c"}', "a\tb\nc"],
  ["JSON", 'step,action\n1,"say ""a"""\n2,"b"', 'say "a"\nb'],
  ["JSON", `curl -d '{"answer": "a"}' x`, '{"answer": "a"}'],
  ["leading words", "__Final Answer__: a", "a"],
  ["leading words", "=> the plan **:** a", "a"],
  ["numbers", "(me) a\n(you) b", "a\nb"],
  ["numbers", "2025-01-01T00:00:01Z a\n2025-01-01T00:00:02Z b", "a\nb"],
  ["leading words", "answer = a", "a"],
  ["numbers", "[00:01] a\n[2] b", "a\nb"],
  ["numbers", "Step 1:\na\n### Step 2\nb", "a\nb"],
  ["numbers", "① a\n② b", "a\nb"],
  ["numbers", "First: a\nNext: b", "a\nb"],
  ["trailing words", "a  # one\nb – two", "a\nb"],
  ["trailing words", "a Hope that helps!", "a"],
  ["trailing words", "a feel free to ask", "a"],
  ["bold", "**a** b", "a b"],
  ["box", "[a: [b]]", "a: [b]"],
  ["marks", "<<< a", "a"],
  ["marks", "a\u258C", "a"],
  ["marks", "a >>>", "a "],
  ["table", "<tr><td>1</td> <td x>a</td></tr>", "<tr><td>1\ta</td></tr>"],
  ["numbers", "1\u3001a\n2\uFF1Ab", "a\nb"],
  ["numbers", "1 - a\n2 \u2013 b", "a\nb"],
  ["numbers", "Step one: a\nStep two: b", "a\nb"],
  ["leading words", "\u7B54\uFF1A\u300Ca", "a"],
  ["leading words", "Answer -> a", "a"],
  ["marks", "> a\nb", "a\nb"],
  ["marks", "a\u00B9", "a"],
  ["marks", "a (\uFF3E\u25BD\uFF3E)", "a"],
  ["marks", "a ...\nb ...", "a\nb"],
  ["numbers", "First, a\nAfter that, b", "a\nb"],
  ["JSON", '{"steps": [{"step": 1, "text": "a b"}, {"step": 2, "text": "c d"}]}', "a b\nc d"],
  ["JSON", '[{"a": "x"}, {"a": "y"}]', "x\ny"],
])("the general layer %s is removed from %j", (name, text, inside) => {
  expect(off(name, text)).toContain(inside);
});

test.each([
  ["leading words", "Great question! a", "a"],
  ["leading words", "So **the answer is:** a", "a"],
  ["leading words", "\u597D\u7684\uFF1Aa", "a"],
  ["trailing words", "a I hope so.", "a"],
  ["trailing words", "a. that is all!", "a."],
  ["JSON", '{"step": 1, "text": "a b"}', "a b"],
  ["JSON", '[{"text": "a long one"}, 7]', "a long one"],
  ["JSON", '[{"text": "a long one"}, 7]', "7"],
  ["JSON", '["", "b", "a long one", "d"]', "b"],
  ["JSON", '{"text": "a", "why": "a long one", "n": 7}', "a"],
  ["leading prose", "x\na\nb", "a\nb"],
  ["trailing prose", "a\nb\nx", "a\nb"],
  ["quotes", 'I say "a" to it', "a"],
  ["quotes", "I say `a`, which is right", "a"],
  ["repetition", "a\nb\n\na\n b", "a\nb"],
  ["repetition", "a\nb\n\na\nb\n\na\nb", "a\nb"],
  ["repetition", "a\n".repeat(9), "a"],
])("the layer %s of scored answers is removed from %j", (name, text, inside) => {
  expect(off(name, text, scored)).toContain(inside);
});

test("between one and eight words are removed before or behind a text, or each of its lines", () => {
  const words = "1 2 3 4 5 6 7 8 9 10";
  expect(off("leading words", words, fewWords).at(0)).toBe("2 3 4 5 6 7 8 9 10");
  expect(off("leading words", words, fewWords).at(-1)).toBe("9 10");
  expect(off("trailing words", words, fewWords).at(-1)).toBe("1 2");
  expect(off("leading words", "a b\nc d", fewWords)).toEqual(["b\nc d", "b\nd"]);
  expect(off("trailing words", "a b\nc d", fewWords)).toEqual(["a b\nc", "a\nc"]);
  expect(off("leading words", "a", fewWords)).toEqual([]);
});

test("other words, more than nine copies, and digits beside a hyphen are kept", () => {
  expect(off("repetition", "a\nb\na\nc", scored)).toEqual([]);
  expect(off("repetition", "a\n".repeat(11), scored)).toEqual([]);
  expect(off("numbers", "12-3")).toEqual([]);
});

test("a word with a comma is part of an answer of one line", () => {
  expect(off("numbers", "Paris, Rome")).toEqual([]);
});

test("texts without the layers of scored answers are kept", () => {
  for (const text of ["a b", "a", "1.5", "[]", "it's"]) for (const { peel } of scored) expect(peel(text)).toBe(text);
});

test("texts without these layers are kept", () => {
  const texts = [
    "It is (perhaps) so",
    "a b\nc: d",
    "Rome, Paris",
    '"a" and b\nc\nd',
    "a) f(b",
    "f(b and c",
    "1 < 2",
    "{not JSON",
    "7",
    "12 a",
  ];
  for (const text of texts) for (const { peel } of own) expect(peel(text)).toBe(text);
});

test("a call ends the text but for a few words", () => {
  expect(off("box", `Finish[a]${" x".repeat(29)}`)).toEqual(["a"]);
  expect(off("box", `Finish[a]${" x".repeat(29)}y`)).toEqual([]);
});

test("only the first fifty tags are followed", () => {
  const many = (count: number) => `${"<b>".repeat(count)}<a>inside</a>`;
  expect(off("tags", many(49))).toContain("inside");
  expect(off("tags", many(50))).not.toContain("inside");
});

test("the layers end at the lengths of marks that no answer has", () => {
  const closing = (length: number) => `<t>b</t${" ".repeat(length - 3)}>a`;
  expect([off("tags", closing(30)), off("tags", closing(31))]).toEqual([["a"], []]);
  const head = (length: number) => `Step 1${".".repeat(length - 6)}\na`;
  // A line head has at most five signs behind its number.
  expect([off("numbers", head(11)), off("numbers", head(12))]).toEqual([["a"], []]);
  const rule = (length: number) => `| x |\n|${"-".repeat(length - 2)}|\n| 1 | a |`;
  expect([off("table", rule(199)), off("table", rule(200))]).toEqual([["a"], []]);
  const time = (length: number) => `${"1".repeat(length)} a`;
  expect([7, 8, 30, 31].map((length) => off("numbers", time(length)).length)).toEqual([0, 1, 1, 0]);
});

test("strings at the ends of lines are the answer if half of the lines have one, and the longest pair of tags is", () => {
  expect(off("JSON", '1,"a"\n2')).toEqual(["a"]);
  expect(off("JSON", '1,"a"\n2\n3')).toEqual([]);
  expect(off("JSON", "1\n2")).toEqual([]);
  expect(off("tags", "<a>xx</a><b>yy</b>")).toContain("xx");
  expect(off("JSON", '{"arguments": {"a": "x"}, "input": {"b": "y"}}')).toContain("x");
  expect(off("JSON", '[{"arguments": {"a": "x"}}, {}]')).toEqual([]);
});

test("long data that is not strict JSON is not read", () => {
  const data = (length: number) => `{a: '${"x".repeat(100)}', b: ${" ".repeat(length - 113)}1}`;
  expect([data(20_000).length, data(20_001).length]).toEqual([20_000, 20_001]);
  expect([off("JSON", data(20_000)).length, off("JSON", data(20_001)).length]).toEqual([1, 0]);
  const line = (length: number) => `${"x".repeat(length - 3)}"a"`;
  expect([off("JSON", line(20_000)), off("JSON", line(20_001))]).toEqual([["a"], []]);
});

test("the layers of hostile texts are removed in linear time", () => {
  const many = 40_000;
  const parts = [" ", "[", "(", "<a>", "</", "| ", "|-", '"', '\\"', "'", "/*", "**", "1.", "a:", ",", "①", "— ", "# "];
  for (const part of parts)
    for (const text of [`x${part.repeat(many)}x`, `{${part.repeat(4_000)}`])
      for (const { peel } of [...own, ...scored, ...fewWords])
        expect(peel(text).length).toBeLessThanOrEqual(text.length * 3);
});
