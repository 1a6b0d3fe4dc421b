/**
 * Programs of the user's that runs may start: tool servers and agents. They are added by commands and stand in the user's
 * settings, never in a session, which only names them.
 */

export type UserProgram = {
  readonly name: string;
  /** Program and arguments; absent for a tool server that is asked at its `url`. */
  readonly command?: readonly string[];
  /** The folder it is started in; absent where nothing is started. */
  readonly folder?: string;
  /** What it finds in its environment beside a few usual variables: by its name there, the variable of ours with the value. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True where one process serves all tasks, one after another (an agent) or together; absent: each task has its own. */
  readonly kept?: true;
  /** Seconds: the most a start and a call may take, and with an agent a whole task. */
  readonly seconds: number;
  /** The most memory its processes may have together. */
  readonly megabytes: number;
};

/** A server of tools by the Model Context Protocol. */
export type ToolServer = UserProgram & {
  readonly url?: string;
  /** Headers of every request to `url`: the environment variable that holds the value, by the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it said of itself when it was last tested; runs are of this, and of nothing else. */
  readonly reported: ReportedServer;
};

export type ReportedServer = {
  readonly name: string;
  readonly version: string;
  /** How many tools, about how many tokens they are in a prompt, and their hash. */
  readonly tools: number;
  readonly tokens: number;
  readonly hash: string;
};

/** What is said where no program has a name; `kind` as in "a tool server". */
export function noSuchProgram(programs: readonly UserProgram[], name: string, kind: string): string {
  const known = programs.map((each) => each.name).join(", ");
  return `Expected ${kind} (${known || "there is none"}), got \`${name}\``;
}
