/** Generated task sets: as many of each kind as the paper has, valid, solvable, different for each seed. */
import { mkdtemp, readdir, readFile, rm, writeFile, cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Task } from "../../../source/engine/types.ts";
import { offerName, offerOf } from "../../../suites/planningarena/data/catalogue.ts";
import { collapsed } from "../../../suites/planningarena/data/canonical.ts";
import { readCatalogue } from "../../../suites/planningarena/data/folder.ts";
import { chainsFolder } from "../../../suites/planningarena/data/generator/chains.ts";
import type { TaskRecord } from "../../../suites/planningarena/data/generator/draft.ts";
import { generatePlanningArena } from "../../../suites/planningarena/data/generator/generate.ts";
import type { MadeProfile } from "../../../suites/planningarena/data/generator/profile-fields.ts";
import { publishedCounts, suggestLevel } from "../../../suites/planningarena/data/generator/sizes.ts";
import { structureProblems } from "../../../suites/planningarena/data/generator/validate.ts";
import { solvingProblems, taskProblems } from "../../../suites/planningarena/data/generator/validate.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { readTaskNumber } from "./task-number.ts";
import { levels, relations, scenarios, structures } from "../../../suites/planningarena/data/records.ts";
import { runDialogue, scoreDialogue } from "./execution.ts";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "planningarena-"))));
afterAll(() => rm(folder, { recursive: true }));

const signal = new AbortController().signal;
const generate = (count: number, seed: number, out: string, chains?: string) =>
  generatePlanningArena({ count, seed, out, report: () => {}, signal, ...(chains === undefined ? {} : { chains }) });

