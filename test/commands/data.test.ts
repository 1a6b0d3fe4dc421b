import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { dataCommand } from "../../source/commands/data/data.ts";
import type { DataFile, Suite } from "../../source/engine/suite.ts";
import { breakWhere, breakableFiles, dieAt, systemError } from "../engine/files/faulty-files.ts";
import { describePublished, shared } from "../shared.ts";
import { temporaryFolder, typed } from "./typed.ts";

breakableFiles();

const at = temporaryFolder();
const tasks = JSON.stringify(["one", "two", "three"]);
const lines = '{"a":1}\n{"a":2}\n';
const sha256 = createHash("sha256").update(tasks).digest("hex");
const files: readonly DataFile[] = [
  { path: "tasks.json", sha256, count: 3, of: "tasks" },
  { path: "deep/lines.jsonl", count: 2 },
  { path: "extra.json", optional: true, needed: "the extra split" },
];
const suite = (more: Partial<Suite> = {}) =>
  ({ name: "made", title: "Made", licence: "Ask.", data: { files, source: "here" }, ...more }) as Suite;

async function data(words: string, made = suite()) {
  const said = { out: "", err: "" };
  const signal = new AbortController().signal;
  const context = { signal, suites: [made], analyses: [] };
  const run = dataCommand.run(words.split(" "), {
    ...context,
    stdout: (text) => void (said.out += text),
    stderr: (text) => void (said.err += text),
  });
  return run.then(
    (status) => ({ status, ...said }),
    (error: Error) => ({ status: 2, ...said, err: said.err + error.message }),
  );
}

const installed = () => at("settings", "data", "made");
afterEach(() => breakWhere());
beforeEach(() => {
  mkdirSync(at("from", "deep"), { recursive: true });
  writeFileSync(at("from", "tasks.json"), tasks);
  writeFileSync(at("from", "deep", "lines.jsonl"), lines);
  writeFileSync(at("from", "private.txt"), "not part of the data");
});

