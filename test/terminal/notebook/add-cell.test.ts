import { expect, it } from "vitest";
import { addCell, cellKinds, type NotebookContext } from "../../../source/terminal/notebook/add-cell.ts";
import { askChoice } from "../../../source/terminal/notebook/notebook-commands.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { temporarySessions } from "../../engine/workbench/temporary-session.ts";
import type { ListRequest } from "../../../source/terminal/input/choice-list.tsx";
import type { Terminal } from "../../../source/terminal/terminal.ts";

const sessions = temporarySessions();

const run = (name: string, suite: string) => `\`\`\`run ${name}\nsuite: ${suite}\nmodel: builtin/oracle\n\`\`\`\n\n`;

it.each([
  ["scale", "plans"],
  ["clusters", "hubs"],
  ["cost", "hubs"],
])("a new %s analysis uses the nearest run whose benchmark has it: %s", async (analysis, expected) => {
  const text = `${run("first", "appbench")}${run("plans", "appbench")}${run("hubs", "apibench")}`;
  const workbench = await sessions.open(text, { suites: [appbench, apibench] });
  const context = { terminal: { workbench }, go() {}, edit() {} } as unknown as NotebookContext;
  addCell(`analysis ${analysis}`, workbench.cells().at(-1)!.id, context);
  expect(workbench.cells().at(-1)!.source).toBe(`pane: ${analysis}\nof: [${expected}]\n`);
});

it("a new analysis offers analyses with content first, and the others last, faint and with the reason", async () => {
  const text = `${run("plans", "appbench")}${run("hubs", "apibench").replace("oracle", "oracle\nlimit: 2")}`;
  const workbench = await sessions.open(text, { suites: [appbench, apibench] });
  const [plans, hubs] = workbench.cells().map(({ id }) => id);
  const offered = (below: string | undefined) =>
    cellKinds(workbench, below)
      .filter(({ value }) => value.startsWith("analysis "))
      .map(({ value, note, faint }) => ({ name: value.slice("analysis ".length), note, faint }));
  const why = (below: string | undefined, name: string) => {
    const choice = offered(below).find((each) => each.name === name);
    return choice?.faint === true ? choice.note : undefined;
  };
  // Before there are results, the suite lists what it has content for.
  const marks = offered(plans).map(({ faint }) => faint);
  expect(marks).toEqual(marks.toSorted((one, other) => Number(one) - Number(other)));
  expect([why(plans, "scale"), why(plans, "clusters")]).toEqual([undefined, "AppBench has no data for this analysis"]);
  await workbench.run(hubs!);
  // With results, the analysis itself is asked.
  expect([why(hubs, "errors"), why(hubs, "clusters"), why(hubs, "tool-use")]).toEqual([
    undefined,
    undefined,
    "No run here counts uses of each tool; TravelPlanner runs with `react` or `reflexion` do",
  ]);
});

it.each([
  ["", "There is no run cell above this one"],
  ["```run first\nsuitne: appbench\n```\n", "The run cell first has an error; correct it first"],
])("a new analysis gives the reason why each has no content if no run is above: %s", async (text, why) => {
  const workbench = await sessions.open(text, { suites: [appbench] });
  const offered = cellKinds(workbench, workbench.cells()[0]?.id).filter(({ value }) => value.startsWith("analysis "));
  expect(offered.length).toBeGreaterThan(20);
  for (const { faint, note } of offered) expect([faint, note]).toEqual([true, why]);
});

it("the key c chooses the run cells of every analysis cell", async () => {
  const analysis = "```analysis map\npane: scale\nof: [plans]\n```\n";
  const text = `${run("plans", "appbench")}${run("more", "appbench")}${analysis}`;
  const workbench = await sessions.open(text, { suites: [appbench] });
  const cell = workbench.cells().at(-1)!.id;
  const choice = () => {
    let asked: ListRequest | undefined;
    askChoice({ workbench } as unknown as Terminal, cell, workbench.state(cell), (asking) => (asked = asking));
    return asked!;
  };
  const take = (title: string) => choice().answer(choice().choices.find((each) => each.title === title)!.value);
  const source = () => workbench.cells().at(-1)!.source;
  expect(choice().choices.map(({ title }) => title)).toEqual(["of: all above", "of: plans", "of: more"]);
  take("of: more");
  expect(source()).toBe("pane: scale\nof: [ plans, more ]\n");
  expect(choice().taken).toEqual(["1", "2"]);
  take("of: plans");
  expect(source()).toBe("pane: scale\nof: more\n");
  take("of: all above");
  expect(source()).toBe("pane: scale\n");
  expect(workbench.state(cell)).toMatchObject({ runs: [expect.any(String), expect.any(String)] });
});
