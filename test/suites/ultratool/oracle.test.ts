/** The sample answered from the answer key, and with one injected fault at a time. */
import { evaluate } from "../../../source/engine/measures/measure.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Asked } from "../../../source/engine/protocol.ts";
import type { LoadedSuite, ScoreContext } from "../../../source/engine/loaded-suite.ts";
import type { Row, RunSpec, Score, Task } from "../../../source/engine/types.ts";
import { verdictOf } from "../../../source/engine/log/rows/verdict.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";
import { measures } from "../../../suites/ultratool/score/measures.ts";

const signal = new AbortController().signal;
let loaded: LoadedSuite;
beforeAll(async () => {
  loaded = await ultratool.open({ folder: sampleFolder("ultratool"), data: "sample" });
});

function spec(split: string, options: Record<string, string> = {}): RunSpec {
  return bareSpec("ultratool", { split, options: { lists: "python", parser: "gpt", ...options } });
}

function asked(task: Task, run: RunSpec): Asked {
  const [stage] = loaded.asks.stages!(task, run, []);
  return { role: "model", stage: stage!.name, messages: stage!.messages([], "none"), tools: [], spec: run };
}

/** Scores a text, with the built-in judge if it needs one. */
async function score(task: Task, run: RunSpec, text: string, judge = true): Promise<Score> {
  const context: ScoreContext = {
    spec: run,
    signal,
    ...(judge
      ? {
          ask: async (stage, messages) =>
            loaded.oracle!(task, { role: "judge", stage, messages, tools: [], spec: run }).text,
        }
      : {}),
  };
  return loaded.score(task, { answer: { output: text, stages: {} }, steps: [], failure: undefined }, context);
}

const row = (task: Task, scored: Score): Row => bareRow("run", task.id, { facets: task.facets, score: scored });

describe.each(ultratool.splits.map(({ name }) => name))("the oracle in split %s", (split) => {
  test.each(["python", "json"])("is right if its answer is written as %s", async (lists) => {
    const tasks = await loaded.tasks(split);
    expect(tasks.length).toBeGreaterThanOrEqual(8);
    for (const task of tasks) {
      const run = spec(split, { lists });
      const scored = await score(task, run, loaded.oracle!(task, asked(task, run)).text);
      const judged = split.endsWith("planning") || split.endsWith("tool_creation");
      expect([scored.value, verdictOf(scored)]).toEqual([judged ? 0.8 : 1, "right"]);
      expect(scored.errors).toEqual([]);
      expect(
        scored.checks.filter(({ name }) => name !== "plain JSON of the asked shape").every(({ kept }) => kept === true),
      ).toBe(true);
      if (!split.endsWith("planning")) expect(scored.labels?.["form"]).toBe(lists === "json" ? "json" : "python");
    }
  });

  test("reports every injected fault as its kind", async () => {
    for (const { name } of ultratool.faultKinds) {
      for (const task of await loaded.tasks(split)) {
        const run = spec(split);
        const fault = loaded.fault!(task, asked(task, run), name, randomFrom(`${split} ${task.id}`));
        if (fault === undefined) continue;
        const scored = await score(task, run, fault.text);
        const kinds = scored.errors.map(({ kind }) => kind);
        const expected: Record<string, readonly string[]> = {
          "broken-text": ["unreadable"],
          "missing-brace": ["repaired"],
          fenced: [],
          "flipped-flag": ["missed-need", "needless"],
          "other-tool": ["wrong-tool"],
        };
        const wanted = name === "dropped-step" ? undefined : (expected[name] ?? [name]);
        if (wanted === undefined) {
          if (!split.endsWith("planning"))
            expect(kinds.some((kind) => kind === "missing-step" || kind === "no-tool")).toBe(true);
        } else if (wanted.length > 0)
          expect(
            kinds.filter((kind) => wanted.includes(kind)),
            name,
          ).toHaveLength(1);
        else expect(kinds, name).toEqual([]);
      }
    }
  });

  test("has plans that are shown as trees next to the reference", async () => {
    for (const task of await loaded.tasks(split)) {
      const run = spec(split);
      const view = loaded.describe!(task, { output: loaded.oracle!(task, asked(task, run)).text });
      expect(view.reference.length).toBeGreaterThan(2);
      expect(Math.max(...view.reference.map(({ depth }) => depth ?? 0))).toBe(Number(task.facets["depth"]) - 1);
      expect(view.plan.length).toBe(view.matches.length);
      // Full-width commas are replaced before an answer is parsed, so they are shown as scored.
      for (const [reference, plan] of view.matches)
        expect(view.plan[plan]!.title.replaceAll(",", "，")).toBe(
          view.reference[reference]!.title.replaceAll(",", "，"),
        );
    }
  });

  test("gets prompts with instruction, example and sample in this order, and with the chosen format of lists", async () => {
    const [task] = await loaded.tasks(split);
    const text = (lists: string) => asked(task!, spec(split, { lists })).messages.at(-1)!.content;
    const python = text("python");
    const marks = split.startsWith("en")
      ? ["Here is an example:", "Now let us begin:", "Output:"]
      : ["示例如下：", "现在开始：", "输出："];
    const places = [python.indexOf(marks[0]!), python.indexOf(marks[1]!), python.lastIndexOf(marks[2]!)];
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    if (split.endsWith("planning")) expect(text("json")).toBe(python);
    else {
      expect(python).toContain("[{'step': ");
      expect(text("json")).toContain('[{"step":');
    }
  });
});

