import { expect, it } from "vitest";
import type { FormQuestion } from "../../../source/engine/benchmark.ts";
import { words } from "../../../suites/ultratool/ask/prompt-words.ts";
import { answerForm } from "../../../suites/ultratool/score/form.ts";

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
