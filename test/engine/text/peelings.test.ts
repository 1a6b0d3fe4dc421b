/** What each layer removes, and what it keeps. Whole replies are in `test/suites/dressed.test.ts`. */
import { expect, test } from "vitest";
import { linePeelings, peelings } from "../../../source/engine/text/peelings.ts";

/** The texts that the layers of this name produce from a text; none if they do not apply. */
const off = (name: string, text: string) => [
  ...new Set(
    linePeelings
      .filter((peeling) => peeling.name === name)
      .map(({ peel }) => peel(text))
      .filter((peeled) => peeled !== text),
  ),
];

test.each([
  ["code", "{'answer': '''[1]'''}", "[1]"],
  ["code", '{\n  "answer": "a\\nb",\n}', "a\nb"],
  ["code", 'final_answer(answer="x")', "x"],
  ["code", "const answer = `x`;", "x"],
  ["code", 'echo "x"', "x"],
  ["escapes", "\\[a\\_b\\] \\#\\~", "[a_b] #~"],
  ["leading words", "Sure \u2014 a", "a"],
  ["leading words", "First, a", "a"],
  ["leading words", "return a", "a"],
  ["code", "answer = '''\nx\n'''", "\nx\n"],
  ["code", 'answer\n"say ""yes"" now"', 'say "yes" now'],
  ["JSON", '{"step_1": "a", "step_2": "b"}', "a\nb"],
  ["JSON", '{"thought": "It fits.", "answer": ["a", "b"]}', "a\nb"],
  ["characters", "\u200Ea\u2011b\u00AD\u00A0c", "a-b c"],
  ["characters", "a\u2009b\u3000c\u2062", "a b c"],
  ["end token", "<|channel|>analysis<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>[1]", "[1]"],
  ["end token", "<|im_start|>assistant\n[1]<|im_end|>", "[1]"],
  ["end token", "[/INST]a</s>", "a"],
  ["end token", "a\n[END]", "a\n"],
  ["end token", "analysisSo.assistantfinala", "a"],
  ["bullets", "1\uFE0F\u20E3 a\n2\uFE0F\u20E3 b", "a\nb"],
  ["box", "$x$", "x"],
  ["leading words", "The answer to this question is: 200", "200"],
  ["leading words", "So my final answer: 200", "200"],
  ["leading words", "Thought: I know it.\nFinal Answer: 4\n5", "4\n5"],
  ["trailing prose", "a\nThat is it.\n", "a"],
  ["JSON", "['a', 'it\\'s b']", "a\nit's b"],
  ["JSON", '{"choices": [{"message": {"role": "assistant", "content": "a"}}]}', "a"],
  ["characters", "\u001B[1ma\u001B[0m", "a"],
  ["bullets", "\\item a\n\\item b", "a\nb"],
  ["numbers", "**Line 1**: a\n**Line 2**: b", "a\nb"],
  ["box", "{{ a }}", "a"],
  ["box", "[answer](a)", "a"],
  ["bold", "**a**.", "a"],
  ["leading words", "**ANSWER** a", "a"],
  ["leading words", "[Output]: a", "a"],
  ["leading words", "=> a", "a"],
  ["leading words", "[answer]\ntext = a", "a"],
])("the layer %s is removed from %j", (name, text, inside) => {
  expect(off(name, text)).toEqual([inside]);
});

test("the layer of tags removes several kinds of tags together, but keeps placeholders and fields", () => {
  expect(off("tags", '<?xml version="1.0"?>\n<a lang="en">x</a>')).toContain("x");
  expect(off("tags", "<function=answer>\n<parameter=text>\nx\n</parameter>\n</function>")).toContain("x");
  for (const text of ["at <time half an hour before>", "<<<domain>>>: Sound", "1 < 2 and 3 > 2"])
    expect(off("tags", text)).toEqual([]);
  expect(off("tags", "<answer><![CDATA[7]]></answer>")).toContain("7");
});

test("the layers of a wrapping keep whole sentences", () => {
  for (const text of [
    "It is called 'white' here.",
    "Note: 'a' and 'b'",
    "The plan B: take it",
    "The answer is 7.",
    "**Paris** is it",
    '{"a1": 1, "a2": 2}',
  ])
    for (const name of ["code", "JSON", "leading words", "end token", "box"]) expect(off(name, text)).toEqual([]);
});

test("long sequences of spaces and marks are parsed in linear time", () => {
  const many = 40_000;
  const texts = [" ".repeat(many), `[a]${"\n".repeat(many)}x`, `**a${" ".repeat(many)}x`, `<a ${" b".repeat(many)}`];
  for (const text of [...texts, `[a](${")".repeat(many)}x`, `{${"'".repeat(many)}`, `${"the ".repeat(many)}answer`])
    for (const { peel } of linePeelings) expect(peel(text).length).toBeLessThanOrEqual(text.length);
});

test("the list of layers removes single lines only in its longer form", () => {
  const without = (list: typeof peelings) =>
    list.map(({ peel }) => peel("Do this.\n[1]")).filter((text) => text === "[1]");
  // Both lists remove brackets.
  expect([without(peelings).length, without(linePeelings).length]).toEqual([1, 2]);
  expect(linePeelings.slice(0, peelings.length)).toEqual(peelings);
});
