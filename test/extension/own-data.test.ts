import { strToU8, zipSync } from "fflate";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notebook, userFolder } from "./program.ts";

const user = userFolder("served");

/** A suite of two splits, with its own sample and published data, made with public names alone. */
const suite = `import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cot, define, direct, meanMeasure, stagedOutput, type LoadedSuite, type Suite, type Task } from "planwright";

const capitals: Suite<"stages"> = {
  name: "capitals",
  title: "Capitals",
  revision: 1,
  paper: { title: "", venue: "", url: "" },
  licence: "Ask the author.",
  splits: [{ name: "all", title: "all" }],
  facets: [],
  strategies: [direct, cot],
  options: [],
  maxShots: 0,
  measures: [meanMeasure("right", { name: "right", title: "Right", mode: "own" })],
  errorKinds: [],
  faultKinds: [],
  analyses: ["overview"],
  data: { files: [{ path: "capitals/data/tasks.json", count: 2, of: "tasks" }], source: "a wheel" },
  sampleFolder: join(import.meta.dirname, "sample"),
  open: async ({ folder }) => load(folder),
};

async function load(folder: string): Promise<LoadedSuite<Task, "stages">> {
  const records = JSON.parse(await readFile(join(folder, "capitals/data/tasks.json"), "utf8")) as [string, string][];
  const tasks = records.map(([question, answer]): Task => ({ id: question, question, input: question, answer, facets: {} }));
  return {
    suite: capitals,
    warnings: [],
    tasks: async () => tasks,
    shots: () => [],
    asks: { stages: ({ question }) => [{ name: "answer", messages: () => [{ role: "user", content: question }] }] },
    score: async ({ answer }, { answer: given }) => {
      const value = stagedOutput(given) === answer ? 1 : 0;
      return { value, metrics: { right: value }, checks: [], errors: [] };
    },
  };
}

export default define({ suites: [capitals] });
`;

const tasks = (second: string) =>
  JSON.stringify([
    ["France", "Paris"],
    ["Spain", second],
  ]);
const cell = "suite: capitals\nmodel: builtin/oracle";

/** The suite with its sample and a session, and the arguments that name it. */
function written(): readonly string[] {
  user.write("sample/capitals/data/tasks.json", JSON.stringify([["Italy", "Rome"]]));
  user.write("session/session.md", notebook(cell));
  return ["--with", user.write("capitals.ts", suite)];
}

const run = (args: readonly string[]) => user.runs(...args)[0]!;

describe("data of a user's own suite", () => {
  test("are the sample, which is hashed, until the published data are added from a folder", () => {
    const own = written();
    const sample = run(own);
    expect(sample).toMatchObject({ status: "done", counts: { right: 1 }, spec: { data: "sample" } });
    user.write("sample/capitals/data/tasks.json", JSON.stringify([["Italy", "Roma"]]));
    expect(run(own).run).not.toBe(sample.run);
    user.write("copy/capitals/data/tasks.json", tasks("Madrid"));
    expect(user.planwright("data", "add", "capitals", "--from", "copy", ...own)).toMatchObject({ status: 0 });
    const published = run(own);
    expect(published).toMatchObject({ counts: { right: 2 }, spec: { data: "published" } });
    user.write("copy/capitals/data/tasks.json", tasks("Barcelona"));
    user.planwright("data", "add", "capitals", "--from", "copy", ...own);
    const other = run(own);
    expect(other.run).not.toBe(published.run);
    expect(other.spec.dataset).not.toBe(published.spec.dataset);
    expect(user.planwright("data", "remove", "capitals", ...own).status).toBe(0);
    expect(run(own).spec.data).toBe("sample");
  });

  test("are read from a wheel, but only the files that the suite lists", () => {
    const own = written();
    const wheel = zipSync({
      "capitals/data/tasks.json": strToU8(tasks("Madrid")),
      "capitals/__init__.py": strToU8("raise SystemExit"),
      "../outside.txt": strToU8("no"),
    });
    writeFileSync(user.at("capitals-1.0-py3-none-any.whl"), wheel);
    const { status, out } = user.planwright(
      "data",
      "add",
      "capitals",
      "--from",
      "capitals-1.0-py3-none-any.whl",
      ...own,
    );
    expect([status, out]).toEqual([0, expect.stringContaining("Installed Capitals: 1 item ")]);
    expect(run(own)).toMatchObject({ counts: { right: 2 }, spec: { data: "published" } });
    expect(readdirSync(user.at()).filter((name) => name.startsWith("planwright-data-"))).toEqual([]);
  });

  test("are counted by lines if a .json file has one record per line", () => {
    const own = written();
    user.write("copy/capitals/data/tasks.json", '{"id": "a"}\n{"id": "b"}\n');
    expect(user.planwright("data", "add", "capitals", "--from", "copy", ...own)).toMatchObject({ status: 0 });
    user.write("copy/capitals/data/tasks.json", '{"id": "a"}\n{"id": "b"}\n{"id": "c"}\n');
    const more = user.planwright("data", "add", "capitals", "--from", "copy", ...own);
    expect(more).toMatchObject({ status: 2, err: expect.stringContaining("expected 2 tasks, got 3") });
  });

  test("are rejected if the archive is damaged or incomplete, and the installed data stay", () => {
    const own = written();
    writeFileSync(user.at("broken.whl"), "no archive");
    const broken = user.planwright("data", "add", "capitals", "--from", "broken.whl", ...own);
    expect(broken).toMatchObject({ status: 2, err: expect.stringContaining("to be a complete zip archive") });
    writeFileSync(user.at("other.whl"), zipSync({ "other/tasks.json": strToU8("[]") }));
    const other = user.planwright("data", "add", "capitals", "--from", "other.whl", ...own);
    expect(other).toMatchObject({
      status: 2,
      err: expect.stringContaining(`capitals/data/tasks.json: not found in ${user.at("other.whl")}`),
    });
    mkdirSync(user.at("empty"));
    expect(user.planwright("data", "add", "capitals", "--from", "empty", ...own).status).toBe(2);
    rmSync(user.at("empty"), { recursive: true });
    expect(run(own).spec.data).toBe("sample");
  });
});
