/** Task sets are distinguished by the files that exist when a run starts. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DatasetIdentities } from "../../../source/engine/workbench/document/dataset.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { generatePlanningArena } from "../../../suites/planningarena/data/generator/generate.ts";
import { suites } from "../../../suites/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { describePublished, shared } from "../../shared.ts";
import { cellNamed, runsOf, TemporarySessions } from "./temporary-session.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-dataset-"))));
afterEach(() => rmSync(folder, { recursive: true }));
const at = (...names: string[]) => join(folder, ...names);

const make = (out: string, seed: number) =>
  generatePlanningArena({ count: 12, seed, out, report: () => {}, signal: new AbortController().signal });

describe("the data hash in a run's identity, for tasks that 0.1.0 shipped or checked", () => {
  /** The sample of this suite has changed, so its runs must not be mistaken for those of 0.1.0. */
  const changed = ["planningarena"];

  test.each(changed)("exists for a sample that has changed since 0.1.0: %s", (name) => {
    const suite = suites.find((each) => each.name === name)!;
    expect(new DatasetIdentities().of(suite, "sample", sampleFolder(name))).toMatch(/^[0-9a-f]{16}$/);
  });

  const same = suites.filter(({ name }) => !changed.includes(name) && existsSync(sampleFolder(name)));
  test.each(same.map((suite) => [suite.name, suite] as const))(
    "is undefined for the unchanged sample: %s",
    (_, suite) => {
      expect(new DatasetIdentities().of(suite, "sample", sampleFolder(suite.name))).toBeUndefined();
    },
  );

  test("exists for a sample that a user changed", () => {
    cpSync(sampleFolder("ultratool"), at("sample"), { recursive: true });
    writeFileSync(at("sample", "README.md"), "Words about it.");
    expect(new DatasetIdentities().of(ultratool, "sample", at("sample"))).toBeUndefined();
    writeFileSync(at("sample", "en", "more.jsonl"), "{}");
    expect(new DatasetIdentities().of(ultratool, "sample", at("sample"))).toMatch(/^[0-9a-f]{16}$/);
  });

  test("is the same with and without the manifest of generated tasks, which 0.1.0 did not write", async () => {
    await make(at("made"), 3);
    const identity = () => new DatasetIdentities().of(planningarena, "published", at("made"));
    const before = identity();
    rmSync(at("made", "manifest.json"));
    expect(identity()).toBe(before);
  });

  describePublished("of published files", () => {
    const withFiles = suites.filter(
      ({ name, generate, ofFile }) =>
        generate === undefined && ofFile === undefined && existsSync(shared("data", name)),
    );
    test.each(withFiles.map((suite) => [suite.name, suite] as const))(
      "is undefined for the unchanged files: %s",
      (_, suite) => {
        expect(new DatasetIdentities().of(suite, "published", shared("data", suite.name))).toBeUndefined();
      },
    );

    test("exists for tasks that were changed after a check", () => {
      cpSync(shared("data", "appbench"), at("data"), { recursive: true });
      const appbench = suites.find(({ name }) => name === "appbench")!;
      const identities = new DatasetIdentities();
      expect(identities.of(appbench, "published", at("data"))).toBeUndefined();
      rmSync(at("data", "test_ss.json"), { force: true });
      writeFileSync(at("data", "test_ss.json"), "[]");
      expect(identities.of(appbench, "published", at("data"))).toMatch(/^[0-9a-f]{16}$/);
    });
  });
});

