import { describe, expect, it } from "vitest";
import { type Field, formFields, fieldText, titleColumns, valueOf } from "../../../source/terminal/form/form-fields.ts";
import { readSettings } from "../../../source/terminal/form/field-text.ts";
import { formSource } from "../../../source/terminal/form/form-source.ts";
import {
  type FormValues,
  fieldMoved,
  readValues,
  settle,
  settleOwn,
  withDefaults,
} from "../../../source/terminal/form/form-values.ts";
import { runSettings } from "../../../source/engine/run-settings-rows.ts";
import { fuzzy } from "../../../source/terminal/input/choice-list.tsx";
import { suites } from "../../../suites/index.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { own } from "../../../suites/own/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { openDouble } from "../double-workbench.ts";

const workbench = openDouble();
const with_ = (values: FormValues, name: string, ...own: (string | number)[]) => new Map(values).set(name, own);

const written = `# What is asked
suite: appbench # the benchmark
split: mm

prompting: [hierarchical, flat] # the question
model: builtin/slips
budget:
  task: {steps: 20}
unknown: kept
filter:
  category: [mm]
`;

describe("the YAML written by the form", () => {
  it("is unchanged for an unchanged cell, byte for byte", () => {
    expect(formSource(readValues(written), written)).toBe(written);
  });
  it("contains values without names as shown, and keeps the names of the other values", () => {
    const cell = 'suite: appbench\nmodel: {small: lab/a, large: lab/b}\nsystem: {terse: "Be brief.", plain: ""}\n';
    const values = readValues(cell);
    expect(values.get("model")).toEqual(["lab/a", "lab/b"]);
    expect(formSource(values, cell)).toBe(cell);
    expect(formSource(with_(values, "model", "lab/b", "lab/c"), cell)).toBe(
      cell.replace("{small: lab/a, large: lab/b}", "{large: lab/b, lab/c: lab/c}"),
    );
    expect(formSource(with_(values, "model", "lab/b"), cell)).toBe(
      cell.replace("{small: lab/a, large: lab/b}", "lab/b"),
    );
  });
  it("contains labelled filters, limits and option groups as one map each", () => {
    const cell = [
      "suite: appbench",
      "filter: {easy: {category: [SS]}, hard: {category: [MM]}}",
      "budget: {short: {task: {steps: 4}}, long: {}}",
      "",
    ].join("\n");
    const values = readValues(cell);
    expect(formSource(with_(values, "trial", 2), cell)).toBe(`${cell}trial: 2\n`);
    const fields = formFields(values, workbench);
    const texts = fields.flatMap((field) => (/^(filter|budget)/.test(field.name) ? fieldText(field, values).text : []));
    expect(texts).toEqual([
      '{"easy":{"category":["SS"]},"hard":{"category":["MM"]}}',
      '{"short":{"task":{"steps":4}},"long":{}}',
    ]);
    const offers = { ...workbench, suites, dataOf: () => ["sample"], modelNames: () => [] } as typeof workbench;
    const grouped = readValues("suite: toolbench\nstrategy: tool-planner\nclusters: {a: {k: 4}, b: {k: 8}}\n");
    const names = formFields(grouped, offers).map(({ name }) => name);
    expect(names).toContain("clusters");
    expect(names).not.toContain("clusters.k");
    expect(formFields(readValues("suite: toolbench\ncache: on\n"), offers).map(({ name }) => name)).toContain(
      "cache.match",
    );
  });
  it("contains other fields of a request as a map, or as a list of maps", () => {
    const cell = "suite: appbench\nmodel: lab/m\nrequest: {lab_number: 20, lab_list: [1, 2]}\n";
    const values = readValues(cell);
    expect(formSource(with_(values, "trial", 2), cell)).toBe(`${cell}trial: 2\n`);
    const field = formFields(values, workbench).find(({ name }) => name === "request")!;
    expect(fieldText(field, values).text).toBe('{"lab_number":20,"lab_list":[1,2]}');
    const both = new Map(values).set(
      "request",
      ['{"lab_number":5}', "{}"].map((text) => valueOf(field, text)),
    );
    expect(formSource(both, "")).toContain("request: [{lab_number: 5}, {}]\n");
    expect(field.read('{"stream":true}')).toEqual({
      problem: "Expected without `stream` (replies are always streamed)",
    });
    expect(field.read("low")).toMatchObject({ problem: expect.stringContaining("Expected JSON") });
  });
  it("contains settings from a request as separate fields after the user changes them", () => {
    const cell = "suite: appbench\nrequest: {temperature: 0.2, seed: 0, lab_number: 20} # mine\ntopP: 0.9\n";
    const values = readValues(cell);
    expect([...values]).toEqual([
      ["suite", ["appbench"]],
      ["request", [{ lab_number: 20 }]],
      ["topP", [0.9]],
      ["temperature", [0.2]],
      ["seed", [0]],
    ]);
    expect(formSource(values, cell)).toBe(cell);
    expect(formSource(with_(values, "topP", 0.5), cell)).toBe(cell.replace("0.9", "0.5"));
    expect(formSource(with_(values, "temperature", 0.2, 0.7), cell)).toBe(
      `${cell.replace("temperature: 0.2, ", "")}temperature: [0.2, 0.7]\n`,
    );
    const unset = new Map(values);
    unset.delete("seed");
    expect(formSource(unset, cell)).toBe(cell.replace("seed: 0, ", ""));
    const none = new Map(values);
    none.delete("request");
    expect(formSource(none, cell)).toBe("suite: appbench\ntopP: 0.9\ntemperature: 0.2\nseed: 0\n");
    expect(formSource(with_(readValues("request: {seed: 1}\n"), "seed", 2), "request: {seed: 1}\n")).toBe("seed: 2\n");
    const grid = "suite: appbench\nrequest: [{temperature: 0.2}, {temperature: 0.7}]\n";
    expect(readValues(grid).get("request")).toEqual([{ temperature: 0.2 }, { temperature: 0.7 }]);
    const twice = "suite: appbench\ntemperature: 0.2\nrequest: {temperature: 0.7}\n";
    expect(readValues(twice).get("request")).toEqual([{ temperature: 0.7 }]);
    expect(formSource(with_(readValues(twice), "temperature", 0.5), twice)).toBe("suite: appbench\ntemperature: 0.5\n");
  });
  it("keeps comments, order, budget and unknown fields when one field changes", () => {
    const changed = formSource(with_(readValues(written), "split", "ss"), written);
    expect(changed).toBe(written.replace("split: mm", "split: ss"));
    const grid = formSource(with_(readValues(written), "prompting", "flat"), written);
    expect(grid).toBe(written.replace("[hierarchical, flat]", "flat"));
    const lists = formSource(with_(readValues(written), "model", "builtin/slips", "local/qwen3"), written);
    expect(lists).toContain("model: [builtin/slips, local/qwen3]\n");
    expect(lists).toContain("prompting: [hierarchical, flat] # the question");
  });
  it("omits a field that has its default value again", () => {
    const values = new Map(readValues(written));
    values.delete("filter.category");
    values.delete("split");
    const source = formSource(values, written);
    expect(source).not.toContain("filter");
    expect(source).not.toContain("split");
    expect(source).toContain("unknown: kept");
  });
  it("contains limits that are set, changed and removed one by one, and leaves other limits unchanged", () => {
    const before = readValues(written);
    expect(before.get("budget.task.steps")).toEqual([20]);
    const steps = formSource(with_(before, "budget.task.steps", 5), written);
    expect(steps).toBe(written.replace("steps: 20", "steps: 5"));
    const more = formSource(with_(before, "budget.run.cost", 1.5), written);
    expect(more).toBe(written.replace("task: {steps: 20}\n", "task: {steps: 20}\n  run:\n    cost: 1.5\n"));
    expect(readValues(more).get("budget.run.cost")).toEqual([1.5]);
    const none = new Map(before);
    none.delete("budget.task.steps");
    expect(formSource(none, written)).not.toContain("budget");
  });
  it("can contain request settings, limits and a predictions file, and invalid values are reported", () => {
    const fields = new Map(formFields(readValues(written), workbench).map((field) => [field.name, field]));
    expect(fields.get("budget.task.tokens")!.read("0")).toEqual({ problem: "Expected a number above 0" });
    expect(fields.get("topP")!.read("2")).toEqual({ problem: "Expected at most 1" });
    expect(fields.get("maxTokens")!.read("1.5")).toEqual({ problem: "Expected a whole number" });
    const values = new Map<string, (string | number)[]>([
      ["suite", ["appbench"]],
      ["model", ["local/qwen3"]],
      ["predictions", ["2024"]],
      ["topP", [0.9]],
      ["minP", [0.05]],
      ["maxTokens", [512]],
      ["budget.task.seconds", [60]],
    ]);
    const source = formSource(values);
    expect(source).toBe(
      'suite: appbench\nmodel: local/qwen3\npredictions: "2024"\ntopP: 0.9\nminP: 0.05\nmaxTokens: 512\nbudget:\n  task:\n    seconds: 60\n',
    );
    expect(readValues(source)).toEqual(values);
  });
  it("has the fields of a new cell in the usual order", () => {
    const values = new Map<string, (string | number)[]>([
      ["limit", [20]],
      ["model", ["builtin/oracle"]],
      ["prompting", ["flat", "hierarchical"]],
      ["suite", ["appbench"]],
      ["filter.category", ["mm"]],
    ]);
    expect(formSource(values)).toBe(
      "suite: appbench\nprompting: [flat, hierarchical]\nmodel: builtin/oracle\nlimit: 20\nfilter:\n  category: mm\n",
    );
    expect(readValues(formSource(values))).toEqual(values);
  });
  it("can replace invalid YAML without an error", () => {
    for (const broken of ["", ": : [", "- a\n- b", "just words", "suite: [", "a: &x [*x]"]) {
      expect(() => formSource(with_(readValues(broken), "suite", "appbench"), broken)).not.toThrow();
    }
  });
});

