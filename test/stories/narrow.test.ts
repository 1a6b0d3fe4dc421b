/** The parts of the screen that must be visible in a window of 80 columns and 24 rows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-narrow-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const [escape, enter] = ["\u001b", "\r"];

test("80 columns show the distinguishing parts of rows, the number of rows, and the key that leaves the screen", async () => {
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    [
      "```run main\nsuite: appbench\nsplit: ss\ndata: sample\nmodel: [builtin/slips?rate=1, builtin/slips?rate=0.25]",
      "limit: 3\n```\n\n```analysis groups\npane: difficulty\nof: [main]\n```\n",
    ].join("\n"),
  );
  const screen = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
  await screen.waitFor(/run main/);
  screen.type("r");
  await screen.waitFor(/Done: \d of 6 right/);
  // The badge of the notes, and the key that opens them.
  screen.type("G");
  await screen.waitFor(/Scores by category[^\n]* \d+ notes/);
  screen.type("v");
  await screen.waitFor(/reads the answer key/);
  screen.type(escape);
  await screen.waitFor(/analysis groups/);
  screen.type(enter);
  await screen.waitFor(/c choose.*Esc back.*\? help/);
  // All columns have room in 80.
  screen.resize(72, 24);
  await screen.waitFor(/more column/);
  const head = () =>
    screen
      .screen()
      .split("\n")
      .find((line) => / n *$/.test(line)) ?? "";
  expect(screen.screen()).toMatch(/slips\(100 %\) .*[ ▸]3 *\n/);
  expect(screen.screen()).toMatch(/slips\(25 %\) .* 3 *\n/);
  expect(head()).toContain("Category");
  // Scrolls to the last measure: the first of the others is hidden, but names and counts stay.
  screen.type("l".repeat(12));
  await screen.waitFor(/Argument EM +n/);
  expect(head()).not.toContain("Category");
  expect(screen.screen()).toMatch(/slips\(100 %\) .*[ ▸]3 *\n/);
  expect(screen.screen()).toMatch(/slips\(25 %\) .* 3 *\n/);
  screen.resize(80, 24);
  screen.type(escape);
  await screen.waitFor(/analysis groups/);
  // In a trajectory the keys c and F are available.
  screen.type("go");
  await screen.waitFor(/Which run's tasks do you want to open/);
  screen.type("1");
  await screen.waitFor(/as listed/);
  screen.type(enter);
  await screen.waitFor(/F fork.*Esc back.*\? help/);
  screen.type(escape);
  await screen.waitFor(/as listed/);
  screen.type(escape);
  await screen.waitFor(/run main/);
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
