/** A notebook of several experiments in a real terminal: one key runs all, stopping one ends the rest, and the key continues them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";

const cell = (name: string, model: string, split: string) =>
  `\`\`\`run ${name}\nsuite: appbench\nsplit: ${split}\ndata: sample\nmodel: ${model}\n\`\`\`\n\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-run-all-"));
  mkdirSync(join(folder, "sessions/paper"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/paper/session.md"),
    cell("first", "builtin/oracle", "ss") +
      cell("second", "held/oracle", "all") +
      cell("wrong", "nowhere", "ss") +
      cell("last", "builtin/oracle", "mm"),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the key R runs the cells in order, x stops the rest, and R continues", async () => {
  await using models = await heldModels(folder);
  const screen = showProgram({ args: ["paper"], folder, columns: 100, rows: 50 });
  await screen.waitFor(/run last[\s\S]*ready/);
  screen.type("R");
  await screen.waitFor(/run first[\s\S]*✓ done[\s\S]*run second[\s\S]*running/);
  // Cells that have to wait have not begun.
  expect(screen.screen()).toMatch(/run last[\s\S]*ready/);
  screen.type("R");
  await screen.waitFor(/second is running: x on that cell stops it/);
  screen.type("jx");
  await screen.waitFor(
    /run second[\s\S]*partly done[\s\S]*run last[\s\S]*ready[\s\S]*Stopped after \d+ of \d+ tasks: R resumes/,
  );
  models.reply();
  screen.type("R");
  await screen.waitFor(/run second[\s\S]*✓ done[\s\S]*run last[\s\S]*✓ done[\s\S]*wrong could not run: /);
  screen.type("q");
  await screen.ended;
});