describe("stop strings in the form", () => {
  const field = formFields(new Map(), workbench).find(({ name }) => name === "stop")!;
  const cell = "suite: appbench\nmodel: local/qwen3\n";
  const chosen = (...texts: string[]) =>
    formSource(
      new Map(readValues(cell)).set(
        "stop",
        texts.map((text) => valueOf(field, text)),
      ),
      cell,
    );

  it.each([
    [["END"], "stop: END\n"],
    [['["END", "\\n"]'], 'stop: [END, "\\n"]\n'],
    [["END", "HALT"], "stop: [[END], [HALT]]\n"],
    [["[]", '["END", "HALT"]'], "stop: [[], [END, HALT]]\n"],
    [['"\\n"'], 'stop: "\\n"\n'],
  ])("are written from %j as %s, and read back", (texts, line) => {
    const source = chosen(...texts);
    expect(source).toBe(cell + line);
    expect(fieldText(field, readValues(source))).toEqual({
      text: texts.map((text) => text.replace(", ", ",")).join(", "),
      set: true,
    });
    expect(formSource(readValues(source), source)).toBe(source);
  });

  it("reject invalid text", () => {
    for (const wrong of ['["END"', '"', "[5]", '[""]'])
      expect(field.read(wrong)).toEqual({ problem: 'Expected a text, "text" or ["one","two"]' });
    expect(fieldText(field, new Map())).toEqual({ text: "(none)", set: false });
  });

  it("are unchanged when another field changes", () => {
    const source = `${cell}stop: [END, HALT] # both\n`;
    expect(formSource(with_(readValues(source), "minP", 0.05), source)).toBe(`${source}minP: 0.05\n`);
  });
});

