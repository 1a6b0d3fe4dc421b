/** The side of the program that has the session: it answers those that follow it or steer its runs from elsewhere. */
import { createServer, type Server, type Socket } from "node:net";
import { renameSync, rmSync } from "node:fs";
import type { Clock, Timer } from "../../work/clock.ts";
import { inodeOf } from "../../files/inode.ts";
import { onLines } from "./message-lines.ts";
import { readSessionRequest, type SessionReply, type SessionRequest, type ToldRun } from "./session-message.ts";

/** Milliseconds between two looks at what is being streamed. */
const frame = 50;
/** Who reads so slowly that more than this waits for it, in bytes, is told less often. */
const mostWaiting = 1 << 20;

/** What can be asked of whatever executes the runs. */
export type SharedSession = {
  /** The runs being executed, with what is being streamed. */
  told(): readonly ToldRun[];
  /** Does what is asked for; what was done, in a sentence. Throws `Error` where it cannot be. */
  steer(request: Extract<SessionRequest, { do: "pause" | "resume" | "stop" | "concurrency" }>): string;
};

export class SessionHost {
  readonly #session: SharedSession;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** With what each was told last. */
  readonly #followers = new Map<Socket, string>();
  #timer: Timer | undefined;
  #listening: { readonly path: string; readonly inode: string | undefined } | undefined;

  constructor(session: SharedSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
    this.#server = createServer((socket) => this.#meet(socket));
    this.#server.unref();
  }

  /**
   * Listens at a path that is this program's, for it holds the session: what an earlier program left there is removed. Resolves to
   * whether it does: without, others follow the log alone.
   */
  async listen(path: string): Promise<boolean> {
    if (process.platform !== "win32") rmSync(path, { force: true });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#server.once("error", () => resolve(false));
    this.#server.listen(path, () => resolve(true));
    if (await promise) this.#listening = { path, inode: inodeOf(path) };
    return this.#listening !== undefined;
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#stopListening();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Node removes the socket by its path, at which whoever has taken the session over listens by now. */
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
        this.#timer ??= this.#clock.setTimeout(() => this.#tell(), frame);
      }
      const said = request.do === "status" || request.do === "follow" ? {} : { said: this.#session.steer(request) };
      return { ...about, ...said, runs: this.#session.told() };
    } catch (thrown) {
      return { ...about, problem: (thrown as Error).message, runs: [] };
    }
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#followers.size === 0) return;
    const line = `${JSON.stringify({ process: process.pid, runs: this.#session.told() } satisfies SessionReply)}\n`;
    for (const [socket, before] of this.#followers) {
      if (before === line || socket.writableLength > mostWaiting) continue;
      socket.write(line);
      this.#followers.set(socket, line);
    }
    this.#timer = this.#clock.setTimeout(() => this.#tell(), frame);
    this.#timer.unref();
  }
}
