import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();

test("check reports for each log whether it is unchanged", async () => {
  const session = folder("mine");
  mkdirSync(session);
  const cell = "suite: appbench\nmodel: builtin/oracle\nprompting: [flat, hierarchical]\nlimit: 2\n";
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  await typed("run", session);
  const [first, second] = readdirSync(join(session, "runs")).toSorted() as [string, string];
  const whole = await typed("check", session);
  expect(whole).toEqual({
    status: 0,
    err: "",
    out: expect.stringMatching(/^(\w{16} {2}\d+ events: unchanged since it was written\n){2}$/),
  });

  const log = join(session, "runs", second, "events.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").replace('"scored"', '"Scored"'));
  rmSync(join(session, "runs", first, "events.index"));
  const { status, out } = await typed("check", session);
  expect(status).toBe(1);
  expect(out.split("\n")).toEqual([
    expect.stringMatching(`^${first} .* events: no error found; the log has no checksums yet$`),
    expect.stringMatching(`^${second} .* events: 1 block of the log changed after writing$`),
    "",
  ]);

  rmSync(join(session, "runs", first, "events.jsonl"));
  mkdirSync(join(session, "runs", first, "events.jsonl"));
  mkdirSync(join(session, "runs", "..strange"));
  const odd = await typed("check", session);
  expect([odd.status, odd.err]).toEqual([1, ""]);
  expect(odd.out.split("\n")).toEqual([
    expect.stringMatching(/^\.\.strange {2}its log cannot be read: Expected the id of a run/),
    expect.stringMatching(`^${first}  its log cannot be read: EISDIR`),
    expect.stringMatching(`^${second} .* events: 1 block of the log changed after writing$`),
    "",
  ]);
});

test("pack compresses the logs of finished runs without loss", async () => {
  const session = folder("mine");
  mkdirSync(session);
  writeFileSync(join(session, "session.md"), "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n");
  const before = JSON.parse((await typed("run", session, "--json")).out) as unknown;
  const [run] = readdirSync(join(session, "runs")) as [string];
  const { status, out } = await typed("pack", session);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/ MB packed into 0\.\d\d MB\n$/) });
  expect(readdirSync(join(session, "runs", run)).toSorted()).toEqual(["events.index", "events.jsonl.gz", "rows.jsonl"]);
  expect(JSON.parse((await typed("run", session, "--json")).out)).toEqual(before);
  expect((await typed("check", session)).out).toContain("unchanged since it was written");
  expect(await typed("pack", session)).toEqual({ status: 0, out: "", err: "" });
  expect((await typed("run", session, "--rescore")).status).toBe(0);
  expect(readdirSync(join(session, "runs", run))).toContain("events.jsonl");
});

test("check rejects a session that does not exist", async () => {
  expect(await typed("check", folder("none"))).toMatchObject({ status: 2, err: expect.stringContaining("found none") });
  expect(await typed("check")).toMatchObject({ status: 2, err: expect.stringContaining("Expected one session") });
});
