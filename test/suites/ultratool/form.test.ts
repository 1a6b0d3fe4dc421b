import { expect, it } from "vitest";
import type { FormQuestion } from "../../../source/engine/benchmark.ts";
import { words } from "../../../suites/ultratool/ask/prompt-words.ts";
import { answerForm, answerFormName } from "../../../suites/ultratool/score/form.ts";

it("UltraTool accepts a list of one step as an answer, but not an empty list", () => {
  const asked = {
    facets: { aspect: "tool_usage_awareness", language: "en" },
    spec: { strategy: "direct", options: {} },
  } as unknown as FormQuestion;
  expect(answerForm("[{'step': '1.1 look', 'tool': '1'}]", asked)).toMatchObject({ extent: "closed" });
  expect(answerForm("[]", asked)).toBeUndefined();
});

it("the answer comes after the thoughts if the strategy requests thoughts, otherwise it is the whole reply", () => {
  const asked = (strategy: string) =>
    ({
      facets: { aspect: "tool_usage_awareness", language: "en" },
      spec: { strategy, options: {} },
    }) as unknown as FormQuestion;
  const list = "[{'step': '1.1 look', 'tool': '1'}]";
  expect(answerForm(`I look. ${words.en.output} ${list}`, asked("cot"))).toMatchObject({ got: list, extent: "closed" });
  expect(answerForm(`${list} ${words.en.output}`, asked("direct"))).toMatchObject({ got: list });
  expect(answerForm(`${list} ${words.en.output}`, asked("cot"))).toBeUndefined();
});

it("a plan has its form if all of its lines are steps, and none of them share a line", () => {
  const asked = { facets: { aspect: "planning", language: "en" }, spec: { strategy: "direct", options: {} } };
  const read = (text: string) => {
    const { extent, parts } = answerForm(text, asked as unknown as FormQuestion)!;
    return [extent, parts];
  };
  expect(read("1. go\n1.1 look")).toEqual(["open", 2]);
  expect(read("1. go\n1.1 look\nnow")).toEqual(["part", 2]);
  expect(read("1. go\nnow")).toEqual(["part", 1]);
  // Numbered headings have numbers of steps, too.
  expect(read("1. Plan\n2. Steps\n1. go\n2. look\n2.1 stop")).toEqual(["open", 3]);
  expect(read("1. go 1.1 look")).toEqual(["part", 1]);
  expect(read("1. go 1.1 look\n2. stop")).toEqual(["part", 2]);
});

it("a list is complete only if it is closed and most of its entries are steps", () => {
  const asked = {
    facets: { aspect: "tool_usage_awareness", language: "en" },
    spec: { strategy: "direct", options: {} },
  };
  const read = (text: string) => answerForm(text, asked as unknown as FormQuestion)?.extent;
  expect(read('[{"step": "1"}, {"step": "2"}, {"tool": "1"}]')).toBe("closed");
  expect(read('[{"step": "1"}, {"tool": "1"}]')).toBe("part");
  expect(read('["step"]')).toBe("part");
  expect(read('[{"step": "1", "tool": ["a"]}]')).toBe("closed");
  expect(read("[{'step': '1', 'tool': ['a']}]")).toBe("closed");
  expect(read('[{"step": "1"}], as asked')).toBe("closed");
  expect([read("{'step': '1'}"), read("nothing")]).toEqual([undefined, undefined]);
  expect(read('[{"step": "1"}, {"step": "2"}')).toBe("part");
});

it("the last list of a reply is the answer only for the parser of other models", () => {
  const asked = (parser?: string) => ({
    facets: { aspect: "tool_usage_awareness", language: "en" },
    spec: { strategy: "direct", options: { ...(parser && { parser }) } },
  });
  const got = (parser?: string) =>
    answerForm("[{'step': '1'}] or [{'step': '2'}]", asked(parser) as unknown as FormQuestion)?.got;
  expect([got("other"), got("gpt"), got()]).toEqual(["[{'step': '2'}]", undefined, undefined]);
});

it("an answer without a known aspect has the form of a plan", () => {
  const asked = (aspect?: string) =>
    ({
      facets: { language: "en", ...(aspect && { aspect }) },
      spec: { strategy: "direct", options: {} },
    }) as unknown as FormQuestion;
  for (const aspect of [undefined, "planning", "another"])
    expect(answerForm("1. go", asked(aspect))).toEqual({ got: "1. go", extent: "open", parts: 1 });
  expect([undefined, "planning", "tool_usage"].map((aspect) => answerFormName(asked(aspect)))).toEqual([
    "numbered steps, one per line",
    "numbered steps, one per line",
    "a list in JSON of objects with `step`",
  ]);
});
