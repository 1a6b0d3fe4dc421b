/**
 * The user's programs that runs may start: tool servers, agents and processes. They are added by commands to the user's
 * settings, never to a session, which only names them.
 */

export type UserProgram = {
  readonly name: string;
  /** Program and arguments; absent for a tool server with a `url`. */
  readonly command?: readonly string[];
  /** The working folder of the program; absent if no program is started. */
  readonly folder?: string;
  /**
   * The program's environment in addition to a few usual variables: for each name, the name of the variable in Planwright's
   * environment that contains the value.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** True if one process serves all tasks, one after another (an agent) or together; absent if each task has its own process. */
  readonly kept?: true;
  /** Maximum seconds for a start and for a call; for an agent, for a whole task. */
  readonly seconds: number;
  /** Maximum memory of all processes of the program together, in megabytes. */
  readonly megabytes: number;
};

/** A server of tools by the Model Context Protocol. */
export type ToolServer = UserProgram & {
  readonly url?: string;
  /** Headers of every request to `url`: the environment variable that contains the value, by the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The server's own description when it was last tested; runs depend only on this description. */
  readonly reported: ReportedServer;
};

/** A program that provides its own tasks and scores them. */
export type UserProcess = UserProgram & {
  /** The process's description of itself and its tasks at the last test; runs depend only on this description. */
  readonly reported: TaskProcess;
};

export type TaskProcess = {
  readonly name: string;
  readonly version: string;
  /** Maximum number of tasks on which the process works at once. */
  readonly atOnce: number;
  /** Models that the process simulates itself. */
  readonly models?: readonly ("oracle" | "nothing")[];
  /** Number of tasks, and the hash of their file. */
  readonly tasks: number;
  readonly hash: string;
};

export type ReportedServer = {
  readonly name: string;
  readonly version: string;
  /** Number of tools, their approximate tokens in a prompt, and their hash. */
  readonly tools: number;
  readonly tokens: number;
  readonly hash: string;
};

/** Returns the message for an unknown name; `kind` as in "a tool server". */
export function noSuchProgram(programs: readonly UserProgram[], name: string, kind: string): string {
  const known = programs.map((each) => each.name).join(", ");
  return `Expected ${kind} (${known || "there are none yet"}), got \`${name}\``;
}
