/** Answer options in another order, under the same labels, with the answer key following its option. */
import { describe, expect, it } from "vitest";
import { reordered } from "../../../suites/own/data/answer-options.ts";
import type { QuestionTask } from "../../../suites/own/data/question.ts";

const task = (question: string, answer: string): QuestionTask => ({
  id: "1",
  question,
  answer,
  facets: {},
  input: { id: "1", question, answer, facets: {} },
});
const backwards = <Item>(items: readonly Item[]) => items.toReversed();
const after = (question: string, answer: string) => {
  const found = reordered(task(question, answer), backwards);
  expect(found?.input.question).toBe(found?.question);
  expect(found?.input.answer).toBe(found?.answer);
  return found && [found.question, found.answer];
};

describe("reordering of answer options", () => {
  it("moves the texts under the labels, and the answer's label together with its text", () => {
    expect(after("Which?\nA) x\nB) y\nC) z\nSay one.", "A")).toEqual(["Which?\nA) z\nB) y\nC) x\nSay one.", "C"]);
    expect(after("Which?\n(a) x\n(b) y", "(b)")).toEqual(["Which?\n(a) y\n(b) x", "(a)"]);
    expect(after("Which?\n  1. x\n  2. y", "2")).toEqual(["Which?\n  1. y\n  2. x", "1"]);
    expect(after("Which?\nA: x\nB: y", "b) y")).toEqual(["Which?\nA: y\nB: x", "A) y"]);
    expect(after("Which?\nA) x\nB) y\nC) z", "A|B")).toEqual(["Which?\nA) z\nB) y\nC) x", "C|B"]);
  });

  it("does not change an answer that is the text of an option", () => {
    expect(after("Which?\n1) 2\n2) 5", "5")).toEqual(["Which?\n1) 5\n2) 2", "5"]);
    expect(after("Which?\n1) 2\n2) 1", "2")).toEqual(["Which?\n1) 1\n2) 2", "2"]);
  });

  it("is undefined for a question without options, or if the options do not contain the answer", () => {
    expect(after("Which is A?", "A")).toBeUndefined();
    expect(after("Only\nA) one", "A")).toBeUndefined();
    expect(after("Labels\nA) x\nC) y", "A")).toBeUndefined();
    expect(after("Labels\nA) x\n\nB) y", "A")).toBeUndefined();
    expect(after("Do\n1. this\n2. that", "done")).toBeUndefined();
    expect(after("Do\nA. this\nB. that", "Another")).toBeUndefined();
  });

  it("reorders the first list of options", () => {
    expect(after("A) alone\nWhich?\nA) x\nB) y\nnot\nA) u\nB) v", "B")).toEqual([
      "A) alone\nWhich?\nA) y\nB) x\nnot\nA) u\nB) v",
      "A",
    ]);
  });
});
