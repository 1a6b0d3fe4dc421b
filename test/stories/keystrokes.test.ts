/**
 * Counts the keys of eight workflows. A key is one press. Typed words (a search text, a reason, a model's name, a number) are not
 * counted if the workflow's earlier count omitted them too.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProgram, type PseudoTerminal } from "./pseudo-terminal.ts";

const [enter, escape, down, end] = ["\r", "\u001b", "\u001b[B", "\u001b[F"];
const ctrlP = "\u0010";

let folder: string;
let screen: PseudoTerminal;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-keys-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ended(): Promise<void> {
  screen.kill("SIGTERM");
  await screen.ended;
}

/** Presses keys until each pattern is on the screen; resolves to the number of keys. */
async function keys(...steps: readonly (readonly [pressed: readonly string[], until: RegExp])[]): Promise<number> {
  for (const [pressed, until] of steps) {
    screen.type(pressed.join(""));
    await screen.waitFor(until);
  }
  return steps.reduce((sum, [pressed]) => sum + pressed.length, 0);
}

/** Types words that are not counted. */
async function words(text: string, until: RegExp): Promise<void> {
  screen.type(text);
  await screen.waitFor(until);
}

describe("the welcome notebook", () => {
  beforeAll(async () => {
    const session = join(folder, "sessions/welcome");
    cpSync("sessions/welcome", session, { recursive: true });
    const text = readFileSync(join(session, "session.md"), "utf8").replace(/slips\?\S+/, "slips?wrong-place-value=0.6");
    writeFileSync(join(session, "session.md"), text);
    screen = openProgram({ args: ["welcome"], folder, columns: 110, rows: 40 });
    await screen.waitFor(/run first[\s\S]*0\/31/);
  });

  afterAll(ended);

  test("is run and watched with three keys", async () => {
    expect(
      await keys([["j", "r"], /running|done/], [["L"], /arrows select|in flight|Watch which run/]),
    ).toBeLessThanOrEqual(3);
    await words(escape, /Done: \d+ of 62|✓ done[\s\S]*✓ done/);
    await words(escape, /▌ run first[\s\S]*✓ done[\s\S]*✓ done/);
  });

  test("shows the model's words behind a wrong-place mistake after six keys", async () => {
    const count = await keys(
      [["]", "]", "]"], /▌ analysis mistakes/],
      [[enter], /▸ Wrong place/],
      [[enter], /first error/],
      [["m"], /\[2 Steps\][\s\S]*▔[\s\S]*✗ Wrong place \(value-space\): .*expected/],
    );
    expect(count).toBeLessThanOrEqual(6);
  });

  test("corrects an error after four keys and the reason", async () => {
    const begin = await keys([["c"], /\* Wrong place/], [[end, enter], /Reason|Why|reason/]);
    await words("the town has two names", /the town has two names/);
    expect(begin + (await keys([[enter], /The label is now No mistake/]))).toBeLessThanOrEqual(4);
  });

  test("compares two runs, and opens the first differing task, after four keys and the name of the command", async () => {
    await words(escape, /first error/);
    await words(escape, /▸ Wrong place/);
    await words(escape, /▌ analysis mistakes/);
    const begin = await keys([[ctrlP], /Enter run command/]);
    await words("compare two", /▸ Compare two runs/);
    expect(begin + (await keys([[enter], /Enter both plans/], [["1"], /\[1 Plan\]/]))).toBeLessThanOrEqual(4);
    await words(escape, /Enter both plans/);
    await words(escape, /▌ analysis mistakes/);
  });

  test("finds a task by a word and opens its failing step after seven keys", async () => {
    const begin = await keys(
      [["g", "j"], /▌ run first/],
      [["o"], /Which run's tasks do you want to open/],
      [[enter], /first error/],
      [["/"], /\/_/],
    );
    await words("book", /\/book/);
    expect(begin + (await keys([[enter], /\/book/], [["m"], /\[2 Steps\][\s\S]*✗ /]))).toBeLessThanOrEqual(7);
  });

  test("forks a task at a request after four keys and the model", async () => {
    const begin = await keys([["F"], /Fork \S+ +at request/], [[" "], /type to filter/]);
    await words("oracle", /▸ .*builtin\/oracle/);
    expect(
      begin + (await keys([[enter], /Model +builtin\/oracle/], [[enter], /Done: 1 of 1 right/])),
    ).toBeLessThanOrEqual(4);
  });
});

describe("the form in few keystrokes", () => {
  beforeEach(async () => {
    mkdirSync(join(folder, "sessions/mine"), { recursive: true });
    writeFileSync(join(folder, "sessions/mine/session.md"), "# Mine\n");
    screen = openProgram({ args: ["mine"], folder, columns: 110, rows: 40 });
    await screen.waitFor(/Mine[\s\S]*Enter edit/);
  });
  afterEach(ended);
  const source = () => readFileSync(join(folder, "sessions/mine/session.md"), "utf8");

  test("starts runs of two promptings with two numbers of demonstrations in AppBench after 21 keys, including typed text", async () => {
    const count = await keys(
      [["n"], /▸ Benchmark/],
      [["j", enter, "m", "m", enter], /▸ Split +mm/],
      [["j", "j", "j", enter, " ", down, " ", enter], /▸ Prompting +hierarchical, flat/],
      [["j", enter, "0", ",", "3", enter], /▸ Demonstrations +0, 3/],
      [["r"], /Done: \d+ of 44 right/],
    );
    expect(count).toBeLessThanOrEqual(21);
    await words("s", /Saved/);
    expect(source()).toMatch(/split: mm\n[\s\S]*prompting: \[hierarchical, flat\]\nshots: \[0, 3\]/);
  });

  test("marks two models after six keys and their names", async () => {
    const begin = await keys([["n"], /▸ Benchmark/], [["/"], /Find/]);
    await words("model", /model/);
    const found = await keys([[enter], /▸ Model/], [[enter], /type to filter/]);
    await words("lab/one", /lab\/one/);
    const added = await keys([[","], /\[lab\/one\] +\(type to filter\)/]);
    await words("lab/two", /lab\/two/);
    const closed = await keys([[enter], /▸ Model +lab\/one, lab\/two +\(grid\)/]);
    expect(begin + found + added + closed).toBeLessThanOrEqual(6);
  });

  test("starts runs of three ToolBench strategies with two values of k after 23 keys, including typed text", async () => {
    const count = await keys(
      [["n", enter], /Benchmark +1\/11/],
      [["5"], /▸ Benchmark +toolbench/],
      [["j", "j", "j", enter, " ", down, " ", down, down, down, " ", enter], /▸ Strategy +tool-planner, react, dfsdt/],
      [["j", "j", enter, "4", ",", "8", enter], /▸ Toolkits \(k\) +4, 8/],
      [["r"], /Done: \d+ of \d+ right/],
    );
    expect(count).toBeLessThanOrEqual(23);
    await words("s", /Saved/);
    expect(source()).toMatch(/strategy: \[tool-planner, react, dfsdt\]/);
  });
});
