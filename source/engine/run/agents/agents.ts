/** The agents in the user's settings, for the tasks of a session: one process per task, or processes that later tasks reuse. */
import { Problem } from "../../problem.ts";
import type { AgentProgram } from "../../protocol.ts";
import type { Settings } from "../../settings/settings.ts";
import { noSuchProgram, type UserProgram } from "../../settings/user-program.ts";
import { identityOfProgram } from "../programs/program-identity.ts";
import type { ProgramPlace } from "../programs/started-program.ts";
import type { AgentProcess } from "./agent-process.ts";

export class Agents {
  readonly #settings: () => Settings;
  readonly #place: ProgramPlace;
  readonly #check: (agent: UserProgram) => void;
  /** Idle processes, each with the identity it was started with. */
  readonly #idle = new Set<{ readonly identity: string; readonly process: AgentProcess }>();
  readonly #busy = new Set<AgentProcess>();

  /** `check` throws if a run may not use an agent. */
  constructor(settings: () => Settings, place: ProgramPlace, check: (agent: UserProgram) => void) {
    this.#settings = settings;
    this.#place = place;
    this.#check = check;
  }

  /** Opens an agent for a task. Throws `Problem` if the name is unknown, the agent is not allowed, or it cannot be started. */
  readonly open = async (name: string): Promise<AgentProgram> => {
    const { agents = [] } = this.#settings();
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined) throw new Problem("tool", noSuchProgram(agents, name, "an agent"));
    this.#check(agent);
    const identity = identityOfProgram(agent);
    const process = this.#waiting(identity) ?? (await started(agent, this.#place));
    this.#busy.add(process);
    process.begin();
    return {
      modelUrl: process.modelUrl,
      write: (value) => process.write(value),
      next: (signal) => process.next(signal),
      release: async (answered) => {
        process.done();
        this.#busy.delete(process);
        if (answered && agent.kept === true && process.isAlive) this.#idle.add({ identity, process });
        else await process.end();
      },
    };
  };

  async close(): Promise<void> {
    const all = [...this.#busy, ...[...this.#idle].map(({ process }) => process)];
    this.#idle.clear();
    await Promise.all(all.map((process) => process.end()));
  }

  /** Returns an idle process whose identity is still current. */
  #waiting(identity: string): AgentProcess | undefined {
    const found = [...this.#idle].find((each) => each.identity === identity && each.process.isAlive);
    if (found !== undefined) this.#idle.delete(found);
    return found?.process;
  }
}

/** Starts an agent; the server for its requests is loaded with the first agent. */
const started = async (...given: Parameters<typeof AgentProcess.start>): Promise<AgentProcess> =>
  (await import("./agent-process.ts")).AgentProcess.start(...given);
