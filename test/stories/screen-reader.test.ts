import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-screen-reader-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  const cell = "suite: appbench\ndata: sample\nprompting: flat\nmodel: builtin/oracle\nlimit: 2\n";
  writeFileSync(join(folder, "sessions/mine/session.md"), `# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const [enter, down] = ["\r", "\u001b[B"];
/** Sequences that move the cursor back, erase or scroll, and the alternate screen. */
const repaints = /\u001b\[[\d;]*[A-HJKLMPSTXf]|\u001b\[\?(?:47|1049)h|\u001b[78M]|\u0008/; // oxlint-disable-line no-control-regex -- it is what is looked for
const drawn = /[\u2500-\u259f\u2800-\u28ff]/;

/** Starts the program with another terminal in the environment. */
const withTerminal = (name: string) => ["env", `TERM=${name}`, process.execPath, builtProgram()] as const;

test("a terminal without control sequences gets only plain lines", async () => {
  const program = showProgram({ args: ["mine"], folder, columns: 80, rows: 40, shell: withTerminal("dumb") });
  await program.waitFor(/selected Mine[\s\S]*help/);
  program.type("j");
  await program.waitFor(/selected run main/);
  program.type("y");
  await program.waitFor(/This terminal cannot copy; the text is in /);
  program.type("q");
  expect(await program.ended).toBe(0);
  expect(program.written()).not.toContain("\u001b");
});

test("the Linux console, whose font lacks the marks, gets only ASCII", async () => {
  const program = showProgram({ args: ["mine"], folder, columns: 80, rows: 40, shell: withTerminal("linux") });
  await program.waitFor(/^\| Mine[\s\S]*ready[\s\S]*\? help/m);
  expect(program.screen()).toMatch(/^[\n\u0020-\u007e]*$/);
  program.type("q");
  expect(await program.ended).toBe(0);
});

test("a screen reader reads every line once while the user runs a cell and opens a task and a step", async () => {
  const program = showProgram({ args: ["--screen-reader", "mine"], folder, columns: 80, rows: 40 });
  await program.waitFor(/selected Mine[\s\S]*help/);
  // The state appears in the first lines or later in its own table.
  await program.waitFor(/ready, 0\/2/);
  program.type("j");
  await program.waitFor(/selected run main, oracle · AppBench/);
  program.type("r");
  await program.waitFor(/Done: 2 of 2 right/);
  program.type("L");
  await program.waitFor(/arrows select a task[\s\S]*selected right \S+ [\s\S]*\? help/);
  const before = program.written().length;
  program.type(down);
  await program.waitFor(/(selected right \S+ [\s\S]*){2}/);
  expect(program.written().slice(before)).not.toContain("notebook, ");
  program.type(enter);
  await program.waitFor(/\[1 Plan\], 2 Steps/);
  program.type("2");
  await program.waitFor(/1 Plan, \[2 Steps\]/);
  program.type("\u0003");
  expect(await program.ended).toBe(0);
  const said = program.written();
  expect(said).not.toMatch(repaints);
  expect(said).not.toMatch(drawn);
});
