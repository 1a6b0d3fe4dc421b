/** `planwright agents`: programs of the user's that answer tasks. */
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

/** Seconds a task may take where the user says nothing. */
const usualSeconds = 600;

const agents: ProgramList = {
  command: "agents",
  kind: "an agent",
  none: "No agents yet; `planwright agents add` adds one",
  of: ({ agents: kept = [] }) => kept,
  kept: (kept) => ({ agents: kept }),
  text: (agent) => programLine(agent, (agent.command ?? []).join(" ")),
  async add(name, read, command, store, { stdout }) {
    if (command === undefined) throw new ArgumentProblem("Expected a command behind `--`, got none");
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

A run cell names one: \`strategy: agent\` and \`agent: NAME\`. It is written to, and writes, a JSON value a line: documentation/agents.md
has the lines, and an example in Python. Only your settings hold what is started, never a session, and each folder's sessions may use
an agent once you have agreed to it.

${programUsage}`,
  takes: [{ words: ["add", "list", "remove"] }, "text"],
  flags: programFlags,
  run: (args, context) => programCommand(agents, args, programFlags, context),
};
