import { beforeAll, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Api, Catalogue } from "../../../suites/appbench/data/catalogue.ts";
import { faultKinds } from "../../../suites/appbench/score/error-kinds.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { loadFolder } from "../../../suites/appbench/data/load.ts";
import { openSuite } from "../../../suites/appbench/loaded-suite.ts";
import { referenceCalls, writePlan } from "../../../suites/appbench/ask/reference-call.ts";
import { askedFor, scoreAnswer, staged } from "./sample-rows.ts";

let loaded: LoadedSuite<AppTask, "stages">;
let catalogue: Catalogue;
let tasks: readonly AppTask[];

beforeAll(async () => {
  const folder = sampleFolder("appbench");
  loaded = await openSuite(appbench, { folder, data: "sample" });
  ({ catalogue } = await loadFolder(folder, "sample"));
  tasks = await loaded.tasks("all");
});

function apiOf(app: string, name: string): Api {
  const found = catalogue.apps.find((one) => one.name === app)?.apis.find((api) => api.name === name);
  if (found === undefined) throw new Error(`No API ${name} of ${app}`);
  return found;
}

test("the sample of AppBench has enough tasks in all four categories, from a single call to three chains of four calls", async () => {
  expect(tasks.length).toBeGreaterThanOrEqual(24);
  for (const split of ["ss", "sm", "ms", "mm"]) expect((await loaded.tasks(split)).length).toBeGreaterThan(4);
  const scales = new Set(tasks.map((task) => `${task.facets["parallel"]} x ${task.facets["sequential"]}`));
  for (const scale of [
    "1 x 1",
    "1 x 2",
    "1 x 3",
    "1 x 4",
    "2 x 1",
    "2 x 3",
    "2 x 4",
    "3 x 1",
    "3 x 2",
    "3 x 3",
    "3 x 4",
  ])
    expect(scales).toContain(scale);
});

test("the sample of AppBench has categories that match their names", () => {
  for (const { id, facets } of tasks) {
    const several = String(facets["category"]);
    expect(Number(facets["apps"]) > 1, id).toBe(several.startsWith("M"));
    expect(Number(facets["calls"]) > Number(facets["apps"]), id).toBe(several.endsWith("M"));
  }
});

test("every reference call in AppBench's sample is in the catalogue, with all required and no unknown arguments", () => {
  for (const { id, answer } of tasks) {
    for (const [index, call] of referenceCalls(answer).entries()) {
      const api = apiOf(call.app, call.api);
      const keys = call.arguments.map((item) => item.key);
      const required = api.required_arguments.map((item) => item.name);
      const known = [...required, ...api.optional_arguments.map((item) => item.name)];
      expect(
        required.filter((name) => !keys.includes(name)),
        id,
      ).toEqual([]);
      expect(
        keys.filter((key) => !known.includes(key)),
        id,
      ).toEqual([]);
      expect(keys, id).toEqual(keys.toSorted());
      const returned = api.result_arguments.map((item) => item.name);
      expect(answer.result_arguments[index], id).toEqual(returned);
      expect(call.head, id).toBe(`${returned.join(", ")} = `);
      expect(Object.keys(answer.used_api[index]!), id).toEqual([call.api]);
      expect(Object.keys(answer.used_api[index]![call.api]!), id).toEqual(keys);
    }
  }
});

test("every reference in AppBench's sample is to an earlier call's result, and every literal matches its type", () => {
  for (const { id, answer } of tasks) {
    const returned = new Set<string>();
    for (const [index, call] of referenceCalls(answer).entries()) {
      const api = apiOf(call.app, call.api);
      for (const { key, value } of call.arguments) {
        const truth = answer.used_api[index]![call.api]![key]!;
        if (!value.startsWith("'")) {
          expect(value, id).toBe(key);
          expect(returned, id).toContain(value);
        } else {
          expect(value, id).toBe(`'${truth}'`);
        }
        const type = [...api.required_arguments, ...api.optional_arguments].find((item) => item.name === key)!.type;
        if (type === "date") expect(truth, id).toMatch(/^2019-03-\d\d$/);
        if (type === "time") expect(truth, id).toMatch(/^\d\d:\d\d$/);
        if (type === "int") expect(truth, id).toMatch(/^\d+$/);
        if (type === "bool") expect(truth, id).toMatch(/^(True|False)$/);
      }
      for (const name of answer.result_arguments[index]!) returned.add(name);
    }
  }
});

test("times, places and references in AppBench's sample can be made wrong", () => {
  const text = tasks.map(({ answer }) => writePlan(referenceCalls(answer))).join("\n");
  for (const part of ["date='", "time='", "from_port='", "destination='", "sail_date=sail_date"])
    expect(text).toContain(part);
  for (const { name } of faultKinds) {
    const replies = tasks.filter(
      (task) => loaded.fault!(task, askedFor("plan"), name, randomFrom(task.id)) !== undefined,
    );
    expect(replies.length, name).toBeGreaterThanOrEqual(name === "wrong-place-value" ? 8 : 15);
  }
});

test("each mistake that is injected into AppBench's sample is reported only as its own kind", async () => {
  for (const { name, errors } of faultKinds) {
    for (const task of tasks) {
      const reply = loaded.fault!(task, askedFor("plan"), name, randomFrom(`${name} ${task.id}`));
      if (reply === undefined) continue;
      const { errors: found } = await scoreAnswer(loaded, task, staged("", reply.text));
      expect(found, `${name} ${task.id}`).toHaveLength(1);
      expect(errors as readonly string[], task.id).toContain(found[0]!.kind);
    }
  }
});

test("questions in AppBench's sample are distinct sentences", () => {
  expect(new Set(tasks.map((task) => task.question)).size).toBe(tasks.length);
  for (const { question } of tasks) expect(question).toMatch(/^[A-Z].*[.?]$/);
});
