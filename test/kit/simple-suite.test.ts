import { describe, expect, it, test } from "vitest";
import { verdictOf } from "../../source/engine/log/rows/verdict.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import type { Outcome, RunSpec } from "../../source/engine/types.ts";
import { meanMeasure, simpleSuite } from "../../source/kit.ts";
import { bareSpec } from "../bare-spec.ts";

const spec: RunSpec = bareSpec("sums");
const loud: RunSpec = { ...spec, options: { loud: "on" } };
const signal = new AbortController().signal;
const tasks = [
  { id: "a", question: "1 + 1", answer: "2", facets: { digits: 1 } },
  { id: "b", question: "11 + 11", answer: "22", facets: { digits: 2, even: "yes" } },
  { id: "c", question: "5 + 5", answer: "10" },
];
const sums = simpleSuite({
  name: "sums",
  tasks,
  prompt: (task) => `Answer with the number only: ${task.question}`,
  score: (task, reply) => reply.trim() === task.answer,
});
const answered = (reply: string): Outcome => ({ answer: { output: reply, stages: {} }, steps: [], failure: undefined });
const open = (suite = sums) => suite.open({ folder: "", data: "own" });

/** The score of a reply to the first task. */
async function scoreOf(reply: string, score: Parameters<typeof simpleSuite>[0]["score"]) {
  const loaded = await open(simpleSuite({ name: "s", tasks, prompt: () => "", score }));
  const [task] = await loaded.tasks("all");
  return loaded.score(task!, answered(reply), { spec, signal });
}

describe("a simple suite of eight lines", () => {
  test("has the facets of its tasks", () => {
    expect(sums.facets.map(({ name }) => name)).toEqual(["digits", "even"]);
  });

  test("sends one request, and with a chain of thought asks for a last line with the answer", async () => {
    const loaded = await open();
    const [task, ...others] = await loaded.tasks("all");
    const [stage] = loaded.asks.stages(task!, spec, []);
    expect(stage!.messages([], "none")).toEqual([{ role: "user", content: "Answer with the number only: 1 + 1" }]);
    expect(stage!.answer!("So: 1. Answer: 2", "none")).toBe("So: 1. Answer: 2");
    expect(stage!.messages([], "steps")[0]!.content).toMatch(/1 \+ 1\n\nThink step by step.*`Answer:`/);
    expect(stage!.answer!("So: 1. Answer: 2", "steps")).toBe("2");
    const [shown] = loaded.asks.stages(task!, spec, others.slice(0, 1));
    expect(shown!.messages([], "steps").map(({ content }) => content)).toEqual([
      "Answer with the number only: 11 + 11",
      "Answer: 22",
      expect.stringContaining("1 + 1\n\nThink"),
    ]);
  });

  test("publishes a prompt that is a template, which a run may replace", async () => {
    const suite = simpleSuite({ name: "s", tasks, prompt: "Sum: {{question}} ({{id}})", score: () => true });
    expect(suite.prompts).toMatchObject([{ name: "answer", role: "model", text: "Sum: {{question}} ({{id}})" }]);
    const loaded = await open(suite);
    const [task, shot] = await loaded.tasks("all");
    const asked = (own: RunSpec, shots = [shot!]) =>
      loaded.asks
        .stages(task!, own, shots)[0]!
        .messages([], "none")
        .map(({ content }) => content);
    expect(asked(spec)).toEqual(["Sum: 11 + 11 (b)", "22", "Sum: 1 + 1 (a)"]);
    expect(asked({ ...spec, prompts: { answer: "{{question}}=" } }, [])).toEqual(["1 + 1="]);
  });

  test("sends messages as given, with demonstrations after the system message", async () => {
    const loaded = await open(
      simpleSuite({
        name: "s",
        tasks,
        prompt: ({ question }) => [
          { role: "system", content: "Be short" },
          { role: "user", content: question },
          { role: "assistant", content: "Hm" },
        ],
        score: () => true,
      }),
    );
    const [task, shot] = await loaded.tasks("all");
    const [stage] = loaded.asks.stages(task!, spec, [shot!]);
    const messages = stage!.messages([], "steps").map(({ role, content }) => `${role}: ${content}`);
    expect(messages.slice(0, 6)).toEqual([
      "system: Be short",
      "user: 11 + 11",
      "assistant: Hm",
      "assistant: Answer: 22",
      "user: 1 + 1",
      "assistant: Hm",
    ]);
    expect(messages[6]).toMatch(/^user: Think step by step/);
  });

  test("draws demonstrations from the other tasks", async () => {
    const loaded = await open();
    const all = await loaded.tasks("all");
    expect(
      loaded
        .shots(all[0]!, 5, all, randomFrom(1))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["b", "c"]);
  });
});

