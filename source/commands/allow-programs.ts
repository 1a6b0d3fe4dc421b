/** The user's word for what the runs of a session start or ask outside of themselves: by `--allow`, or on the terminal. */
import { printable } from "../engine/text/printable.ts";
import { unallowedText } from "../engine/workbench/session-programs.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import type { CommandContext } from "./command.ts";

/** Resolves to whether the runs of a cell may start; says why where they may not. What is agreed to is remembered. */
export async function allowPrograms(
  { programs }: Pick<SessionWorkbench, "programs">,
  cell: string,
  named: readonly string[],
  { ask, stderr }: Pick<CommandContext, "ask" | "stderr">,
): Promise<boolean> {
  for (const use of programs.unallowed(cell)) {
    const { name, what } = use;
    const question = `The session wants to use \`${name}\` (${printable(what)}). May the sessions of this folder use it?`;
    if (named.includes(name) || (await ask?.(question)) === true) programs.allow([use]);
    else {
      stderr(`${printable(unallowedText(use))}\n`);
      return false;
    }
  }
  return true;
}
