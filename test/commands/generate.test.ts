import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { planningarena } from "../../suites/planningarena/index.ts";
import { breakWhere, breakableFiles, dieAt, fillDisk } from "../engine/files/faulty-files.ts";
import { describePublished, shared } from "../shared.ts";
import { temporaryFolder, typed } from "./typed.ts";

breakableFiles();

const at = temporaryFolder();
afterEach(() => breakWhere());

describe("planwright generate", () => {
  test("makes a set of tasks that can be added as data, and makes the same set for the same seed", async () => {
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

  describe("an interrupted generation", () => {
    const generate = (seed: string) =>
      typed("generate", "planningarena", "--count", "12", "--seed", seed, "--out", at("a"));
    const add = () => typed("data", "add", "planningarena", "--from", at("a"));
    const tasks = () => readFileSync(at("a", "tasks.jsonl"), "utf8");

    test("leaves the old tasks when the disk is full, and reports the file", async () => {
      await generate("1");
      const before = tasks();
      fillDisk();
      const said = await generate("2");
      expect(said).toMatchObject({ status: 2, err: expect.stringContaining("a/manifest.json: the disk is full") });
      breakWhere();
      expect(tasks()).toBe(before);
      expect(await add()).toMatchObject({ status: 0 });
    });

    test("leaves complete tasks or installs none if killed at any moment", async () => {
      const refused = [];
      for (let moment = 0; ; moment++) {
        rmSync(at("a"), { recursive: true, force: true });
        await generate("1");
        const before = tasks();
        dieAt(moment);
        const { status } = await generate("2");
        breakWhere();
        const added = await add();
        if (added.status !== 0) refused.push(added.err);
        else expect(tasks() === before).toBe(status !== 0);
        if (status !== 0) continue;
        expect(refused).toHaveLength(4);
        for (const words of refused) expect(words).toMatch(/as in manifest\.json.*\n.*Nothing was installed/);
        return;
      }
    });

    test.each<[string, (text: string) => string, RegExp]>([
      [
        "half of the tasks",
        (text) => text.slice(0, text.length / 2),
        /tasks\.jsonl: expected 12 records according to manifest\.json, got \d \(truncated\?\)/,
      ],
      [
        "one task fewer",
        (text) => text.slice(0, text.trimEnd().lastIndexOf("\n") + 1),
        /tasks\.jsonl: expected 12 records .* got 11/,
      ],
      [
        "changed text",
        (text) => text.replace("query", "quEry"),
        /tasks\.jsonl: its SHA-256 is not [0-9a-f]{12}\.\.\., as in manifest\.json/,
      ],
      ["nothing", () => "", /tasks\.jsonl: expected 12 records .* got 0/],
    ])("is rejected because of its manifest if the generation left %s", async (_, spoil, words) => {
      await generate("1");
      writeFileSync(at("a", "tasks.jsonl"), spoil(tasks()));
      expect(await add()).toMatchObject({ status: 2, err: expect.stringMatching(words) });
      rmSync(at("a", "tasks.jsonl"));
      expect((await add()).err).toContain(`tasks.jsonl: listed in manifest.json, but missing from ${at("a")}`);
      expect(existsSync(arena())).toBe(false);
    });

    test("is read completely and recognised if version 0.1.0 made the tasks without a manifest", async () => {
      await generate("1");
      rmSync(at("a", "manifest.json"));
      expect(await add()).toMatchObject({ status: 0, err: expect.stringContaining("has no manifest.json") });
      writeFileSync(at("a", "tasks.jsonl"), tasks().slice(0, -40));
      expect(await add()).toMatchObject({ status: 2, err: expect.stringMatching(/line 12 of .*tasks\.jsonl/) });
    });
  });

  const arena = () => at("settings", "data", "planningarena");
  const made = async (out: string, seed: string) => {
    await typed("generate", "planningarena", "--count", "12", "--seed", seed, "--out", at(out));
    return readFileSync(at(out, "tasks.jsonl"), "utf8");
  };

  test("replaces generated tasks that were installed before, and keeps other files there", async () => {
    await made("a", "1");
    const second = await made("b", "2");
    await typed("data", "add", "planningarena", "--from", at("a"));
    writeFileSync(join(arena(), "notes.txt"), "mine");
    expect(await typed("data", "add", "planningarena", "--from", at("b"))).toMatchObject({ status: 0 });
    expect(readFileSync(join(arena(), "tasks.jsonl"), "utf8")).toBe(second);
    expect(readFileSync(join(arena(), "notes.txt"), "utf8")).toBe("mine");
  });

  test("rejects tasks for another catalogue, with the line and the tool", async () => {
    await made("a", "1");
    const apis = JSON.parse(readFileSync(at("a", "apis.json"), "utf8")) as { sets: Record<string, unknown[]> };
    const none = Object.fromEntries(Object.keys(apis.sets).map((name) => [name, []]));
    writeFileSync(at("a", "apis.json"), JSON.stringify({ sets: none }));
    const loaded = await planningarena.open({ folder: at("a"), data: "published" });
    await expect(loaded.tasks("generated")).rejects.toThrow(
      /^Expected the catalogue to have the tool `\w+` of .*tasks\.jsonl line \d+, found none$/,
    );
  });

  describePublished("generation into the published folder", () => {
    const published = () => shared("data", "planningarena");
    const names = ["apps.json", "apis.json", "profiles.json", "example-tasks.json"];
    const bytes = (folder: string) => names.map((name) => readFileSync(join(folder, name), "utf8"));

    test("never overwrites published files, but explains how generated tasks are installed", async () => {
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
    ])("offers published and generated tasks with %s, each set with its own catalogue", async (_, order) => {
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

    test("keeps its tasks in a folder `generated`, which is added along with the data", async () => {
      cpSync(published(), at("data"), { recursive: true });
      const tasks = await made("data/generated", "4");
      await typed("data", "add", "planningarena", "--from", at("data"));
      expect(readFileSync(join(arena(), "generated", "tasks.jsonl"), "utf8")).toBe(tasks);
      // It stays when the data are added again without it.
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
  ])("rejects %j and names the expected arguments", async (args, words) => {
    const said = await typed("generate", ...args);
    expect(said).toMatchObject({ status: 2, out: "" });
    expect(said.err).toContain(words);
  });
});