describe("the value of a simple suite's score function", () => {
  test("can be true or false", async () => {
    const right = await scoreOf("2", (task, reply) => reply === task.answer);
    expect([right.value, verdictOf(right), right.errors]).toEqual([1, "right", []]);
    const wrong = await scoreOf("3", async (task, reply) => reply === task.answer);
    expect(wrong).toMatchObject({ value: 0, metrics: { score: 0 } });
    expect(wrong.errors).toEqual([{ kind: "wrong-answer", expected: "2", got: "3" }]);
    expect((await scoreOf(" ", () => false)).errors).toMatchObject([{ kind: "no-answer" }]);
  });

  test("is accepted only as a number from 0 to 1", async () => {
    expect(await scoreOf("x", () => 0.5)).toMatchObject({ value: 0.5, metrics: { score: 0.5 } });
    for (const value of [1.5, -0.1, Number.NaN])
      await expect(scoreOf("x", () => value)).rejects.toThrow("task `a` to be true, false or a number from 0 to 1");
  });

  test("can be a score with defaults for missing fields, or undefined if it cannot be computed", async () => {
    const partial = await scoreOf("x", () => ({ value: 0.8, rightFrom: 0.7, metrics: { f1: 0.8 } }));
    expect(partial).toMatchObject({ value: 0.8, metrics: { score: 0.8, f1: 0.8 }, checks: [], errors: [] });
    expect(verdictOf(partial)).toBe("right");
    const unscored = await scoreOf("x", () => ({ value: undefined, labels: { judge: "away" } }));
    expect(unscored).toEqual({ value: undefined, metrics: {}, checks: [], errors: [], labels: { judge: "away" } });
  });
});

describe("the built-in models of a simple suite", () => {
  test("answer right, or wrong with the requested mistake", async () => {
    const loaded = await open();
    const [task] = await loaded.tasks("all");
    const asked = { role: "model", stage: "answer", messages: [], tools: [], spec } as const;
    expect(loaded.oracle!(task!, asked)).toEqual({ text: "2" });
    const { text } = loaded.fault!(task!, asked, "wrong", randomFrom(1))!;
    expect((await loaded.score(task!, answered(text), { spec, signal })).value).toBe(0);
    const lenient = await open(simpleSuite({ name: "s", tasks, prompt: () => "", score: () => 1 }));
    expect(lenient.fault!((await lenient.tasks("all"))[0]!, asked, "wrong", randomFrom(1))).toBeUndefined();
  });
});

