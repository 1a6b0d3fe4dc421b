/** `planwright tools`: lists, changes and tests the user's tool servers of the Model Context Protocol. */
import { separator } from "../../look/signs.ts";
import { machineClock } from "../../engine/work/clock.ts";
import { Problem } from "../../engine/problem.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import type { ToolServer } from "../../engine/settings/user-program.ts";
import { notesOfPrograms } from "../../engine/run/programs/program-note.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem, type Flags } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import {
  programCommand,
  programFlags,
  programLine,
  programOf,
  type ProgramList,
  programUsage,
  refuseTaken,
  variables,
  withProgram,
} from "./program-list.ts";

/** Default time limit of a call in seconds. */
const usualSeconds = 60;

const flags: Flags = { url: "text", headers: "text", ...programFlags };

const servers: ProgramList<ToolServer> = {
  command: "tools",
  kind: "a tool server",
  none: "No tool servers yet; `planwright tools add` adds one",
  of: ({ toolServers = [] }) => toolServers,
  kept: (toolServers) => ({ toolServers }),
  text(server) {
    const { url, command = [], headers = {}, reported } = server;
    const sent = Object.entries(headers).map(([header, variable]) => `header ${header} from ${variable}`);
    const line = [programLine(server, url ?? command.join(" ")), ...sent].join(separator);
    return `${line}\n  ${reported.name} ${reported.version}, ${counted(reported.tools, "tool")}`;
  },
  add(name, read, command, store, context) {
    const url = read.text("url");
    const headers = variables(read.text("headers"), "headers");
    if ((url === undefined) === (command === undefined))
      throw new ArgumentProblem("Expected `--url URL` or a command after `--`, got both or neither");
    refuseTaken(servers, store.read(), name, read);
    const server = {
      ...programOf(name, read, command, usualSeconds),
      ...(url === undefined ? {} : { url }),
      ...(headers === undefined ? {} : { headers }),
    };
    return test(server, store, context);
  },
  test: (server, store, context) => test(server, store, context),
};

export const toolsCommand: Command = {
  name: "tools",
  summary: "add, list, test or remove tool servers (MCP)",
  usage: `planwright tools add NAME [--env NAME,NAME=VARIABLE] [--keep] [--seconds N] [--megabytes N] [--replace] -- COMMAND [ARGUMENT...]
planwright tools add NAME --url URL [--headers NAME=VARIABLE,...] [--keep] [--seconds N] [--replace]
planwright tools list [--json]
planwright tools test NAME
planwright tools remove NAME

A run cell of your own questions names tool servers: \`tools: [NAME]\`. Only your settings contain the command, never a session, and the
sessions of a folder may use a tool server once you have allowed it.

add starts the server and saves its description and tools, which are part of each run's identity. test asks for
them again: if the server has changed, later results belong to other runs.

--url        address of a server that is called over (streamable) HTTP instead of being started
--headers    headers of every request to it; each value stays in the environment variable
${programUsage}`,
  takes: [{ words: ["add", "list", "test", "remove"] }, "text"],
  flags,
  run: (args, context) => programCommand(servers, args, flags, context),
};

/** Requests a server's description, prints it and saves it. Resolves to 1 if the server failed; then nothing is saved. */
async function test(
  server: Omit<ToolServer, "reported">,
  store: SettingsStore,
  { stdout, stderr, signal }: CommandContext,
): Promise<number> {
  const { checkToolServer } = await import("../../engine/settings/settings-check.ts");
  // Rejects settings that cannot be saved before the server starts.
  const unasked = { name: "", version: "", tools: 0, tokens: 0, hash: "" };
  checkToolServer({ ...server, reported: unasked });
  const { connectTo } = await import("../../engine/run/tool-servers/mcp-connection.ts");
  try {
    const connection = await connectTo(server, { notes: notesOfPrograms(store), clock: machineClock }, signal);
    const { reported, tools, close } = connection;
    await close();
    store.change((settings) => withProgram(servers, settings, { ...server, reported }));
    stdout(`${printable(`${server.name}: ${reported.name} ${reported.version}`)}, ${counted(tools.length, "tool")}\n`);
    for (const { name, description } of tools) stdout(`  ${printable(`${name}: ${description}`.slice(0, 200))}\n`);
    return 0;
  } catch (error) {
    if (!signal.aborted && !(error instanceof Problem)) throw error;
    stderr(`${printable((error as Error).message)}\n`);
    return 1;
  }
}
