/** The built program, which some tests start as a process. It is built when the first of them asks for it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { FolderLock } from "../source/engine/files/folder-lock.ts";

const root = join(import.meta.dirname, "..");
let built = false;

/** Returns the path of the program, built again if the sources have changed. One process of the tests builds it, the others wait. */
export function builtProgram(): string {
  if (!built) build();
  built = true;
  return join(root, "dist", "cli.js");
}

function build(): void {
  const lock = new FolderLock(join(root, "dist.lock"));
  while (lock.take() !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  try {
    execFileSync(process.execPath, ["build/build-if-needed.ts"], { cwd: root, stdio: "inherit" });
  } finally {
    lock.release();
  }
}

/** The command that is tried: PLANWRIGHT_COMMAND, a program installed elsewhere, else the built one with this Node. */
export function installedProgram(): readonly [string, ...string[]] {
  const command = process.env["PLANWRIGHT_COMMAND"];
  return command === undefined || command === "" ? [process.execPath, builtProgram()] : [command];
}
