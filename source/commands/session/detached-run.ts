/** `planwright run --detach`: the same command in a program of its own, which goes on when this terminal is closed. */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { SessionClient } from "../../engine/workbench/sharing/session-client.ts";
import { printable } from "../../engine/text/printable.ts";
import type { CommandContext } from "../shell/command.ts";

/** What it prints, in the session's folder. */
const outputFile = "detached.txt";
/** Milliseconds between two looks whether it can be spoken to. */
const look = 100;

/**
 * Starts the command line of this program again, without `--detach`, for the session in `folder`, and resolves once it executes:
 * from then on it can be followed and steered. Resolves to the status it ended with where it ended before, with what it printed.
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
    // Whoever interrupts this waits no longer; what was started goes on.
    if (signal.aborted) break;
  }
  stdout(
    `Process ${child.pid} executes it, also when this terminal is closed. What it prints goes to ${printable(path)}\n` +
      `planwright ctl SESSION status, pause, resume, stop; the notebook follows it\n`,
  );
  return 0;
}

async function executes(folder: string, pid: number | undefined): Promise<boolean> {
  const reply = await SessionClient.ask(folder, { do: "status" });
  return reply !== undefined && reply.process === pid;
}
