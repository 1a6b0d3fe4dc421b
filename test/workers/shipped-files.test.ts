/** What of a session goes along with a run, and where it lies at a worker. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EndpointLimits } from "../../source/engine/models/endpoint-limits.ts";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { packageVersion } from "../../source/engine/settings/package-folder.ts";
import { RoundWorld } from "../../source/workers/round-world.ts";
import { shippedFiles } from "../../source/workers/shipped-files.ts";
import { suites } from "../../suites/index.ts";
import { bareSpec } from "../bare-spec.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-shipped-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const shipped = (spec: Partial<RunSpec>, prepared = false) => {
  const given = { spec: bareSpec("appbench", spec), folder: new SessionFolder(join(folder, "session")), prepared };
  const files = shippedFiles(given, join(folder, "settings", "settings.json"));
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, String(content)]));
};

describe("the files that go along with a run", () => {
  test("are the questions it is about, and logs whose replies are given again; nothing else of the session", () => {
    write("session/lists/questions.csv", "question,answer");
    write("session/secret.txt", "mine");
    write("session/runs/abc1/events.jsonl", "{}");
    write("session/runs/abc2/events.jsonl", "{}");
    const spec = { suite: "own/lists/questions.csv", data: "own", model: "builtin/replay?log=abc1" } as const;
    expect(shipped(spec)).toEqual({ "lists/questions.csv": "question,answer", "runs/abc1/events.jsonl": "{}" });
    expect(shipped({})).toEqual({});
  });

  test("are what models replied when its toolkits were made, where they did", () => {
    write("settings/clustering/explanations.jsonl", "kept");
    expect(shipped({}, true)).toEqual({ "clustering/explanations.jsonl": "kept" });
    expect(shipped({}, false)).toEqual({});
  });

  test("are never files from elsewhere", () => {
    write("elsewhere.csv", "question,answer");
    mkdirSync(join(folder, "session"));
    symlinkSync(join(folder, "elsewhere.csv"), join(folder, "session", "link.csv"));
    for (const file of ["../elsewhere.csv", "link.csv"])
      expect(() => shipped({ suite: `own/${file}`, data: "own" })).toThrow(/Expected a path inside|leads out of/);
  });
});

test("a worker puts them into a folder of its own, which is gone with the round, and nowhere else", async () => {
  const settings = await openSettings(join(folder, "settings"));
  const manifest = { run: "r", spec: bareSpec("appbench"), version: packageVersion(), cache: false, prices: {} };
  const parts = { suites, settings, limits: new EndpointLimits() };
  const world = new RoundWorld(manifest, { "lists/questions.csv": Buffer.from("question,answer") }, parts);
  const place = join(world.folder, "lists", "questions.csv");
  expect(readFileSync(place, "utf8")).toBe("question,answer");
  await world.close();
  expect(existsSync(world.folder)).toBe(false);
  expect(() => new RoundWorld(manifest, { "../../escaped.txt": Buffer.from("") }, parts)).toThrow(
    /Expected a path inside/,
  );
});

test("a worker of another version, or without a model the run asks, says so", async () => {
  const settings = await openSettings(join(folder, "settings"));
  const parts = { suites, settings, limits: new EndpointLimits() };
  const manifest = { run: "r", spec: bareSpec("appbench"), version: "0.0.1", cache: false, prices: {} };
  const refusals = [
    manifest,
    { ...manifest, version: packageVersion(), spec: bareSpec("nothing") },
    { ...manifest, version: packageVersion(), spec: bareSpec("appbench", { strategy: "nothing" }) },
  ].map(async (each) => {
    const world = new RoundWorld(each, {}, parts);
    try {
      return await world.refusal();
    } finally {
      await world.close();
    }
  });
  expect(await Promise.all(refusals)).toEqual([
    `it is Planwright ${packageVersion()}, the run is of 0.0.1`,
    expect.stringMatching(/^Expected a suite \(.*, got `nothing`$/),
    "it has no strategy `nothing` for `appbench`",
  ]);
});
