import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import { servedContext, type TaskContext } from "../../../source/engine/strategy.ts";
import type { Chunk, ModelRequest, Outcome, RunSpec, Step } from "../../../source/engine/types.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { askingStrategies } from "../../asking-strategies.ts";

/** Unsolicited replies of all kinds. */
const texts = [
  "",
  "{",
  "[]",
  '[{"Toolkit 0": 1}]',
  '[{"Toolkit 99999999999999999999": "x"}, {"__proto__": "y"}]',
  "[".repeat(5000),
  '[{"Toolkit 1": "a"}, {"Toolkit 1": "a"}, {"Toolkit 0": "b"}]',
  '{"met": false}',
  '[{"goal": 1, "api": "Finish", "expect": []}]',
  '[{"goal": "g", "api": "current_weather_for_skyline_weather", "expect": "e"}]',
  "\u0000\u001B[31m",
  "x".repeat(50_000),
];
const names = ["ghost", "", "__proto__", "Finish", "constructor"];
const inputs = [
  "",
  "{",
  "null",
  '{"city": "Vessin"}',
  '{"__proto__": {"a": 1}}',
  '{"city": {"a": []}}',
  '{"return_type": "give_answer"}',
  '{"return_type": "give_answer", "final_answer": {"a": 1}}',
  '{"api_call": "f("}',
];

function babble(random: () => number) {
  let number = 0;
  return async function* ({ tools = [] }: ModelRequest): AsyncIterable<Chunk> {
    const text = pick(texts, random);
    if (random() < 0.6 && text !== "") yield { type: "text", text };
    for (let count = Math.floor(random() * 4); count > 0; count--) {
      const name = random() < 0.7 && tools.length > 0 ? pick(tools, random).name : pick(names, random);
      yield { type: "call", call: { id: `c${number++}`, name, text: pick(inputs, random), arguments: undefined } };
    }
  };
}

describe("a model and a judge that reply with nonsense", () => {
  for (const [suite, split] of [
    [toolbench, "all"],
    [apibench, "torchhub"],
  ] as const) {
    for (const strategy of askingStrategies(suite)) {
      it(`cannot prevent ${strategy.name} on ${suite.name} from ending, or from being scored`, async () => {
        const loaded = await suite.open({ folder: sampleFolder(suite.name), data: "sample" });
        const tasks = await loaded.tasks(split);
        const kinds = new Set(suite.errorKinds.map(({ name }) => name));
        for (let seed = 0; seed < 12; seed++) {
          const random = randomFrom(`${seed} ${strategy.name}`);
          const task = tasks[seed % tasks.length]!;
          const options = { toolkits: seed % 2 === 0 ? "on" : "off", errors: "judge" };
          const spec = {
            strategy: strategy.name,
            options,
            budget: { task: { steps: 60 } },
            seed,
            trial: 1,
          } as unknown as RunSpec;
          let requests = 0;
          const stream = babble(random);
          const signal = new AbortController().signal;
          const model = (name: string) => ({ name, readsAnswerKey: false, stream });
          const context: TaskContext = {
            task,
            loaded,
            spec,
            shots: [],
            model,
            random,
            signal,
            nextRequest: () => requests++,
          };
          const steps: Step[] = [];
          for await (const step of strategy.run(servedContext(strategy, context))) steps.push(step);
          expect(requests).toBeLessThanOrEqual(90);
          const last = steps.findLast((step) => step.type === "answer");
          const outcome: Outcome = {
            answer: last?.type === "answer" ? last.answer : undefined,
            steps,
            failure: undefined,
          };
          const score = await loaded.score(task, outcome, { spec, signal, ask: async () => pick(texts, random) });
          expect(score.errors.every(({ kind }) => kinds.has(kind))).toBe(true);
        }
      });
    }
  }
});
