import { describe, expect, test } from "vitest";
import { forkSource } from "../../../source/engine/session/fork-cell.ts";
import { filledInTexts } from "../../../source/engine/session/fields/given-fields.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { runSettings } from "../../../source/engine/run-settings-rows.ts";
import { frozenCells, frozenContext } from "./frozen-suite.ts";

const plan = (source: string) => planRunCell(source, frozenContext);
const bare = "suite: frozen\nmodel: lab/m\n";
const id = (source: string) => plan(source).runs[0]!.run;
const problem = (source: string) => plan(source).problems[0]!.message;
const fork = { run: "0123456789abcdef", task: "t-1", request: 1 };

describe("the id of a run", () => {
  test.each(frozenCells)("equals the id in version 0.1.0: $cell", ({ cell, runs }) => {
    expect(plan(cell).problems).toEqual([]);
    // Its labels had commas between values and inside values.
    const written = plan(cell).runs.map(({ run, label }) => `${run} ${label.replaceAll(" · ", ", ")}`);
    expect(written).toEqual(runs);
  });

  test.each([
    ["minP", "minP: 0.05\n"],
    ["stop", "stop: END\n"],
    ["request", "request: {lab_field: 20}\n"],
    ["reasoning", "reasoning: keep\n"],
    ["tools", "tools: text\n"],
  ] as const)("depends on %s only if the setting has a value", (name, field) => {
    expect(id(bare + field)).not.toBe(id(bare));
    expect(plan(bare).runs[0]!.spec).not.toHaveProperty(name);
    expect(plan(bare + field).runs[0]!.spec).toHaveProperty(name);
  });

  test("is the same for one stop string alone or in a list, and for no stop string or an empty list", () => {
    expect(id(`${bare}stop: [END]\n`)).toBe(id(`${bare}stop: END\n`));
    expect(id(`${bare}stop: []\n`)).toBe(id(bare));
    expect(id(`${bare}stop: [END, HALT]\n`)).not.toBe(id(`${bare}stop: END\n`));
    expect(id(`${bare}reasoning: auto\ntools: native\n`)).toBe(id(bare));
  });
});

describe("a grid of runs", () => {
  test("accepts a list for every setting that has a single value", () => {
    expect(plan(`${bare}minP: [0.02, 0.1]\n`).runs.map(({ label, spec }) => [label, spec.minP])).toEqual([
      ["minP 0.02", 0.02],
      ["minP 0.1", 0.1],
    ]);
  });

  test("requires a list of lists for stop strings, because a list of texts is one value", () => {
    expect(plan(`${bare}stop: [END, HALT]\n`).runs.map(({ spec }) => spec.stop)).toEqual([["END", "HALT"]]);
    const { runs } = plan(`${bare}stop: [[], [END], ["\\n", HALT], END]\n`);
    expect(runs.map(({ label, spec }) => [label, spec.stop])).toEqual([
      ["stop none", undefined],
      ['stop "END"', ["END"]],
      ['stop "\\n" "HALT"', ["\n", "HALT"]],
    ]);
  });
});

describe("`repeats` in a cell", () => {
  const labels = (source: string) => plan(source).runs.map(({ label, pool }) => [label, pool]);

  test("makes the trials of a run like a list of trials, so that earlier trials count", () => {
    const { runs, problems } = plan(`${bare}repeats: 3\n`);
    expect(problems).toEqual([]);
    expect(runs.map(({ run }) => run)).toEqual(plan(`${bare}trial: [1, 2, 3]\n`).runs.map(({ run }) => run));
    expect(runs[0]!.run).toBe(id(bare));
    expect(runs.map(({ spec }) => spec.trial)).toEqual([1, 2, 3]);
    expect(runs[0]!.spec).not.toHaveProperty("repeats");
    expect(labels(`${bare}repeats: 3\n`)).toEqual([
      ["trial 1", "lab/m"],
      ["trial 2", "lab/m"],
      ["trial 3", "lab/m"],
    ]);
  });

  test("combines with each other value of a grid", () => {
    expect(labels(`${bare}repeats: 2\ntemperature: [0.2, 0.7]\n`)).toEqual([
      ["trial 1 · temperature 0.2", "temperature 0.2"],
      ["trial 1 · temperature 0.7", "temperature 0.7"],
      ["trial 2 · temperature 0.2", "temperature 0.2"],
      ["trial 2 · temperature 0.7", "temperature 0.7"],
    ]);
  });

  test("makes an ordinary run if the value is 1, whereas trials in a list remain separate runs", () => {
    expect(labels(`${bare}repeats: 1\n`)).toEqual([["lab/m", undefined]]);
    expect(labels(`${bare}trial: [1, 2]\n`)).toEqual([
      ["trial 1", undefined],
      ["trial 2", undefined],
    ]);
  });
});

