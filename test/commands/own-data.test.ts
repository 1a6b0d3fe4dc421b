import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

function session(cell: string): string {
  mkdirSync(at("s"), { recursive: true });
  writeFileSync(
    at("s", "session.md"),
    `# Mine\n\n\`\`\`run main\n${cell}\n\`\`\`\n\n\`\`\`analysis a\nanalysis: overview\n\`\`\`\n`,
  );
  return at("s");
}

/** A user's own tasks, in the layout of the sample. */
function mine(suite: string): string {
  cpSync(sampleFolder(suite), at("mine"), { recursive: true });
  return at("mine");
}

describe("a user's tasks in a benchmark's layout", () => {
  test.each([
    ["appbench", "split: mm\nstrategy: direct\nmodel: builtin/oracle"],
    ["ultratool", "split: en/planning\nmodel: builtin/oracle\njudge: builtin/oracle"],
    ["travelplanner", "split: validation\nstrategy: direct\nmodel: builtin/oracle"],
    ["planningarena", "split: generated\nmodel: builtin/oracle\nresponder: builtin/oracle\nlimit: 5"],
    [
      "toolbench",
      "split: G1_tool\nstrategy: react\nserver: simulate\nresponder: builtin/oracle\nmodel: builtin/oracle\njudge: builtin/oracle",
    ],
    ["apibench", "split: torchhub\nstrategy: direct\nmodel: builtin/oracle"],
  ])("are added under a name, executed, and labelled own, never sample or published: %s", async (suite, cell) => {
    const added = await typed("data", "add", suite, "--own", "mine", "--from", mine(suite));
    expect(added).toMatchObject({ status: 0, out: expect.stringContaining("`data: mine` in a run cell") });
    const { status, out, err } = await typed("run", session(`suite: ${suite}\ndata: mine\n${cell}`));
    expect({ status, out, err }).toMatchObject({ status: 0 });
    expect(out).toContain("Your own data `mine`, not the published benchmark");
    expect(out).not.toMatch(/[Ss]ample tasks|made-up APIs|incomplete/);
    // The tools of ToolBench's sample are code, so a cache or a simulator has no answers for them.
    if (suite !== "toolbench") expect(out).toMatch(/builtin\/oracle: done; [1-9]\d* right, 0 wrong/);
  });

  test("belong to another run after a change; the previous tasks belong to the previous run", async () => {
    const folder = mine("appbench");
    await typed("data", "add", "appbench", "--own", "mine", "--from", folder);
    session("suite: appbench\nsplit: all\ndata: mine\nmodel: builtin/oracle");
    const run = async () => JSON.parse((await typed("run", at("s"), "--json")).out).cells[1].runs[0];
    const before = await run();
    expect(before.spec).toMatchObject({ data: "own/mine", dataset: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const tasks = JSON.parse(readFileSync(join(folder, "test_ss.json"), "utf8")) as unknown[];
    writeFileSync(join(folder, "test_ss.json"), JSON.stringify(tasks.slice(1)));
    expect((await typed("data", "add", "appbench", "--own", "mine", "--from", folder)).status).toBe(0);
    const changed = await run();
    expect(changed.total).toBe(before.total - 1);
    expect(changed.run).not.toBe(before.run);
  });

  test("are rejected if they violate the suite's schema, and the old tasks stay", async () => {
    const folder = mine("appbench");
    await typed("data", "add", "appbench", "--own", "mine", "--from", folder);
    writeFileSync(join(folder, "test_ss.json"), '[{"input": 7}]');
    const { status, err } = await typed("data", "add", "appbench", "--own", "mine", "--from", folder);
    expect(status).toBe(2);
    expect(err).toContain("test_ss.json");
    writeFileSync(join(folder, "test_ss.json"), "[{");
    const broken = await typed("data", "add", "appbench", "--own", "mine", "--from", folder);
    expect(broken.err).toContain(`Expected ${join(folder, "test_ss.json")} to be JSON`);
    rmSync(join(folder, "catalogue.json"));
    expect((await typed("data", "add", "appbench", "--own", "other", "--from", folder)).status).toBe(2);
    const { out } = await typed("data", "list");
    expect(out).toContain(`your own data \`mine\`: ${at("settings", "own-data", "appbench", "mine")}`);
    expect(out).not.toContain("`other`");
    expect((await typed("run", session("suite: appbench\nsplit: ss\ndata: mine\nmodel: builtin/oracle"))).status).toBe(
      0,
    );
    expect((await typed("data", "remove", "appbench", "--own", "mine")).out).toContain("Removed your data `mine`");
    expect(existsSync(at("settings", "own-data", "appbench", "mine"))).toBe(false);
    const gone = JSON.parse((await typed("run", at("s"), "--json")).out);
    expect(gone.cells[1].problems[0].message).toBe('Expected `data` to be one of sample, published, got `"mine"`');
  });

  test.each([
    [["appbench", "--own", "published", "--from", "."], "other than sample, published and own"],
    [["appbench", "--own", "../up", "--from", "."], "Expected a name of letters, digits, dots and dashes"],
    [
      ["appbench", "--own", "mine", "--from", "README.md"],
      "Expected `--from DIR`, the folder of your data, got `README.md`",
    ],
    [["appbench", "--own", "mine"], "Expected `--from DIR`, the folder of your data, got `none`"],
    [["own", "--own", "mine", "--from", "."], "reads tasks from a file of the session"],
  ])("are rejected by data add %j: %s", async (args, message) => {
    const { status, err } = await typed("data", "add", ...args);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  });
});
