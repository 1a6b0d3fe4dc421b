/** Runs watched in a real terminal: as many trajectories as fit, below each other in a small window and side by side in a large one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heldModels } from "../held-models.ts";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";

const run = (name: string, ...fields: readonly string[]) =>
  ["```run " + name, "data: sample", ...fields, "```", "", ""].join("\n");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-lanes-"));
  mkdirSync(join(folder, "sessions/watched"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function watch(cell: string): Promise<PseudoTerminal> {
  writeFileSync(join(folder, "sessions/watched/session.md"), cell);
  const screen = showProgram({ args: ["watched"], folder, columns: 80, rows: 24 });
  await screen.waitFor(/ready/);
  screen.type("r");
  await screen.waitFor(/running 4/);
  screen.type("L");
  return screen;
}

/** Returns the lane headings in a line of the screen: the task and its progress. */
const heads = (line: string) => [...line.matchAll(/▸ (\S+) running {2}(?:request|round) \d+/g)].map(([, task]) => task);
const headRows = (screen: string) =>
  screen
    .split("\n")
    .map(heads)
    .filter((tasks) => tasks.length > 0);

test("two trajectories are below each other at 80x24, and four side by side at 200x60", async () => {
  await using _models = await heldModels(folder);
  const screen = await watch(run("slow", "suite: appbench", "split: all", "model: held/oracle"));
  const small = headRows(await screen.waitFor(/(?:running {2}request[\s\S]*){2}/));
  expect(small.map((tasks) => tasks.length)).toEqual([1, 1]);
  screen.type("4");
  await screen.waitFor(/This window has room for 2 trajectories: a larger window shows 4/);
  screen.resize(200, 60);
  const large = headRows(await screen.waitFor(/(?:running {2}request[^\n]*){4}/));
  expect(large.map((tasks) => tasks.length)).toEqual([4]);
  expect(new Set(large.flat()).size).toBe(4);
  // A trajectory stays in its lane.
  expect(large.flat()).toEqual(expect.arrayContaining(small.flat()));
  screen.type("1\t");
  await screen.waitFor(/There is no other trajectory on the screen/);
});

test("two dialogues are watched, and the two sides of each are next to each other if there is room", async () => {
  await using _models = await heldModels(folder);
  const cell = run(
    "talk",
    "suite: planningarena",
    "strategy: dialogue",
    "model: held/oracle",
    "responder: builtin/responder",
  );
  const screen = await watch(cell);
  const small = headRows(await screen.waitFor(/(?:running {2}round[\s\S]*){2}/));
  expect(small.map((tasks) => tasks.length)).toEqual([1, 1]);
  screen.resize(200, 60);
  const large = headRows(await screen.waitFor(/(?:Planner [^│\n]*│ +Responder[^\n]*){2}/));
  expect(large.map((tasks) => tasks.length)).toEqual([2]);
  screen.type("3");
  await screen.waitFor(/At most 2 dialogues are shown/);
});
