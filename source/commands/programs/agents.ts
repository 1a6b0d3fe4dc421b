/** `planwright agents`: programs of the user's that answer tasks. */
import { allowedAs } from "../../engine/run/programs/program-identity.ts";
import type { Settings, SettingsStore } from "../../engine/settings/settings.ts";
import type { UserProgram } from "../../engine/settings/user-program.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import {
  forgotten,
  named,
  programFlags,
  programLine,
  programOf,
  programUsage,
  readProgramArguments,
  refuseTaken,
} from "./program-arguments.ts";
import { userSettings } from "../shell/user-settings.ts";

/** Seconds a task may take where the user says nothing. */
const usualSeconds = 600;

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
  async run(args, context) {
    const { read, command } = readProgramArguments(args, programFlags);
    const store = await userSettings(context);
    const [verb, name, ...more] = read.positionals;
    if (verb === "list" && name === undefined) return list(store, read.flag("json"), context);
    if ((verb !== "add" && verb !== "remove") || more.length > 0)
      throw new ArgumentProblem(`Expected add, list or remove, got \`${read.positionals.join(" ")}\``);
    if (name === undefined) throw new ArgumentProblem(`Expected \`agents ${verb} NAME\`, got no name`);
    if (verb === "remove") return remove(store, name, context);
    if (command === undefined) throw new ArgumentProblem("Expected a command behind `--`, got none");
    const agent = programOf(name, read, command, usualSeconds);
    store.change((settings) => {
      refuseTaken(agentsIn(settings), name, kind, read);
      return { ...settings, agents: [...agentsIn(settings).filter((each) => each.name !== name), agent] };
    });
    context.stdout(`Added ${printable(lineOf(agent))}\n`);
    return 0;
  },
};

const kind = "an agent";

const agentsIn = ({ agents = [] }: Settings) => agents;

const lineOf = (agent: UserProgram) => programLine(agent, (agent.command ?? []).join(" "));

function list(store: SettingsStore, json: boolean, { stdout }: CommandContext): number {
  const agents = agentsIn(store.read());
  if (json) stdout(printedJson(agents, 2));
  else if (agents.length === 0) stdout("No agents yet; `planwright agents add` adds one\n");
  else for (const agent of agents) stdout(`${printable(lineOf(agent))}\n`);
  return 0;
}

/** What was allowed of it is forgotten, too. */
function remove(store: SettingsStore, name: string, { stdout }: CommandContext): number {
  const agent = named(agentsIn(store.read()), name, kind);
  store.change((settings) => ({
    ...settings,
    agents: agentsIn(settings).filter((each) => each.name !== name),
    ...forgotten(settings, allowedAs(agent)),
  }));
  stdout(`Removed ${name}\n`);
  return 0;
}
