/** The lock of a session: exactly one program has it, however many are opened at the same moment. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-lock-"));
  folders.push(folder);
  return folder;
}

/** Several programs that all wait for the same millisecond, then take the lock and keep it until all have tried. */
async function takenTogether(folder: string, programs: number): Promise<string[]> {
  const at = Date.now() + 500;
  const source = `
    import { SessionFolder } from ${JSON.stringify(join(import.meta.dirname, "../../../source/engine/session/session-folder.ts"))};
    const session = new SessionFolder(${JSON.stringify(folder)});
    while (Date.now() < ${at});
    process.stdout.write(session.lock() ?? "mine");
    setTimeout(() => {}, 400);`;
  const told = Array.from({ length: programs }, async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    for await (const part of child.stdout) text += String(part);
    return text;
  });
  return Promise.all(told);
}

describe("the lock of a session", () => {
  test("one of several programs opened at the same moment has it, the others say who", async () => {
    for (let round = 0; round < 2; round++) {
      const told = await takenTogether(freshFolder(), 4);
      expect(told.filter((each) => each === "mine")).toHaveLength(1);
      for (const each of told.filter((other) => other !== "mine"))
        expect(each).toMatch(/^Another Planwright \(process \d+\) has this session open$/);
    }
  });

  test("so it is where a program that is gone left a lock behind, and nothing else stays", async () => {
    for (let round = 0; round < 2; round++) {
      const folder = freshFolder();
      writeFileSync(join(folder, "session.lock"), "999999999");
      const told = await takenTogether(folder, 4);
      expect(told.filter((each) => each === "mine")).toHaveLength(1);
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});
