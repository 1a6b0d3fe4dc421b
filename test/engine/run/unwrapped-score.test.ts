/** The second score of an answer: of what is inside its wrapping. */
import { expect, it } from "vitest";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { scoredTwice } from "../../../source/engine/run/unwrapped-score.ts";
import type { Outcome, Score, Task } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

/** Scores a text against `right`; counts the scored texts. */
function suiteOf(right: string, value = (text: string): number | undefined => (text === right ? 1 : 0)) {
  const scored: string[] = [];
  const score = (_: Task, { answer }: Outcome): Score => {
    scored.push(String(answer));
    return { value: value(String(answer)), metrics: {}, checks: [], errors: [] };
  };
  const form = (text: string) =>
    text.includes("\n") || text.trim() === "" ? undefined : { got: text.trim(), extent: "open" as const };
  return { loaded: { suite: { form }, score } as unknown as LoadedSuite, scored };
}

const scoreOf = ({ loaded }: ReturnType<typeof suiteOf>, answer: string) => {
  const outcome: Outcome = { answer, steps: [], failure: undefined };
  const task = { id: "t", facets: {}, question: "?" } as unknown as Task;
  return scoredTwice(loaded, task, outcome, { spec: bareSpec("made"), signal: new AbortController().signal });
};

it("is that inside a named layer, whatever its value", async () => {
  expect((await scoreOf(suiteOf("Rome"), "**Rome**")).metrics).toEqual({ unwrapped: 1 });
  expect((await scoreOf(suiteOf("Rome"), "**Paris**")).metrics).toEqual({ unwrapped: 0 });
});

it("is that inside other layers only if it is higher than the first score", async () => {
  expect((await scoreOf(suiteOf("Rome"), "What a question! Rome")).metrics).toEqual({ unwrapped: 1 });
  expect((await scoreOf(suiteOf("Rome"), "What a question! Paris")).metrics).toEqual({});
  expect(
    (
      await scoreOf(
        suiteOf("Rome", () => 0.5),
        "What a question! Rome",
      )
    ).metrics,
  ).toEqual({});
});

it("is not computed for a right answer, and is absent if only a judge could score the answer", async () => {
  const right = suiteOf("What a question! Rome");
  expect((await scoreOf(right, "What a question! Rome")).metrics).toEqual({});
  expect(right.scored).toHaveLength(1);
  const judged = suiteOf("Rome", (text) => (text === "What a question! Rome" ? 0 : undefined));
  expect((await scoreOf(judged, "What a question! Rome")).metrics).toEqual({});
  expect(judged.scored).toHaveLength(2);
});

it("is the highest of all answers inside a wrapping", async () => {
  const values: Record<string, number> = { "**b**": 0.2, b: 0.6 };
  const suite = suiteOf("", (text) => values[text] ?? 0);
  expect((await scoreOf(suite, "> **b**")).metrics).toEqual({ unwrapped: 0.6 });
});

it("needs at most sixteen scores for named layers, as many for others, and none after a right answer", async () => {
  const suite = suiteOf("Rome");
  const words = Array.from({ length: 40 }, (_, at) => `w${at}!`).join(" ");
  await scoreOf(suite, words);
  expect(suite.scored).toHaveLength(17);
  const right = suiteOf("Rome");
  await scoreOf(right, "**Rome**");
  expect(right.scored).toEqual(["**Rome**", "Rome"]);
});
