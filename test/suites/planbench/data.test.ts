/** Importing data, from the reduced folder and from a cloned repository, complete and in part. */
import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { packTar } from "modern-tar";
import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { splits } from "../../../suites/planbench/data/catalogue.ts";
import { PlanbenchFolder } from "../../../suites/planbench/data/folder.ts";
import { readTasks, type PlanTask } from "../../../suites/planbench/data/tasks.ts";
import { planRecord } from "../../../suites/planbench/score/record.ts";
import { temporaryFolder, typed } from "../../commands/typed.ts";
import { describePublished, shared } from "../../shared.ts";

const at = temporaryFolder();
const installed = () => at("settings", "data", "planbench");

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The hash of each file of a folder, by its path. */
function hashes(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return new Map(paths.map((path) => [relative(folder, path), hash("sha256", readFileSync(path))]));
}

/** Packs a folder as the kind of archive that its name implies. */
async function pack(folder: string, archive: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [relative(folder, path), readFileSync(path)] as const;
  });
  // Most files are compressed already.
  if (archive.endsWith(".zip")) return writeFileSync(archive, zipSync(Object.fromEntries(entries), { level: 1 }));
  const tar = await packTar(entries.map(([name, body]) => ({ header: { name, size: body.length }, body })));
  writeFileSync(archive, archive.endsWith("gz") ? gzipSync(tar, { level: 1 }) : tar);
}

/** All tasks of a folder by split; splits without data have none. */
async function allTasks(folder: string): Promise<ReadonlyMap<string, readonly PlanTask[]>> {
  const data = new PlanbenchFolder(folder);
  const found = new Map<string, readonly PlanTask[]>();
  for (const { name } of splits) {
    const tasks = await readTasks(data, name).catch((error: Error) => {
      if (!error.message.includes("found none")) throw error;
    });
    if (tasks !== undefined) found.set(name, tasks);
  }
  return found;
}

describePublished("the published data of PlanBench", () => {
  const folder = shared("data", "planbench");
  let expected: ReadonlyMap<string, string> | undefined;

  /** Installs the folder once for all tests, and returns the hashes of the installed files. */
  async function fromFolder(): Promise<ReadonlyMap<string, string>> {
    expect((await typed("data", "add", "planbench", folder)).status).toBe(0);
    const found = hashes(installed());
    rmSync(installed(), { recursive: true });
    return found;
  }

  it("are imported from the reduced folder, with every split and valid reference plans", async () => {
    const { status, out, err } = await typed("data", "add", "planbench", "--from", folder);
    expect({ status, missing: err.includes("without data") }).toEqual({ status: 0, missing: false });
    expect(out).toContain("Installed PlanBench");
    expect(existsSync(join(installed(), "LICENSE"))).toBe(true);
    const tasks = await allTasks(installed());
    expect([...tasks.keys()]).toEqual(splits.map(({ name }) => name));
    const wrong = [...tasks.values()].flat().filter(({ input: { asked } }) => {
      // Sokoban and the hard instances have no reference plan, nor have configs without a solution.
      const { reference = "", config, answer } = asked;
      if (answer !== undefined || /^(sokoban|blocksworld_hard|unsolvable)/.test(config)) return false;
      return !planRecord(asked, reference).valid;
    });
    expect(wrong.map(({ id, facets }) => `${String(facets["config"])} ${String(facets["task"])} ${id}`)).toEqual([]);
  });

  it.each([
    ["a zip archive", "data.zip", false],
    ["a zip archive with one folder around it", "data.zip", true],
    ["a tar.gz", "data.tar.gz", false],
    ["a tar.gz with one folder around it", "data.tar.gz", true],
    ["a tar without gzip", "data.tar", true],
    ["a folder with one folder around it, without the licence", undefined, true],
  ])("are the same from %s as from the folder", async (_, archive, isAround) => {
    expected ??= await fromFolder();
    const inner = isAround ? at("around", "planbench") : at("around");
    cpSync(folder, inner, { recursive: true });
    if (archive === undefined) rmSync(join(inner, "LICENSE"));
    else await pack(at("around"), at(archive));
    const { status, err } = await typed("data", "add", "planbench", at(archive ?? "around"));
    expect({ status, missing: err.includes("without data") }).toEqual({ status: 0, missing: false });
    const without = archive === undefined ? "LICENSE" : "";
    expect(hashes(installed())).toEqual(new Map([...expected].filter(([name]) => name !== without)));
  });

  it("are rejected if the archive, or a file in it, is truncated", async () => {
    const file = "prompts/sokoban/task_1_plan_generation_zero_shot_pddl.jsonl.gz";
    const text = gunzipSync(readFileSync(join(folder, file))).toString();
    write(at("part", "x", file), gzipSync(text.split("\n").slice(0, 9).join("\n")));
    await pack(at("part"), at("part.tar.gz"));
    const short = await typed("data", "add", "planbench", at("part.tar.gz"));
    expect(short).toMatchObject({ status: 2, err: expect.stringContaining("expected 55 records, got 9") });
    const whole = readFileSync(at("part.tar.gz"));
    writeFileSync(at("part.tar.gz"), whole.subarray(0, whole.length - 40));
    const cut = await typed("data", "add", "planbench", at("part.tar.gz"));
    expect(cut).toMatchObject({ status: 2, err: expect.stringContaining("to be a complete tar archive") });
    expect(existsSync(installed())).toBe(false);
  });

  it("are rejected if a file is truncated or changed", async () => {
    const file = "prompts/sokoban/task_1_plan_generation_zero_shot_pddl.jsonl.gz";
    const text = gunzipSync(readFileSync(join(folder, file))).toString();
    for (const [changed, message] of [
      [text.split("\n").slice(0, 9).join("\n"), "expected 55 records, got 9"],
      [text.replace("robot", "rabbit"), "it differs from the published file"],
    ] as const) {
      write(at("part", file), gzipSync(changed));
      const { status, err } = await typed("data", "add", "planbench", "--from", at("part"));
      expect(status).not.toBe(0);
      expect(err).toContain(message);
      expect(existsSync(installed())).toBe(false);
    }
  });

  it("can be incomplete, in which case missing splits are unavailable", async () => {
    for (const part of ["instances/sokoban", "prompts/sokoban"])
      cpSync(join(folder, part), at("part", part), { recursive: true });
    const { status, err } = await typed("data", "add", "planbench", "--from", at("part"));
    expect(status).toBe(0);
    expect(err).toContain(`1 of ${splits.length} splits have their data`);
    expect([...(await allTasks(installed())).keys()]).toEqual(["sokoban/task_1_plan_generation_zero_shot_pddl"]);
    const unavailable = await typed(
      "score",
      "planbench",
      "--split",
      "depots/task_1_plan_generation",
      "--predictions",
      "/dev/null",
    );
    expect(unavailable.status).not.toBe(0);
    expect(unavailable.err).toContain("found none");
  });
});