describePublished("the data hash of TravelPlanner's tables", () => {
  const travelplanner = suites.find(({ name }) => name === "travelplanner")!;
  const build = (from: string, to: string) => travelplanner.build!(from, to, () => {}, new AbortController().signal);
  const identity = (data: string) => new DatasetIdentities().of(travelplanner, "published", data);

  test("depends on the built database, unless the database has the published tables", async () => {
    await build(shared("data", "travelplanner"), at("published"));
    expect(identity(at("published"))).toBeUndefined();
    cpSync(shared("data", "travelplanner"), at("other"), { recursive: true });
    const lodgings = at("other", "database", "clean_accommodations_2022.csv.gz");
    const cheaper = gunzipSync(readFileSync(lodgings))
      .toString("utf8")
      .replace(/,(\d)\d\.0,/, ",$1.0,");
    rmSync(lodgings);
    writeFileSync(lodgings, gzipSync(cheaper));
    await build(at("other"), at("changed"));
    expect(identity(at("changed"))).toMatch(/^[0-9a-f]{16}$/);
  });

  test("depends on a database that was changed by hand", async () => {
    await build(shared("data", "travelplanner"), at("data"));
    const database = new DatabaseSync(at("data", "sandbox.sqlite"));
    database.exec("UPDATE lodgings SET price = 1 WHERE rowid = 1");
    database.close();
    expect(identity(at("data"))).toMatch(/^[0-9a-f]{16}$/);
    rmSync(at("data", "sandbox.sqlite"));
    await build(shared("data", "travelplanner"), at("data"));
    expect(identity(at("data"))).toBeUndefined();
  });

  test("depends on flights, even on the part that is too large to be kept in memory", async () => {
    cpSync(shared("data", "travelplanner"), at("other"), { recursive: true });
    const flights = at("other", "database", "flights_march.csv");
    const [header, ...rows] = readFileSync(flights, "utf8").trimEnd().split("\n");
    rmSync(flights);
    const identities: (string | undefined)[] = [];
    // A column that no table has makes the file larger than 16 MB.
    const remark = "x".repeat(Math.ceil(2 ** 24 / (rows.length - 1)));
    for (const count of [rows.length, rows.length - 1]) {
      const lines = rows.slice(0, count).map((row) => `${row},${remark}\n`);
      writeFileSync(flights, `${header},Remark\n${lines.join("")}`);
      await build(at("other"), at("data"));
      identities.push(identity(at("data")));
    }
    expect(new Set(identities).size).toBe(2);
    expect(identities).not.toContain(undefined);
    await build(shared("data", "travelplanner"), at("data"));
    expect(identity(at("data"))).toBeUndefined();
  });
});

describe("reading a data folder for its identity", () => {
  test("happens once for the same path, size, time and inode, even in several programs", async () => {
    await make(at("data"), 1);
    const path = at("data", "tasks.jsonl");
    const text = readFileSync(path, "utf8");
    const noted = new Date(1_700_000_000_000);
    utimesSync(path, noted, noted);
    const first = new DatasetIdentities(at("kept.json")).of(planningarena, "published", at("data"));
    // Size, time and inode are unchanged, so the file is not read again.
    writeFileSync(
      path,
      text.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    );
    utimesSync(path, noted, noted);
    expect(new DatasetIdentities(at("kept.json")).of(planningarena, "published", at("data"))).toBe(first);
    expect(new DatasetIdentities().of(planningarena, "published", at("data"))).not.toBe(first);
    // The inode changes.
    cpSync(path, at("copy"));
    renameSync(at("copy"), path);
    expect(new DatasetIdentities(at("kept.json")).of(planningarena, "published", at("data"))).not.toBe(first);
  });

  test("replaces a damaged file of identities", async () => {
    await make(at("data"), 1);
    const sound = new DatasetIdentities().of(planningarena, "published", at("data"));
    for (const text of ["{", "null", "[]", '{"x":1}']) {
      writeFileSync(at("kept.json"), text);
      expect(new DatasetIdentities(at("kept.json")).of(planningarena, "published", at("data"))).toBe(sound);
    }
  });
});

describe("a session that is open while its data folder is generated again", () => {
  test("executes the new tasks as another run, and counts no score of the previous tasks", async () => {
    const sessions = new TemporarySessions();
    try {
      mkdirSync(at("data"));
      await make(at("data"), 1);
      const text =
        "```run main\nsuite: planningarena\nsplit: generated\nmodel: builtin/oracle\nresponder: builtin/responder\n```\n";
      const workbench = await sessions.open(text, {
        suites: [planningarena],
        settings: { data: { planningarena: at("data") } },
      });
      await workbench.run(cellNamed(workbench, "main"));
      const [first] = runsOf(workbench, "main");
      expect(first).toMatchObject({ status: "done", counts: { right: 12 } });
      await make(at("data"), 2);
      await workbench.run(cellNamed(workbench, "main"));
      const [second] = runsOf(workbench, "main");
      expect(second!.run).not.toBe(first!.run);
      expect(second).toMatchObject({ status: "done", total: 12, counts: { right: 12 } });
      await make(at("data"), 1);
      await workbench.run(cellNamed(workbench, "main"));
      expect(runsOf(workbench, "main")[0]).toMatchObject({ run: first!.run, status: "done", calls: first!.calls });
    } finally {
      await sessions.end();
    }
  });
});
