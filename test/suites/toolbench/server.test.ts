import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Environment } from "../../../source/engine/protocol.ts";
import type { Json, RunSpec, Task, ToolCall } from "../../../source/engine/types.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { pythonJson } from "../../../suites/toolbench/ask/environment.ts";
import { apiOf, type Api } from "../../../suites/toolbench/data/records.ts";
import { ResponseCache } from "../../../suites/toolbench/data/response-cache.ts";
import { VirtualServer } from "../../../suites/toolbench/ask/virtual-server.ts";
import { act } from "../../../source/engine/run/ask.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import { environmentOf } from "../../../suites/toolbench/ask/environment.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

const api: Api = apiOf({
  category_name: "Food, Drink",
  tool_name: "Menu Box",
  api_name: "get dish",
  api_description: "A dish",
  required_parameters: [{ name: "ID", type: "NUMBER", description: "", default: "" }],
});
const entry = (key: string, input: Json, response: Json) => ({ key, input, error: "", response });
const cache = new ResponseCache(
  new Map([
    [
      "Food_Drink/menu_box/get_dish",
      [
        entry("{'is_id': 1.0}", { is_id: 1 }, "float"),
        entry("{'is_id': 1}", { is_id: 1 }, "whole"),
        entry("{'is_id': 2, 'lang': 'en'}", { is_id: 2, lang: "en" }, "two"),
      ],
    ],
  ]),
);
const call = (name: string, text: string): ToolCall => ({ id: "c", name, text, arguments: undefined });
const signal = new AbortController().signal;

describe("the virtual server of ToolBench", () => {
  const server = new VirtualServer(cache, { options: {} }, "");

  it("finds cached responses by Python's text of the arguments in their written order", () => {
    expect(server.answer(api, '{"is_id": 1.0}', undefined)).toMatchObject({ response: "float", from: "cache" });
    expect(server.answer(api, '{"is_id": 1}', undefined)).toMatchObject({ response: "whole" });
  });

  it("finds the same arguments in another order, unless the official text comparison is chosen", () => {
    const other = '{"lang": "en", "is_id": 2}';
    expect(server.answer(api, other, undefined).response).toBe("two");
    expect(
      new VirtualServer(cache, { options: { "cache.match": "text" } }, "").answer(api, other, undefined).error,
    ).toBe("No cached response");
  });

  it("returns an error if no response is cached, or the nearest response if the run allows this", () => {
    expect(server.answer(api, '{"is_id": 9}', undefined)).toEqual({
      error: "No cached response",
      response: "",
      from: "none",
    });
    const fuzzy = new VirtualServer(cache, { options: { "cache.fuzzy": "on" } }, "");
    expect(fuzzy.answer(api, '{"lang": "en"}', undefined)).toMatchObject({ response: "two", from: "nearest" });
  });

  it("rejects arguments that are not JSON, and treats missing arguments as an empty object", () => {
    expect(server.answer(api, "{", undefined).error).toBe("Tool input parse error...\n");
    expect(server.answer(api, "", undefined).error).toBe("No cached response");
  });

  it("asks a model to simulate a response only if the run allows this and no response is cached", () => {
    const simulating = new VirtualServer(cache, { options: { server: "simulate" } }, "");
    expect(server.consult(api, '{"is_id": 9}')).toBeUndefined();
    expect(simulating.consult(api, '{"is_id": 1}')).toBeUndefined();
    const asked = simulating.consult(api, '{"is_id": 9}');
    expect(asked).toMatchObject({ role: "responder", stage: "simulate" });
    expect(asked!.messages[1]!.content).toContain("{'is_id': 1.0} -> 'float'");
    expect(simulating.answer(api, '{"is_id": 9}', 'Sure: {"error": "", "response": {"dish": "soup"}}')).toMatchObject({
      response: { dish: "soup" },
      from: "simulated",
    });
    expect(simulating.answer(api, '{"is_id": 9}', "soup, I think").error).toBe("Failed to generate fake response");
  });

  it("asks the simulator up to three times for a readable reply, and then fails the task", async () => {
    const offer = { question: "", apis: [api], callable: new Map(), toolkits: undefined, tools: new Map() };
    const environment = environmentOf(offer, new VirtualServer(cache, { options: { server: "simulate" } }, ""), {});
    const simulate = async (replies: readonly string[]) => {
      let asked = 0;
      const stream = async function* () {
        yield { type: "text" as const, text: replies[asked++]! };
      };
      const model = () => ({ name: "simulator", stream });
      const context = {
        task: { id: "t" },
        spec: { temperature: 0 },
        model,
        nextRequest: () => asked,
        signal,
      } as unknown as TaskContext;
      const steps = act(context, environment, call(api.spec.name, '{"is_id": 9}'));
      let next = await steps.next();
      while (next.done !== true) next = await steps.next();
      return { asked, observation: next.value.observation };
    };
    const good = '{"error": "", "response": "soup"}';
    expect(await simulate([good])).toEqual({ asked: 1, observation: good });
    expect(await simulate(["soup", '{"error": ""}', good])).toEqual({ asked: 3, observation: good });
    const failure = { kind: "tool", message: "The reply to stage `simulate` cannot be read after 3 requests" };
    await expect(simulate(["soup", "[]", "{", good])).rejects.toMatchObject(failure);
  });

  it("writes observations as Python does, and truncates a response that is nested without end", () => {
    expect(pythonJson({ error: "", response: ["é", 1, null] })).toBe('{"error": "", "response": ["\\u00e9", 1, null]}');
    let deep: Json = "x";
    for (let index = 0; index < 5000; index++) deep = [deep];
    expect(pythonJson(deep).length).toBeLessThan(300);
  });
});

