/** The first start in a terminal: a few questions, then a notebook. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProgram, type PseudoTerminal } from "./pseudo-terminal.ts";

let home = "";
let terminal: PseudoTerminal;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "planwright-first-start-"));
  terminal = openProgram({ args: [], folder: home, columns: 80, rows: 24 });
});
afterEach(async () => {
  terminal.kill("SIGKILL");
  await terminal.ended;
  rmSync(home, { recursive: true, force: true });
});

test("Esc at the first start opens the welcome notebook", async () => {
  await terminal.waitFor(/1 {2}a model on this machine[\s\S]*3 {2}questions of my own[\s\S]*Esc/);
  terminal.type("\u001b");
  await terminal.waitFor(/Welcome to Planwright/);
  expect(terminal.screen()).not.toContain("a model on this machine");
});

test("a number and Enter at the first start open a running notebook", async () => {
  await terminal.waitFor(/Esc for the welcome notebook/);
  terminal.type("2\r");
  await terminal.waitFor(/▸|running|\d+\/62/);
});
