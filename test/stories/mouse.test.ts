/** Mouse input in a real terminal: a click selects its target, and the terminal regains its mouse however the program ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-mouse-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  const run = "suite: appbench\nsplit: ss\ndata: sample\nmodel: builtin/oracle\n";
  writeFileSync(join(folder, "sessions/mine/session.md"), `A thought\n\n\`\`\`run main\n${run}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function clickOn(screen: PseudoTerminal, words: string): void {
  const lines = screen.screen().split("\n");
  const row = lines.findIndex((line) => line.includes(words));
  screen.type(`\x1b[<0;${lines[row]!.indexOf(words) + 1};${row + 1}M\x1b[<0;1;1m`);
}

const isOff = (written: string) =>
  [1000, 1006].every((mode) => written.lastIndexOf(`\x1b[?${mode}l`) > written.lastIndexOf(`\x1b[?${mode}h`));

test("--mouse makes clicks select and open cells, and makes the wheel move through lists", async () => {
  const screen = showProgram({ args: ["mine", "--mouse"], folder, columns: 100, rows: 30 });
  await screen.waitFor(/▌ A thought[\s\S]*0\/7/);
  expect(isOff(screen.written())).toBe(false);
  clickOn(screen, "run main");
  await screen.waitFor(/▌ run main/);
  screen.type("r");
  await screen.waitFor(/Done: 7 of 7 right/);
  clickOn(screen, "run main");
  await screen.waitFor(/1\/7 +as listed/);
  screen.type("\x1b[<65;5;5M");
  await screen.waitFor(/4\/7 +as listed/);
  screen.kill("SIGTERM");
  expect(await screen.ended).toBe(143);
  expect(isOff(screen.written())).toBe(true);
});

test("the mouse is enabled by the setting, and otherwise controlled by the terminal", async () => {
  const bare = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
  await bare.waitFor(/▌ A thought/);
  bare.type("q");
  await bare.ended;
  expect(bare.written()).not.toMatch(/\?100[06]/);
  const settings = join(folder, "own-settings");
  mkdirSync(settings);
  writeFileSync(join(settings, "settings.json"), '{ "mouse": true }');
  const env = { PLANWRIGHT_CONFIG_DIR: settings };
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30, env });
  await screen.waitFor(/▌ A thought/);
  clickOn(screen, "? help");
  await screen.waitFor(/^╭ keys/m);
  screen.type("qq");
  expect(await screen.ended).toBe(0);
  expect(isOff(screen.written())).toBe(true);
});

test("a late reply of a slow terminal is not treated as keys", async () => {
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
  await screen.waitFor(/▌ A thought[\s\S]*0\/7/);
  screen.type("j");
  await screen.waitFor(/▌ run main/);
  screen.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
  screen.type("k");
  expect(await screen.waitFor(/▌ A thought/)).toMatch(/ready[\s\S]*0\/7(?![\s\S]*has no function)/);
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
