/** Files of a format that a later version writes: none is misread, and nothing is written. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkedLine, textOfLine } from "../../source/engine/log/file/checked-line.ts";
import { formats } from "../../source/engine/settings/format.ts";
import { packageVersion } from "../../source/engine/settings/package-folder.ts";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();
const cell = "```run plans\nsuite: appbench\nstrategy: direct\nmodel: builtin/oracle\nlimit: 3\n```\n";

/** All files below a folder, with their contents. */
function contents(place: string): ReadonlyMap<string, string> {
  const files = readdirSync(place, { recursive: true }).map(String).toSorted();
  return new Map(
    files
      .filter((file) => statSync(join(place, file)).isFile())
      .map((file) => [file, readFileSync(join(place, file), "latin1")]),
  );
}

const refusal = (format: number, needed = `a version after ${packageVersion()}`) =>
  `in format 1 or below, which Planwright ${packageVersion()} reads, got format ${format}: use ${needed}`;

describe("the format version of a session", () => {
  let session: string;
  let run: string;
  beforeEach(async () => {
    session = folder("plans");
    mkdirSync(session);
    writeFileSync(join(session, "session.md"), cell);
    expect(await typed("run", session)).toMatchObject({ status: 0 });
    run = join(session, "runs", readdirSync(join(session, "runs"))[0]!);
  });

  async function isRefused(needed?: string): Promise<void> {
    const before = contents(session);
    for (const command of [
      ["run", session, "--json"],
      ["check", session],
      ["runs", session],
      ["pack", session],
    ]) {
      const { status, err } = await typed(...command);
      expect([command[0], status]).toEqual([command[0], 2]);
      expect(err).toContain(refusal(2, needed));
    }
    expect(contents(session)).toEqual(before);
  }

  const change = (file: string, edit: (text: string) => string) =>
    writeFileSync(join(run, file), edit(readFileSync(join(run, file), "utf8")));
  /** Changes the value in the first line, which has a checksum. */
  const changeFirst = (file: string, added: object) =>
    change(file, (text) => {
      const [first, ...others] = text.split("\n");
      return [checkedLine({ ...JSON.parse(first!.slice(9)), ...added }).trimEnd(), ...others].join("\n");
    });

  it("is written into the log, the index and the rows, but not into the notebook", () => {
    const first = (file: string) => readFileSync(join(run, file), "utf8").split("\n")[0]!;
    expect(JSON.parse(first("events.jsonl"))).toMatchObject({ type: "run-started", format: formats.run });
    for (const file of ["events.index", "rows.jsonl"])
      expect(JSON.parse(textOfLine(Buffer.from(first(file)))!.toString())).toMatchObject({ format: formats.run });
    expect(readFileSync(join(session, "session.md"), "utf8")).toBe(cell);
  });

  it("causes a rejection if the log has a newer version", async () => {
    change("events.jsonl", (text) => text.replace('"format":1', '"format":2'));
    await isRefused();
  });

  it("causes a rejection that names the required version of the program if the log contains that version", async () => {
    change("events.jsonl", (text) => text.replace('"format":1', '"format":2,"planwright":"0.3.1"'));
    await isRefused("Planwright 0.3.1 or later");
  });

  it("causes a rejection if the index or the rows have a newer version", async () => {
    const kept = readFileSync(join(run, "events.index"));
    changeFirst("events.index", { format: 2 });
    await isRefused();
    writeFileSync(join(run, "events.index"), kept);
    changeFirst("rows.jsonl", { format: 2, version: 99 });
    await isRefused();
  });

  it("excludes a run from list and index, with the reason, if the rows of the run have a newer version", async () => {
    changeFirst("rows.jsonl", { format: 2 });
    const before = contents(session);
    const listed = await typed("list", session, "--json");
    expect([JSON.parse(listed.out), listed.err]).toEqual([[], expect.stringContaining(refusal(2))]);
    const indexed = await typed("index", session);
    expect([indexed.status, indexed.err]).toEqual([1, expect.stringContaining(refusal(2))]);
    expect([...contents(session)].filter(([file]) => !file.startsWith(".planwright"))).toEqual([...before]);
  });

  it("causes a rejection if the front matter has a newer version", async () => {
    writeFileSync(join(session, "session.md"), `---\nformat: 2\n---\n${cell}`);
    await isRefused();
  });

  it("permits unknown fields, and may be absent", async () => {
    const { out } = await typed("run", session, "--json");
    writeFileSync(join(session, "session.md"), `---\nformat: 1\nlater: [1]\n---\n${cell}`);
    rmSync(join(run, "events.index"));
    change("events.jsonl", (text) => text.replace('"format":1', '"later":{"a":1}'));
    changeFirst("rows.jsonl", { later: 1, format: undefined });
    const again = await typed("run", session, "--json");
    expect(again.status).toBe(0);
    const runs = (text: string) =>
      (JSON.parse(text) as { cells: { runs?: object }[] }).cells.flatMap((each) => each.runs ?? []);
    expect(runs(again.out)).toEqual(runs(out));
  });

  it("causes the rejection of a log that a later version continued, and the log stays unchanged", async () => {
    const [first] = readFileSync(join(run, "events.jsonl"), "utf8").split("\n");
    const { seq: _, ...started } = JSON.parse(first!) as Record<string, unknown>;
    const seq = readFileSync(join(run, "events.jsonl"), "utf8").trimEnd().split("\n").length;
    appendFileSync(join(run, "events.jsonl"), `${JSON.stringify({ seq, ...started, format: 2 })}\n`);
    const before = contents(run);
    const { status, out, err } = await typed("run", session);
    expect(`${out}${err}`).toContain(refusal(2));
    expect(status).not.toBe(0);
    expect(contents(run)).toEqual(before);
  });

  it("is printed in objects of --json and in JSON Lines of rows, but not in CSV", async () => {
    const { out } = await typed("run", session, "--json");
    expect(JSON.parse(out)).toMatchObject({ format: formats.output });
    for (const format of ["jsonl", "csv"]) await typed("export", session, "--rows", format);
    const [jsonl] = readFileSync(join(session, "exports", "rows.jsonl"), "utf8").split("\n");
    expect(JSON.parse(jsonl!)).toMatchObject({ format: formats.output });
    expect(readFileSync(join(session, "exports", "rows.csv"), "utf8").split("\n")[0]).not.toContain("format");
  });
});

