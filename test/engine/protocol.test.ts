import { expect, test } from "vitest";
import { perfectReply, serves, viewOf, type LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { direct } from "../../source/engine/strategies/direct.ts";
import { react } from "../../source/engine/strategies/react.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Score, Task } from "../../source/engine/types.ts";

const task: Task = { id: "t", question: "1 + 1", input: {}, answer: "2", facets: {} };
const score: Score = { value: 1, metrics: {}, checks: [], errors: [] };
const bare = {
  suite: {} as LoadedSuite["suite"],
  warnings: [],
  tasks: () => Promise.resolve([task]),
  shots: () => [],
  score: () => Promise.resolve(score),
};

test("a suite that lists a strategy does not compile unless it can serve the strategy", () => {
  const right: Pick<Suite<"stages">, "strategies"> = { strategies: [direct] };
  // @ts-expect-error ReAct needs an environment, which this suite does not serve.
  const wrong: Pick<Suite<"stages">, "strategies"> = { strategies: [direct, react] };
  // @ts-expect-error A suite that declares an environment must serve it when it is opened.
  const empty: LoadedSuite<Task, "environment"> = { ...bare, asks: { stages: () => [] } };
  expect([...right.strategies, ...wrong.strategies].map(({ needs }) => needs)).toEqual([
    "stages",
    "stages",
    "environment",
  ]);
  expect(serves(empty, "environment")).toBe(false);
});

test("a suite without an oracle or a view gets both from its answer key", () => {
  const loaded: LoadedSuite = { ...bare, asks: { stages: () => [] } };
  const asked = { role: "model", stage: "answer", messages: [], tools: [], spec: {} as never } as const;
  expect(perfectReply(loaded, task, asked)).toEqual({ text: "2" });
  expect(viewOf(loaded, task, "3")).toEqual({
    reference: [{ title: "Answer", lines: ["2"], needs: [] }],
    plan: [{ title: "Answer", lines: ["3"], needs: [] }],
    matches: [[0, 0]],
  });
});