describe("planwright data", () => {
  test("adds data files, lists the files and removes the files", async () => {
    expect((await data("list")).out).toContain("not installed; runs use the sample");
    const added = await data(`add made --from ${at("from")}`);
    expect(added).toMatchObject({ status: 0 });
    expect(added.err).toContain("extra.json: not found in");
    expect(added.err).toContain("(needed for the extra split)");
    expect(added.out).toContain(`Installed Made: 2 items in ${installed()}\nAsk.`);
    expect(readdirSync(installed(), { recursive: true }).toSorted()).toEqual([
      "deep",
      "deep/lines.jsonl",
      "tasks.json",
    ]);
    expect((await data("list")).out).toContain(installed());
    expect(await data("remove made")).toMatchObject({ status: 0 });
    expect(existsSync(installed())).toBe(false);
    expect((await data("list")).out).toContain("not installed");
    expect((await data("remove made")).err).toContain("`made` is not installed");
    expect(existsSync(at("from", "tasks.json"))).toBe(true);
  });

  test.each<[string, () => void, string]>([
    ["is missing", () => cpSync(at("from", "deep"), at("from", "shallow"), { recursive: true }), ""],
    [
      "is truncated",
      () => writeFileSync(at("from", "tasks.json"), tasks.slice(0, -4)),
      "tasks.json: expected 3 tasks, got a file that cannot be read (truncated?)",
    ],
    [
      "has too few records",
      () => writeFileSync(at("from", "tasks.json"), '["one"]'),
      "tasks.json: expected 3 tasks, got 1",
    ],
    [
      "has other content",
      () => writeFileSync(at("from", "tasks.json"), '["one","two","four"]'),
      `tasks.json: the file differs from the published one (its SHA-256 is not ${sha256.slice(0, 12)}...)`,
    ],
    [
      "has an extra line",
      () => writeFileSync(at("from", "deep", "lines.jsonl"), `${lines}{}`),
      "deep/lines.jsonl: expected 2 records, got 3",
    ],
  ])("reports a data file that %s, and installs nothing", async (what, spoil, words) => {
    spoil();
    const made =
      what === "is missing" ? suite({ data: { source: "", files: [...files, { path: "more.json" }] } }) : suite();
    const { status, out, err } = await data(`add made --from ${at("from")}`, made);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(words === "" ? `more.json: not found in ${at("from")}` : words);
    expect(err).toContain("Nothing was installed.");
    expect(existsSync(at("settings", "data")) ? readdirSync(at("settings", "data")) : []).toEqual([]);
    expect((await data("list")).out).toContain("not installed");
  });

  test("keeps installed data if a copy is invalid or a build fails", async () => {
    await data(`add made --from ${at("from")}`);
    const before = statSync(join(installed(), "tasks.json")).ino;
    writeFileSync(at("from", "tasks.json"), "[]");
    expect(await data(`add made --from ${at("from")}`)).toMatchObject({ status: 2 });
    writeFileSync(at("from", "tasks.json"), tasks);
    const failing = suite({ build: () => Promise.reject(new Error("disk full")) });
    expect((await data(`add made --from ${at("from")}`, failing)).err).toContain("disk full");
    expect(statSync(join(installed(), "tasks.json")).ino).toBe(before);
    expect(readdirSync(at("settings", "data"))).toEqual(["made"]);
  });

  test("rejects a link that leads out of the data, and copies the target of a link that stays inside", async () => {
    renameSync(at("from", "tasks.json"), at("from", "deep", "real.json"));
    symlinkSync(join("deep", "real.json"), at("from", "tasks.json"));
    expect(await data(`add made --from ${at("from")}`)).toMatchObject({ status: 0 });
    expect(lstatSync(join(installed(), "tasks.json")).isFile()).toBe(true);
    renameSync(at("from", "deep", "real.json"), at("secret.json"));
    rmSync(at("from", "tasks.json"));
    symlinkSync(at("secret.json"), at("from", "tasks.json"));
    const said = await data(`add made --from ${at("from")}`);
    expect(said).toMatchObject({
      status: 2,
      err: expect.stringMatching(/tasks\.json is a link that leads out of \S+from, to/),
    });
  });

  test("keeps files that people added to the data when the data are added again or removed", async () => {
    const made = suite({ data: { files, source: "here", kept: ["toolkits"] } });
    await data(`add made --from ${at("from")}`, made);
    mkdirSync(join(installed(), "toolkits"));
    writeFileSync(join(installed(), "toolkits", "pool.jsonl"), "made in a night");
    writeFileSync(join(installed(), "tasks.json"), "spoilt");
    const own = () => readFileSync(join(installed(), "toolkits", "pool.jsonl"), "utf8");

    expect(await data(`add made --from ${at("from")}`, made)).toMatchObject({ status: 0 });
    expect([own(), readFileSync(join(installed(), "tasks.json"), "utf8")]).toEqual(["made in a night", tasks]);
    expect(await data("remove made", made)).toMatchObject({ status: 0 });
    expect([own(), readdirSync(installed())]).toEqual(["made in a night", ["toolkits"]]);
    expect((await data("list", made)).out).toContain("not installed");
  });

  describe("a data folder to which people added files", () => {
    const made = suite({ data: { files, source: "here", kept: ["toolkits"] } });
    const own = () => readFileSync(join(installed(), "toolkits", "pool.jsonl"), "utf8");
    const add = () => data(`add made --from ${at("from")}`, made);
    /** Except files removed an hour later, because another program may be writing them. */
    const besides = () => readdirSync(at("settings", "data")).filter((name) => !name.endsWith(".new"));
    const begin = async () => {
      breakWhere();
      rmSync(at("settings"), { recursive: true, force: true });
      await add();
      mkdirSync(join(installed(), "toolkits"));
      writeFileSync(join(installed(), "toolkits", "pool.jsonl"), "made in a night");
    };

    test("loses no added file if a program is killed at any moment of adding the data again", async () => {
      for (let moment = 0; ; moment++) {
        await begin();
        dieAt(moment);
        const { status } = await add();
        breakWhere();
        // A killed process is not alive, unlike this one.
        if (existsSync(`${installed()}.lock`)) writeFileSync(`${installed()}.lock`, "999999999");
        // The next command finds them in place.
        await (moment % 2 === 0 ? add() : data("remove made", made));
        expect(own()).toBe("made in a night");
        if (moment % 2 === 0) expect(besides()).toEqual(["made"]);
        if (status !== 0) continue;
        expect(moment).toBeGreaterThan(10);
        return;
      }
    });

    test("keeps the added files if the old folder cannot be deleted, and reports the failure", async () => {
      await begin();
      breakWhere((change) => (/^rm .*to-delete/.test(change) ? systemError("EPERM", "not permitted") : undefined));
      expect(await add()).toMatchObject({
        status: 0,
        err: expect.stringContaining("The previous data could not be deleted; delete "),
      });
      expect(own()).toBe("made in a night");
    });

    test("restores files that a killed program of version 0.1.0 had moved away", async () => {
      await begin();
      mkdirSync(`${installed()}.new`);
      cpSync(installed(), `${installed()}.new`, { recursive: true });
      rmSync(installed(), { recursive: true });
      expect(await add()).toMatchObject({ status: 0 });
      expect(own()).toBe("made in a night");
    });
  });

  test("fetches from the publisher, reports failed downloads, and checks the files", async () => {
    const answers = new Map([
      ["https://publisher.example/tasks.json", tasks],
      ["https://publisher.example/lines", "{}"],
    ]);
    vi.stubGlobal(
      "fetch",
      async (url: string) => new Response(answers.get(url) ?? "gone", { status: answers.has(url) ? 200 : 410 }),
    );
    const of = (...some: DataFile[]) => suite({ data: { source: "", files: some } });
    const first = { ...files[0]!, url: "https://publisher.example/tasks.json" };
    try {
      expect(await data("add made", of(first))).toMatchObject({ status: 0 });
      expect(readFileSync(join(installed(), "tasks.json"), "utf8")).toBe(tasks);
      const { status, err } = await data(
        "add made",
        of(
          { ...files[1]!, url: "https://publisher.example/lines" },
          { path: "b", url: "https://publisher.example/b" },
          { path: "c" },
        ),
      );
      expect(status).toBe(2);
      for (const words of [
        "lines.jsonl: expected 2 records, got 1",
        "replied with status 410",
        "c: the publisher does not offer this file by itself; use `--from DIR`",
      ])
        expect(err).toContain(words);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each([
    ["", "Expected list, add or remove"],
    ["add", "Expected a suite (made), got `none`"],
    ["add other", "Expected a suite (made), got `other`"],
    ["install made", "Expected list, add or remove, got `install made`"],
    ["add made --form x", "--form"],
  ])("rejects `data %s` and names the expected arguments", async (words, expected) => {
    const { status, err } = await data(words);
    expect(status).toBe(2);
    expect(err).toContain(expected);
  });

  test("writes nothing without a settings folder", async () => {
    writeFileSync(at("file"), "");
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", at("file", "settings"));
    const { status, err } = await data(`add made --from ${at("from")}`);
    expect(status).toBe(2);
    expect(err).toContain("Settings can be neither read nor saved");
    expect(existsSync("data")).toBe(false);
  });
});

describe("data in another folder layout", () => {
  const placed = (more: Partial<DataFile> = {}): Suite => {
    const file: DataFile = {
      path: "domains/tasks.json",
      places: ["wheel/tasks.json", "old/tasks.json.gz"],
      sha256,
      ...more,
    };
    return suite({ data: { files: [file], source: "here" } });
  };
  const wheel = (entries: Readonly<Record<string, string | Uint8Array>>) => {
    const bytes = Object.entries(entries).map(([name, content]) => [name, Buffer.from(content)] as const);
    writeFileSync(at("made.whl"), zipSync(Object.fromEntries(bytes)));
    return at("made.whl");
  };
  const tasksThere = () => readFileSync(join(installed(), "domains", "tasks.json"), "utf8");

  test.each([
    ["at its place in the wheel", () => wheel({ "wheel/tasks.json": tasks, "other.py": "boom" })],
    ["below one folder in the archive", () => wheel({ "made-1.0/domains/tasks.json": tasks })],
    ["packed", () => wheel({ "old/tasks.json.gz": gzipSync(tasks) })],
  ])("is installed in the folder that the suite reads, if the file is %s", async (_, archive) => {
    expect(await data(`add made ${archive()}`, placed())).toMatchObject({ status: 0 });
    expect(tasksThere()).toBe(tasks);
    expect(readdirSync(installed())).toEqual(["domains"]);
  });

  test("is found in the only subfolder, and is rejected if its hash differs or its gzip is broken", async () => {
    mkdirSync(at("outer", "clone", "wheel"), { recursive: true });
    writeFileSync(at("outer", "clone", "wheel", "tasks.json"), tasks);
    expect(await data(`add made ${at("outer")}`, placed())).toMatchObject({ status: 0 });
    expect(tasksThere()).toBe(tasks);
    const other = await data(`add made ${at("outer")}`, placed({ sha256: ["0".repeat(64)] }));
    expect([other.status, other.err]).toEqual([2, expect.stringContaining("differs from the published one")]);
    const broken = await data(`add made ${wheel({ "old/tasks.json.gz": "no gzip" })}`, placed());
    expect([broken.status, broken.err]).toEqual([2, expect.stringContaining("complete gzip file")]);
  });

  test.each([
    ["an incomplete gzip file", gzipSync(tasks).subarray(0, 20), "a complete tar archive: unexpected end of file"],
    [
      "a gzip file with other bytes",
      Buffer.from("\x1f\x8bxxxxxxxx", "latin1"),
      "a complete tar archive: unknown compression",
    ],
    ["text", tasks, "a complete zip archive: invalid zip data"],
    ["an empty file", "", "a complete zip archive: invalid zip data"],
  ])("is rejected with the reason if it is %s", async (_, bytes, reason) => {
    writeFileSync(at("made.tgz"), bytes);
    const { status, err } = await data(`add made ${at("made.tgz")}`, placed());
    expect([status, err]).toEqual([2, expect.stringContaining(reason)]);
  });

  test("is rejected if the path does not exist", async () => {
    const { status, err } = await data(`add made ${at("nowhere")}`, placed());
    expect([status, err]).toEqual([2, expect.stringContaining(`found nothing at ${at("nowhere")}`)]);
  });

  test("is rejected if given both as an argument and by --from", async () => {
    expect((await data(`add made ${at("from")} --from ${at("from")}`)).status).toBe(2);
    expect((await data(`remove made ${at("from")}`)).status).toBe(2);
  });
});

describePublished("the published AppBench data", () => {
  test("is added by the program, used by runs, and removed", async () => {
    expect(await typed("data", "add", "appbench", "--from", shared("data", "appbench"))).toMatchObject({ status: 0 });
    mkdirSync(at("session"));
    writeFileSync(
      at("session", "session.md"),
      "```run a\nsuite: appbench\nsplit: all\nmodel: builtin/oracle\nlimit: 5\n```\n",
    );
    const { out } = await typed("run", at("session"), "--json");
    const { cells } = JSON.parse(out) as { cells: { runs: { spec: { data: string }; status: string }[] }[] };
    expect(cells[0]!.runs[0]).toMatchObject({ status: "done", spec: { data: "published" } });
    expect(await typed("data", "remove", "appbench")).toMatchObject({ status: 0 });
    expect((await typed("data", "list")).out).toContain("not installed");
  });
});
