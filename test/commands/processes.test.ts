import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();

const bridges = join(import.meta.dirname, "../../documentation/examples/bridges");
const withPython = spawnSync("python3", ["--version"]).status === 0 ? it : it.skip;

/** Writes a process that brings these tasks. */
function written(tasks: unknown, hello: object = { type: "hello", name: "toy", version: "2", atOnce: 3 }): string {
  const path = folder("toy.cjs");
  writeFileSync(
    path,
    `console.log(${JSON.stringify(JSON.stringify(hello))});
    require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
      for (const [index, task] of ${JSON.stringify(tasks)}.entries())
        console.log(JSON.stringify({ type: "tasks", tasks: [task], more: index + 1 < ${(tasks as unknown[]).length} }));
    });`,
  );
  return path;
}
const two = [
  { id: "a", question: "What is 2?", facets: { kind: "number" }, reference: 2 },
  { id: "b", question: "Who?" },
];

const kept = () => readdirSync(folder("settings", "processes"));

describe("planwright processes", () => {
  it("adds a process with its tasks, requests the tasks again, lists the process, and removes the process", async () => {
    const command = ["--", process.execPath, written(two)];
    const added = await typed("processes", "add", "mine", ...command);
    expect(added).toEqual({
      status: 0,
      err: "",
      out: "mine: toy 2, 2 tasks, 3 tasks at once\n  a: What is 2?\n  b: Who?\n",
    });
    const [listed] = JSON.parse((await typed("processes", "list", "--json")).out);
    expect(listed).toMatchObject({ name: "mine", seconds: 600, reported: { name: "toy", atOnce: 3, tasks: 2 } });
    const lines = readFileSync(folder("settings", "processes", `${listed.reported.hash}.jsonl`), "utf8");
    expect(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([two[0], { id: "b", question: "Who?", facets: {}, reference: null }]);
    expect((await typed("processes", "add", "mine", ...command)).err).toContain("replace it with `--replace`");
    written(two.slice(0, 1));
    expect((await typed("processes", "test", "mine")).out).toContain("mine: toy 2, 1 task, 3 tasks at once");
    expect(kept()).toHaveLength(1);
    expect((await typed("processes", "list")).out).toMatch(
      /^mine .* at most 600 s and 4000 MB\n {2}toy 2, 1 task, 3 tasks at once\n$/,
    );
    expect(await typed("processes", "remove", "mine")).toMatchObject({ status: 0, out: "Removed mine\n" });
    expect(kept()).toEqual([]);
  });

  it.each([
    [[{ id: "a" }, { id: "a" }], "Expected each id once, got `a` again"],
    [[{ question: "x" }], "Expected `id` in task 1 to be text, got `nothing`"],
    [[{ id: "a\u001b[2J" }], "Expected `id` in task 1 to be text of 1 to 200 characters without control characters"],
    [[{ id: "a", facets: { x: { y: 1 } } }], "Expected `facets.x` in task 1 to be"],
  ])("saves nothing for tasks such as %j", async (tasks, message) => {
    const { status, err } = await typed("processes", "add", "mine", "--", process.execPath, written(tasks));
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(message) });
    expect((await typed("processes", "list")).out).toContain("No processes yet");
  });

  it.each([
    [["add", "mine"], "Expected a command after `--`, got none"],
    [["add", "mine", "--keep", "--", "x"], "`--keep`"],
    [["remove", "mine"], "Expected a process (there are none yet), got `mine`"],
  ])("rejects %j: %s", async (args, message) => {
    const { status, err } = await typed("processes", ...args);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  });

  withPython.each(["plain.py", "inspect_tasks.py", "verifiers_taskset.py"])(
    "has a bridge of less than 80 lines: %s",
    (file) => {
      const text = readFileSync(join(bridges, file), "utf8");
      expect(text.trim().split("\n").length).toBeLessThan(80);
      const { status, stderr } = spawnSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
        input: text,
      });
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
    },
  );

  withPython("plays the benchmark in plain Python of the documentation, once it is allowed", async () => {
    expect((await typed("processes", "add", "coins", "--", "python3", join(bridges, "plain.py"))).status).toBe(0);
    mkdirSync(folder("mine"));
    const cell = "suite: process\nprocess: coins\nmodel: builtin/filler\n";
    writeFileSync(folder("mine", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`);
    const refused = await typed("run", folder("mine"));
    expect(refused.err).toContain("may not use `coins`");
    const ran = await typed("run", folder("mine"), "--allow", "coins", "--json");
    expect(ran.status).toBe(0);
    const [run] = readdirSync(folder("mine", "runs"));
    const events = readFileSync(folder("mine", "runs", run!, "events.jsonl"), "utf8")
      .trim()
      .split("\n");
    const scores = events.map((line) => JSON.parse(line)).filter(({ type }) => type === "scored");
    const found = scores.map(({ task, score: { value, metrics } }) => [task, value, metrics["part.off by"]]);
    expect(found.toSorted()).toEqual([
      ["less", 0, 5],
      ["same", 1, 0],
      ["three", 0, 3],
    ]);
  });
});