describe("a role with its own settings in the form", () => {
  const field = (name: string) =>
    formFields(readValues("suite: own\nmodel: lab/m\n"), workbench).find((each) => each.name === name)!;

  it("keeps a map, or a list of names and maps, byte for byte", () => {
    for (const judge of ["{model: lab/j, temperature: 0.2}", "[lab/j, {model: lab/j, maxTokens: 512}]"]) {
      const cell = `suite: own\nmodel: lab/m\njudge: ${judge}\n`;
      expect(formSource(settle(readValues(cell), suites), cell)).toBe(cell);
    }
  });
  it("can be typed with other fields on one line, each as in a cell", () => {
    const read = readSettings(suites);
    expect(read("maxTokens: 512, prompts: {plan: careful.md}")).toEqual({
      maxTokens: 512,
      prompts: { plan: "careful.md" },
    });
    expect(read("")).toEqual({});
    expect(read("maxTokens: none")).toEqual({ problem: expect.stringContaining("Expected `maxTokens` to be") });
    expect(read("fork: {}")).toEqual({ problem: expect.stringContaining("several cells can share, got `fork`") });
    expect(read("maxTokns: 5")).toEqual({ problem: expect.stringContaining("did you mean `maxTokens`?") });
    expect(read("a: {")).toEqual({ problem: expect.stringContaining("such as maxTokens: 512") });
  });

  it("can be typed as a name or a map, and a map is written on one line", () => {
    const judge = field("judge");
    expect(judge.read("lab/j")).toBe("lab/j");
    const map = judge.read('{"model": "lab/j", "temperature": 0.2}');
    expect(map).toEqual({ model: "lab/j", temperature: 0.2 });
    const cell = "suite: own\nmodel: lab/m\n";
    const values = new Map(readValues(cell)).set("judge", [
      judge.read('{"model": "lab/j", "stop": "END"}') as object as never,
    ]);
    expect(readValues(formSource(values, cell))).toEqual(values);
    expect(fieldText(judge, values).text).toBe('{"model":"lab/j","stop":["END"]}');
  });
  it("reports the mistake in a map", () => {
    expect(field("judge").read('{"model": "lab/j", "heat": 1}')).toEqual({
      problem:
        'Expected `heat` to be one of the keys model, temperature, topP, maxTokens, stop, seed, request, got `"heat"`',
    });
    expect(field("judge").read('{"model"')).toEqual({
      problem: 'Expected ENDPOINT/MODEL or JSON, such as {"model":"local/qwen3","temperature":0}',
    });
  });
});