describe("the tasks of a simple suite", () => {
  test("can come from a function, and are known once the function has resolved", async () => {
    let calls = 0;
    const suite = simpleSuite({
      name: "s",
      tasks: async () => {
        calls += 1;
        return tasks;
      },
      prompt: () => "",
      score: () => true,
    });
    expect(suite.facets).toEqual([]);
    await expect(open(suite)).rejects.toThrow("Expected `ready` to be called before the tasks of `s` are used");
    await suite.ready!();
    await suite.ready!();
    expect(calls).toBe(1);
    expect(suite.facets.map(({ name }) => name)).toEqual(["digits", "even"]);
    expect(suite.identity!()).toBe(sums.identity!());
  });

  test("are distinguished by all their content", () => {
    const identityWith = (change: object) =>
      simpleSuite({ name: "s", tasks: [{ ...tasks[0]!, ...change }], prompt: () => "", score: () => true }).identity!();
    const ids = [{}, { answer: "3" }, { question: "1+1" }, { facets: {} }, { hint: "two" }].map(identityWith);
    expect(new Set(ids).size).toBe(5);
  });

  test.each([
    [[], "Expected `s` to have tasks, got none"],
    [undefined as never, "Expected `s` to have tasks, got none"],
    [[{ id: "", question: "", answer: "" }], "Expected task 1 of `s` to have a text as `id`"],
    [
      [
        { id: "a", question: "", answer: "" },
        { id: "a", question: "", answer: "" },
      ],
      "Expected unique task ids in `s`",
    ],
  ])("are rejected: %j", (wrong, message) => {
    expect(() => simpleSuite({ name: "s", tasks: wrong, prompt: () => "", score: () => true })).toThrow(message);
  });
});

describe("a simple suite with more parts", () => {
  const shouted = simpleSuite({
    name: "shouted",
    tasks,
    prompt: ({ question }, { options }) => (options["loud"] === "on" ? question.toUpperCase() : question),
    score: async (_, reply, { ask }) => (await ask?.("judge", [{ role: "user", content: reply }])) === "right",
    suite: {
      options: [{ name: "loud", title: "Loud", values: ["off", "on"], default: "off" }],
      measures: [meanMeasure("quality", { name: "quality", title: "Quality", mode: "own" })],
    },
    extend: async (simple) => ({ ...simple, judging: () => 1 }),
  });

  it("replaces the default parts that it defines, and keeps the others", () => {
    expect(shouted.options.map(({ name }) => name)).toEqual(["loud"]);
    expect(shouted.measures.map(({ name }) => name)).toEqual(["quality"]);
    expect(shouted.splits).toEqual(sums.splits);
    expect(shouted.facets.map(({ name }) => name)).toEqual(["digits", "even"]);
  });

  it("sends requests and scores by the run's settings", async () => {
    const loaded = await open(shouted);
    const [task] = await loaded.tasks("all");
    const [stage] = loaded.asks.stages({ ...task!, input: { ...tasks[0], question: "two" } }, loud, []);
    expect(stage!.messages([], "none")).toEqual([{ role: "user", content: "TWO" }]);
    const judged = await loaded.score(task!, answered("2"), { spec: loud, signal, ask: async () => "right" });
    expect(judged.metrics).toEqual({ quality: 1 });
    expect(loaded.judging!(task!, loud)).toBe(1);
  });

  it("can ask in stages of its own", async () => {
    const twice = simpleSuite({
      name: "twice",
      tasks,
      stages: ({ question }) =>
        ["think", "answer"].map((name) => ({
          name,
          messages: (before) => [{ role: "user", content: [question, ...before].join(" ") }],
        })),
      score: () => true,
    });
    const loaded = await open(twice);
    const [task] = await loaded.tasks("all");
    const [, last] = loaded.asks.stages(task!, spec, []);
    expect(last!.messages(["One."], "none")[0]!.content).toBe("1 + 1 One.");
  });

  it("reads a file again whenever its tasks or facets are requested", async () => {
    let level = "easy";
    const read = () => ({ tasks: [{ id: "a", question: level, answer: "2", facets: { level } }], facets: ["level"] });
    const ofFile = simpleSuite({ name: "file", tasks: { read }, prompt: () => "", score: () => true });
    expect([ofFile.identity, ofFile.ready]).toEqual([undefined, undefined]);
    expect(ofFile.facets.map(({ name }) => name)).toEqual(["level"]);
    level = "hard";
    expect((await (await open(ofFile)).tasks("all")).map(({ question }) => question)).toEqual(["hard"]);
  });
});
