import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { identityLine, thisProcess } from "../../source/engine/files/process-identity.ts";
import { removeForsakenRounds, RoundFolder } from "../../source/workers/rounds/round-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-sweep-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that holds a folder and waits. */
async function holding() {
  const module = import.meta.resolve("../../source/workers/rounds/round-folder.ts");
  const script = `const { RoundFolder } = await import(${JSON.stringify(module)});
    const { files } = new RoundFolder();
    console.log(files);
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error("Expected the process to hold a folder")));
  const [files] = (await Promise.race([once(child.stdout, "data"), failed])) as [Buffer];
  failed.catch(() => {});
  return { child, files: String(files).trim() };
}

it("the folder of a killed worker is removed, whereas the folder of a running worker is kept", async () => {
  const own = new RoundFolder();
  const { child, files } = await holding();
  writeFileSync(join(files, "questions.csv"), "question,answer\n");
  removeForsakenRounds();
  expect(existsSync(join(files, "questions.csv"))).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  removeForsakenRounds();
  expect(existsSync(files)).toBe(false);
  expect(existsSync(own.files)).toBe(true);
  own.remove();
  expect(readdirSync(folder)).toEqual([]);
});

it("folders of other users, without a process, or from a machine with invisible processes are kept", () => {
  const dead = { ...thisProcess(), pid: 999_999_999 };
  const made = (name: string, holder?: string) => {
    mkdirSync(join(folder, name));
    if (holder !== undefined) writeFileSync(join(folder, name, "holder"), holder);
  };
  made("planwright-round-none");
  made("planwright-round-words", "rm -rf /");
  made("planwright-round-container", identityLine({ ...dead, namespace: "pid:[1]" }));
  made("planwright-round-machine", identityLine({ ...dead, boot: "another", host: "another" }));
  made("another-program", identityLine(dead));
  made("kept", identityLine(dead));
  symlinkSync(join(folder, "kept"), join(folder, "planwright-round-link"));
  made("planwright-round-linked");
  symlinkSync(join(folder, "kept", "holder"), join(folder, "planwright-round-linked", "holder"));
  const before = readdirSync(folder);
  made("planwright-round-dead", identityLine(dead));
  removeForsakenRounds();
  expect(readdirSync(folder)).toEqual(before);
  expect(existsSync(join(folder, "kept", "holder"))).toBe(true);
});

it.runIf(process.getuid?.() === 0)("a round folder of another user is kept", async () => {
  const { chownSync } = await import("node:fs");
  const theirs = join(folder, "planwright-round-theirs");
  mkdirSync(theirs);
  writeFileSync(join(theirs, "holder"), identityLine({ ...thisProcess(), pid: 999_999_999 }));
  chownSync(theirs, 65_534, 65_534);
  removeForsakenRounds();
  expect(existsSync(theirs)).toBe(true);
  chownSync(theirs, 0, 0);
  removeForsakenRounds();
  expect(existsSync(theirs)).toBe(false);
});
