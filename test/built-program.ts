/** The built program and built servers, which some tests start as processes. They are built for the first test that needs them. */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FolderLock } from "../source/engine/files/folder-lock.ts";

const root = join(import.meta.dirname, "..");
let built = false;

/** Returns the path of the program, built again if the sources have changed. One test process builds it, and the others wait. */
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

/** The command under test: PLANWRIGHT_COMMAND, a program installed elsewhere, otherwise the built one with this Node. */
export function installedProgram(): readonly [string, ...string[]] {
  const command = process.env["PLANWRIGHT_COMMAND"];
  return command === undefined || command === "" ? [process.execPath, builtProgram()] : [command];
}

const servers = ["toy-server", "mail-server"] as const;

/**
 * Returns the path of a tool server in `test/engine/run/tool-servers`, bundled with the protocol's package: tests start it hundreds
 * of times, and reading the package file by file takes two thirds of a start. A build is kept until a server or the package changes.
 */
export function builtServer(name: (typeof servers)[number]): string {
  const sources = servers.map((each) => join(root, "test", "engine", "run", "tool-servers", `${each}.ts`));
  const files = [...sources, join(root, "node_modules", "@modelcontextprotocol", "sdk", "package.json")];
  const key = hash("sha256", files.map((path) => readFileSync(path, "utf8")).join()).slice(0, 8);
  const folder = join(root, "node_modules", ".cache", `servers-${key}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${process.pid}`;
    const rolldown = join(root, "node_modules", "rolldown", "bin", "cli.mjs");
    const flags = ["--platform", "node", "--format", "esm", "--logLevel", "silent", "--dir", unfinished];
    execFileSync(process.execPath, [rolldown, ...sources, ...flags], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      renameSync(unfinished, folder);
    } catch {
      // Another test process was faster.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return join(folder, `${name}.js`);
}