describe("a seed in a cell", () => {
  test("is part of the run's id if it is set, even to 0; without a seed the id is unchanged", () => {
    expect(id(`${bare}seed: 0\n`)).not.toBe(id(bare));
    expect(plan(`${bare}seed: 0\n`).runs[0]!.spec).toMatchObject({ seed: 0, set: ["seed"] });
    expect(plan(bare).runs[0]!.spec).toMatchObject({ seed: 0 });
    expect(plan(bare).runs[0]!.spec).not.toHaveProperty("set");
    expect(new Set(plan(`${bare}seed: [0, 1]\n`).runs.map(({ run }) => run)).size).toBe(2);
  });

  test("remains in a fork's cell if it is 0", () => {
    const { spec } = plan(`${bare}seed: 0\n`).runs[0]!;
    expect(plan(forkSource(spec, fork)).runs[0]!.spec).toMatchObject({ seed: 0, set: ["seed"] });
  });
});

test("a list of maps in `request` makes a grid, whatever the order of the fields", () => {
  const { runs } = plan(`${bare}request: [{}, {lab_field: 20}, {lab_name: low}]\n`);
  expect(runs.map(({ label }) => label)).toEqual([
    "request none",
    'request {"lab_field":20}',
    'request {"lab_name":"low"}',
  ]);
  expect(runs[0]!.run).toBe(id(bare));
  expect(id(`${bare}request: {a: 1, b: [2]}\n`)).toBe(id(`${bare}request: {b: [2], a: 1}\n`));
});

describe("a setting that is written as a field of `request`", () => {
  test.each([
    ["temperature: 0.2\n", "request: {temperature: 0.2}\n"],
    ["temperature: 0.2\n", "temperature: 0.2\nrequest: {temperature: 0.2}\n"],
    ["", "request: {temperature: 0}\n"],
    ["topP: 0.9\nminP: 0.05\nmaxTokens: 512\n", "request: {top_p: 0.9, min_p: 0.05, max_tokens: 512}\n"],
    ["stop: END\n", "request: {stop: END}\n"],
    ["seed: 0\n", "request: {seed: 0}\n"],
    ["seed: 7\nrequest: {lab_field: 20}\n", "request: {seed: 7, lab_field: 20}\n"],
  ])("makes the same run written as %j or as %j", (setting, field) => {
    expect(plan(bare + field).problems).toEqual([]);
    expect(plan(bare + field).runs).toEqual(plan(bare + setting).runs);
  });

  test("is reported once for each value", () => {
    const note = (source: string) => filledInTexts(plan(`data: sample\n${bare}${source}`).filledIn ?? []);
    expect(note("request: {temperature: 0.2, lab_field: 20}\n")).toEqual(["from `request`: temperature: 0.2"]);
    expect(note("request: [{seed: 1, lab_field: 20}, {seed: 1, lab_field: 40}, {seed: 2}]\n")).toEqual([
      "from `request`: seed: 1, seed: 2",
    ]);
  });

  test("makes a grid of requests", () => {
    const { runs } = plan(`${bare}request: [{}, {temperature: 0.7, lab_field: 20}]\n`);
    expect(runs.map(({ label, spec }) => [label, spec.temperature, spec.request])).toEqual([
      ["request none", 0, undefined],
      ['request {"temperature":0.7 "lab_field":20}', 0.7, { lab_field: 20 }],
    ]);
  });
});