describe("the fields of the form", () => {
  it("include every setting that a user can choose", () => {
    const chosen = settle(readValues("suite: planningarena\nmodel: builtin/slips\n"), [planningarena]);
    const names = new Set(
      formFields(chosen, {
        ...workbench,
        suites: [planningarena],
        dataOf: () => ["sample"],
        modelNames: () => [],
      } as typeof workbench).map(({ name }) => name.split(".")[0]),
    );
    // This suite has its own tasks, no demonstrations and no strategy with an actor; a fork is made from a trajectory.
    const without = runSettings.map(({ name }) => name).filter((name) => !names.has(name));
    expect(without).toEqual(["from", "process", "shots", "actor", "user", "fork", "rescue"]);
  });
  it("describe each benchmark in full next to the benchmark's name at 80 columns", () => {
    const longest = Math.max(...suites.map(({ title }) => title.length));
    const room = 80 - "   1 * ".length - longest - 2;
    const tooLong = suites.filter(({ summary = "" }) => summary === "" || summary.length > room);
    expect(tooLong.map(({ name, summary }) => [name, summary])).toEqual([]);
  });

  it("describe each benchmark in a note", () => {
    const chosen = readValues("suite: appbench\n");
    const field = formFields(chosen, {
      ...workbench,
      suites: [planningarena, own],
      dataOf: () => ["sample"],
      modelNames: () => [],
    } as typeof workbench).find(({ name }) => name === "suite");
    expect(field!.choices.map(({ note }) => note)).toEqual([
      `${planningarena.summary}; ${planningarena.paper.title}`,
      own.summary,
    ]);
  });
  it("include an option only if it applies", () => {
    const names = (values: FormValues) => formFields(values, workbench).map(({ name }) => name);
    const direct = settle(readValues("suite: appbench\n"), workbench.suites);
    expect(names(direct)).not.toContain("k");
    expect(names(with_(direct, "strategy", "cot"))).toContain("k");
    expect(names(direct)).toContain("filter.category");
  });
  it("fill in the built-in responder for built-in models if a dialogue needs one", () => {
    const responder = (source: string) => settle(readValues(source), [planningarena]).get("responder");
    expect(responder("suite: planningarena\nmodel: builtin/slips\n")).toEqual(["builtin/responder"]);
    expect(responder("suite: planningarena\nmodel: builtin/slips\nresponder: lab/m\n")).toEqual(["lab/m"]);
    // With an endpoint's models this would be the user's choice.
    expect(responder("suite: planningarena\nmodel: lab/m\n")).toBeUndefined();
  });
  it("show an option's default next to its other values, and accept a name instead of a number", () => {
    const own = { ...workbench, suites: [apibench], dataOf: () => ["sample"], modelNames: () => [] };
    const field = (source: string) =>
      formFields(settle(readValues(`suite: apibench\n${source}`), [apibench]), own as typeof workbench).find(
        ({ name }) => name === "retrieve",
      )!;
    expect(field("strategy: direct").standard).toBe("0");
    expect(field("strategy: react").standard).toBe("50");
    expect(field("strategy: react\ncatalogue: usual").standard).toBe("0");
    const { choices, read } = field("strategy: react");
    expect(choices.map(({ value }) => value)).toEqual(["50", "all", "gold"]);
    expect([read("gold"), read("20"), read("most")]).toEqual(["gold", 20, { problem: "Expected a number" }]);
  });
  it("omit values that a suite or strategy chosen later does not accept", () => {
    const values = readValues("suite: appbench\nsplit: gone\nshots: 99\nk: 3\nfilter: {days: 3}\n");
    expect([...settle(values, workbench.suites).keys()]).toEqual(["suite"]);
  });
  it("show the expected value if a typed value is invalid", () => {
    const field = (name: string) =>
      formFields(readValues("suite: appbench"), workbench).find((each) => each.name === name)!;
    expect(field("shots").read("7")).toEqual({ problem: "Expected at most 5" });
    expect(field("seed").read("1.5")).toEqual({ problem: "Expected a whole number" });
    expect(field("model").read("gpt-4o")).toMatchObject({
      problem: expect.stringContaining("Expected ENDPOINT/MODEL"),
    });
    expect(valueOf(field("shots"), "3")).toBe(3);
    expect(valueOf(field("split"), "mm")).toBe("mm");
    expect(fieldText(field("limit"), new Map())).toEqual({ text: "(all)", set: false });
  });
});

