import { describe, expect, it } from "vitest";
import { fieldHelp } from "../../../source/terminal/form/field-help.ts";
import { formFields } from "../../../source/terminal/form/form-fields.ts";
import { formRows, groupOfField, inGroups } from "../../../source/terminal/form/form-groups.ts";
import { readValues } from "../../../source/terminal/form/form-values.ts";
import { suites } from "../../../suites/index.ts";
import { openDouble } from "../double-workbench.ts";
import { enter, openScreen } from "../open-screen.tsx";

const offers = {
  ...openDouble(),
  suites,
  dataOf: () => ["sample"],
  modelNames: () => ["builtin/slips"],
  questionFiles: () => [],
};
const fieldsOf = (source: string) => inGroups(formFields(readValues(source), offers as never));

describe("groups of fields", () => {
  it("start with the experiment's main settings, with the number of tasks last", () => {
    const fields = fieldsOf("suite: appbench\n").map(({ name }) => name);
    const what = fields.filter((name) => groupOfField(name) === "what");
    expect(fields.slice(0, what.length)).toEqual(what);
    expect(what).toEqual(["suite", "split", "data", "strategy", "prompting", "shots", "model", "limit"]);
  });

  it("contain every field of every benchmark exactly once", () => {
    for (const { name } of suites) {
      const fields = formFields(readValues(`suite: ${name}\n`), offers as never);
      expect(inGroups(fields).toSorted(byName), name).toEqual(fields.toSorted(byName));
    }
  });

  it.each([
    ["judge", "asked"],
    ["system", "asked"],
    ["temperature", "asked"],
    ["repeats", "asked"],
    ["predictions", "asked"],
    ["filter.category", "limits"],
    ["budget.task.steps", "limits"],
    ["until", "limits"],
    ["workers", "limits"],
    ["limit", "what"],
    ["clusters.k", "what"],
  ] as const)("%s is one of %s", (name, group) => {
    expect(groupOfField(name)).toBe(group);
  });

  it("are folded until one of their fields is set, or until the user opens them", () => {
    const rows = (source: string, opened: Parameters<typeof formRows>[2] = new Map()) =>
      formRows(fieldsOf(source), readValues(source), opened);
    const titles = (of: ReturnType<typeof rows>) =>
      of.flatMap((row, at) =>
        row.kind === "group" ? [[row.group, row.set, row.standard, of[at + 1]?.kind === "field"]] : [],
      );
    const [, asked, limits] = titles(rows("suite: appbench\n"));
    expect([asked![1], asked![3], limits![1], limits![3]]).toEqual([0, false, 0, false]);
    const set = titles(rows("suite: appbench\ntemperature: 0.7\n"));
    expect(set[1]).toEqual(["asked", 1, (asked![2] as number) - 1, true]);
    expect(titles(rows("suite: appbench\ntemperature: 0.7\n", new Map([["asked", false]])))[1]![3]).toBe(false);
    expect(titles(rows("suite: appbench\n", new Map([["limits", true]])))[2]![3]).toBe(true);
  });
});

describe("help of a field", () => {
  it("exists for every field of every benchmark and strategy", () => {
    for (const { name, strategies } of suites)
      for (const strategy of strategies)
        for (const field of fieldsOf(`suite: ${name}\nstrategy: ${strategy.name}\n`))
          expect(fieldHelp(field).length, `${name}, ${field.name}`).toBeGreaterThan(3);
  });

  it("has an example unless the note of the field contains an example", () => {
    const field = (name: string) => fieldsOf("suite: appbench\n").find((each) => each.name === name)!;
    expect(fieldHelp(field("split"))).toBe("the part of the benchmark; several parts make a grid, such as sm");
    expect(fieldHelp(field("shots"))).toBe("worked examples before each task, such as 3; several numbers make a grid");
    expect(fieldHelp(field("suite"))).toBe("the benchmark that the tasks come from, such as appbench");
    expect(fieldHelp(field("filter.category"))).toBe("takes only tasks with these values, such as SS");
    expect(fieldHelp(field("stop"))).not.toContain("such as");
  });
});

describe("the form", () => {
  it("shows the experiment's sentence on top, folds and opens groups with Enter, and finds fields in folded groups", async () => {
    const screen = await openScreen({ columns: 100, rows: 40 });
    await screen.press("j", "e");
    expect(screen.text()).toMatch(/hierarchical ⇄ flat · slips · /);
    expect(screen.text()).toMatch(/▸ Benchmark/);
    expect(screen.text()).toMatch(/Requests {3}\d+ at default/);
    expect(screen.text()).not.toContain("Temperature");
    await screen.press("/", "temperature", enter);
    expect(screen.text()).toMatch(/▸ Temperature +\(0\)/);
    expect(screen.text()).toMatch(/ 0 chooses the most likely token/);
    for (let at = 0; at < 30 && !/▸ Requests/.test(screen.text()); at++) await screen.press("k");
    expect(screen.text()).toMatch(/▸ Requests {3}Enter folds/);
    await screen.press("d");
    expect(screen.text()).toContain("Only for fields: this row is the title of a group");
    await screen.press(enter);
    expect(screen.text()).not.toContain("Temperature");
    await screen.press(enter);
    expect(screen.text()).toContain("Temperature");
    await screen.press("g", "k");
    expect(screen.text()).toMatch(/▸ Limits/);
    await screen.press("j");
    expect(screen.text()).toMatch(/▸ Benchmark/);
    await screen.close();
  });
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
