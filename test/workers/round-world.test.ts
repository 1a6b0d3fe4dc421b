/** The environment in which a worker executes the tasks of a round, and its reasons to reject it. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EndpointLimits } from "../../source/engine/models/limits/limiter.ts";
import { programIdentities } from "../../source/engine/run/programs/program-identity.ts";
import { packageVersion, sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { openSettings, type SettingsStore } from "../../source/engine/settings/settings.ts";
import type { MadeToolkits } from "../../source/engine/loaded-suite.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { LoadedSuites } from "../../source/engine/workbench/document/loaded-suites.ts";
import type { Manifest } from "../../source/workers/manifest.ts";
import { type RoundFiles, RoundWorld } from "../../source/workers/rounds/round-world.ts";
import { suites } from "../../suites/index.ts";
import { bareSpec } from "../bare-spec.ts";
import { builtProgram } from "../built-program.ts";

// The hash of the program is computed once per process, and equals the build's.
beforeAll(() => void builtProgram());

let folder: string;
let settings: SettingsStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "planwright-world-"));
  settings = await openSettings(join(folder, "settings"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const revisions = (name: string, strategy = "direct") => {
  const suite = suites.find((each) => each.name === name)!;
  const { revision } = suite.strategies.find((each) => each.name === strategy)!;
  return { suiteRevision: suite.revision, strategyRevision: revision };
};
const specOf = (more: Partial<RunSpec> = {}) => {
  const { suite = "appbench", strategy, data = "sample" } = more;
  const dataset = new LoadedSuites(suites, () => settings.read()).dataset(suite, data);
  return bareSpec(suite, { ...revisions(suite, strategy), ...(dataset !== undefined && { dataset }), ...more });
};

function worldOf(spec: RunSpec, more: Partial<Manifest> = {}, files: RoundFiles = {}): RoundWorld {
  const manifest = { run: "r", spec, version: packageVersion(), cache: false, prices: {}, toolkits: {}, ...more };
  const world = new RoundWorld(manifest, files, {
    suites,
    settings,
    limits: new EndpointLimits(),
    url: "redis://127.0.0.1:6379",
  });
  onTestFinished(() => world.close());
  return world;
}

const refusal = (...of: Parameters<typeof worldOf>) => worldOf(...of).refusal();

test("files of the session are written only into the folder of the round, which is removed with the round", async () => {
  const world = worldOf(specOf(), {}, { "lists/questions.csv": Buffer.from("question,answer") });
  expect(readFileSync(join(world.folder, "lists", "questions.csv"), "utf8")).toBe("question,answer");
  await world.close();
  expect(existsSync(world.folder)).toBe(false);
  expect(() => worldOf(specOf(), {}, { "../../escaped.txt": Buffer.from("") })).toThrow(/Expected a path inside/);
});

test("a task of a large file of questions has all its fields", async () => {
  const line = (at: number) =>
    `${JSON.stringify({ question: `${"What ".repeat(10)} ${at}?`, answer: `${at}`, level: 1 })}\n`;
  const text = Array.from({ length: 8_000 }, (_, at) => line(at)).join("");
  expect(text.length).toBeGreaterThan(525 * 1024);
  const world = worldOf(bareSpec("own/questions.jsonl", { data: "own" }), {}, { "questions.jsonl": Buffer.from(text) });
  const { task } = await world.execution("8000");
  const input = { id: "8000", question: `${"What ".repeat(10)} 7999?`, answer: "7999", facets: { level: 1 } };
  expect({ ...task }).toEqual({ ...input, input });
});

describe("a worker that differs from its round", () => {
  test("rejects the round with the reason if its suite or strategy differs", async () => {
    expect(await refusal(specOf())).toBeUndefined();
    expect(await refusal(bareSpec("nothing"))).toMatch(/^Expected a suite \(.*, got `nothing`$/);
    expect(await refusal({ ...specOf(), strategy: "nothing" })).toBe(
      "the worker has no strategy `nothing` for `appbench`",
    );
    expect(await refusal(specOf({ suiteRevision: 999 }))).toBe("the worker has another revision of suite `appbench`");
    expect(await refusal(specOf({ strategyRevision: 999 }))).toBe(
      "the worker has another revision of strategy `direct`",
    );
  });

  test("rejects a round whose code it lacks, and prints the command that starts it with that code", async () => {
    const differ = "the worker's `--with` files differ from the run's files";
    const start =
      "copy the notebook's files to the worker's machine, check them, and run `planwright worker redis://127.0.0.1:6379";
    const lacking = { ...specOf(), code: { strategy: "1234" } };
    expect(await refusal(lacking, { codeFiles: ["variant.ts", "the notebook's.ts"] })).toBe(
      `${differ}: ${start} --with variant.ts --with 'the notebook'\\''s.ts'\``,
    );
    expect(await refusal(lacking)).toBe(`${differ}: ${start} --with FILE\``);
    const ownSuite = { ...bareSpec("letters"), code: { suite: "1234" } };
    expect(await refusal(ownSuite, { codeFiles: ["letters.ts"] })).toBe(`${differ}: ${start} --with letters.ts\``);
  });

  test("rejects the round with the reason if its data differ or are missing", async () => {
    const others = "the worker's data for `appbench` differ from the run's data";
    expect(await refusal(specOf({ dataset: "other" }))).toBe(others);
    const own = join(folder, "own");
    cpSync(sampleFolder("appbench"), own, { recursive: true });
    settings.change((now) => ({ ...now, ownData: { appbench: { mine: own } } }));
    const spec = specOf({ data: "own/mine" });
    expect(await refusal(spec)).toBeUndefined();
    rmSync(own, { recursive: true });
    expect(await refusal(spec)).toMatch(/^You have no data `mine` for `appbench`/);
  });

  test("rejects the round with the reason if the worker lacks the model of the round", async () => {
    expect(await refusal(specOf({ model: "elsewhere/large" }))).toMatch(/elsewhere/);
  });

  test("rejects the round with the reason if its settings lack a tool server or agent, or contain a different one", async () => {
    const program = (command: string) => ({ name: "mine", command: [command], seconds: 60, megabytes: 100 });
    const named = (command: string) =>
      settings.change((now) => ({
        ...now,
        toolServers: [
          { ...program(command), reported: { name: "mine", version: "1", tools: 1, tokens: 9, hash: "h" } },
        ],
        agents: [program(command)],
      }));
    named("first");
    const { toolServers, agents } = programIdentities(settings.read());
    const asTools = specOf({ toolServers: Object.fromEntries(toolServers) });
    const asAgent = specOf({ options: { agent: "mine" }, agent: agents.get("mine")! });
    expect(await refusal(asTools)).toBeUndefined();
    expect(await refusal(asAgent)).toBeUndefined();
    const reasons = [
      "the worker's settings do not define the tool server `mine` as the run does",
      "the worker's settings do not define the agent `mine` as the run does",
    ];
    named("second");
    expect([await refusal(asTools), await refusal(asAgent)]).toEqual(reasons);
    settings.change((now) => ({ ...now, toolServers: [], agents: [] }));
    expect([await refusal(asTools), await refusal(asAgent)]).toEqual(reasons);
  });
});

test("a worker notices when the reason of its rejection changes: settings, program or data", async () => {
  const file = join(folder, "agent.py");
  writeFileSync(file, "first");
  settings.change((now) => ({ ...now, agents: [{ name: "mine", command: [file], seconds: 60, megabytes: 100 }] }));
  const own = join(folder, "own");
  cpSync(sampleFolder("appbench"), own, { recursive: true });
  settings.change((now) => ({ ...now, ownData: { appbench: { mine: own } } }));
  const spec = specOf({ data: "own/mine", dataset: "other" });
  const refused = async () => {
    const world = worldOf(spec);
    expect(await world.refusal()).toMatch(/differ from the run's/);
    expect(world.hasChanged()).toBe(false);
    return world;
  };
  let world = await refused();
  settings.change((now) => ({ ...now, data: { appbench: own } }));
  expect(world.hasChanged()).toBe(true);
  world = await refused();
  writeFileSync(file, "second, and longer");
  expect(world.hasChanged()).toBe(true);
  world = await refused();
  rmSync(own, { recursive: true });
  expect(world.hasChanged()).toBe(true);
});

describe("the toolkits of a round", () => {
  const open = async (suitesAt: Pick<LoadedSuites, "open" | "tasks">, { suite, data, split }: RunSpec) => {
    const [loaded, tasks] = await Promise.all([suitesAt.open(suite, data), suitesAt.tasks(suite, data, split)]);
    return { loaded, task: tasks[0]! };
  };

  test.each([
    ["of a catalogue", { suite: "toolbench", strategy: "tool-planner", options: { catalogue: "all" } }],
    ["of one query", { suite: "toolbench", strategy: "tool-planner", options: { catalogue: "query" } }],
    ["of a hub", { suite: "apibench", strategy: "tool-planner", split: "torchhub", options: {} }],
  ])("are used without grouping again: %s", async (_, more) => {
    const here = specOf(more);
    // Making the toolkits again would require a model that this machine does not have.
    const there = specOf({ ...more, options: { ...more.options, "clusters.explain": "elsewhere/large" } });
    const { loaded, task } = await open(new LoadedSuites(suites, () => settings.read()), here);
    const { toolkits } = await loaded.asks.environment!.open(task, here);
    expect(toolkits!.length).toBeGreaterThan(1);
    const made = JSON.parse(JSON.stringify(loaded.toolkits!.made(here, [task]))) as MadeToolkits;

    const world = worldOf(there, { toolkits: made });
    expect(await world.refusal()).toBeUndefined();
    const { task: same, execution } = await world.execution(task.id);
    const taken = await execution.loaded.asks.environment!.open(same, there);
    expect(taken.toolkits).toEqual(toolkits);
    const without = worldOf(there);
    expect(await without.refusal()).toBeUndefined();
    const { execution: other } = await without.execution(task.id);
    await expect(other.loaded.asks.environment!.open(same, there)).rejects.toThrow(/elsewhere/);

    const [[of, grouping]] = Object.entries(made) as [[string, MadeToolkits[string]]];
    const fewer = { [of]: { ...grouping, labels: grouping.labels.slice(1) } };
    expect(await refusal(there, { toolkits: fewer })).toMatch(/^Expected toolkits made of the \d+ tools of /);
  });
});
