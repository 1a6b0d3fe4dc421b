/**
 * A running agent of the user: a program that writes lines of JSON, and may send requests to models through a loopback endpoint.
 */
import { Problem } from "../../problem.ts";
import type { AgentEvent } from "../../protocol.ts";
import type { UserProgram } from "../../settings/user-program.ts";
import { parseJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import type { Timer } from "../../work/clock.ts";
import { StartedProgram, type ProgramPlace } from "../programs/started-program.ts";
import { counted } from "../../text/counted.ts";
import { AgentEvents } from "./agent-events.ts";
import { ModelDoor } from "./model-door.ts";

export class AgentProcess {
  readonly modelUrl: string;
  readonly #program: StartedProgram;
  readonly #agent: UserProgram;
  readonly #place: ProgramPlace;
  readonly #door: ModelDoor;
  /** Open from the start of a task to its end; events at other times belong to no task. */
  readonly #events = new AgentEvents(false);
  #late = false;
  #timer: Timer | undefined;

  /** Starts the agent's program. Throws `Problem` if the program cannot be started. */
  static async start(agent: UserProgram, place: ProgramPlace): Promise<AgentProcess> {
    const door = await ModelDoor.open();
    try {
      return new AgentProcess(agent, place, await StartedProgram.start(agent, place), door);
    } catch (error) {
      door.close();
      throw error;
    }
  }

  private constructor(agent: UserProgram, place: ProgramPlace, program: StartedProgram, door: ModelDoor) {
    this.#agent = agent;
    this.#place = place;
    this.#program = program;
    this.#door = door;
    this.modelUrl = door.add(["model", "actor"], (event) => this.#events.put(event)).url;
    void this.#read();
  }

  get isAlive(): boolean {
    return !this.#events.hasEnded;
  }

  write(value: Json): Promise<void> {
    return this.#program.write(JSON.stringify(value));
  }

  /** Starts a task; its time limit counts from now. */
  begin(): void {
    this.#events.open();
    const late = () => {
      this.#late = true;
      this.#program.kill();
    };
    this.#timer = this.#place.clock.setTimeout(late, this.#agent.seconds * 1000);
  }

  /** Ends the task. */
  done(): void {
    this.#events.close();
    this.#place.clock.clearTimeout(this.#timer);
  }

  /**
   * Resolves to the next event. Throws `Problem` if the program has ended; its kind is `timeout` if the program exceeded the time
   * limit of a task.
   */
  next(signal: AbortSignal): Promise<AgentEvent> {
    return this.#events.next(signal);
  }

  /** Ends the program with all its processes, and the endpoint. */
  async end(): Promise<void> {
    this.done();
    this.#door.close();
    await this.#program.end();
  }

  async #read(): Promise<void> {
    for await (const line of this.#program.lines()) await this.#events.put({ type: "line", value: parseJson(line) });
    const how = await this.#program.ended;
    this.#events.end(() => this.#gone(how));
  }

  #gone(how: string): Problem {
    const { name, seconds } = this.#agent;
    return this.#late
      ? new Problem("timeout", `\`${name}\` did not answer within ${counted(seconds, "second")}`)
      : new Problem("tool", `\`${name}\` gave no answer: ${how}`);
  }
}
