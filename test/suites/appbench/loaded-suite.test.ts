import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createHash } from "node:crypto";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { dataWarnings, type LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { describePublished, shared } from "../../shared.ts";
import { askedFor, openPublished, perfectAnswer, scoreAnswer, spec, staged } from "./sample-rows.ts";

const flat: RunSpec = { ...spec, options: { prompting: "flat" } };

test("data warnings mention demonstrations and the order of apps only if the run depends on them", async () => {
  const loaded = await appbench.open({ folder: sampleFolder("appbench"), data: "sample" });
  const [shown, order] = appbench.remarks!;
  expect(shown).toContain("Demonstrations");
  expect(dataWarnings(loaded, flat)).toEqual([]);
  expect(dataWarnings(loaded, spec)).toEqual([order]);
  expect(dataWarnings(loaded, { ...spec, shots: 3 })).toEqual([shown, order]);
  expect(dataWarnings(loaded, { ...flat, shots: 3 })).toEqual([shown]);
});

describePublished("requests about a published task", () => {
  let loaded: LoadedSuite<AppTask, "stages">;
  let tasks: readonly AppTask[];
  let task: AppTask;

  beforeAll(async () => {
    loaded = await openPublished();
    tasks = await loaded.tasks("all");
    task = tasks.find(({ id }) => id === "mm-151")!;
  });

  function systemOf(messages: readonly Message[]): string {
    expect(messages[0]!.role).toBe("system");
    return messages[0]!.content;
  }

  test("are a single request with every app for flat prompting", () => {
    const stages = loaded.asks.stages!(task, flat, []);
    expect(stages.map((stage) => stage.name)).toEqual(["plan"]);
    const messages = stages[0]!.messages([], "none");
    for (const name of ["Hotels: {", "Weather: {", "findattractions", "lookupmusic"])
      expect(systemOf(messages)).toContain(name);
    expect(messages.slice(1)).toEqual([{ role: "user", content: task.question }]);
  });

  test("ask for apps first, and then show only these apps in the order of the catalogue for hierarchical prompting", () => {
    const stages = loaded.asks.stages!(task, spec, []);
    expect(stages.map((stage) => stage.name)).toEqual(["apps", "plan"]);
    const first = stages[0]!.messages([], "none");
    expect(systemOf(first)).toContain("Rents: a leading global provider of car rental solutions \n\n ");
    expect(systemOf(first)).not.toContain("getcarsavailable");
    expect(first.slice(1)).toEqual([{ role: "user", content: task.question }]);
    const second = systemOf(stages[1]!.messages(["[Rents, Buses]"], "none"));
    expect(second.indexOf("Rents: {")).toBeLessThan(second.indexOf("Buses: {"));
    expect(second).not.toContain("Hotels: {");
  });

  test("keep every planning instruction of the benchmark", () => {
    const text = systemOf(loaded.asks.stages!(task, flat, [])[0]!.messages([], "none"));
    for (const part of [
      /one line for each call/,
      /app: \[returned_name_1, returned_name_2, \.\.\. = app_api\(#argument_1=value_1/,
      /order of arguments and of returned names exactly as the description/,
      /every required argument/,
      /optional argument only if the person said/,
      /Never fill in default values/,
      /between single quotes/,
      /another call returns.*without quotes/,
      /Today is "2019-03-01"/,
      /returns a name comes before the calls that use it/,
    ])
      expect(text).toMatch(part);
  });

  test("end without a score if the first answer names no app, because the official program omits these tasks", async () => {
    const apps = loaded.asks.stages!(task, spec, [])[0]!;
    expect(apps.usable!("1234 ?!")).toBe(false);
    expect(apps.usable!("[Rents]")).toBe(true);
    const score = await scoreAnswer(loaded, task, { output: "", stages: { apps: "1234 ?!" } });
    expect(score.value).toBeUndefined();
    expect(score.metrics).toEqual({});
    expect(score.errors.map((error) => error.kind)).toEqual(["no-apps"]);
  });

  test("ask for a chain of thought, and read the answer after the marker line", () => {
    const plan = loaded.asks.stages!(task, flat, [])[0]!;
    const messages = plan.messages([], "steps");
    expect(systemOf(messages)).toContain("think step by step");
    expect(messages.at(-1)).toEqual({ role: "user", content: task.question });
    expect(plan.answer!("First: [rent] a car.\n**Final answer:**\nRents: [a = b()]", "steps")).toBe("Rents: [a = b()]");
    expect(plan.answer!("Rents: [a = b()]", "steps")).toBe("Rents: [a = b()]");
    expect(plan.answer!("Rents: [a = b()]\nFinal answer:\n", "steps")).toBe("Rents: [a = b()]\nFinal answer:\n");
  });

  test("read the whole reply as the answer without a chain of thought", () => {
    const plan = loaded.asks.stages!(task, flat, [])[0]!;
    expect(plan.answer!("One\nFinal answer:\ntwo", "none")).toBe("One\nFinal answer:\ntwo");
  });

  test("have demonstrations between instructions and question, but only in the planning request", () => {
    const shots = loaded.shots(task, 3, tasks, randomFrom(1));
    const [apps, plan] = loaded.asks.stages!(task, spec, shots);
    expect(apps!.messages([], "none")).toHaveLength(2);
    const messages = plan!.messages(["[Rents]"], "none");
    expect(messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(messages[1]!.content).toBe(shots[0]!.question);
    for (const line of messages[2]!.content.trimEnd().split("\n")) expect(line).toMatch(/^\w+: \[.* = \w+\(.*\)\] ?$/);
  });

  test("have demonstrations with the task's apps first, in file order, never with the task's own question", () => {
    const apps = (one: AppTask) => one.answer.used_app.toSorted().join();
    for (const one of tasks.filter((_, index) => index % 7 === 0)) {
      const shots = loaded.shots(one, 5, tasks, randomFrom(one.id));
      expect(shots).toHaveLength(5);
      expect(new Set(shots).size).toBe(5);
      const alike = tasks.filter(
        (other) =>
          other.facets["category"] === one.facets["category"] &&
          other.question !== one.question &&
          apps(other) === apps(one),
      );
      expect(shots.slice(0, alike.length).map((shot) => shot.id)).toEqual(alike.slice(0, 5).map((shot) => shot.id));
      for (const shot of shots) {
        expect(shot.question).not.toBe(one.question);
        expect(shot.facets["category"]).toBe(one.facets["category"]);
      }
      expect(loaded.shots(one, 5, tasks, randomFrom(one.id))).toEqual(shots);
    }
  });

  test("have no demonstration with the same question as another task", () => {
    const leaked = tasks.filter(({ id }) => ["ss-021", "ss-159", "ss-173"].includes(id));
    expect(new Set(leaked.map((one) => one.question)).size).toBe(1);
    const ids = loaded.shots(leaked[0]!, 197, tasks, randomFrom(1)).map((shot) => shot.id);
    expect(ids).toHaveLength(197);
    expect(ids).not.toContain("ss-159");
  });

  test("are scored for plain text, an empty reply and unusual answers", async () => {
    const { output } = perfectAnswer(loaded, task) as { output: string };
    expect((await scoreAnswer(loaded, task, output)).value).toBe(1);
    for (const odd of [null, 7, [], {}, { output: 3 }, { output: "", stages: [] }]) {
      const score = await scoreAnswer(loaded, task, odd);
      expect(score.value).toBe(0);
      expect(score.errors.map((error) => error.kind)).toEqual(["no-plan"]);
    }
  });

  test("read app1 and app2 in a plan as the apps of the first answer", async () => {
    const plan = loaded.oracle!(task, askedFor("plan"))
      .text.replaceAll("Rents:", "app1:")
      .replaceAll("Buses:", "app2:")
      .replaceAll("Flights:", "app3:");
    expect((await scoreAnswer(loaded, task, staged("[Flights, Rents, Buses]", plan))).value).toBe(1);
    expect((await scoreAnswer(loaded, task, plan)).value).toBe(0);
  });

  test("have a kind and a verdict that show whether a mistake counts in only one mode", async () => {
    const perfect = loaded.oracle!(task, askedFor("plan")).text;
    const kinds = async (text: string) => {
      const score = await scoreAnswer(loaded, task, text);
      return [score.labels!["verdict"], ...score.errors.map((error) => error.kind)];
    };
    expect(await kinds(perfect)).toEqual(["right in both modes"]);
    expect(await kinds(perfect.replaceAll(", #", ",#"))).toEqual([
      "right only strictly",
      ...Array<string>(4).fill("misread-arguments"),
    ]);
    expect(await kinds(perfect.replace("'Sedan'", "'Sedan car'"))).toEqual(["right only officially", "value-inexact"]);
    expect(await kinds(perfect.replace("#car_type='Sedan'", "#car_type='Sedan', #colour='red'"))).toEqual([
      "right only officially",
      "extra-key",
    ]);
    expect(await kinds(perfect.replace("#city=city", "#city=town"))).toEqual([
      "wrong in both modes",
      "value-dependent",
    ]);
    expect(await kinds(perfect.replace("#number_of_tickets='1'", "#number_of_tickets=price"))).toEqual([
      "wrong in both modes",
      "reference-for-literal",
    ]);
    expect(await kinds(perfect.replace("findbus(", "findbus ("))).toEqual(["wrong in both modes", "unreadable-call"]);
    const reversed = perfect.split("\n").toReversed().join("\n");
    expect((await kinds(reversed)).slice(1)).toEqual([]);
  });

  test("are drawn as steps that depend on the latest earlier step whose returned value is used", () => {
    const { reference } = loaded.describe!(task, undefined);
    expect(reference.map((step) => step.needs)).toEqual([[], [0], [], [2]]);
    expect(reference[0]!.title).toBe("Rents: getcarsavailable");
    expect(reference[0]!.lines[0]).toBe("car_type = 'Sedan'");
  });
});

describePublished("the published data folder", () => {
  function copy(): string {
    const folder = mkdtempSync(join(tmpdir(), "appbench-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(shared("data", "appbench"), folder, { recursive: true, mode: 0 });
    return folder;
  }
  const open = (folder: string) => appbench.open({ folder, data: "published" });
  const replace = (path: string, text: string) => {
    rmSync(path);
    writeFileSync(path, text);
  };

  test("contains the files that the suite lists", () => {
    for (const { path, sha256, count } of appbench.data.files) {
      const bytes = readFileSync(shared("data", "appbench", path));
      expect(createHash("sha256").update(bytes).digest("hex"), path).toBe(sha256);
      const value = JSON.parse(bytes.toString()) as { length: number } | { apps: { length: number } };
      expect("apps" in value ? value.apps.length : value.length, path).toBe(count);
    }
  });

  test("is rejected with the name of the file and advice if a file is missing", async () => {
    const folder = copy();
    rmSync(join(folder, "test_ms.json"));
    await expect(open(folder)).rejects.toThrow(/test_ms\.json.*planwright data add appbench --from DIR/);
  });

  test("is rejected with the name of the file if the file is truncated", async () => {
    const folder = copy();
    const path = join(folder, "test_mm.json");
    replace(path, readFileSync(path, "utf8").slice(0, 5000));
    await expect(open(folder)).rejects.toThrow(/Expected .*test_mm\.json to be JSON.*planwright data add/);
  });

  test("is rejected with the expected and the found number if it has too few tasks", async () => {
    const folder = copy();
    const path = join(folder, "test_ms.json");
    replace(path, JSON.stringify((JSON.parse(readFileSync(path, "utf8")) as unknown[]).slice(0, 150)));
    await expect(open(folder)).rejects.toThrow(/Expected 201 tasks in .*test_ms\.json, found 150/);
  });

  test("is rejected if a task or the catalogue violates its schema", async () => {
    const folder = copy();
    replace(join(folder, "test_ss.json"), '[{"input": "hello", "output": {"used_app": "Hotels"}}]');
    await expect(open(folder)).rejects.toThrow(
      /Expected `output\.used_app` in .*test_ss\.json item 0 to be a list, got `Hotels`; install the published files again/,
    );
    const other = copy();
    replace(join(other, "catalogue.json"), '{"apps": []}');
    await expect(open(other)).rejects.toThrow(
      /Expected `current_date` in .*catalogue\.json to be text, got `nothing`; install the published files again/,
    );
  });
});

describe("the suite AppBench", () => {
  test("rejects an unknown split", async () => {
    const loaded = await appbench.open({ folder: sampleFolder("appbench"), data: "sample" });
    await expect(loaded.tasks("train")).rejects.toThrow("Expected `split` to be ss, sm, ms, mm or all, got `train`");
  });

  test("maps every number the paper reports to a measure of the suite", async () => {
    const { values, tables } = await appbench.reported!();
    const names = new Set(appbench.measures.map((measure) => measure.name));
    for (const value of values) {
      expect(names).toContain(value.measure);
      expect(value.value).toBeGreaterThanOrEqual(0);
      expect(value.value).toBeLessThanOrEqual(1);
      expect(["SS", "SM", "MS", "MM"]).toContain(value.where["category"]);
    }
    expect(values.filter((value) => value.source.endsWith("Table 3"))).toHaveLength(9 * 12);
    expect(values.filter((value) => value.source.endsWith("Table 11"))).toHaveLength(9 * 8);
    expect(values.filter((value) => value.source.endsWith("Table 5"))).toHaveLength(4 * 12);
    expect(values.filter((value) => value.source.endsWith("Table 4"))).toHaveLength(4 * 6 - 2 + 4 * 4 - 2);
    expect(values.filter((value) => value.caveat !== undefined)).toHaveLength(3 + 14);
    const gpt4o = values.find(
      (value) => value.row === "GPT-4o" && value.measure === "official.success" && value.where["category"] === "MM",
    );
    expect(gpt4o).toMatchObject({ value: 0.02, setting: { prompting: "hierarchical", shots: 0 } });
    expect(tables.map((table) => /Table (\d+)/.exec(table.title)![1])).toEqual(["1", "2", "3", "4", "5", "8", "11"]);
    for (const table of tables) for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
  });
});
