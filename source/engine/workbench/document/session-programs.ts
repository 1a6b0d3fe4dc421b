/**
 * The user's tool servers, agents and processes for one session: only those allowed for its folder, because another person's
 * session could misuse them.
 */
import { Problem } from "../../problem.ts";
import { allowedAs, identityOfProgram, type ProgramIdentities } from "../../run/programs/program-identity.ts";
import { notesOfPrograms } from "../../run/programs/program-note.ts";
import { Agents } from "../../run/agents/agents.ts";
import { Processes } from "../../run/agents/processes.ts";
import { ToolServers } from "../../run/tool-servers/tool-servers.ts";
import type { NotebookCode } from "./loaded-suites.ts";
import { type SettingsStore, FolderConsent } from "../../settings/settings.ts";
import type { ToolServer, UserProcess, UserProgram } from "../../settings/user-program.ts";
import type { RunSpec } from "../../types.ts";
import type { Clock } from "../../work/clock.ts";

/** A tool server, agent or process named by runs, with its command or address. */
export type ProgramUse = { readonly name: string; readonly what: string; readonly identity: string };

export class SessionPrograms {
  readonly toolServers: ToolServers;
  readonly agents: Agents;
  readonly processes: Processes;
  /** Code that the notebook names; absent if it names none. */
  notebook: NotebookCode | undefined;
  readonly #consent: FolderConsent;
  readonly #settings: SettingsStore;
  readonly #specs: (cell: string) => readonly RunSpec[];
  readonly #planned: () => ProgramIdentities | undefined;

  /** `specs`: the runs of a cell. `planned`: the programs when the runs were planned. */
  constructor(
    folder: string,
    settings: SettingsStore,
    clock: Clock,
    specs: (cell: string) => readonly RunSpec[],
    planned: () => ProgramIdentities | undefined,
  ) {
    this.#consent = new FolderConsent(folder, settings);
    this.#settings = settings;
    this.#specs = specs;
    this.#planned = planned;
    const place = { notes: notesOfPrograms(settings), clock };
    const check = (program: UserProgram) => this.#check(program);
    this.toolServers = new ToolServers(() => settings.read(), place, check);
    this.agents = new Agents(() => settings.read(), place, check);
    this.processes = new Processes(settings, place, check);
  }

  /** Returns names that runs may use in `tools`. */
  toolNames(): readonly string[] {
    return (this.#settings.read().toolServers ?? []).map(({ name }) => name);
  }

  /** Returns names that runs may use in `process`. */
  processNames(): readonly string[] {
    return (this.#settings.read().processes ?? []).map(({ name }) => name);
  }

  /** Returns the names of all that the user can allow: programs, and files of the notebook's code. */
  names(): readonly string[] {
    const agents = (this.#settings.read().agents ?? []).map(({ name }) => name);
    return [...this.toolNames(), ...agents, ...this.processNames(), ...(this.notebook?.files ?? [])];
  }

  /** Returns why the runs of a cell cannot be executed if their code is not loaded; undefined if it is loaded. */
  unloaded(cell: string): string | undefined {
    const { why, hashes } = this.notebook?.unloaded ?? {};
    const lacks = ({ code = {} }: RunSpec) => Object.values(code).some((hash) => hashes?.has(hash));
    const specs = this.#specs(cell);
    // A cell that names what no log knows has no runs.
    return specs.length === 0 || specs.some(lacks) ? why : undefined;
  }

  /** Throws `Problem` in that case. */
  mustBeLoaded(cell: string): void {
    const why = this.unloaded(cell);
    if (why !== undefined) throw new Problem("tool", why);
  }

  /** Returns programs that the runs of a cell name and the user has not yet allowed. */
  unallowed(cell: string): readonly ProgramUse[] {
    const { toolServers = [], agents = [], processes = [] } = this.#settings.read();
    const specs = this.#specs(cell);
    const servers = new Set(specs.flatMap((spec) => Object.keys(spec.toolServers ?? {})));
    const started = new Set(specs.flatMap(({ agent, options }) => (agent === undefined ? [] : [options["agent"]])));
    return [
      ...toolServers.filter(({ name }) => servers.has(name)),
      ...agents.filter(({ name }) => started.has(name)),
      ...processes.filter(({ name }) => specs.some(({ suite }) => suite === `process/${name}`)),
    ].flatMap((program) => (this.#isAllowed(program) ? [] : [useOf(program)]));
  }

  /** Saves the permission for the folder. Throws `SettingsProblem` if it cannot be saved. */
  allow(uses: readonly ProgramUse[]): void {
    this.#consent.add(uses.map(({ identity }) => identity));
  }

  async close(): Promise<void> {
    await Promise.all([this.toolServers.close(), this.agents.close(), this.processes.close()]);
  }

  #isAllowed(program: UserProgram): boolean {
    return this.#consent.given().includes(allowedAs(program));
  }

  /** Throws `Problem` for a program without permission, or for a changed program under the name of the program in a run. */
  #check(program: UserProgram): void {
    if (!this.#isAllowed(program)) throw new Problem("tool", unallowedText(useOf(program)));
    const { toolServers, agents, processes } = this.#planned() ?? {};
    const others = "reported" in program && "atOnce" in (program as UserProcess).reported ? processes : toolServers;
    const planned = ("reported" in program ? others : agents)?.get(program.name);
    if (planned !== undefined && planned !== identityOfProgram(program))
      throw new Problem(
        "tool",
        `\`${program.name}\` was changed while runs were active: run the cell again after they end, which starts a new run`,
      );
  }
}

/** Returns the message for sessions without a terminal, in which no question can be asked. */
export function unallowedText({ name, what }: ProgramUse): string {
  return `The sessions of this folder may not use \`${name}\` (${what}) yet: run the cell in a terminal and allow it, or add \`--allow ${name}\``;
}

function useOf(program: UserProgram | ToolServer): ProgramUse {
  const { name, command = [] } = program;
  const what = (program as Partial<ToolServer>).url ?? command.join(" ");
  return { name, what, identity: allowedAs(program) };
}