/** Reads the written tasks from disk, not from memory. */
async function readBack(out: string) {
  const text = (name: string) => readFile(join(out, name), "utf8");
  const tasks = (await text("tasks.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TaskRecord);
  const { profiles } = JSON.parse(await text("profiles.json")) as { profiles: MadeProfile[] };
  return { tasks, profiles, catalogue: await readCatalogue(out) };
}

describe("4,500 generated tasks", () => {
  let made: Awaited<ReturnType<typeof readBack>>;
  let tasks: readonly Task[];
  let loaded: LoadedSuite;
  beforeAll(async () => {
    const out = join(folder, "full");
    await generate(4500, 7, out);
    made = await readBack(out);
    loaded = await planningarena.open({ folder: out, data: "published" });
    tasks = await loaded.tasks("generated");
  });

  test("have the numbers of Table 1 for each relation and level, and 150 of each structure", () => {
    const count = (facets: Record<string, string>) =>
      tasks.filter((task) => Object.entries(facets).every(([name, value]) => task.facets[name] === value)).length;
    for (const relation of relations)
      for (const level of levels) expect(count({ relation, level })).toBe(publishedCounts[relation][level]);
    for (const structure of structures) for (const level of levels) expect(count({ structure, level })).toBe(50);
    for (const scenario of scenarios) expect(count({ scenario, relation: "SAPP" })).toBe(120);
    for (const scenario of scenarios.slice(0, 5)) expect(count({ scenario, relation: "DAPI" })).toBe(180);
  });

  test("are numbered like the published tasks: the number encodes the user and the relation", () => {
    for (const { id, userId, relation } of made.tasks) expect(readTaskNumber(id)).toEqual({ user: userId, relation });
  });

  test("pass the validator, and contain no two identical requests", () => {
    const users = new Map(made.profiles.map((profile) => [profile.id, profile]));
    const problems = made.tasks.flatMap((task) => {
      const offer = offerOf(made.catalogue, offerName(task.relation, task.scenario))!;
      return taskProblems(task, offer, users.get(task.userId!)!);
    });
    expect(problems).toEqual([]);
    expect(new Set(made.tasks.map(({ query }) => collapsed(query).toLowerCase())).size).toBe(4500);
    expect(new Set(made.tasks.map(({ queryZh }) => queryZh)).size).toBe(4500);
  });

  test("pass a value between neighbours in chains, and API tasks have no edges without a value", () => {
    const written = (record: unknown) => JSON.stringify(record);
    for (const { id, relation, query, gold, reference } of made.tasks) {
      if (relation === "SAPP" || relation === "CAPP") continue;
      expect(gold.edges.filter(({ kind }) => kind !== "value").length, `order in ${id}`).toBe(0);
      if (relation !== "CAPI") continue;
      const records = reference.slice(1).map(written);
      for (const [index, { args = [] }] of gold.subtasks.entries()) {
        if (index === 0) continue;
        const passed = args.filter(({ check }) => check === "TD").map(({ value }) => String(value));
        const known = [query, ...records.slice(0, index - 1)].join();
        const fresh = passed.filter((value) => records[index - 1]!.includes(value) && !known.includes(value));
        expect(fresh.length, `${id}: from step ${index} to ${index + 1}`).toBe(1);
      }
    }
  });

  test("have an edge without a value only if the request asks for an order in words", () => {
    const task = made.tasks.find(({ relation }) => relation === "CAPI")!;
    const user = made.profiles.find(({ id }) => id === task.userId)!;
    const offer = offerOf(made.catalogue, offerName(task.relation, task.scenario))!;
    const ordered = {
      ...task,
      gold: { ...task.gold, edges: task.gold.edges.map((edge) => ({ ...edge, kind: "order" as const })) },
    };
    const unasked = (query: string) =>
      solvingProblems({ ...ordered, query }, offer, user).filter((problem) =>
        problem.includes("ask for an order in words"),
      );
    expect(unasked(task.query)).toEqual([]);
    expect(unasked("Please do all of this.").length).toBe(task.gold.edges.length);
  });

  test("are all solved by the perfect planner with the built-in responder, in both languages", async () => {
    const wrong: string[] = [];
    for (const task of tasks) {
      const answer = runDialogue(loaded, task);
      const { value } = await scoreDialogue(loaded, task, answer);
      if (value !== 1 || answer.end !== "complete") wrong.push(task.id);
    }
    for (const task of tasks.slice(0, 400)) {
      const options = { language: "zh" };
      const answer = runDialogue(loaded, task, undefined, options);
      const { value } = await scoreDialogue(loaded, task, answer, { spec: { options } });
      if (value !== 1) wrong.push(`${task.id} zh`);
    }
    // A model that knows the answers does not need the profile: without it, a right plan must remain right.
    for (const task of tasks.filter((_, index) => index % 10 === 0)) {
      const options = { profile: "off" };
      const score = await scoreDialogue(loaded, task, runDialogue(loaded, task, undefined, options), {
        spec: { options },
      });
      if (score.value !== 1) wrong.push(`${task.id} without profile`);
    }
    expect(wrong).toEqual([]);
  });

  test("imply preferences and days of the week without stating them", () => {
    const api = made.tasks.filter(({ operationalScenario }) => operationalScenario === "API");
    expect(api.filter(({ query }) => /\bmy\b/.test(query)).length).toBeGreaterThan(api.length * 0.9);
    expect(made.tasks.filter(({ query }) => /\d{4}-\d{2}-\d{2}/.test(query))).toEqual([]);
  });

  test("have requests that read like a person's", () => {
    const odd = [
      /\ba (?:[aeio]|hono|hour)/,
      / on (?:tomorrow|next |this )/,
      /(One more thing:|Separately,) (?:[^.?]+)[.?] \1/,
    ];
    expect(made.tasks.map(({ query }) => query).filter((query) => odd.some((pattern) => pattern.test(query)))).toEqual(
      [],
    );
    // "In Lernwald, call it river names" means nothing to a reader who does not know what it refers to.
    const headless =
      /\b(?:[Ii]n|With) [A-Z]\w+, (?:please )?(?:call|name|title|close) (?:it|them)\b|\b[A-Z]\w+ (?:to|and) (?:call|name|title|close) (?:it|them)\b/;
    expect(made.tasks.map(({ query }) => query).filter((query) => headless.test(query))).toEqual([]);
    const ending = made.tasks.filter(({ query, queryZh }) => !/[a-z0-9][.?]$/i.test(query) || !queryZh.endsWith("。"));
    expect(ending.map(({ query }) => query)).toEqual([]);
  });
});

describe("the seed of task generation", () => {
  const read = async (name: string) => {
    const files = (await readdir(join(folder, name))).sort();
    return Promise.all(files.map((file) => readFile(join(folder, name, file), "utf8")));
  };

  test("gives the same bytes each time, whereas another seed gives other tasks", async () => {
    await generate(60, 7, join(folder, "a"));
    await generate(60, 7, join(folder, "b"));
    await generate(60, 8, join(folder, "c"));
    expect(await read("b")).toEqual(await read("a"));
    const queries = (files: readonly string[]) =>
      new Set(
        files
          .at(-1)!
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { query: string }).query),
      );
    expect(queries(await read("a")).intersection(queries(await read("c"))).size).toBe(0);
  });

  test.each([0, -1, 1.5])("is not used if the number of tasks is %d, which is rejected", async (count) => {
    await expect(generate(count, 7, join(folder, "none"))).rejects.toThrow("Expected `count` to be a whole number");
  });
});

