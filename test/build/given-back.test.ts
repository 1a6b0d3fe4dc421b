/** Test files share a process: a run of two of them, like our own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

test("replacements made by a test are undone before the next test file is loaded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-given-back-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ours = ["vitest.config.ts", "test/given-back.ts"].map((path) => JSON.stringify(resolve(path)));
  const config = `import ours from ${ours[0]};
    const { isolate, unstubEnvs, unstubGlobals, restoreMocks, setupFiles } = ours.test;
    const shared = { isolate, unstubEnvs, unstubGlobals, restoreMocks, setupFiles: setupFiles.map(() => ${ours[1]}) };
    export default { test: { ...shared, globals: true, maxWorkers: 1 } };`;
  writeFileSync(join(folder, "vitest.config.ts"), config);
  // Either file may come first.
  const file = `const found = [process.env.LEFT, globalThis.left, Math.max(1, 2), vi.isFakeTimers()];
    test("everything is restored", () => {
      expect(found).toEqual([undefined, undefined, 2, false]);
      vi.stubEnv("LEFT", "behind");
      vi.stubGlobal("left", "behind");
      vi.spyOn(Math, "max").mockReturnValue(0);
      vi.useFakeTimers();
    });`;
  for (const name of ["one", "other"]) writeFileSync(join(folder, `${name}.test.ts`), file);
  const program = resolve("node_modules/vitest/vitest.mjs");
  const run = [program, "run", "--reporter=json", "--outputFile=report.json"];
  const told = await promisify(execFile)(process.execPath, run, { cwd: folder }).catch((error: unknown) => error);
  const report: unknown = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  expect(report, String(told)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
});
