import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { command } from "./served-program.ts";

const program = join(import.meta.dirname, "..", "..", "dist", "cli.js");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-interrupted-"));
  mkdirSync(join(folder, "sessions", "long"), { recursive: true });
  const cell = "suite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle?pace=10\n";
  writeFileSync(join(folder, "sessions", "long", "session.md"), `# Long\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Plays the session without a screen and presses Ctrl+C as soon as the first progress is told. */
function interrupted(): Promise<{ status: number | null; out: string }> {
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const child = spawn(process.execPath, [program, "run", "long"], { cwd: folder, env });
  let out = "";
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.once("data", () => child.kill("SIGINT"));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, out })));
}

test("Ctrl+C without a screen: what there is is printed, the session is free, and the run can be finished", async () => {
  const { status, out } = await interrupted();
  expect(status).toBe(1);
  expect(out).toMatch(/builtin\/oracle\?pace=10: partial; \d+ right, 0 wrong, 0 failed of 31/);
  expect(existsSync(join(folder, "sessions", "long", "session.lock"))).toBe(false);
  expect(command(folder, "run", "long")).toContain("done; 31 right, 0 wrong, 0 failed of 31");
});
