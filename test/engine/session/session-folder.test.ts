/** The lock of a session: exactly one program gets it, however many are opened at the same moment. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-lock-"));
  folders.push(folder);
  return folder;
}

/** Several programs that wait for one signal, then take the lock and keep it until all have tried. */
async function takenTogether(folder: string, programs: number): Promise<string[]> {
  const source = `
    import { SessionFolder } from ${JSON.stringify(join(import.meta.dirname, "../../../source/engine/session/session-folder.ts"))};
    const session = new SessionFolder(${JSON.stringify(folder)});
    process.stdout.write("ready\\n");
    process.stdin.once("data", () => process.stdout.write((session.lock() ?? "mine") + "\\n"));`;
  const children = Array.from({ length: programs }, () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    return { child, ended, line: async () => (await lines.next()).value as string };
  });
  for (const { line } of children) expect(await line()).toBe("ready");
  for (const { child } of children) child.stdin.write("go\n");
  const told = await Promise.all(children.map(({ line }) => line()));
  for (const { child } of children) child.stdin.end();
  await Promise.all(children.map(({ ended }) => ended));
  return told;
}

describe("the lock of a session", () => {
  test("is held by one of several programs opened at the same time, and the others name that program", async () => {
    for (let round = 0; round < 2; round++) {
      const told = await takenTogether(freshFolder(), 4);
      expect(told.filter((each) => each === "mine")).toHaveLength(1);
      for (const each of told.filter((other) => other !== "mine"))
        expect(each).toMatch(/^Another Planwright \(process \d+\) has this session open$/);
    }
  });

  test("can be taken after the program that held it ended, and leaves no files", async () => {
    for (let round = 0; round < 2; round++) {
      const folder = freshFolder();
      writeFileSync(join(folder, "session.lock"), "999999999");
      const told = await takenTogether(folder, 4);
      expect(told.filter((each) => each === "mine")).toHaveLength(1);
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});

test("a session whose document is a folder is rejected with its path", () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "session.md"));
  const words = `The session at ${join(folder, "session.md")} cannot be read (EISDIR: illegal operation on a directory)`;
  expect(() => new SessionFolder(folder).read()).toThrow(words);
});
