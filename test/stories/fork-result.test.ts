/** In a real terminal: a tool's result is replaced at the second step, and continued ten times. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { showProgram } from "./shown-program.ts";

const [enter, escape, ctrlK] = ["\r", "\u001b", "\u000b"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-fork-result-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it("ten keys make a fork with ten continuations and an interval, shown next to the original", async () => {
  const cell = "suite: toolbench\ndata: sample\nstrategy: react\nmodel: builtin/slips?rate=0.5\nlimit: 1\n";
  writeFileSync(join(folder, "sessions/mine/session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 36 });
  await screen.waitFor(/▌ run main/);
  screen.type("r");
  await screen.waitFor(/Done: \d+ of \d+ right/);
  screen.type("o");
  await screen.waitFor(/1\/1 +as listed/);
  screen.type(enter);
  await screen.waitFor(/\[1 Plan\]/);
  screen.type("2");
  await screen.waitFor(/\[2 Steps\]/);
  let keys = 0;
  const press = async (key: string, until: RegExp) => {
    keys += 1;
    screen.type(key);
    await screen.waitFor(until);
  };
  // Typed text is not counted.
  const write = async (text: string, until: RegExp) => {
    screen.type(text);
    await screen.waitFor(until);
  };
  await press("/", /Find/);
  await write("mussels", /▸ mussels/);
  await press(enter, /▌.*mussels/m);
  await press("F", /at request 3[\s\S]*▸ Result +unchanged[\s\S]*saffron/);
  await press("i", /editing: Esc/);
  await press(ctrlK, /Result +unchanged +\(editing: Esc keeps the text\)(?![\s\S]*saffron)/);
  await write("no such dish", /no such dish/);
  await press(escape, /Result +changed/);
  await press("x", /Times[\s\S]*type to filter|Times +1\/4/);
  await write("10", /10/);
  await press(enter, /Times +x10/);
  await press(enter, /\d+ of 10 right: \d+ % \[\d+, \d+\]; the original: (right|wrong)/);
  expect(keys).toBeLessThanOrEqual(10);
  for (const seen of [/\[2 Steps\]/, /as listed/, /run fork-1/]) {
    screen.type(escape);
    await screen.waitFor(seen);
  }
  screen.type("s");
  await screen.waitFor(/Saved/);
  const saved = readFileSync(join(folder, "sessions/mine/session.md"), "utf8");
  expect(saved).toMatch(
    /repeats: 10\nfork: \{.*request: 2, attempt: "[0-9a-f]{16}", result: "no such dish", index: 0\}/,
  );
});
