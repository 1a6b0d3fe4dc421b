import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkedLine } from "../../../source/engine/log/file/checked-line.ts";
import { readSession, writeSession } from "../../../source/engine/session/document/session-document.ts";
import { analysisOf, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const good = "```run good\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n";
const bomb = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ..."bcdefghij".split("").map((name, index) => `${name}: &${name} [${`*${"abcdefghi"[index]},`.repeat(9)}]`),
].join("\n");

describe("hostile documents", () => {
  test.each([
    ["a note of 5 MB", `# Big\n\n${"word ".repeat(1_000_000)}\n\n${good}`, 2],
    ["10,000 cells", good.repeat(10_000), 10_000],
    ["10,000 fences that are never closed", "```run x\n".repeat(10_000), 1],
    ["20,000 fences of other kinds", "~~~text\n".repeat(20_000), 1],
    ["a fence followed by 200,000 spaces", `\`\`\`run ${" ".repeat(200_000)}x\n${good.slice(12)}`, 1],
    ["NUL bytes and a truncated character", `a\0b\ud800\n\n${good}`, 2],
    ["Windows line ends", `# T\r\n\r\n${good.replaceAll("\n", "\r\n")}`, 2],
    ["an empty document", "", 0],
  ])("are read and written back unchanged: %s", (_, text, cells) => {
    const document = readSession(text);
    expect(document.segments).toHaveLength(cells);
    expect(writeSession(document) === text).toBe(true);
  });

  test("are read completely with 5,050 cells, and one cell can be edited", async () => {
    const loaded = await sessions.open(
      good.replace("good", "").repeat(5000) + "```analysis\npane: difficulty\n```\n".repeat(50),
    );
    const cells = loaded.cells();
    expect(cells).toHaveLength(5050);
    for (const { id, kind } of cells) expect(loaded.state(id).kind).toBe(kind);
    loaded.edit(cells[7]!.id, "suite: appbench\nmodel: builtin/oracle\nlimit: 3\n");
    loaded.save();
    expect(readFileSync(join(sessions.path, "session.md"), "utf8").match(/limit: 3/g)).toHaveLength(1);
  });
});

