/** The tool servers in the user's settings, for the runs of a session: one server per episode, or one server for all episodes. */
import { isDeepStrictEqual } from "node:util";
import { Problem } from "../../problem.ts";
import type { ToolSource, ToolSources } from "../../protocol.ts";
import type { Settings } from "../../settings/settings.ts";
import { noSuchProgram, type ToolServer } from "../../settings/user-program.ts";
import type { RunSpec, Task } from "../../types.ts";
import { identityOfProgram } from "../programs/program-identity.ts";
import type { ProgramPlace } from "../programs/started-program.ts";
import type { McpConnection } from "./mcp-connection.ts";

export class ToolServers implements ToolSources {
  readonly #settings: () => Settings;
  readonly #place: ProgramPlace;
  readonly #check: (server: ToolServer) => void;
  /** Shared servers, by name and by identity when they were started. */
  readonly #kept = new Map<string, Promise<McpConnection>>();
  readonly #closing = new AbortController();

  /** `check` throws if a run may not use a server. */
  constructor(settings: () => Settings, place: ProgramPlace, check: (server: ToolServer) => void) {
    this.#settings = settings;
    this.#place = place;
    this.#check = check;
  }

  tokens(name: string): number {
    return this.#named(name).reported.tokens;
  }

  async open(name: string, _task: Task, _spec: RunSpec, signal: AbortSignal): Promise<ToolSource> {
    const server = this.#named(name);
    this.#check(server);
    if (server.kept !== true) return this.#connect(server, AbortSignal.any([signal, this.#closing.signal]));
    // The start is shared, so stopping one waiting task does not end the server.
    const key = `${name} ${identityOfProgram(server)}`;
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = this.#connect(server, this.#closing.signal);
      this.#kept.set(key, kept);
      kept.catch(() => this.#kept.delete(key));
    }
    const connection = await kept;
    const call: ToolSource["call"] = async (...given) => {
      try {
        return await connection.call(...given);
      } catch (error) {
        // The server has ended; the next task starts it again.
        if (error instanceof Problem) this.#kept.delete(key);
        throw error;
      }
    };
    return { ...connection, call, close: () => Promise.resolve() };
  }

  /** Ends shared servers. */
  async close(): Promise<void> {
    this.#closing.abort();
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map((connection) => connection.then((each) => each.close()).catch(() => {})));
  }

  #named(name: string): ToolServer {
    const { toolServers = [] } = this.#settings();
    const server = toolServers.find((each) => each.name === name);
    if (server === undefined) throw new Problem("tool", noSuchProgram(toolServers, name, "a tool server"));
    return server;
  }

  /** Throws `Problem` if the server differs from the server that the user tested, because results would not match the run. */
  async #connect(server: ToolServer, signal: AbortSignal): Promise<McpConnection> {
    const { connectTo } = await import("./mcp-connection.ts");
    const connection = await connectTo(server, this.#place, signal);
    if (isDeepStrictEqual(connection.reported, server.reported)) return connection;
    await connection.close();
    const { name } = server;
    throw new Problem(
      "tool",
      `The tool server \`${name}\` has changed since its last test: \`planwright tools test ${name}\` accepts the change, and new results then belong to other runs`,
    );
  }
}
