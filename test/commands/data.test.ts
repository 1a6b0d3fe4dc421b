import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { dataCommand } from "../../source/commands/data.ts";
import type { DataFile, Suite } from "../../source/engine/suite.ts";
import { planningarena } from "../../suites/planningarena/index.ts";
import { describePublished, shared } from "../shared.ts";
import { temporaryFolder, typed } from "./typed.ts";

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
beforeEach(() => {
  mkdirSync(at("from", "deep"), { recursive: true });
  writeFileSync(at("from", "tasks.json"), tasks);
  writeFileSync(at("from", "deep", "lines.jsonl"), lines);
  writeFileSync(at("from", "private.txt"), "not part of the data");
});

describe("planwright data", () => {
  test("brings files in, lists them and takes them away again", async () => {
    expect((await data("list")).out).toContain("not installed: the sample is used");
    const added = await data(`add made --from ${at("from")}`);
    expect(added).toMatchObject({ status: 0 });
    expect(added.err).toContain("extra.json: expected it in");
    expect(added.err).toContain("(needed for the extra split)");
    expect(added.out).toContain(`Installed Made: 2 entries in ${installed()}\nAsk.`);
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
      "has other words",
      () => writeFileSync(at("from", "tasks.json"), '["one","two","four"]'),
      `tasks.json: it differs from the published file (its SHA-256 is not ${sha256.slice(0, 12)}...)`,
    ],
    [
      "has a line too many",
      () => writeFileSync(at("from", "deep", "lines.jsonl"), `${lines}{}`),
      "deep/lines.jsonl: expected 2 records, got 3",
    ],
  ])("a file that %s is named, and nothing is half-installed", async (what, spoil, words) => {
    spoil();
    const made =
      what === "is missing" ? suite({ data: { source: "", files: [...files, { path: "more.json" }] } }) : suite();
    const { status, out, err } = await data(`add made --from ${at("from")}`, made);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(words === "" ? `more.json: expected it in ${at("from")}, found none` : words);
    expect(err).toContain("Nothing was installed.");
    expect(existsSync(at("settings", "data")) ? readdirSync(at("settings", "data")) : []).toEqual([]);
    expect((await data("list")).out).toContain("not installed");
  });

  test("what was installed before survives a copy that does not fit, and a build that fails", async () => {
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

  test("files people put beside the data survive bringing it in anew, and its removal", async () => {
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

  test("fetches from the publisher, says what cannot be fetched, and checks what came", async () => {
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
        "c: not published in this form; use `--from DIR`",
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
  ])("says what was expected in place of `data %s`", async (words, expected) => {
    const { status, err } = await data(words);
    expect(status).toBe(2);
    expect(err).toContain(expected);
  });

  test("without a settings folder nothing is put anywhere", async () => {
    writeFileSync(at("file"), "");
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", at("file", "settings"));
    const { status, err } = await data(`add made --from ${at("from")}`);
    expect(status).toBe(2);
    expect(err).toContain("Settings can be neither read nor kept");
    expect(existsSync("data")).toBe(false);
  });
});

describePublished("the published AppBench data", () => {
  test("is brought in by the program itself, used by runs, and removed", async () => {
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

describe("planwright generate", () => {
  test("makes a set of tasks that can be brought in, the same for the same seed", async () => {
    const make = (out: string, seed: string) =>
      typed("generate", "planningarena", "--count", "60", "--seed", seed, "--out", at(out));
    expect(await make("a", "7")).toMatchObject({ status: 0 });
    await make("b", "7");
    await make("c", "8");
    const bytes = (folder: string) =>
      readdirSync(at(folder)).map((name) => readFileSync(at(folder, name)).toString("base64"));
    expect(bytes("a")).toEqual(bytes("b"));
    expect(bytes("a")).not.toEqual(bytes("c"));
  });

  const arena = () => at("settings", "data", "planningarena");
  const made = async (out: string, seed: string) => {
    await typed("generate", "planningarena", "--count", "12", "--seed", seed, "--out", at(out));
    return readFileSync(at(out, "tasks.jsonl"), "utf8");
  };

  test("replaces generated tasks that were installed before, and keeps what else lies there", async () => {
    await made("a", "1");
    const second = await made("b", "2");
    await typed("data", "add", "planningarena", "--from", at("a"));
    writeFileSync(join(arena(), "notes.txt"), "mine");
    expect(await typed("data", "add", "planningarena", "--from", at("b"))).toMatchObject({ status: 0 });
    expect(readFileSync(join(arena(), "tasks.jsonl"), "utf8")).toBe(second);
    expect(readFileSync(join(arena(), "notes.txt"), "utf8")).toBe("mine");
  });

  test("refuses tasks that belong to another catalogue, naming the line and the tool", async () => {
    await made("a", "1");
    const apis = JSON.parse(readFileSync(at("a", "apis.json"), "utf8")) as { sets: Record<string, unknown[]> };
    const none = Object.fromEntries(Object.keys(apis.sets).map((name) => [name, []]));
    writeFileSync(at("a", "apis.json"), JSON.stringify({ sets: none }));
    const loaded = await planningarena.open({ folder: at("a"), data: "published" });
    await expect(loaded.tasks("generated")).rejects.toThrow(
      /^Expected the catalogue of .*tasks\.jsonl line \d+ to have its tool `\w+`, found none$/,
    );
  });

  describePublished("beside the published files", () => {
    const published = () => shared("data", "planningarena");
    const names = ["apps.json", "apis.json", "profiles.json", "example-tasks.json"];
    const bytes = (folder: string) => names.map((name) => readFileSync(join(folder, name), "utf8"));

    test("never writes over them: it says how generated tasks are installed", async () => {
      cpSync(published(), at("data"), { recursive: true });
      const before = bytes(at("data"));
      const said = await typed("generate", "planningarena", "--count", "12", "--out", at("data"));
      expect(said.status).not.toBe(0);
      expect(said.err).toContain("planwright data add planningarena --from DIR");
      expect(bytes(at("data"))).toEqual(before);
    });

    test.each([
      ["published first", ["published", "made"]],
      ["generated first", ["made", "published"]],
    ])("%s: both are installed, each with its own catalogue", async (_, order) => {
      const tasks = await made("made", "3");
      for (const from of order)
        expect(
          await typed("data", "add", "planningarena", "--from", from === "made" ? at("made") : published()),
        ).toMatchObject({ status: 0 });
      expect(bytes(arena())).toEqual(bytes(published()));
      expect(readFileSync(join(arena(), "generated", "tasks.jsonl"), "utf8")).toBe(tasks);
      const loaded = await planningarena.open({ folder: arena(), data: "published" });
      expect(await loaded.tasks("generated")).toHaveLength(12);
      expect(await loaded.tasks("examples")).toHaveLength(10);
    });

    test("a folder `generated` in what is brought comes along", async () => {
      cpSync(published(), at("data"), { recursive: true });
      const tasks = await made("data/generated", "4");
      await typed("data", "add", "planningarena", "--from", at("data"));
      expect(readFileSync(join(arena(), "generated", "tasks.jsonl"), "utf8")).toBe(tasks);
      // Brought in again without it, it stays.
      await typed("data", "add", "planningarena", "--from", published());
      expect(readFileSync(join(arena(), "generated", "tasks.jsonl"), "utf8")).toBe(tasks);
    });
  });

  test.each([
    [["appbench", "--out", "x"], "Expected one suite that can generate tasks (planningarena"],
    [[], "Expected one suite that can generate tasks"],
    [["planningarena"], "Expected `--out DIR`, got none"],
    [["planningarena", "--out", "x", "--count", "0"], "Expected `--count` to be a whole number of at least 1, got `0`"],
    [["planningarena", "--out", "x", "--seed", "a"], "Expected `--seed` to be a whole number"],
    [["planningarena", "--out", "x", "--levels", "a"], "--levels"],
  ])("%j says what was expected", async (args, words) => {
    const said = await typed("generate", ...args);
    expect(said).toMatchObject({ status: 2, out: "" });
    expect(said.err).toContain(words);
  });
});
