/**
 * A running user's process that provides its own tasks. It serves several tasks at once, so every line contains `task`. The
 * lines are described in documentation/processes.md.
 */
import { Problem } from "../../problem.ts";
import type { TaskProcess, UserProcess } from "../../settings/user-program.ts";
import type { AgentEvent, AgentProgram } from "../../protocol.ts";
import { field, isRecord, parseJson, textAt } from "../../text/json-record.ts";
import { counted } from "../../text/counted.ts";
import type { Json, Role } from "../../types.ts";
import { StartedProgram, type ProgramPlace } from "../programs/started-program.ts";
import { AgentEvents } from "./agent-events.ts";
import { ModelDoor } from "./model-door.ts";
import { taskList } from "./task-list.ts";

/** A process's description of itself, in its first line. */
export type Hello = Pick<TaskProcess, "name" | "version" | "atOnce" | "models">;

/** Models that a process may play itself. */
const ownModels = ["oracle", "nothing"] as const;

/** Maximum number of tasks that a process may request at once. */
const mostAtOnce = 1000;

type OpenTask = {
  readonly events: AgentEvents;
  isReleased: boolean;
  /** The line that the process still has to write; undefined once it has written it. */
  awaits: "answer" | "score" | undefined;
};

export class ServedProcess {
  readonly hello: Hello;
  readonly #program: StartedProgram;
  readonly #process: UserProcess;
  readonly #place: ProgramPlace;
  readonly #door: ModelDoor;
  /**
   * Tasks that were sent to the process: open tasks, and tasks on which it still works although no caller waits for them any
   * more.
   */
  readonly #tasks: Map<string, OpenTask>;
  readonly #freed: () => void;
  #gone: Promise<void> | undefined;

  /** Starts a process. Resolves after its first line. Calls `freed` when it has room for another task. Throws `Problem`. */
  static async start(process: UserProcess, place: ProgramPlace, freed: () => void): Promise<ServedProcess> {
    const door = await ModelDoor.open();
    let program: StartedProgram | undefined;
    try {
      program = await StartedProgram.start(process, place);
      const lines = program.lines();
      const first = await withinSeconds(process, place, program, lines.next());
      if (first.done === true) throw ended(process, await program.ended);
      const hello = helloIn(process, first.value);
      return new ServedProcess(process, place, { program, door, lines, hello, freed });
    } catch (error) {
      door.close();
      await program?.end();
      throw error;
    }
  }

  private constructor(
    process: UserProcess,
    place: ProgramPlace,
    begun: {
      readonly program: StartedProgram;
      readonly door: ModelDoor;
      readonly lines: AsyncGenerator<string>;
      readonly hello: Hello;
      readonly freed: () => void;
    },
  ) {
    this.#process = process;
    this.#place = place;
    this.#program = begun.program;
    this.#door = begun.door;
    this.hello = begun.hello;
    this.#freed = begun.freed;
    this.#tasks = new Map();
    void this.#read(begun.lines);
  }

  /** True if there is room for another task; undefined once the process has ended. */
  get hasRoom(): boolean | undefined {
    return this.#end === undefined ? this.#tasks.size < this.hello.atOnce : undefined;
  }
  #end: string | undefined;
  #listed: AgentEvents | undefined;

