/** A run that continues without a window, a window that follows it, and a shell that controls it. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { typed } from "../commands/typed.ts";
import { until } from "../until.ts";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-shared-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    "```run main\nsuite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n```\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

async function planwright(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const { stdout } = await promisify(execFile)(process.execPath, [builtProgram(), ...args], { cwd: folder, env });
  return stdout;
}

type Status = {
  readonly process: number | null;
  readonly runs: readonly {
    readonly status: string;
    readonly total: number;
    readonly counts: { readonly [state: string]: number };
  }[];
};
/** Asks in this process, because the stories repeat it until the answer changes. */
async function status(): Promise<Status> {
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(folder, "settings"));
  return JSON.parse((await typed("ctl", join(folder, "sessions/mine"), "status", "--json")).out) as Status;
}

describe("planwright run --detach", () => {
  test("continues without a window, is controlled by a window that follows it and by commands, and can be taken over", async () => {
    await using models = await heldModels(folder);
    models.reply(5);
    const holder = Number(/Process (\d+) executes the runs/.exec(await planwright("run", "mine", "--detach"))![1]);
    try {
      const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
      await screen.waitFor(/running[\s\S]*\b5\/31/);
      expect(screen.screen()).toMatch(/read-only/);
      screen.type("jp");
      await until(async () => expect((await status()).runs[0]).toMatchObject({ status: "paused" }));
      expect((await status()).process).toBe(holder);
      expect(await planwright("ctl", "mine", "resume")).toBe("main: resumed\n");
      await screen.waitFor(/running/);
      // After SIGKILL it cannot answer, and the lock belongs to a dead process.
      process.kill(holder, "SIGKILL");
      await screen.waitFor(/^(?![\s\S]*read-only)[\s\S]*run main/);
      models.reply();
      screen.type("r");
      await screen.waitFor(/done[\s\S]*31\/31/);
      screen.type("q");
      expect(await screen.ended).toBe(0);
    } finally {
      try {
        process.kill(holder, "SIGKILL");
      } catch {
        // The program has ended.
      }
    }
    expect((await status()).runs[0]).toMatchObject({ status: "done", counts: { right: 31 } });
  });

  test("continues when the window that follows it closes, and closing asks no question", async () => {
    await using models = await heldModels(folder);
    models.reply(5);
    await planwright("run", "mine", "--detach");
    const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
    await screen.waitFor(/running/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect((await status()).runs[0]).toMatchObject({ status: "running" });
    await until(async () => expect((await status()).runs[0]!.counts["running"]).toBeGreaterThan(0));
    const [told] = (await status()).runs;
    expect(Object.values(told!.counts).reduce((sum, count) => sum + count, 0)).toBe(told!.total);
    await planwright("ctl", "mine", "stop");
    await until(async () => expect((await status()).process).toBeNull());
    expect((await status()).runs[0]).toMatchObject({ status: "partial" });
  });
});
