/** The agents of the user's settings as the tasks of a session use them: a process a task, or processes kept for the next task. */
import { Problem } from "../../problem.ts";
import type { AgentProgram } from "../../strategy.ts";
import type { Settings } from "../../settings/settings.ts";
import { noSuchProgram, type UserProgram } from "../../settings/user-program.ts";
import type { ProgramPlace } from "../programs/started-program.ts";
import type { AgentProcess } from "./agent-process.ts";

export class Agents {
  readonly #settings: () => Settings;
  readonly #place: ProgramPlace;
  readonly #mustBeAllowed: (agent: UserProgram) => void;
  /** Processes that wait for a task, each with what it was started as. */
  readonly #idle = new Set<{ readonly agent: UserProgram; readonly process: AgentProcess }>();
  readonly #busy = new Set<AgentProcess>();

  /** `mustBeAllowed` throws where the user has not agreed that this session uses an agent. */
  constructor(settings: () => Settings, place: ProgramPlace, mustBeAllowed: (agent: UserProgram) => void) {
    this.#settings = settings;
    this.#place = place;
    this.#mustBeAllowed = mustBeAllowed;
  }

  /** One for a task. Throws `Problem` where there is none of this name, it is not allowed or cannot be started. */
  readonly open = async (name: string): Promise<AgentProgram> => {
    const { agents = [] } = this.#settings();
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined) throw new Problem("tool", noSuchProgram(agents, name, "an agent"));
    this.#mustBeAllowed(agent);
    const process = this.#waiting(agent) ?? (await started(agent, this.#place));
    this.#busy.add(process);
    process.begin();
    return {
      modelUrl: process.modelUrl,
      write: (value) => process.write(value),
      next: (signal) => process.next(signal),
      release: async (answered) => {
        process.done();
        this.#busy.delete(process);
        if (answered && agent.kept === true && process.isAlive) this.#idle.add({ agent, process });
        else await process.end();
      },
    };
  };

  async close(): Promise<void> {
    const all = [...this.#busy, ...[...this.#idle].map(({ process }) => process)];
    this.#idle.clear();
    await Promise.all(all.map((process) => process.end()));
  }

  /** The settings give the same object for as long as nothing in them was changed. */
  #waiting(agent: UserProgram): AgentProcess | undefined {
    const found = [...this.#idle].find((each) => each.agent === agent && each.process.isAlive);
    if (found !== undefined) this.#idle.delete(found);
    return found?.process;
  }
}

/** Its server is loaded with the first agent. */
async function started(...given: Parameters<typeof AgentProcess.start>): Promise<AgentProcess> {
  return (await import("./agent-process.ts")).AgentProcess.start(...given);
}