describe("an invalid value of a setting", () => {
  test.each([
    [
      "request: {temperature: 3}",
      'Expected `request` to be with `temperature` as a number from 0 to 2, got `{"temperature":3}`',
    ],
    [
      "request: {messages: []}",
      'Expected `request` to be without `messages` (`strategy` decides them), got `{"messages":[]}`',
    ],
    [
      "request: {model: other}",
      'Expected `request` to be without `model` (set `model` instead), got `{"model":"other"}`',
    ],
    [
      "request: {stream: false}",
      'Expected `request` to be without `stream` (replies are always streamed), got `{"stream":false}`',
    ],
    [
      "temperature: 0.2\nrequest: [{temperature: 0.2}, {temperature: 0.7}]",
      'Expected one value for `temperature`, got `0.2` and `request: {"temperature":0.7}`',
    ],
    [
      "stop: END\nrequest: {stop: [HALT]}",
      'Expected one value for `stop`, got `["END"]` and `request: {"stop":["HALT"]}`',
    ],
    [
      "request: {max_completion_tokens: 1}",
      'Expected `request` to be without `max_completion_tokens` (set `maxTokens` instead), got `{"max_completion_tokens":1}`',
    ],
    [
      "request: {n: 2}",
      'Expected `request` to be without `n` above 1 (one reply is read; `trial` repeats a run), got `{"n":2}`',
    ],
    [
      "request: low",
      'Expected `request` to be fields of a request and their values, such as `{reasoning_effort: low}`, got `"low"`',
    ],
    ["request: {__proto__: {a: 1}}", 'Expected `request` to be without `__proto__`, got `{"__proto__":{"a":1}}`'],
    ["minP: 1.5", "Expected `minP` to be a number from 0 to 1, got `1.5`"],
    ["maxTokens: 0.5", "Expected `maxTokens` to be a whole number from 1, got `0.5`"],
    ["stop: 5", "Expected `stop` to be a string or a list of strings, got `5`"],
    ["stop: [A, 5]", 'Expected `stop` to be a string or a list of strings, got `["A",5]`'],
    ['stop: ""', 'Expected `stop` to be a string or a list of strings, got `""`'],
    ["shots: 6", "Expected `shots` to be a whole number from 0 to 5, got `6`"],
    ["repeats: 0", "Expected `repeats` to be a whole number from 1 to 100, got `0`"],
    ["repeats: [2, 3]", "Expected `repeats` to be one number, got `[2,3]`"],
    ["trial: 2\nrepeats: 3", "Expected `repeats` or `trial`, got both"],
    ["cache: yes", 'Expected `cache` to be one of off, on, got `"yes"`'],
    ["data: [sample, own]", 'Expected `data` to be one of sample, published, got `"own"`'],
  ])("is reported with the expected value: %s", (field, message) => {
    expect(problem(`${bare}${field}\n`)).toBe(message);
  });
});

describe("the cell of a fork", () => {
  const source = `suite: frozen
split: large
strategy: search
profile: off
depth: 2
shots: 3
model: lab/m
actor: lab/a
responder: lab/r
user: lab/u
judge: lab/j
prompts: {answer: Think.}
temperature: 0.7
topP: 0.9
minP: 0.05
maxTokens: 512
stop: [END, "\\n"]
request: {lab_field: 20, lab_fields: {inner: false}}
reasoning: drop
tools: auto
limit: 10
seed: 7
trial: 2
filter: {level: easy}
budget: {task: {steps: 20}, run: {cost: 0.5}}
`;
  const { spec } = plan(source).runs[0]!;

  test("copies every setting of the run except those that choose its tasks", () => {
    const forked = plan(forkSource(spec, fork));
    expect(forked.problems).toEqual([]);
    expect(forked.runs[0]!.spec).toEqual({ ...spec, limit: 0, filter: {}, fork });
    // The cell above contains every setting.
    const left = runSettings.map(({ name }) => name).filter((name) => !source.includes(`${name}: `));
    const others = ["from", "process", "data", "vary", "predictions", "cache", "repeats", "samples", "pick", "until"];
    expect(left).toEqual([...others, "fork", "rescue"]);
  });

  test("keeps the cost limit of its original run", () => {
    expect(plan(forkSource(spec, fork)).runs[0]!.spec.budget).toEqual({ task: { steps: 20 }, run: { cost: 0.5 } });
  });

  test("has the changed options in place of the original options", () => {
    const plain = plan(`${bare}trial: 2\n`).runs[0]!.spec;
    const changed = forkSource(plain, fork, { prompting: "hierarchical", maxTokens: 64 });
    expect(changed).toContain("prompting: hierarchical\n");
    expect(changed).not.toContain("flat");
    expect(changed).toContain("maxTokens: 64\n");
  });

  test("is written in the usual order of fields, without defaults, and with the changes", () => {
    const plain = plan(`${bare}trial: 2\n`).runs[0]!.spec;
    expect(forkSource(plain, { ...fork, message: "Plan: this?" }, { model: "builtin/oracle" })).toBe(
      `suite: frozen
split: small
data: sample
strategy: direct
prompting: flat
profile: "on"
model: builtin/oracle
trial: 2
fork: {run: "0123456789abcdef", task: "t-1", request: 1, message: "Plan: this?"}
`,
    );
  });
});
