/** The suite bound to data: its sample, the published examples, its views of tasks and the paper's values. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import { generatePlanningArena } from "../../../suites/planningarena/data/generator/generate.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { levels, relations, scenarios, structures } from "../../../suites/planningarena/data/records.ts";
import { describePublished, shared } from "../../shared.ts";
import { runDialogue, scoreDialogue, spec } from "./execution.ts";

const sample = () => planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });

describe("the sample of PlanningArena", () => {
  test("equals the generator's output", async () => {
    const out = await mkdtemp(join(tmpdir(), "planningarena-sample-"));
    onTestFinished(() => rm(out, { recursive: true }));
    const signal = new AbortController().signal;
    await generatePlanningArena({ count: 60, seed: 1, out, report: () => {}, signal });
    for (const name of ["tasks.jsonl", "profiles.json", "apps.json", "apis.json"])
      expect((await readFile(join(sampleFolder("planningarena"), name))).equals(await readFile(join(out, name)))).toBe(
        true,
      );
  });

  test("contains ten tasks as examples, word for word", async () => {
    const loaded = await sample();
    const asked = new Map((await loaded.tasks("generated")).map(({ id, question }) => [id, question]));
    const examples = await loaded.tasks("examples");
    expect(examples).toHaveLength(10);
    expect(examples.map(({ question }) => question)).toEqual(examples.map(({ id }) => asked.get(id)));
  });

  test("covers all levels, relations, structures and scenarios", async () => {
    const tasks = await (await sample()).tasks("generated");
    const values = (facet: string) => new Set(tasks.map(({ facets }) => facets[facet]));
    expect(tasks).toHaveLength(60);
    expect([...levels].filter((level) => !values("level").has(level))).toEqual([]);
    expect([...relations].filter((relation) => !values("relation").has(relation))).toEqual([]);
    expect([...structures].filter((structure) => !values("structure").has(structure))).toEqual([]);
    expect([...scenarios].filter((scenario) => !values("scenario").has(scenario))).toEqual([]);
  });

  test.each(["generated", "examples"])("gives the perfect planner 100 in split %s", async (split) => {
    const loaded = await sample();
    for (const task of await loaded.tasks(split)) {
      const score = await scoreDialogue(loaded, task, runDialogue(loaded, task));
      expect({ task: task.id, errors: score.errors, value: score.value }).toEqual({
        task: task.id,
        errors: [],
        value: 1,
      });
    }
  });
});

describePublished("the published examples", () => {
  test("contain ten tasks, which are executed to the end, and the perfect planner passes every check", async () => {
    const loaded = await planningarena.open({ folder: shared("data", "planningarena"), data: "published" });
    const tasks = await loaded.tasks("examples");
    expect(tasks.map(({ id }) => id)).toEqual("15 44 107 110 128 180 197 3603 3618 3660".split(" "));
    expect(tasks.find(({ id }) => id === "3603")!.facets).toEqual({
      level: "easy",
      interface: "API",
      relation: "DAPI",
      structure: "many-to-many-1",
      scenario: "1_travel",
      subtasks: 5,
      tools: 4,
      profile: "dag-1",
    });
    for (const task of tasks) {
      const score = await scoreDialogue(loaded, task, runDialogue(loaded, task));
      expect({ task: task.id, errors: score.errors }).toEqual({ task: task.id, errors: [] });
    }
    expect(loaded.warnings.join(" ")).toContain("extracted from the reference dialogues");
  });

  test("have an error that explains how to generate tasks for the other split", async () => {
    const loaded = await planningarena.open({ folder: shared("data", "planningarena"), data: "published" });
    await expect(loaded.tasks("generated")).rejects.toThrow("planwright generate planningarena");
    await expect(loaded.tasks("best")).rejects.toThrow("Expected `split` to be generated or examples, got `best`");
  });
});

describe("a dialogue in PlanningArena", () => {
  test("starts with the task, with and without the profile, and in Chinese", async () => {
    const loaded = await sample();
    const task = (await loaded.tasks("generated"))[0]!;
    const opening = (options: object) =>
      loaded.asks.dialogue!(task, { ...spec, options: options as typeof spec.options }).opening[1]!.content;
    expect(opening({})).toContain('"current_date"');
    expect(opening({ profile: "off" })).not.toContain('"current_date"');
    expect(opening({ profile: "off" })).toContain(task.question);
    expect(opening({ language: "zh" })).toMatch(/The task is: \p{Script=Han}/u);
  });

  test("is scored, and never omitted, if its end is unreadable", async () => {
    const loaded = await sample();
    const task = (await loaded.tasks("generated"))[0]!;
    const hostile = [
      "x".repeat(300_000),
      "{'a': None}",
      "\u0000",
      '{"__proto__": {"OrderSteps": 1}}',
      "计划如下：第一步",
    ];
    for (const text of hostile) {
      const answer = runDialogue(loaded, task, () => ({ text }));
      const score = await scoreDialogue(loaded, task, answer);
      expect(score).toMatchObject({ value: 0, labels: { end: "planner-unparsable" }, metrics: { garbled: 1, lpr: 0 } });
      expect(score.errors).toMatchObject([{ kind: "garbled" }]);
    }
  });

  test("is scored as garbled if it has no record", async () => {
    const loaded = await sample();
    const task = (await loaded.tasks("generated"))[0]!;
    const context = { spec, signal: new AbortController().signal };
    for (const answer of [undefined, null, 3, "text", [], { dialogue: 1 }, { dialogue: [1, null, {}] }]) {
      const outcome = { answer: answer as Json | undefined, steps: [], failure: undefined };
      expect((await loaded.score(task, outcome, context)).metrics["garbled"]).toBe(1);
    }
  });
});

describe("a judge in PlanningArena", () => {
  test("has separate columns, and an unreadable verdict is undefined", async () => {
    const loaded = await sample();
    const task = (await loaded.tasks("generated"))[0]!;
    const stages: string[] = [];
    const ask = async (stage: string) => {
      stages.push(stage);
      if (stage === "judge-missing-steps") return '```json\n{"problem": true, "reason": "r"}\n```';
      return stage === "judge-time" ? "no idea" : '{"problem": false}';
    };
    const score = await scoreDialogue(loaded, task, runDialogue(loaded, task), { ask });
    expect(stages).toHaveLength(6);
    expect(score.value).toBe(1);
    expect(score.metrics).toMatchObject({ SC: 1, "judge.SC": 0, "judge.SR": 1 });
    expect("judge.TR" in score.metrics).toBe(false);
    expect(score.checks.find(({ name }) => name === "judge.TR")).toEqual({ name: "judge.TR", kept: undefined });
    // The runs of 0.1.0 asked their judge the same, so another mark would separate their verdicts.
    expect(score.labels!["judge.prompts"]).toBe("94945926");
  });
});

test("a perfect judge in PlanningArena agrees with the rules", async () => {
  const loaded = await sample();
  const task = (await loaded.tasks("generated")).find(({ facets }) => facets["relation"] === "DAPI")!;
  const ask = async (stage: string, messages: readonly Message[]) =>
    loaded.oracle!(task, { role: "judge", stage, messages, tools: [], spec }).text;
  const right = await scoreDialogue(loaded, task, runDialogue(loaded, task), { ask });
  const faulty = runDialogue(loaded, task, (asked) => loaded.fault!(task, asked, "redundant-step", () => 0.2));
  const wrong = await scoreDialogue(loaded, task, faulty, { ask });
  const opinions = ({ metrics }: typeof right) =>
    ["SC", "SR", "PC", "OSC", "TR", "TD"].map((name) => metrics[`judge.${name}`]);
  expect(opinions(right)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(opinions(wrong)).toEqual([1, 0, 1, 1, 1, 1]);
});

describe("a data folder of PlanningArena with a mistake", () => {
  const open = async (name: string, from: string, to: string) => {
    const folder = await mkdtemp(join(tmpdir(), "planningarena-broken-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(sampleFolder("planningarena"), folder, { recursive: true });
    const text = await readFile(join(folder, name), "utf8");
    expect(text).toContain(from);
    await writeFile(join(folder, name), text.replace(from, to));
    return (await planningarena.open({ folder, data: "published" })).tasks("generated");
  };

  test.each([
    [
      "profiles.json",
      '"userInfo": {',
      '"userInfos": {',
      /`profiles\.0\.profile\.userInfo` in line 11 of .*profiles\.json to be an object of fields, got nothing/,
    ],
    [
      "profiles.json",
      '"language": "en"',
      '"language": 5',
      /`profiles\.0\.language` in line 7 of .* to be text or null, got `5`/,
    ],
    ["profiles.json", '"id": "four-1",', '"id": "four-1"', /profiles\.json to be JSON: .*line 5/],
    [
      "apis.json",
      '"check": "str"',
      '"check": "string"',
      /`sets\.dag\.0\.params\.0\.check` in .*apis\.json to be one of str, enum/,
    ],
    ["tasks.jsonl", '"relation":"SAPP"', '"relation":"XAPP"', /`relation` in .*tasks\.jsonl line 1 to be one of SAPP/],
    [
      "tasks.jsonl",
      '"subtasks":[',
      '"subtasks":7,"x":[',
      /`subtasks` in `gold` of .*tasks\.jsonl line 1 to be a list, got `7`/,
    ],
  ])("is rejected: %s: %s → %s", async (name, from, to, message) => {
    await expect(open(name, from, to)).rejects.toThrow(message);
  });
});

describe("the view of a task", () => {
  test("shows plan and reference side by side, with the earlier steps that each step uses", async () => {
    const loaded = await sample();
    const task = (await loaded.tasks("generated")).find(({ facets }) => facets["structure"] === "many-to-many-2")!;
    const view = loaded.describe!(task, runDialogue(loaded, task));
    expect(view.plan).toHaveLength(view.reference.length);
    expect(view.matches).toEqual(view.reference.map((_, index) => [index, index]));
    expect(view.plan.map(({ needs }) => needs)).toEqual(view.reference.map(({ needs }) => needs));
    expect(view.reference.at(-1)!.needs.length).toBeGreaterThan(1);
    expect(loaded.describe!(task, undefined).plan).toEqual([]);
    // Results that are text stay unchanged, others become JSON.
    const told = (results: Json) => {
      const { dialogue } = runDialogue(loaded, task) as { readonly dialogue: readonly Json[] };
      const text = JSON.stringify(dialogue).replace(
        /"Results":("(?:[^"\\]|\\.)*"|\{[^{}]*\})/,
        `"Results":${JSON.stringify(results)}`,
      );
      return loaded.describe!(task, { dialogue: JSON.parse(text) as Json }).plan[0]!.lines.at(-1);
    };
    expect([told("It is done"), told({ done: true })]).toEqual(["→ It is done", '→ {"done":true}']);
  });
});

describe("the values reported in the paper", () => {
  test("are numbers with their caveats, and tables", async () => {
    const { values, tables } = await planningarena.reported!();
    const names = new Set(planningarena.measures.map(({ name }) => name));
    expect(values.filter(({ measure }) => !names.has(measure))).toEqual([]);
    expect(values.every(({ caveat, value = 0 }) => caveat !== undefined && value >= 0 && value <= 1)).toBe(true);
    const reported = values.find(
      ({ row, measure, where }) =>
        row === "DeepSeekV3" && measure === "result" && where["structure"] === "many-to-many-4",
    );
    expect(reported).toMatchObject({ value: 0.173, source: "PlanningArena paper (ACL 2025), Table 2" });
    const ofApis = values.filter(({ where }) => where["interface"] === "API");
    expect(
      ofApis.find(({ row, measure, source }) => row === "GPT-4o" && measure === "pgr" && source.endsWith("7")),
    ).toMatchObject({ value: 0.789, where: { interface: "API" }, caveat: expect.stringContaining("78.9, 71.3, 71.7") });
    const caveatOf = (name: string) =>
      values.find(
        ({ source, measure, where }) => source.endsWith("9") && measure === name && where["level"] === undefined,
      )!.caveat;
    expect(caveatOf("SR")).toContain("overall SR 78.3");
    expect(caveatOf("OSC")).not.toContain("78.3");
    expect(tables.map(({ title }) => title.slice(0, 7))).toEqual(
      "1256789".split("").map((number) => `Table ${number}`),
    );
    expect(tables[2]!.notes.join(" ")).toContain("PGR, SC, SR, TD and OSC are lost");
  });
});