describe("a judge in UltraTool", () => {
  test("is required for plans and tools; without a judge their score is undefined, which is not 0", async () => {
    for (const split of ["en/planning", "zh/tool_creation"]) {
      const [task] = await loaded.tasks(split);
      const run = spec(split);
      const scored = await score(task!, run, loaded.oracle!(task!, asked(task!, run)).text, false);
      expect(scored.value).toBeUndefined();
      expect(scored.labels?.["judge"]).toBe("none");
      for (const measure of measures)
        if (/planning|official.tool_creation$/.test(measure.name))
          expect(evaluate(measure, [row(task!, scored)]).value).toBeUndefined();
    }
  });

  test("leaves the score undefined if its verdict is unreadable", async () => {
    for (const split of ["en/planning", "en/tool_creation"]) {
      const [task] = await loaded.tasks(split);
      const run = spec(split);
      const output = loaded.oracle!(task!, asked(task!, run)).text;
      for (const reply of ["A good plan.", "[]", "```json\n[1]\n```\n", '[{"Accuracy Score": 8},]']) {
        const context = { spec: run, signal, ask: async () => reply };
        const scored = await loaded.score(task!, { answer: output, steps: [], failure: undefined }, context);
        expect(scored.value).toBeUndefined();
        expect(scored.labels?.["judge"]).toBe("unreadable");
      }
    }
  });

  test("is not needed if no tool was created, which scores zeros as in the official program", async () => {
    const [task] = await loaded.tasks("en/tool_creation");
    const scored = await score(task!, spec("en/tool_creation"), "I cannot do that.");
    expect(scored.value).toBe(0);
    expect(scored.errors.map(({ kind }) => kind)).toContain("unreadable");
  });
});

test("the mean of all nine columns is undefined if any column is missing", async () => {
  const rows: Row[] = [];
  const overall = measures.find(({ name }) => name === "official.overall")!;
  for (const { name: split } of ultratool.splits.filter(({ name }) => name.startsWith("en/"))) {
    expect(evaluate(overall, rows).value).toBeUndefined();
    for (const task of await loaded.tasks(split)) {
      const run = spec(split);
      rows.push(row(task, await score(task, run, loaded.oracle!(task, asked(task, run)).text)));
    }
  }
  expect(evaluate(overall, rows).value).toBeCloseTo((7 + 2 * 0.8) / 9, 12);
});

test("a mistake names its step by the position of the step in the plan", async () => {
  const [task] = await loaded.tasks("en/tool_usage");
  const run = spec("en/tool_usage");
  const right = loaded.oracle!(task!, asked(task!, run)).text;
  const scored = await score(task!, run, right.replace("14 May", "15 May"));
  const [mistake] = scored.errors;
  expect(mistake).toMatchObject({ kind: "changed-value", key: "date", expected: "14 May", got: "15 May" });
  expect(loaded.describe!(task!, { output: right }).reference[mistake!.step!]!.title).toBe(
    "1.2 Reserve the meeting room",
  );
  expect(scored.value).toBeCloseTo((2 / 3 + (1 - 1 / 6) / 3 + 1) / 2, 12);
});

test("home-made tasks and the sample have their own labels", async () => {
  expect(ultratool.splits.filter(({ title }) => title.includes("home-made"))).toHaveLength(4);
  expect(loaded.warnings.join()).toContain("Prompts are in this project's own words");
  const [task] = await loaded.tasks("en/tool_selection");
  expect(task!.facets["edition"]).toBe("sample");
});
