import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heldModels } from "../held-models.ts";
import { until } from "../until.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-interrupted-"));
  mkdirSync(join(folder, "sessions", "long"), { recursive: true });
  const cell = "suite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n";
  writeFileSync(join(folder, "sessions", "long", "session.md"), `# Long\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Executes the session without a screen; if `interrupted`, presses Ctrl+C at the first report of progress. */
function played({ interrupted }: { interrupted: boolean }): Promise<{ status: number | null; out: string }> {
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const child = spawn(process.execPath, [builtProgram(), "run", "long"], { cwd: folder, env });
  let out = "";
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.once("data", () => interrupted && child.kill("SIGINT")).resume();
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, out })));
}

test("Ctrl+C without a screen prints the results so far and unlocks the session, and the run can be finished later", async () => {
  await using models = await heldModels(folder);
  models.reply(5);
  const { status, out } = await played({ interrupted: true });
  expect(status).toBe(1);
  expect(out).toMatch(/held\/oracle: partial; \d+ right, 0 wrong, 0 failed, .* of 31/);
  expect(existsSync(join(folder, "sessions", "long", "session.lock"))).toBe(false);
  models.reply();
  expect((await played({ interrupted: false })).out).toContain("done; 31 right, 0 wrong, 0 failed of 31");
});

test("SIGTERM ends a run that waits for a reply, with a message", async () => {
  const waits = "console.error('waits');\nsetInterval(() => {}, 1000);\nawait new Promise(() => {});\n";
  writeFileSync(join(folder, "endless.ts"), waits);
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const args = [builtProgram(), "run", "long", "--with", join(folder, "endless.ts")];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  let err = "";
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until(() => expect(err).toContain("waits"));
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(err).toContain(
    "The program ended before all tasks had stopped. Saved results are intact; run the same command again to continue",
  );
});
