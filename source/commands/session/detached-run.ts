/** `planwright run --detach`: executes the command in a separate process, which continues after this terminal is closed. */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { SessionClient } from "../../engine/workbench/sharing/session-client.ts";
import { printable } from "../../engine/text/printable.ts";
import type { CommandContext } from "../shell/command.ts";

/** The file for its output, in the session's folder. */
const outputFile = "detached.txt";
/** Milliseconds between attempts to reach the process. */
const look = 100;

/**
 * Starts this program's command line again, without `--detach`, for the session in `folder`. Resolves once the new process
 * executes and can be followed and controlled. If it ends before that, resolves to its status after printing its output.
 */
export async function runDetached(folder: string, { stdout, stderr, signal }: CommandContext): Promise<number> {
  makeFolder(folder);
  const path = join(folder, outputFile);
  const output = openSync(path, "w", 0o600);
  const args = process.argv.slice(1).filter((arg) => arg !== "--detach");
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const ended = new Promise<number>((resolve) => {
    child.once("exit", (code) => resolve(code ?? 1));
    child.once("error", (error) => {
      stderr(`planwright: ${error.message}\n`);
      resolve(1);
    });
  });
  child.unref();
  for (;;) {
    const status = await Promise.race([ended, passed(look)]);
    if (status !== undefined) {
      (status === 0 ? stdout : stderr)(readFileSync(path, "utf8"));
      return status;
    }
    if (await executes(folder, child.pid)) break;
    // An interruption ends only the wait; the started process continues.
    if (signal.aborted) break;
  }
  stdout(
    `Process ${child.pid} executes the runs, even after this terminal is closed; its output goes to ${printable(path)}\n` +
      `Control it with planwright ctl SESSION status|pause|resume|stop, or open the notebook\n`,
  );
  return 0;
}

async function executes(folder: string, pid: number | undefined): Promise<boolean> {
  const reply = await SessionClient.ask(folder, { do: "status" });
  return reply !== undefined && reply.process === pid;
}