it("PlanBench's data are written only into their folder, whatever paths an archive contains", async () => {
  const domain = readFileSync(join(sampleFolder("planbench"), "instances/blocksworld/generated_domain.pddl"));
  const names = [
    "instances/../../../out.pddl",
    "instances/a\\..\\b.pddl",
    "/instances/blocksworld/generated_domain.pddl",
  ];
  writeFileSync(at("bad.zip"), zipSync(Object.fromEntries(names.map((name) => [name, domain]))));
  const { status, err } = await typed("data", "add", "planbench", at("bad.zip"));
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("found neither") });
});

it("PlanBench's data are imported from a clone of the repository, but from only one folder tree in it", async () => {
  const sample = sampleFolder("planbench");
  const lines = (path: string) =>
    readFileSync(join(sample, path), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const tree = at("clone", "plan-bench");
  cpSync(
    join(sample, "instances/logistics/generated_domain.pddl"),
    join(tree, "instances/logistics/generated_domain.pddl"),
  );
  for (const { id, pddl } of lines("instances/logistics/generated_basic.jsonl"))
    write(join(tree, `instances/logistics/generated_basic/instance-${String(id)}.pddl`), `${String(pddl)}\n\n`);
  const instances = lines("prompts/logistics/task_1_plan_generation.jsonl").map(({ id, query, example, plan }) => {
    return { instance_id: id, example_instance_ids: [example], query, ground_truth_plan: String(plan).split("\n") };
  });
  write(join(tree, "prompts/logistics/task_1_plan_generation.json"), JSON.stringify({ instances }));
  const short = await typed("data", "add", "planbench", "--from", at("clone"));
  expect({ status: short.status, counted: short.err.includes("expected 286 records, got 3") }).toEqual({
    status: 2,
    counted: true,
  });
  // If it has as many tasks as were published, the folder is used.
  for (let id = 4; id <= 286; id++)
    cpSync(
      join(tree, "instances/logistics/generated_basic/instance-3.pddl"),
      join(tree, `instances/logistics/generated_basic/instance-${id}.pddl`),
    );
  const many = Array.from({ length: 200 }, (_, index) => ({ ...instances[index % 2]!, instance_id: index + 2 }));
  write(join(tree, "prompts/logistics/task_1_plan_generation.json"), JSON.stringify({ instances: many }));
  await pack(at("clone"), at("clone.tar.gz"));
  for (const copy of ["clone.tar.gz", "clone"]) {
    const { status, err } = await typed("data", "add", "planbench", at(copy));
    expect({ status, splits: err.includes(`1 of ${splits.length} splits`) }).toEqual({ status: 0, splits: true });
  }
  const tasks = (await allTasks(installed())).get("logistics/task_1_plan_generation")!;
  expect(tasks).toHaveLength(200);
  expect(planRecord(tasks[0]!.input.asked, tasks[0]!.input.asked.reference!).valid).toBe(true);
  rmSync(at("clone"), { recursive: true });
});

it("PlanBench's data are rejected if the folder contains none of them", async () => {
  mkdirSync(at("empty"));
  const { status, err } = await typed("data", "add", "planbench", "--from", at("empty"));
  expect(status).not.toBe(0);
  expect(err).toContain("found neither");
});
