import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../until.ts";
import { heldModels } from "../held-models.ts";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-ended-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    "```run main\nsuite: appbench\ndata: sample\nprompting: flat\nmodel: held/oracle\n```\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

type Written = { readonly type: string; readonly failure?: { readonly kind: string }; readonly reason?: string };

/** Returns the last two events of the only run. */
function lastEvents(): string[] {
  const [run] = readdirSync(join(folder, "sessions/mine/runs"));
  const lines = readFileSync(join(folder, "sessions/mine/runs", run!, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const events = lines.map((line) => JSON.parse(line) as Written);
  return events.slice(-2).map(({ type, failure, reason }) => `${type}: ${failure?.kind ?? reason}`);
}

describe("a program that receives a signal while it runs tasks and the user types", () => {
  for (const [signal, status] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`restores the terminal on ${signal}, prints its message, and unlocks the session`, async () => {
      await using models = await heldModels(folder);
      const screen = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
      await screen.waitFor(/run main/);
      screen.type("r");
      await until(() => expect(models.waiting()).toBeGreaterThan(0));
      screen.type("mLast words\u001b");
      // The notebook's own keys work again: Esc was handled, and the words are in the cell.
      await screen.waitFor(/▌ Last words[\s\S]*b add/);
      screen.kill(signal);
      expect(await screen.ended).toBe(status);
      expect(screen.written()).toContain("\u001b[?1049l");
      expect(screen.written().lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.written().lastIndexOf("\u001b[?25l"));
      expect(existsSync(join(folder, "sessions/mine/session.lock"))).toBe(false);
      expect(lastEvents()).toEqual(["failed: stopped", "run-ended: stopped"]);
      expect(readFileSync(join(folder, "sessions/mine/session.md.draft"), "utf8")).toContain("Last words");

      const again = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
      await again.waitFor(/Unsaved changes from last time were restored/);
      await again.waitFor(/Last words/);
      again.type("zq");
      expect(await again.ended).toBe(0);
    });
  }
});

describe("text that is being typed when the program ends", () => {
  const kept = join("sessions", "mine", "session.md.typed.draft");
  const ends: Readonly<Record<string, (screen: PseudoTerminal) => void>> = {
    SIGHUP: (screen) => screen.kill("SIGHUP"),
    SIGTERM: (screen) => screen.kill("SIGTERM"),
    SIGKILL: (screen) => screen.kill("SIGKILL"),
    "a closed terminal": (screen) => screen.hangUp(),
  };
  test.each(Object.entries(ends))("is back in the editor after %s", async (name, end) => {
    const screen = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
    await screen.waitFor(/run main/);
    screen.type("mLast words");
    // The words are in the editor and not only echoed by the terminal, as keys are before the program reads them.
    await screen.waitFor(/editing: Esc leaves[\s\S]*Last words/);
    // Only a signal that cannot be caught needs a pause in typing before it.
    if (name === "SIGKILL") await until(() => expect(readFileSync(join(folder, kept), "utf8")).toContain("Last words"));
    end(screen);
    await screen.ended;

    const again = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
    await again.waitFor(/editing: Esc leaves[\s\S]*Last words[\s\S]*Text typed last time was restored in the editor/);
    again.type(" and more\u001b");
    await again.waitFor(/▌ Last words and more[\s\S]*b add/);
    again.type("sq");
    expect(await again.ended).toBe(0);
    expect(readFileSync(join(folder, "sessions/mine/session.md"), "utf8")).toContain("Last words and more");
    expect(existsSync(join(folder, kept))).toBe(false);
  });
});

test("Ctrl+C twice during a run prints how to continue it after the screen closes, and r continues the run", async () => {
  await using models = await heldModels(folder);
  const cell = "suite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n";
  writeFileSync(join(folder, "sessions/mine/session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 24 });
  await screen.waitFor(/\b0\/31/);
  screen.type("r");
  models.reply(3);
  await screen.waitFor(/\b3\/31/);
  screen.type("\u0003");
  await screen.waitFor(/A run is still running; finished tasks are kept\. Ctrl\+C again quits/);
  screen.type("\u0003");
  expect(await screen.ended).toBe(0);
  const left = screen.written().slice(screen.written().lastIndexOf("\u001b[?1049l"));
  expect(left).toMatch(/main: held\/oracle: stopped; 3 right, 0 wrong, 0 failed, \d+ stopped, \d+ waiting of 31/);

  const again = showProgram({ args: ["mine"], folder, columns: 100, rows: 24 });
  await again.waitFor(/partly done .* 3\/31/);
  again.type("q");
  expect(await again.ended).toBe(0);
  expect(again.screen()).toContain("partial; 3 right");
});
