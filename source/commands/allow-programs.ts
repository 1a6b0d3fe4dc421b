/** The user's word for what the runs of a session start or ask outside of themselves: by `--allow`, or on the terminal. */
import { printable } from "../engine/text/printable.ts";
import { unallowedText } from "../engine/workbench/session-programs.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import { ArgumentProblem } from "./arguments.ts";
import type { CommandContext } from "./command.ts";

/** Throws `ArgumentProblem` where `--allow` names what is no program of the user's. */
export function checkAllowed({ programs }: Pick<SessionWorkbench, "programs">, named: readonly string[]): void {
  const known = programs.names();
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentProblem(
      `Expected \`--allow\` to name a tool server or agent of yours (${known.join(", ") || "there is none"}), got \`${unknown}\``,
    );
}

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
