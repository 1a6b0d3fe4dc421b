/** Finds words in a real terminal and copies the text around them; the terminal receives the text without showing it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

const cell = "suite: appbench\nsplit: ss\ndata: sample\nmodel: builtin/oracle\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-copied-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(join(folder, "sessions/mine/session.md"), `A thought\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the key y copies a cell that was found by a search", async () => {
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30, env: { TERM_PROGRAM: "" } });
  await screen.waitFor(/▌ A thought[\s\S]*0\/7/);
  screen.type("/oracle\r");
  await screen.waitFor(/^│▸ run main .*oracle/m);
  screen.type("y");
  await screen.waitFor(/Copied: \d+ characters/);
  const [, after = ""] = screen.written().split("\x1b]52;c;");
  expect(
    Buffer.from(after.slice(0, after.indexOf("\x07")), "base64")
      .toString()
      .trim(),
  ).toBe(cell.trim());
  expect(screen.screen()).not.toContain("]52;c;");
  screen.type("q");
  await screen.ended;
});
