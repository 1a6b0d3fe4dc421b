import { expect, it } from "vitest";
import { judgeMessages, verdictIn } from "../../../suites/own/score/judge.ts";
import type { Question } from "../../../suites/own/data/question.ts";

const asked = (answer: string) =>
  judgeMessages({ id: "1", question: "Which city?", answer, facets: {} } as unknown as Question, "Rome", "", {})
    .map(({ content }) => content)
    .join("\n");

it("the judge's prompt contains the expected answer only if the question has one", () => {
  expect(asked("Roma")).toContain("<expected>\nRoma\n</expected>");
  expect(asked("")).not.toContain("<expected>");
});

it("the verdict of a judge is the last verdict in its reply", () => {
  expect(verdictIn("Verdict: right? No.\n**Verdict:** wrong")).toBe("wrong");
  expect(verdictIn("It is right")).toBeUndefined();
});