  /** Resolves to the tasks as JSON values, unchecked. Throws `Problem`. */
  async list(signal: AbortSignal): Promise<readonly Json[]> {
    this.#listed = new AgentEvents(true);
    await this.#write({ type: "tasks" });
    return withinSeconds(this.#process, this.#place, this.#program, taskList(this.#listed, signal));
  }

  /** Opens a task; its time limit counts from now. Its place becomes free when the task has been released and answered. */
  open(task: string, roles: readonly Role[]): AgentProgram {
    if (this.#tasks.has(task))
      throw new Problem("tool", `\`${this.#process.name}\` is still working on task \`${task}\``);
    const open: OpenTask = { events: new AgentEvents(true), isReleased: false, awaits: undefined };
    this.#tasks.set(task, open);
    const door = this.#door.add(roles, (event) => open.events.put(event));
    const { seconds, name } = this.#process;
    const late = () =>
      open.events.end(() => new Problem("tool", `\`${name}\` did not answer within ${counted(seconds, "second")}`));
    const timer = this.#place.clock.setTimeout(late, seconds * 1000);
    if (this.#end !== undefined) open.events.end(() => ended(this.#process, this.#end!));
    return {
      modelUrl: door.url,
      write: (value) => {
        const type = textAt(value, "type");
        if (type === "task" || type === "score") open.awaits = type === "task" ? "answer" : "score";
        return this.#write(value);
      },
      next: (signal) => open.events.next(signal),
      release: async () => {
        this.#place.clock.clearTimeout(timer);
        open.events.close();
        door.remove();
        open.isReleased = true;
        if (open.awaits === undefined || this.#end !== undefined) this.#free(task);
        else if (this.#isStuck()) await this.end();
      },
    };
  }

  /** Ends the process with all its children, and the endpoint. Resolves once the process has ended. */
  end(): Promise<void> {
    this.#door.close();
    return (this.#gone ??= this.#program.end());
  }

  #write(value: Json): Promise<void> {
    return this.#program.write(JSON.stringify(value));
  }

  #free(task: string): void {
    this.#tasks.delete(task);
    this.#freed();
  }

  /** True if all places of the process are taken by tasks for which no caller waits. */
  #isStuck(): boolean {
    const left = this.#tasks.values().reduce((sum, { isReleased }) => sum + Number(isReleased), 0);
    return left >= this.hello.atOnce;
  }

  async #read(lines: AsyncGenerator<string>): Promise<void> {
    for await (const line of lines) await this.#take({ type: "line", value: parseJson(line) });
    this.#end = await this.#program.ended;
    this.#door.close();
    this.#listed?.end(() => ended(this.#process, this.#end!));
    for (const [task, { events, isReleased }] of this.#tasks) {
      events.end(() => ended(this.#process, this.#end!));
      if (isReleased) this.#tasks.delete(task);
    }
    this.#freed();
  }

  /** Handles a line. Drops lines that belong to no open task. */
  async #take(event: Extract<AgentEvent, { readonly type: "line" }>): Promise<void> {
    if (field(event.value, "type") === "tasks") return this.#listed?.put(event);
    const task = textAt(event.value, "task");
    const open = this.#tasks.get(task);
    if (open === undefined) return;
    const type = textAt(event.value, "type");
    if (type === open.awaits) open.awaits = undefined;
    if (!open.isReleased) return open.events.put(event);
    // Nobody waits for this task any more.
    if (open.awaits === undefined) this.#free(task);
    else if (type === "call") {
      const id = field(event.value, "id") ?? null;
      await this.#write({ type: "result", task, id, ok: false, content: "The task has ended" });
    }
  }
}

const ended = ({ name }: UserProcess, how: string): Problem => new Problem("tool", `\`${name}\` has ended: ${how}`);

/** Resolves like `promise`; ends the program and rejects with `Problem` if that takes longer than the program's seconds. */
async function withinSeconds<Value>(
  { name, seconds }: UserProcess,
  { clock }: ProgramPlace,
  program: StartedProgram,
  promise: Promise<Value>,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = clock.setTimeout(() => {
    program.kill();
    late.reject(new Problem("tool", `\`${name}\` did not answer within ${counted(seconds, "second")}`));
  }, seconds * 1000);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Throws `Problem` for any first line but a `hello`. */
function helloIn({ name: own }: UserProcess, line: string): Hello {
  const value = parseJson(line);
  const { type, name, version = "", atOnce = 1, models = [] } = isRecord(value) ? value : {};
  const isCount = Number.isSafeInteger(atOnce) && Number(atOnce) >= 1 && Number(atOnce) <= mostAtOnce;
  const known = ownModels.filter((model) => Array.isArray(models) && models.includes(model));
  if (type === "hello" && typeof name === "string" && isCount)
    return { name, version: String(version), atOnce: Number(atOnce), ...(known.length > 0 && { models: known }) };
  throw new Problem(
    "tool",
    `Expected the first line of \`${own}\` to be \`{"type": "hello", "name": TEXT, "version": TEXT, "atOnce": 1 to ${mostAtOnce}}\`, got ${line.slice(0, 200)}`,
  );
}
