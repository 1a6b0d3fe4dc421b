import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();
const cell = (fields: string, name = "main") =>
  `\`\`\`run ${name}\nsuite: appbench\nmodel: builtin/oracle\n${fields}\`\`\`\n`;
const runsOf = (session: string) => readdirSync(join(session, "runs")).toSorted();

/** A session that ran 2 tasks with both promptings, and now contains one prompting. */
async function withStray(after = cell("limit: 2\n")): Promise<{ readonly session: string; readonly stray: string }> {
  const session = folder("mine");
  mkdirSync(session);
  const write = (text: string) => writeFileSync(join(session, "session.md"), text);
  write(cell("limit: 2\n"));
  await typed("run", session);
  const [asked] = runsOf(session);
  write(cell("limit: 2\nprompting: flat\n"));
  await typed("run", session);
  write(after);
  return { session, stray: runsOf(session).find((run) => run !== asked)! };
}

test("planwright runs lists the runs that no cell contains, and removes them on request", async () => {
  const { session, stray } = await withStray();
  const listed = await typed("runs", session);
  expect(listed).toMatchObject({ status: 0, err: "" });
  expect(listed.out).toMatch(
    new RegExp(
      `^${stray}  started \\d{4}-\\d\\d-\\d\\d  suite: appbench, .*prompting: flat, model: builtin/oracle\\n$`,
    ),
  );
  const asking = await typed("runs", session, "--remove", stray);
  expect(asking).toMatchObject({
    status: 2,
    err: expect.stringContaining("Expected `--yes` because there is no terminal for the question"),
  });
  expect(runsOf(session)).toHaveLength(2);

  expect(await typed("runs", session, "--remove", stray, "--yes")).toEqual({
    status: 0,
    out: `Removed ${stray}\n`,
    err: "",
  });
  expect(runsOf(session)).toHaveLength(1);
  expect((await typed("runs", session)).out).toBe("Every run on disk is requested by a run cell\n");
  const [asked] = runsOf(session) as [string];
  const refused = await typed("runs", session, "--remove", asked, "--yes");
  expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("Expected a run that no cell requests") });
  expect(runsOf(session)).toEqual([asked]);
});

test("planwright runs adds a cell for a run that the user keeps, whatever the notebook's defaults", async () => {
  const flat = `---\ndefaults:\n  prompting: flat\n---\n${cell("limit: 2\n")}`;
  const { session } = await withStray(flat);
  const stray = (await typed("runs", session)).out.slice(0, 16);
  const kept = await typed("runs", session, "--keep", stray);
  expect(kept).toEqual({ status: 0, out: `A run cell now requests ${stray}\n`, err: "" });
  expect(readFileSync(join(session, "session.md"), "utf8")).toMatch(/prompting: hierarchical/);
  expect((await typed("runs", session)).out).toBe("Every run on disk is requested by a run cell\n");
  expect(runsOf(session)).toHaveLength(2);
});

test("planwright runs does not keep a run that no cell could describe under the notebook's defaults", async () => {
  const { session, stray } = await withStray(`---\ndefaults:\n  seed: 7\n---\n${cell("limit: 2\n")}`);
  const before = readFileSync(join(session, "session.md"), "utf8");
  const refused = await typed("runs", session, "--keep", stray);
  expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("the results stay on disk") });
  expect(readFileSync(join(session, "session.md"), "utf8")).toBe(before);
  expect(runsOf(session)).toContain(stray);
});

test("planwright runs never removes a run that a fork needs or that the user keeps, nor any run while a cell is invalid", async () => {
  const { session, stray } = await withStray();
  const document = join(session, "session.md");
  const before = readFileSync(document, "utf8");
  const expectRefused = async (why: string) => {
    expect((await typed("runs", session)).out).toMatch(new RegExp(`cannot be removed: .*${why}`));
    const refused = await typed("runs", session, "--remove", stray, "--yes");
    expect(refused).toMatchObject({ err: expect.stringContaining(why) });
    expect(refused.status).not.toBe(0);
    expect(existsSync(join(session, "runs", stray, "events.jsonl"))).toBe(true);
  };
  const fork = `fork: {run: "${stray}", task: "mm-001", request: 0}\n`;
  writeFileSync(document, `${before}\n${cell(`prompting: flat\n${fork}`, "forked")}`);
  await expectRefused("is a fork of this run");
  writeFileSync(document, `${before}\n${cell("suitne: 3\n", "broken")}`);
  await expectRefused("The runs of `broken` are unknown");
  writeFileSync(document, before);
  writeFileSync(join(session, "runs", stray, "kept.json"), "{}");
  await expectRefused("You declared the results of this run valid");
});