describe("the format version of settings", () => {
  const path = () => folder("settings", "settings.json");

  it("causes a rejection if it is newer, and the file stays unchanged", async () => {
    mkdirSync(folder("settings"), { recursive: true });
    const text = JSON.stringify({ format: 2, planwright: "0.4.0", endpoints: "elsewhere" });
    writeFileSync(path(), text);
    const { status, err } = await typed("endpoint", "list");
    expect([status, err]).toEqual([2, expect.stringContaining(refusal(2, "Planwright 0.4.0 or later"))]);
    expect(readdirSync(folder("settings"))).toEqual(["settings.json"]);
    expect(readFileSync(path(), "utf8")).toBe(text);
  });

  it("preserves unknown fields if the version is given; a misspelt field without a version is rejected", async () => {
    mkdirSync(folder("settings"), { recursive: true });
    writeFileSync(path(), JSON.stringify({ format: 1, later: { a: 1 }, endpoints: [] }));
    expect(await typed("endpoint", "add", "lab", "--base-url", "http://127.0.0.1:9/v1")).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(path(), "utf8"))).toMatchObject({
      format: 1,
      later: { a: 1 },
      endpoints: [{ name: "lab" }],
    });
    writeFileSync(path(), JSON.stringify({ endpoint: [] }));
    expect((await typed("endpoint", "list")).err).toContain("Expected no field `endpoint`");
  });
});

describe("the format version of an index of runs", () => {
  it("causes a rejection if it is newer", async () => {
    cpSync(join(import.meta.dirname, "../released/0.1.0/session.md"), folder("notebooks", "session.md"));
    expect(await typed("index", folder("notebooks"))).toMatchObject({ status: 0 });
    const path = folder("notebooks", ".planwright", "index.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"format": 1', '"format": 3'));
    const before = contents(folder("notebooks"));
    for (const command of [
      ["index", folder("notebooks")],
      ["query", "SELECT 1", "--dir", folder("notebooks")],
    ]) {
      const { status, err } = await typed(...command);
      expect([status, err]).toEqual([2, expect.stringContaining(refusal(3))]);
    }
    expect(contents(folder("notebooks"))).toEqual(before);
  });
});
