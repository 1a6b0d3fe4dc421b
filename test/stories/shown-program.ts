/** The program in a test's pseudo-terminal: it ends with the test, and a failing test prints its screen. */
import { onTestFailed, onTestFinished } from "vitest";
import { openProgram, type PseudoTerminal, type Start } from "./pseudo-terminal.ts";

/** Like `openProgram` of the pseudo-terminal; called in a test. */
export function showProgram(start: Start): PseudoTerminal {
  const program = openProgram(start);
  let running = true;
  void program.ended.then(() => (running = false));
  onTestFinished(async () => {
    if (running) program.kill("SIGKILL");
    await program.ended;
  });
  onTestFailed(({ task }) => {
    const error = task.result?.errors?.[0];
    const awaited = program.awaited();
    if (error === undefined) return;
    error.message += `${awaited === undefined ? "" : `\nWaited for ${awaited}.`}\nThe screen:\n${program.screen()}`;
  });
  return program;
}
