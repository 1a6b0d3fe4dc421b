/** Strategies, replies and scorers of no benchmark, for tests of the runner. */
import { ask } from "../../../source/engine/run/ask.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Chunk, ModelRequest, Score, Task } from "../../../source/engine/types.ts";

export const tasks = (count: number): Task[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, question: "", input: 0, answer: 0, facets: {} }));

/** Asks `requests` times and answers with the last reply. */
export const asking = (requests: number): Strategy => ({
  name: "direct",
  title: "Direct",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    let text = "";
    for (let index = 0; index < requests; index++) {
      const messages = [{ role: "user" as const, content: `${context.task.id}?` }];
      ({ text } = yield* ask(context, { role: "model", stage: "plan", messages }));
      yield { type: "answer", answer: text };
    }
  },
});

/** Asks with a tool, whatever comes. */
export const offering = (requests: number): Strategy => ({
  ...asking(requests),
  async *run(context) {
    const question = { role: "model", stage: "step", messages: [{ role: "user", content: "Find it" }] } as const;
    for (let index = 0; index < requests; index++) {
      const { text } = yield* ask(context, { ...question, tools: [{ name: "find", description: "", parameters: {} }] });
      yield { type: "answer", answer: text };
    }
  },
});

export type Reply = (request: ModelRequest) => AsyncIterable<Chunk>;
export const say = (text: string, input = 6, output = 4): Reply =>
  async function* () {
    yield { type: "text", text };
    yield { type: "usage", input, output, estimated: false };
    yield { type: "finish", reason: "stop" };
  };
export const fail = (problem: Error): Reply =>
  // oxlint-disable-next-line require-yield
  async function* () {
    throw problem;
  };
/** Says nothing until it is cut. */
export const silent: Reply = async function* ({ signal }) {
  yield { type: "text", text: "half" };
  signal.throwIfAborted();
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
};

export const right = (value: number | undefined): Score => ({ value, metrics: {}, checks: [], errors: [] });
export const scoring = (score: LoadedSuite["score"]) =>
  ({ suite: { revision: 1 }, warnings: [], asks: { stages: () => [] }, score }) as unknown as LoadedSuite;
export const answered = scoring((_, { answer }) => Promise.resolve(right(answer === undefined ? 0 : 1)));