async function environmentFor(
  index: number,
  options: RunSpec["options"] = {},
): Promise<{ environment: Environment; task: Task }> {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const task = (await loaded.tasks("all"))[index]!;
  const spec = { strategy: "react", options, seed: 1, trial: 1 } as unknown as RunSpec;
  return { environment: await loaded.asks.environment!.open(task, spec), task };
}

describe("the environment of a query", () => {
  it("returns the official status codes for answers, failures and ends", async () => {
    const { environment } = await environmentFor(0);
    const status = async (name: string, text: string) => (await environment.call(call(name, text), signal)).status;
    expect(await status("current_weather_for_skyline_weather", '{"city": "Vessin"}')).toBe(0);
    expect(await status("weather_report_for_old_thermometer", '{"town": "Vessin"}')).toBe(6);
    expect(await status("no_such_thing", "{}")).toBe(1);
    expect(await status("", "{}")).toBe(1);
    expect(await status("Finish", "null")).toBe(2);
    expect(await status("Finish", '{"return_type": "give_up_and_restart"}')).toBe(4);
    const answered = await environment.call(
      call("Finish", '{"return_type": "give_answer", "final_answer": "17"}'),
      signal,
    );
    expect(answered).toMatchObject({ status: 3, end: { reason: "answered", answer: "17" } });
  });

  it("resolves a call to the first function whose name ends with the called name", async () => {
    const { environment } = await environmentFor(0);
    const result = await environment.call(call("weather_for_skyline_weather", '{"city": "Vessin"}'), signal);
    expect(result.ok).toBe(true);
  });

  it("reports the last failed call as a complaint, and shows lessons in the first prompt", async () => {
    const { environment } = await environmentFor(0);
    expect(environment.complaint!()).toBeUndefined();
    await environment.call(call("current_weather_for_skyline_weather", "{}"), signal);
    expect(environment.complaint!()).toContain("is required");
    expect(environment.opening!(["Give the city."])[0]!.content).toContain(
      "Lesson from an earlier attempt: Give the city.",
    );
  });

  it("offers a model the most similar APIs of a larger catalogue", async () => {
    const { environment } = await environmentFor(0, { catalogue: "pool", retrieve: 3 });
    const names = environment.tools.map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(names.at(-1)).toBe("Finish");
    expect(names[0]).toContain("weather");
  });
});

it("a response cache with numbers that only Python's JSON allows is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "response_cache"));
  const line =
    '{"c": "A", "t": "b", "a": "c", "key": "{}", "input": {}, "error": "", "response": [NaN, -Infinity, "NaN \\" NaN"]}';
  writeFileSync(join(folder, "response_cache", "solvable_cache.jsonl"), `${line}\n`);
  const read = await ResponseCache.read(folder);
  expect(read.entries({ category: "A", tool: "b", api: "c" })[0]?.response).toEqual(["NaN", "-Infinity", 'NaN " NaN']);
  writeFileSync(join(folder, "response_cache", "solvable_cache.jsonl"), "{nonsense");
  await expect(ResponseCache.read(folder)).rejects.toThrow("Expected line 1");
});

describePublished("a function that does not exist", () => {
  type Case = { action_name?: string; arguments: string; observation: string; status_code: number };
  const { finish_calls } = sharedJson<{ finish_calls: Case[] }>("conformance", "toolplanner", "toolbench_helpers.json");

  it("has the official environment's answer to every call", async () => {
    const cases = finish_calls.filter((one) => one.action_name !== undefined);
    expect(cases).toHaveLength(1);
    const { environment } = await environmentFor(0);
    for (const { action_name: name, arguments: text, observation, status_code: status } of cases)
      expect(await environment.call(call(name!, text), signal)).toMatchObject({ ok: false, observation, status });
  });
});

describePublished("published queries of ToolBench", () => {
  const open = () => toolbench.open({ folder: shared("data", "toolbench"), data: "published" });

  it("are complete in all six sets", async () => {
    const loaded = await open();
    const sets = toolbench.splits.map(({ name }) => name).filter((name) => name !== "all");
    const counts = await Promise.all(sets.map(async (set) => (await loaded.tasks(set)).length));
    expect(Object.fromEntries(sets.map((set, index) => [set, counts[index]]))).toEqual({
      G1_instruction: 163,
      G1_category: 153,
      G1_tool: 158,
      G2_instruction: 106,
      G2_category: 124,
      G3_instruction: 61,
    });
  });

  it("have cached answers for most relevant APIs", async () => {
    const loaded = await open();
    const tasks = await loaded.tasks("G1_instruction");
    const spec = { strategy: "react", options: {}, seed: 1, trial: 1 } as unknown as RunSpec;
    let found = 0;
    for (const task of tasks.slice(0, 40)) {
      const environment = await loaded.asks.environment!.open(task, spec);
      const asked = {
        role: "model",
        stage: "step",
        messages: environment.opening!([]),
        tools: environment.tools,
        spec,
      } as const;
      const [made] = loaded.oracle!(task, asked).calls ?? [];
      if (made !== undefined && made.name !== "Finish" && (await environment.call(made, signal)).ok) found += 1;
    }
    expect(found).toBeGreaterThan(30);
  });
});
