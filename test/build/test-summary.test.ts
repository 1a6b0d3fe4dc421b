/** The end of `.ci/run`, produced by a separate run of tests. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../until.ts";

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-summary-"));
});

afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Runs test files with the summary alone, which waits for `patience` milliseconds before it lists running tests. */
function testing(files: Readonly<Record<string, string>>, patience: number) {
  const summary = `import { TestSummary } from ${JSON.stringify(resolve("build/test-summary.ts"))};`;
  const reporter = `new TestSummary("summary.txt", ${patience})`;
  const config = {
    "vitest.config.ts": `${summary}\nexport default { test: { globals: true, reporters: [${reporter}] } };\n`,
  };
  for (const [name, content] of Object.entries({ ...files, ...config })) writeFileSync(join(folder, name), content);
  const started = spawn(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run"], { cwd: folder });
  child = started;
  let output = "";
  started.stdout.on("data", (data) => (output += data));
  return {
    output: () => output,
    ended: async () => {
      const problems = await text(started.stderr);
      expect(existsSync(join(folder, "summary.txt")), problems).toBe(true);
      return readFileSync(join(folder, "summary.txt"), "utf8");
    },
  };
}

const never = 2 ** 30;

test("the test summary lists each failed test, each file that does not load, and errors outside of tests", async () => {
  const sums = `describe("sums", () => {
    test("are right", () => expect(1 + 1).toBe(2));
    test("are wrong", () => { throw new Error("one\\ntwo \\u001b[31mred\\n" + "more\\n".repeat(50)); });
    test.skip("are left out", () => {});
  });`;
  const group = `describe("a group", () => {
    beforeAll(() => { throw new Error("nothing to begin with"); });
    test("waits for it", () => {});
  });`;
  const outside = `test("continues", () => { void Promise.reject(new Error("nobody waits")); });`;
  const broken = `throw new Error("cannot be loaded");`;
  const run = testing(
    { "broken.test.ts": broken, "group.test.ts": group, "outside.test.ts": outside, "sums.test.ts": sums },
    never,
  );
  const summary = await run.ended();
  expect(
    summary
      .split(/^(?=Failed)/m)
      .toSorted()
      .join(""),
  ).toBe(
    [
      "Failed: broken.test.ts\n    cannot be loaded\n",
      "Failed: group.test.ts > a group\n    nothing to begin with\n",
      "Failed: outside of any test\n    nobody waits\n2 skipped\n2 passed, 1 failed\n",
      `Failed: sums.test.ts > sums > are wrong\n    one\n    two red\n${"    more\n".repeat(8)}`,
    ].join(""),
  );
});

test("the test summary names the running test if no test ends", async () => {
  const slow = `import { existsSync } from "node:fs";
  test("comes first", () => {});
  test("waits", async () => { while (!existsSync("go on")) await new Promise(setImmediate); });`;
  const run = testing({ "slow.test.ts": slow }, 5);
  await until(() => expect(run.output()).toContain("Still running: slow.test.ts > waits\n"));
  writeFileSync(join(folder, "go on"), "");
  expect(await run.ended()).toBe("2 passed, 0 failed\n");
});
