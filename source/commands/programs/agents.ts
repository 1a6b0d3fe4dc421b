/** `planwright agents`: lists and changes the user's programs that answer tasks. */
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import {
  programCommand,
  programFlags,
  programLine,
  programOf,
  type ProgramList,
  programUsage,
  refuseTaken,
  withProgram,
} from "./program-list.ts";

/** Default time limit of a task in seconds. */
const usualSeconds = 600;

const agents: ProgramList = {
  command: "agents",
  kind: "an agent",
  none: "No agents yet; `planwright agents add` adds one",
  of: ({ agents: kept = [] }) => kept,
  kept: (kept) => ({ agents: kept }),
  text: (agent) => programLine(agent, (agent.command ?? []).join(" ")),
  async add(name, read, command, store, { stdout }) {
    if (command === undefined) throw new ArgumentProblem("Expected a command after `--`, got none");
    const agent = programOf(name, read, command, usualSeconds);
    store.change((settings) => {
      refuseTaken(agents, settings, name, read);
      return withProgram(agents, settings, agent);
    });
    stdout(`Added ${printable(agents.text(agent))}\n`);
    return 0;
  },
};

export const agentsCommand: Command = {
  name: "agents",
  summary: "add, list or remove agents: programs of your own that answer tasks",
  usage: `planwright agents add NAME [--env NAME,NAME=VARIABLE] [--keep] [--seconds N] [--megabytes N] [--replace] -- COMMAND [ARGUMENT...]
planwright agents list [--json]
planwright agents remove NAME

A run cell names an agent: \`strategy: agent\` and \`agent: NAME\`. The agent reads and writes one JSON value per line;
documentation/agents.md describes the lines and has an example in Python. Only your settings contain the command, never a session, and the
sessions of a folder may use an agent once you have allowed it.

${programUsage}`,
  takes: [{ words: ["add", "list", "remove"] }, "text"],
  flags: programFlags,
  run: (args, context) => programCommand(agents, args, programFlags, context),
};
