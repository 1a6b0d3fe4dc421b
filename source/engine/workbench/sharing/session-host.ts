/** The server of the program that has the session open. It answers programs that follow the session or control its runs. */
import { createServer, type Server, type Socket } from "node:net";
import { renameSync, rmSync } from "node:fs";
import { inodeOf } from "../../files/inode.ts";
import type { Steering } from "../../run/steering.ts";
import { counted } from "../../text/counted.ts";
import { type Clock, repeatedly } from "../../work/clock.ts";
import { onLines, readSessionRequest, type SessionReply, type ToldRun } from "./session-message.ts";
import type { SharedSession } from "./shared-session.ts";
import { socketPath } from "./session-socket.ts";

/** Milliseconds between two checks of the streams. */
const frame = 50;
/** A follower with more unread bytes than this gets fewer updates. */
const mostWaiting = 1 << 20;

const done = { pause: "no more tasks are started", resume: "resumed", stop: "stopped" } as const;

export class SessionHost {
  readonly #shared: SharedSession;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Followers, each with the last update sent to it. */
  readonly #followers = new Map<Socket, string>();
  #stopTelling: (() => void) | undefined;
  #listening: { readonly path: string; readonly inode: string | undefined } | undefined;

  constructor(shared: SharedSession, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
    this.#server = createServer((socket) => this.#meet(socket));
    this.#server.unref();
  }

  /**
   * Listens on the session's socket and removes the socket of an earlier program, because this program holds the session. If it
   * cannot listen, other programs follow only the log.
   */
  async listen(): Promise<void> {
    const path = socketPath(this.#shared.folder.path);
    if (path === undefined) return;
    if (process.platform !== "win32") rmSync(path, { force: true });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#server.once("error", () => resolve(false));
    this.#server.listen(path, () => resolve(true));
    if (await promise) this.#listening = { path, inode: inodeOf(path) };
  }

  close(): void {
    this.#stopTelling?.();
    this.#stopListening();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Prevents Node from removing the socket at this path if another program has taken over the session and listens on it. */
  #stopListening(): void {
    const { path, inode } = this.#listening ?? {};
    const isAnothers = path !== undefined && inode !== undefined && ![undefined, inode].includes(inodeOf(path));
    if (isAnothers) renameSync(path, `${path}.kept`);
    this.#server.close();
    if (isAnothers) renameSync(`${path}.kept`, path);
  }

  #meet(socket: Socket): void {
    socket.unref();
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#followers.delete(socket);
    });
    onLines(socket, (line) => socket.write(`${JSON.stringify(this.#answer(line, socket))}\n`));
  }

  #answer(line: string, socket: Socket): SessionReply {
    const about = { answer: true, process: process.pid } as const;
    try {
      const request = readSessionRequest(line);
      if (request.do === "follow") {
        this.#followers.set(socket, "");
        this.#stopTelling ??= repeatedly(this.#clock, frame, () => this.#tell());
      }
      const said = request.do === "status" || request.do === "follow" ? {} : { said: this.#steer(request) };
      return { ...about, ...said, runs: this.#told() };
    } catch (thrown) {
      return { ...about, problem: (thrown as Error).message, runs: [] };
    }
  }

  /** Returns the running runs, with their streams. */
  #told(): readonly ToldRun[] {
    return this.#shared.controls().flatMap((control) => control.told() ?? []);
  }

  /** Executes a request; returns a sentence about it. Throws `Error` for unknown cells. */
  #steer({ cells, ...request }: Steering & { readonly cells?: readonly string[] }): string {
    const all = this.#shared.cells().filter(({ kind }) => kind === "run");
    const unknown = cells?.find((name) => !all.some((cell) => cell.name === name));
    if (unknown !== undefined) throw new Error(`Expected a run cell of this session, got \`${unknown}\``);
    const asked = all.filter(({ name }) => cells?.includes(name) ?? true);
    for (const { id } of asked) this.#shared.steer(id, request);
    const names = asked.map(({ name }) => name || "run").join(", ");
    return `${names}: ${request.do === "concurrency" ? `${counted(request.to, "task")} at once` : done[request.do]}`;
  }

  #tell(): void {
    if (this.#followers.size === 0) {
      this.#stopTelling?.();
      this.#stopTelling = undefined;
      return;
    }
    const line = `${JSON.stringify({ process: process.pid, runs: this.#told() } satisfies SessionReply)}\n`;
    for (const [socket, before] of this.#followers) {
      if (before === line || socket.writableLength > mostWaiting) continue;
      socket.write(line);
      this.#followers.set(socket, line);
    }
  }
}