describe("hostile cells", () => {
  test.each([
    ["exponentially nested aliases", bomb, "Excessive alias count"],
    ["an alias of itself", "suite: &own [*own]", "Expected YAML: aliases nest deeper than 100"],
    ["endless nesting", `suite: ${"[".repeat(20_000)}`, "at most 100 nested lists and maps, got more at line 1"],
    ["a scalar", "just words", "Expected `"],
    ["a list", "- suite: appbench", "Expected `"],
    ["keys of prototypes", "__proto__: {suite: appbench}\nconstructor: 1", "Expected `"],
    ["a NUL byte", "suite: \0", "Expected "],
  ])("report the expected value in both kinds of cell, and other cells work: %s", async (_, source, words) => {
    const loaded = await sessions.open(
      `\`\`\`run bad\n${source}\n\`\`\`\n\n\`\`\`analysis odd\n${source}\n\`\`\`\n\n${good}`,
    );
    const [run, analysis] = loaded.cells();
    for (const cell of [run, analysis]) {
      const state = loaded.state(cell!.id);
      if (state.kind === "note") throw new Error("Expected a cell");
      expect(state.problems[0]!.message).toContain(words);
    }
    await loaded.run(loaded.cells()[2]!.id);
    expect(runsOf(loaded, "good")).toMatchObject([{ status: "done", counts: { right: 2 } }]);
  });

  test("are rejected before a grid is built if it would be enormous", async () => {
    const list = `[${Array.from({ length: 200 }, (_, index) => index).join(", ")}]`;
    const loaded = await sessions.open(
      `\`\`\`run big\nsuite: appbench\nmodel: builtin/oracle\nseed: ${list}\nmaxTokens: ${list.replace("0, ", "")}\n\`\`\`\n`,
    );
    expect(loaded.state(loaded.cells()[0]!.id)).toMatchObject({
      runs: [],
      problems: [{ message: expect.stringContaining("at most 500 runs") }],
    });
  });

  test.each([
    [
      "../../../../../../../../etc/passwd",
      /^Expected a path inside the session's folder or the data of `appbench`, got `\.\..*passwd`$/,
    ],
    ["/etc/passwd", /^Expected a path inside the session's folder or the data of `appbench`, got `\/etc\/passwd`$/],
    [
      "link.jsonl",
      /^\S+link\.jsonl is a link that leads out of \S+session, to \/etc\/passwd: replace the link with the file$/,
    ],
    ["nowhere.jsonl", /Expected a file at .*nowhere\.jsonl, found none/],
    [".", /EISDIR/],
    ["cut.jsonl.gz", /Expected .*cut\.jsonl\.gz to be a complete gzip file/],
    ["answers.jsonl", /Line 2: Expected/],
  ])("cause a clear error and no run if their predictions are in %s", async (path, message) => {
    const loaded = await sessions.open(`\`\`\`run outside\nsuite: appbench\npredictions: ${path}\n\`\`\`\n`);
    writeFileSync(join(sessions.path, "cut.jsonl.gz"), "not zipped");
    symlinkSync("/etc/passwd", join(sessions.path, "link.jsonl"));
    writeFileSync(join(sessions.path, "answers.jsonl"), '{"task":"ss-001","output":"x"}\n{"task":"ss-001"}\n');
    await loaded.run(loaded.cells()[0]!.id);
    const [run] = runsOf(loaded, "outside");
    expect(run!.status).toBe("failed");
    expect(run!.message).toMatch(message);
    expect(run!.message).not.toContain("DataProblem");
    expect(loaded.rows(run!.run)).toEqual([]);
  });
});

test.each(["../..", "/etc", "a/b", ".", "%2e%2e"])(
  "cells that replay the run `%s` are rejected before anything is read",
  async (run) => {
    const loaded = await sessions.open(`\`\`\`run main\nsuite: appbench\nmodel: builtin/replay?log=${run}\n\`\`\`\n`);
    mkdirSync(join(sessions.path, "runs"), { recursive: true });
    writeFileSync(join(sessions.path, "events.jsonl"), "{}\n");
    await loaded.run(loaded.cells()[0]!.id);
    expect(runsOf(loaded, "main")[0]).toMatchObject({
      status: "failed",
      message: expect.stringContaining("Expected `log` to be the id of a run of this session, got"),
    });
  },
);

test("a log whose first entry lacks its warnings is shown like any other log", async () => {
  const loaded = await sessions.open(good);
  await loaded.run(loaded.cells()[0]!.id);
  const [run] = runsOf(loaded, "good");
  const rows = loaded.rows(run!.run);
  await loaded.close();
  const folder = join(sessions.path, "runs", run!.run);
  const log = readFileSync(join(folder, "events.jsonl"), "utf8");
  expect(log).toContain('"warnings":[');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(join(folder, "events.jsonl"), log.replace(/,"warnings":\[[^\]]*\]/, ""));
  const again = await sessions.open();
  expect(runsOf(again, "good")).toMatchObject([{ status: "done", warnings: [] }]);
  expect(again.rows(run!.run)).toEqual(rows);
});

test("invalid rows next to a log are computed again", async () => {
  const loaded = await sessions.open(`${good}\n\`\`\`analysis groups\npane: difficulty\n\`\`\`\n`);
  await loaded.run(loaded.cells()[0]!.id);
  const [run] = runsOf(loaded, "good");
  const rows = loaded.rows(run!.run);
  const { figures } = analysisOf(loaded, "groups");
  await loaded.close();
  const cache = join(sessions.path, "runs", run!.run, "rows.jsonl");
  const whole = readFileSync(cache, "utf8");
  const [head, ...lines] = whole.split("\n") as [string, ...string[]];
  const value = JSON.parse(head.slice(head.indexOf(" "))) as { readonly end: object; readonly summary: object };
  const headed = (other: unknown) => [checkedLine(other).trimEnd(), ...lines].join("\n");
  for (const text of [
    "",
    "null",
    "{",
    whole.replace('"count":', '"count": '),
    whole.replace(/"question":"./, '"question":"?'),
    whole.slice(0, -200),
    [head, ...lines.slice(1)].join("\n"),
    ...[null, [], {}, 7].map((other) => `${checkedLine(other)}${lines.join("\n")}`),
    headed({ ...value, summary: { spec: null } }),
    headed({ ...value, summary: { spec: {}, sums: 3, kinds: {} } }),
    headed({ ...value, summary: { ...value.summary, total: "\u001b[2J" } }),
    headed({ ...value, summary: { ...value.summary, sums: { tally: { right: "\u001b[2J" } } } }),
    headed({ ...value, prices: "other" }),
    headed({ ...value, end: { ...value.end, bytes: 99_999_999 } }),
  ]) {
    writeFileSync(cache, text);
    const again = await sessions.open();
    expect(again.rows(runsOf(again, "good")[0]!.run)).toEqual(rows);
    expect(analysisOf(again, "groups").figures).toEqual(figures);
    await again.close();
  }
});
