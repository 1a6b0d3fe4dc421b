/** In a real terminal: from a run to the wrong words, between two runs, and from a fork to its original. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

const enter = "\r";
const escape = "\u001b";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-roads-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  const cell =
    "suite: appbench\nsplit: mm\ndata: sample\nprompting: flat\nmodel: [builtin/slips?rate=1&seed=1, builtin/oracle]\n";
  writeFileSync(join(folder, "sessions/mine/session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a run's tasks open at the wrong words and with both plans, and a fork opens the original run", async () => {
  const screen = showProgram({ args: ["mine"], folder, columns: 120, rows: 40 });
  await screen.waitFor(/▌ run main/);
  screen.type("r");
  await screen.waitFor(/Done: \d+ of \d+ right/);
  screen.type("o");
  await screen.waitFor(/Which run's tasks do you want to open\?/);
  screen.type(enter);
  await screen.waitFor(/run main[\s\S]*\[✗\][\s\S]*1\/11 +as listed/);
  screen.type(`/mm-00${enter}`);
  await screen.waitFor(/1\/\d+ +as listed +\/mm-00/);
  screen.type(enter);
  await screen.waitFor(/\[1 Plan\]/);
  screen.type("e");
  await screen.waitFor(/^│▌ [~+−]/m);
  screen.type(enter);
  // The words with the underline on the cursor's line.
  await screen.waitFor(/\[2 Steps\][\s\S]*^│▌.*(▔▔▔|✗)/m);
  screen.type(escape);
  await screen.waitFor(/1\/10 +as listed/);
  // The first Esc removes the filter.
  screen.type(escape);
  await screen.waitFor(/1\/11 +as listed/);
  screen.type(escape);
  await screen.waitFor(/▌ run main/);

  screen.type(`:compare${enter}`);
  await screen.waitFor(/\d+ tasks scored in both/);
  screen.type(enter);
  await screen.waitFor(/\[Plans\] Steps[\s\S]*1: \d+ steps? +│ 2: \d+ steps?/);
  expect(screen.screen()).toMatch(/ 1 .*✗ wrong/);
  expect(screen.screen()).toMatch(/ 2 .*✓ right/);
  screen.type("1");
  await screen.waitFor(/\[1 Plan\]/);
  screen.type("F");
  await screen.waitFor(/Fork \S+ +at request 1/);
  screen.type(`i`);
  await screen.waitFor(/Model[\s\S]*type to filter/);
  screen.type(`oracle${enter}`);
  await screen.waitFor(/Model +builtin\/oracle/);
  screen.type(enter);
  await screen.waitFor(/Done: 1 of 1 right/);
  screen.type(enter);
  await screen.waitFor(/\[1 Plan\]|\[2 Steps\]/);
  screen.type("b");
  await screen.waitFor(/\[Plans\] Steps[\s\S]*✗ wrong[\s\S]*✓ right[\s\S]*a fork from request 1/);
  screen.type("\t");
  await screen.waitFor(/Plans \[Steps\][\s\S]*── .*│ ── /);
  screen.kill("SIGTERM");
  await screen.ended;
});