describe("the titles of the form's fields", () => {
  const fields = (...titles: string[]) => titles.map((title) => ({ title })) as unknown as readonly Field[];
  it("are complete if half of the window is wide enough for them", () => {
    expect(titleColumns(fields("Model", "Only calls that use an earlier result"), 80)).toBe(37);
    expect(titleColumns(fields("Model", "Only calls that use an earlier result"), 60)).toBe(30);
  });
  it("are separate from the values at any length and window size", () => {
    expect(titleColumns(fields("Model"), 120)).toBe(36);
    expect(titleColumns(fields("Only calls that use an earlier result"), 40)).toBe(24);
  });
});

describe("finding a command by some of its letters", () => {
  it("ranks whole words first, and omits commands that lack a letter of the search text", () => {
    const titles = ["Export as CSV", "Open licence and data notes", "Re-score", "Score"];
    const found = (typed: string) =>
      titles
        .map((title) => [title, fuzzy(typed, title)] as const)
        .filter(([, cost]) => cost !== undefined)
        .sort((one, other) => one[1]! - other[1]!)
        .map(([title]) => title);
    expect(found("csv")).toEqual(["Export as CSV"]);
    expect(found("score")).toEqual(["Score", "Re-score"]);
    expect(found("opli")[0]).toBe("Open licence and data notes");
    expect(found("zzz")).toEqual([]);
  });

  it("omits commands in which the letters are far apart, so that Enter does nothing unexpected", () => {
    expect(
      fuzzy("scenario", "Label blind: random tasks of these runs, without score, run or earlier codes"),
    ).toBeUndefined();
    // At most 1.5 per letter: 3 for a letter within a word, 1 for one that begins a word.
    expect(fuzzy("cmpr", "Compare")).toBeCloseTo(2 + 6 + 0.007, 9);
    expect(fuzzy("cmprd", "Compared and")).toBeUndefined();
  });
});

