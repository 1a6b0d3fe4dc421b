import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionJson } from "../../../source/commands/session/session-report.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { openTestClock } from "../work/test-clock.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();
const { suite } = tinySuite();
const run = "```run main\nsuite: tiny\nmodel: builtin/slips?rate=0.4\n```\n\n";
const kinds = "```kinds\nmisread: another question\n  wrong day: 3 for 13\nformat\n```\n\n";
const pane = (name: string, more = "") => `\`\`\`analysis ${name}\npane: difficulty\n${more}\`\`\`\n\n`;

async function opened(text = run + kinds + pane("by-code", "by: code\n")): Promise<SessionWorkbench> {
  const workbench = await sessions.open(text, { suites: [suite], settings: { person: "anna" } });
  await workbench.run(cellNamed(workbench, "main"));
  return workbench;
}
const idOf = (workbench: SessionWorkbench) => runsOf(workbench, "main")[0]!.run;
const columnsOf = (workbench: SessionWorkbench, name: string) => {
  const [figure] = analysisOf(workbench, name).figures;
  if (figure?.kind !== "table") throw new Error("Expected a table");
  return figure.rows.map((row) => row.map(({ text }) => text));
};

describe("a kinds cell", () => {
  it("keeps its bytes, and becomes a note in a program that does not know kinds cells", async () => {
    const workbench = await sessions.open(`# T\n\n${kinds}`, { suites: [suite] });
    expect(workbench.cells().map(({ kind }) => kind)).toEqual(["note", "kinds"]);
    const [, cell] = workbench.cells();
    expect(workbench.state(cell!.id)).toMatchObject({
      kind: "kinds",
      problems: [],
      kinds: [{ name: "misread" }, { name: "wrong day", parent: "misread" }, { name: "format" }],
    });
    workbench.edit(cell!.id, `${cell!.source}# more\n`);
    workbench.save();
    expect(readFileSync(join(sessions.path, "session.md"), "utf8")).toBe(
      `# T\n\n${kinds.replace("format\n", "format\n# more\n")}`,
    );
  });
});

describe("codes of a session", () => {
  it("are columns of rows, facets and filters of panes", async () => {
    const workbench = await opened(
      run +
        kinds +
        pane("by-code", "by: code\n") +
        pane("by-kind", "by: code.misread\n") +
        pane("some", "only: {code: [wrong day, format]}\nby: nothing\n") +
        pane("none", "only: {code: none}\nby: nothing\n"),
    );
    const run1 = idOf(workbench);
    expect(workbench.rows(run1)[0]!.codes).toEqual({
      given: [],
      has: { misread: false, "wrong day": false, format: false },
    });
    workbench.tag(
      [0, 1, 2].map((n) => ({ run: run1, task: `t${n}` })),
      { kind: "wrong day" },
    );
    workbench.tag([{ run: run1, task: "t2" }], { kind: "own kind" });
    expect(workbench.rows(run1)[2]!.codes!.given).toEqual(["wrong day", "own kind"]);
    const n = (name: string) =>
      columnsOf(workbench, name)
        .filter((cells) => cells[1] !== "all")
        .map((cells) => [cells[1], cells.at(-1)]);
    expect(n("by-code")).toEqual([
      ["none", "9"],
      ["wrong day", "2"],
      ["wrong day|own kind", "1"],
    ]);
    expect(n("by-kind")).toEqual([
      ["no", "9"],
      ["yes", "3"],
    ]);
    expect(columnsOf(workbench, "some")[0]!.at(-1)).toBe("3");
    expect(columnsOf(workbench, "none")[0]!.at(-1)).toBe("9");
    const json = JSON.stringify(sessionJson(workbench));
    expect(json).toContain(
      '"codes":"wrong day|own kind","code":{"misread":true,"wrong day":true,"format":false,"own kind":true}',
    );
    expect(json).not.toContain('code.misread":"yes');
  });

  it("are written to CSV, JSON Lines and Parquet as `codes` and `code.NAME`", async () => {
    const workbench = await opened();
    const ref = { run: idOf(workbench), task: "t3" };
    workbench.tag([ref], { kind: "wrong day", remark: "said 3" });
    const cell = cellNamed(workbench, "main");
    const [csv] = await workbench.exportRuns([cell], "rows.csv");
    const [head, ...lines] = readFileSync(csv!, "utf8").trimEnd().split(/\r?\n/);
    const names = head!.split(",");
    const at = (line: string, name: string) => line.split(",")[names.indexOf(name)];
    const line = lines.find((text) => at(text, "task") === "t3")!;
    expect(["codes", "code.misread", "code.wrong day", "code.format"].map((name) => at(line, name))).toEqual([
      "wrong day",
      "true",
      "true",
      "false",
    ]);
    expect(lines.filter((text) => at(text, "codes") !== "")).toHaveLength(1);
    expect(names.filter((name) => name.startsWith("facet."))).toEqual(["facet.parity"]);
    const [jsonl] = await workbench.exportRuns([cell], "rows.jsonl");
    const row = readFileSync(jsonl!, "utf8")
      .split("\n")
      .find((text) => text.includes('"task":"t3"'))!;
    expect(JSON.parse(row)).toMatchObject({ codes: "wrong day", code: { misread: true, format: false } });
  });

  it("do not count after the task was run again, and never change a score", async () => {
    const workbench = await opened();
    const ref = { run: idOf(workbench), task: "t3" };
    const before = workbench.rows(ref.run).map(({ score }) => score?.value);
    workbench.tag([ref], { kind: "format" });
    expect(workbench.rows(ref.run).map(({ score }) => score?.value)).toEqual(before);
    expect(workbench.rows(ref.run)[3]!.codes!.given).toEqual(["format"]);
    await workbench.run(cellNamed(workbench, "main"), [ref]);
    expect(workbench.rows(ref.run)[3]!.codes!.given).toEqual([]);
    expect(workbench.codes.codebook.runs.get(ref.run)!.get("t3")!.codes).toHaveLength(1);
  });

  it("appear within a second when another program writes them", async () => {
    const clock = openTestClock();
    const workbench = await sessions.open(run, { suites: [suite], clock });
    await workbench.run(cellNamed(workbench, "main"));
    const ref = { run: idOf(workbench), task: "t1" };
    let changes = 0;
    workbench.subscribe(() => void (changes += 1));
    mkdirSync(join(sessions.path, "codes"));
    const line = { type: "code", id: "1", by: "bert", at: "2026-01-01T00:00:00Z", ...ref, kind: "late" };
    writeFileSync(join(sessions.path, "codes", "bert.jsonl"), `${JSON.stringify(line)}\n`);
    await clock.advance(1_000);
    expect(changes).toBeGreaterThan(0);
    expect(workbench.rows(ref.run)[1]!.codes!.given).toEqual(["late"]);
    appendFileSync(
      join(sessions.path, "codes", "bert.jsonl"),
      `${JSON.stringify({ ...line, id: "2", kind: "more" })}\n`,
    );
    await clock.advance(1_000);
    expect(workbench.rows(ref.run)[1]!.codes!.given).toEqual(["late", "more"]);
  });

  it("are rejected in a session that another program has open", async () => {
    const first = await opened();
    const second = await sessions.open(undefined, { suites: [suite] });
    const ref = { run: idOf(first), task: "t1" };
    expect(() => second.tag([ref], { kind: "format" })).toThrow("read-only");
    first.tag([ref], { kind: "format" });
    second.codes.look();
    expect(second.codes.codebook.runs.get(ref.run)!.get("t1")!.codes).toMatchObject([{ by: "anna", kind: "format" }]);
  });
});
