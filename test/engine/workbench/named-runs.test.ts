/** Names of values and aliases in figures, and runs that `compare` and `only` choose by settings. */
import { describe, expect, test } from "vitest";
import { says, scriptedServer, type ScriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

const { sessions, suite } = tinySessions();

const open = (text: string, { url }: ScriptedServer) =>
  sessions.open(text, {
    suites: [suite],
    settings: { endpoints: [{ name: "lab", baseUrl: url, concurrency: 1, idleTimeout: 5, identify: false }] },
  });
const cell = (settings: string, name = "main") => `\`\`\`run ${name}\nsuite: tiny\n${settings}\n\`\`\`\n\n`;
const pane = (name: string, more = "") => `\`\`\`analysis ${name}\npane: ${name}\n${more}\`\`\`\n\n`;

describe("runs chosen by settings", () => {
  const three = cell('model: lab/a\nsystem: {plain: "", careful: Be careful., terse: Be brief.}');

  test("are selected as before and after in a comparison, by names or by values", async () => {
    await using server = await scriptedServer(says("0"));
    const named = pane("compare", "before: {system: careful}\nafter: {system: terse}\n");
    const workbench = await open(three + named, server);
    await workbench.run(cellNamed(workbench, "main"));
    expect(runsOf(workbench, "main").map(({ label }) => label)).toEqual(["plain", "careful", "terse"]);
    expect(analysisOf(workbench, "compare")).toMatchObject({
      chosen: { before: "careful", after: "terse" },
      problems: [],
    });
    const choose = (before: string, after: string) => {
      workbench.edit(cellNamed(workbench, "compare"), `pane: compare\nbefore: ${before}\nafter: ${after}\n`);
      const { chosen, problems } = analysisOf(workbench, "compare");
      return [chosen["before"], chosen["after"], problems.map(({ message }) => message)];
    };
    expect(choose("{system: Be brief., model: lab/a}", "{system: [plain, careful]}")).toEqual([
      "terse",
      "plain, careful",
      [],
    ]);
    expect(choose("{system: gone}", "terse")).toEqual([
      "plain",
      "terse",
      [expect.stringContaining("Expected `before` to be one of plain, careful, terse, got `system=gone`")],
    ]);
  });

  test("are selected by `only`, which also accepts older labels with commas", async () => {
    await using server = await scriptedServer(says("0"));
    const grid = cell('model: [lab/a, lab/b]\nsystem: {plain: "", terse: Be brief.}');
    const only = pane("difficulty", "only: {system: terse, model: lab/b}\n");
    const workbench = await open(grid + only + pane("compare", 'before: "lab/b, plain"\n'), server);
    await workbench.run(cellNamed(workbench, "main"));
    expect(analysisOf(workbench, "difficulty")).toMatchObject({ labels: [{ label: "lab/b · terse" }], problems: [] });
    expect(analysisOf(workbench, "compare")).toMatchObject({ chosen: { before: "lab/b · plain" }, problems: [] });
  });
});

test("labelled filters make one run, and a figure shows the filters side by side", async () => {
  await using server = await scriptedServer(says("0"));
  const grid = cell("model: lab/a\nfilter: {odd ones: {parity: odd}, even ones: {parity: even}}");
  const workbench = await open(grid + pane("difficulty", "columns: filter\n"), server);
  await workbench.run(cellNamed(workbench, "main"));
  const runs = runsOf(workbench, "main");
  expect(runs.map(({ label, total, status }) => [label, total, status])).toEqual([
    ["odd ones", 6, "done"],
    ["even ones", 6, "done"],
  ]);
  expect(server.seen).toHaveLength(12);
  const [figure] = analysisOf(workbench, "difficulty").figures;
  expect(figure).toMatchObject({ kind: "table" });
  const heads = figure!.kind === "table" ? figure!.columns.map((column) => JSON.stringify(column)) : [];
  expect(heads.join("|")).toMatch(/odd ones.*even ones/);
});

describe("aliases of the front matter", () => {
  const text = (alias: string) =>
    `---\nalias: {${alias}: lab/a}\n---\n\n${cell("model: [lab/a, lab/b]")}${pane("difficulty")}`;

  test("label models in figures while rows keep the real names, and changing an alias sends no request", async () => {
    await using server = await scriptedServer(says("0"));
    const workbench = await open(text("Small"), server);
    await workbench.run(cellNamed(workbench, "main"));
    const shown = () => JSON.stringify(analysisOf(workbench, "difficulty").figures);
    expect(shown()).toContain("Small");
    expect(shown()).not.toContain("lab/a");
    const [first, second] = await workbench.exportedRuns([cellNamed(workbench, "main")]);
    expect([first!.label, first!.title, first!.spec.model]).toEqual(["lab/a", "Small", "lab/a"]);
    expect([second!.label, second!.title]).toEqual(["lab/b", "lab/b"]);

    const front = workbench.cells().find(({ kind }) => kind === "front-matter")!;
    workbench.edit(front.id, "alias: {Tiny: lab/a}\n");
    expect(runsOf(workbench, "main").map(({ label, status }) => [label, status])).toEqual([
      ["Tiny", "done"],
      ["lab/b", "done"],
    ]);
    expect(shown()).toContain("Tiny");
    expect(shown()).not.toContain("Small");
    await workbench.run(cellNamed(workbench, "main"));
    expect(server.seen).toHaveLength(24);
  });
});