describe("fields of the whole notebook", () => {
  const front = "title: A paper # mine\ndefaults:\n  model: lab/llama # the model\n  limit: 50\n";
  const defaults = readValues(front, "defaults");

  it("are read from the front matter and written back without any other change", () => {
    expect(defaults).toEqual(
      new Map<string, unknown>([
        ["model", ["lab/llama"]],
        ["limit", [50]],
      ]),
    );
    expect(formSource(defaults, front, "defaults")).toBe(front);
    expect(formSource(with_(defaults, "limit", 5), front, "defaults")).toBe(front.replace("50", "5"));
    expect(formSource(with_(defaults, "clusters.k", 5), front, "defaults")).toBe(`${front}  clusters.k: 5\n`);
    expect(formSource(with_(defaults, "budget.run.cost", 5), front, "defaults")).toBe(
      `${front}  budget:\n    run:\n      cost: 5\n`,
    );
    expect(formSource(new Map(), "", "defaults")).toBe("");
    expect(formSource(defaults, "", "defaults")).toBe("defaults:\n  model: lab/llama\n  limit: 50\n");
    expect(formSource(defaults, "title: x\ndefaults:\n", "defaults")).toBe(
      "title: x\ndefaults:\n  model: lab/llama\n  limit: 50\n",
    );
    expect(formSource(new Map(), front, "defaults")).toBe("title: A paper # mine\n");
    expect(formSource(new Map(), "defaults:\n  limit: 5\n", "defaults")).toBe("");
    expect(formSource(new Map(), "limit: 5\n")).toBe("");
  });

  it("apply if the cell does not set the field", () => {
    const own = readValues("suite: appbench\nlimit: 5\ntrial: 2\nfilter: {category: [mm]}\n");
    const more = new Map([...defaults, ["repeats", [3]], ["filter.level", ["easy"]], ["shots", [1]]] as const);
    expect([...withDefaults(own, more)].toSorted()).toEqual([
      ["filter.category", ["mm"]],
      ["limit", [5]],
      ["model", ["lab/llama"]],
      ["shots", [1]],
      ["suite", ["appbench"]],
      ["trial", [2]],
    ]);
    expect(settleOwn(readValues("limit: 5\n"), with_(defaults, "suite", "appbench"), workbench.suites)).toEqual(
      new Map([["limit", [5]]]),
    );
  });

  it("are moved from a cell together with all parts of the field", () => {
    const own = readValues("limit: 5\nfilter: {category: [mm], parallel: [2]}\n");
    const there = new Map([["filter.level", ["easy"]]]);
    expect(fieldMoved("filter", own, there)).toEqual({
      from: new Map([["limit", [5]]]),
      to: new Map<string, unknown>([
        ["filter.category", ["mm"]],
        ["filter.parallel", [2]],
      ]),
    });
  });
});
