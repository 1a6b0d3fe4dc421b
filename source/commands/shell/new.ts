/** `planwright new NAME`: creates an empty notebook. */
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { isSession, openFor, oneSession } from "../session/open-session.ts";
import { screenFlags, screenLook } from "../session/screen-flags.ts";

export const newCommand: Command = {
  name: "new",
  summary: "create a notebook and open it",
  usage: `planwright new NAME [--ascii] [--screen-reader] [--no-alternate-screen] [--mouse] [--take-over] [--theme light,16]

Creates the folder sessions/NAME, or NAME if it is a path, with a \`session.md\`, and opens the notebook. Without a terminal it
prints the path. An existing notebook is left unchanged, and the status is then 2. In a clone of Planwright, NAME refers to
notebooks/NAME (ignored by git) rather than sessions/NAME.`,
  takes: ["folder"],
  flags: screenFlags,
  async run(args, context) {
    const given = readArguments(args, screenFlags);
    const look = screenLook(given);
    const path = oneSession(given.positionals);
    if (path.trim() === "") throw new ArgumentProblem("Expected a name or a path, got an empty text");
    if (isSession(path))
      throw new ArgumentProblem(`A session \`${path}\` already exists; open it with \`planwright ${path}\``);
    const workbench = await openFor(path, context, {
      drafts: context.show !== undefined,
      takeOver: given.flag("take-over"),
    });
    if (context.show !== undefined) return context.show(workbench, look);
    const { folder, readOnly } = workbench;
    await workbench.close();
    if (readOnly !== undefined) throw new ArgumentProblem(readOnly);
    context.stdout(`${folder}/session.md\n`);
    return 0;
  },
};
