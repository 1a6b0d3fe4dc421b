/** Opens other notebooks without leaving the program. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

const ctrlO = "\u000f";
const enter = "\r";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-notebooks-"));
  for (const name of ["first", "second"]) {
    mkdirSync(join(folder, "sessions", name), { recursive: true });
    writeFileSync(join(folder, "sessions", name, "session.md"), `# The ${name} notebook\n`);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const environment = () => ({ PLANWRIGHT_CONFIG_DIR: join(folder, "own-settings") });
const show = (name: string) => showProgram({ args: [name], folder, columns: 90, rows: 30, env: environment() });

test("another notebook can be opened or created, and the most recent notebooks are remembered", async () => {
  const screen = show("first");
  await screen.waitFor(/▌ The first notebook/);
  screen.type("mA thought\u001b");
  await screen.waitFor(/▌ A thought[\s\S]*b add/);
  screen.type(ctrlO);
  await screen.waitFor(/Open a notebook[\s\S]*second +in this folder[\s\S]*welcome +comes with Planwright/);
  screen.type(`nowhere${enter}`);
  await screen.waitFor(/Expected a notebook at `nowhere`, found none/);
  screen.type("\u007f".repeat(7));
  screen.type(`second${enter}`);
  await screen.waitFor(/unsaved changes. Leave this notebook\? y\/n/);
  screen.type("y");
  await screen.waitFor(/▌ The second notebook/);
  expect(existsSync(join(folder, "sessions/first/session.lock"))).toBe(false);

  screen.type(ctrlO);
  await screen.waitFor(/sessions\/first +opened before/);
  screen.type("\u001b:new notebook\r");
  await screen.waitFor(/A name creates sessions\/NAME/);
  screen.type(`second${enter}`);
  await screen.waitFor(/A notebook `second` already exists/);
  screen.type("\u007f".repeat(6));
  screen.type(`third${enter}`);
  await screen.waitFor(/▌ third/);
  screen.type("q");
  expect(await screen.ended).toBe(0);
  expect(existsSync(join(folder, "sessions/third/session.md"))).toBe(true);

  // The next process lists the last notebook first.
  const again = show("first");
  await again.waitFor(/The first notebook/);
  again.type(ctrlO);
  await again.waitFor(/sessions\/third +opened before[\s\S]*sessions\/second +opened before/);
  again.type(enter);
  await again.waitFor(/▌ third/);
  again.type("q");
  expect(await again.ended).toBe(0);
});