describe("chain files for task generation", () => {
  /** The folder with one mistake, and of the other scenarios only two, whose names a file may repeat. */
  const broken = async (file: string, from: string, to: string) => {
    const chains = await mkdtemp(join(folder, "chains-"));
    const needed = [
      file,
      "profiles.yaml",
      "app-extras.yaml",
      "app-travel.yaml",
      "app-game.yaml",
      "api-travel.yaml",
      "api-edu.yaml",
    ];
    for (const name of needed) await cp(join(chainsFolder(), name), join(chains, name));
    const text = await readFile(join(chains, file), "utf8");
    expect(text).toContain(from);
    await writeFile(join(chains, file), text.replace(from, to));
    const line = text.slice(0, text.indexOf(from)).split("\n").length;
    return { line, made: generate(10, 1, join(folder, "x"), chains) };
  };

  test.each([
    [
      "app-travel.yaml",
      "Text | Search for the hotel",
      "Hop | Search for the hotel",
      "of .*app-travel.yaml.*Tap, Text, Swipe, Back, Home",
    ],
    ["app-travel.yaml", "'{guests}' under guests", "'{guets}' under guests", "of .*whose \\{guets\\} is a slot"],
    [
      "app-travel.yaml",
      "enter {guests} as the guests",
      "enter the guests",
      "of .*contains \\{guests\\} in both requests",
    ],
    ["api-travel.yaml", "{ type: str, slot: region }", "{ type: text, slot: region }", "of .*to be one of str, enum"],
    ["api-travel.yaml", "takes: place", "takes: palace", 'of .*to be a kind of this file, got `"palace"`'],
    ["profiles.yaml", "make: phone", "make: fax", 'of .*one of phone, address, got `"fax"`'],
    ["api-edu.yaml", "zh: 该考试", "zh: [该考试", "of .*api-edu.yaml to be YAML"],
    ["api-edu.yaml", "zh: 该考试", `zh: ${"[".repeat(100_000)}`, "of .*api-edu.yaml to be YAML: at most 100 nested"],
    [
      "app-travel.yaml",
      "apps: [Wanderkit, Lodgewell,",
      "apps: [Wanderkit, Wanderkit,",
      "of .*an app that is not listed before",
    ],
    [
      "app-travel.yaml",
      "scenario: 1_travel",
      "scenario: 9_game",
      "of .*a name of its own, as .*app-game.yaml has it already",
    ],
    [
      "api-travel.yaml",
      "tool: searchStays",
      "tool: findDestination",
      "of .*a name of its own, as .*api-travel.yaml has it",
    ],
    ["api-travel.yaml", "tool: searchStays", "tool: findCourse", "of .*a name of its own, as .*api-edu.yaml has it"],
    [
      "api-travel.yaml",
      "checkIn: { type: date, date: true }",
      "checkIn: { type: time, date: true }",
      "of .*to be date",
    ],
    [
      "api-travel.yaml",
      "placeId: { type: str, takes: place }",
      "placeId: { type: int, takes: place }",
      "of .*a type that every `place` has",
    ],
    [
      "api-travel.yaml",
      "room: { type: str, profile:",
      "room: { type: bool, profile:",
      "of .*every value of the profile field",
    ],
    ["api-travel.yaml", "guests: [2, 3,", "guests: [two, 3,", "of .*to be of type int, as `calls.*guests` takes it"],
    ["app-extras.yaml", "Swipe | ", "Swipe | {region} ", "of .*whose \\{region\\} is a slot"],
  ])("with a mistake in %s are rejected: %s → %s", async (file, from, to, message) => {
    const { line, made } = await broken(file, from, to);
    await expect(made).rejects.toThrow(new RegExp(`line ${line} ${message}`));
  });

  test("are rejected if the folder is missing, or if chains are too short for hard tasks", async () => {
    await expect(generate(10, 1, join(folder, "x"), join(folder, "none"))).rejects.toThrow(
      "Expected a folder of chain",
    );
    const { made } = await broken("app-game.yaml", "apps: [", "apps: [Onlyone] # [");
    await expect(made).rejects.toThrow("to be a list of at least 3 apps");
    const chains = await mkdtemp(join(folder, "chains-"));
    await cp(chainsFolder(), chains, { recursive: true });
    await rm(join(chains, "app-extras.yaml"));
    await expect(generate(300, 1, join(folder, "x"), chains)).rejects.toThrow(DataProblem);
  });

  test("are rejected if calls share too few values for a chain", async () => {
    const chains = await mkdtemp(join(folder, "chains-"));
    await cp(chainsFolder(), chains, { recursive: true });
    const path = join(chains, "api-travel.yaml");
    const text = await readFile(path, "utf8");
    const onward = text.slice(text.indexOf("  - tool: suggestNextStop"), text.indexOf("  - tool: addTripCosts"));
    await writeFile(path, text.replace(onward, ""));
    await expect(generate(300, 1, join(folder, "x"), chains)).rejects.toThrow(
      /^Expected the chains of 1_travel to allow a \w+ task of CAPI \(too few calls use each other's results\)$/,
    );
  });

  test("can contain a new app, which then appears in tasks and catalogue", async () => {
    await (
      await broken("app-game.yaml", "apps: [Playgrotto,", "apps: [Zebraplay, Playgrotto,")
    ).made;
    expect(await readFile(join(folder, "x", "apps.json"), "utf8")).toContain("Zebraplay");
  });
});

describe("structures of graphs", () => {
  const value = (from: string, to: string) => ({ from, to, kind: "value" as const });
  test.each([
    ["one-to-many", [value("a", "b"), value("a", "c")], true],
    ["one-to-many", [value("a", "b"), value("b", "c")], false],
    ["many-to-one", [value("a", "c"), value("b", "c")], true],
    ["many-to-one", [value("a", "b"), value("a", "c")], false],
    ["many-to-many-1", [value("a", "b"), value("a", "c")], false],
    ["many-to-many-2", [value("a", "b"), value("a", "c"), value("b", "c")], true],
    ["many-to-many-3", [value("a", "b"), value("b", "c"), value("c", "a")], false],
  ] as const)("match %s for %j: %s", (structure, edges, fits) => {
    expect(structureProblems("DAPI", structure, ["a", "b", "c"], edges).length === 0).toBe(fits);
  });

  test("have a suggested level, the level with the nearest medians", () => {
    expect([suggestLevel(3, 5), suggestLevel(5, 7), suggestLevel(6, 9)]).toEqual(["easy", "middle", "hard"]);
  });
});
