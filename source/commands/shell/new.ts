/** `planwright new NAME`: a notebook with nothing in it yet. */
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { isSession, openFor, oneSession } from "../session/open-session.ts";
import { screenFlags, screenLook } from "../session/screen-flags.ts";

export const newCommand: Command = {
  name: "new",
  summary: "make a notebook, and open it",
  usage: `planwright new NAME [--ascii] [--screen-reader] [--no-alternate-screen] [--mouse] [--take-over] [--theme light,16]

Makes sessions/NAME, or the folder of that path, with a \`session.md\` in it, and opens it on the screen. Without a terminal the
path is printed. A notebook that is there already stays as it is, and the status is 2.`,
  takes: ["folder"],
  flags: screenFlags,
  async run(args, context) {
    const given = readArguments(args, screenFlags);
    const look = screenLook(given);
    const path = oneSession(given.positionals);
    if (path.trim() === "") throw new ArgumentProblem("Expected a name or a path, got an empty text");
    if (isSession(path))
      throw new ArgumentProblem(`There is a session \`${path}\` already: \`planwright ${path}\` opens it`);
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
