/** The client of a program that follows a session: it sends requests to the program that has the session open. */
import { connect, type Socket } from "node:net";
import { onLines, readSessionReply, type SessionReply, type SessionRequest } from "./session-message.ts";
import { socketPath } from "./session-socket.ts";

/** Milliseconds without data after which the client stops waiting for the other program, which may be suspended. */
const patience = 5000;

const failed = (problem: string): SessionReply => ({ process: 0, problem, runs: [] });
const hasEnded = "The program that had the session open has ended";

type Listening = { readonly told?: (reply: SessionReply) => void; readonly gone?: () => void };

export class SessionClient {
  readonly #socket: Socket;
  readonly #answers: ((reply: SessionReply) => void)[] = [];

  private constructor(socket: Socket, { told = () => {}, gone = () => {} }: Listening) {
    this.#socket = socket;
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const answer of this.#answers.splice(0)) answer(failed(hasEnded));
      gone();
    });
    onLines(socket, (line) => {
      try {
        const reply = readSessionReply(line);
        // Reports are handled in order, before the caller that waits for the answer continues.
        if (reply.problem === undefined) told(reply);
        if (reply.answer) this.#answers.shift()?.(reply);
      } catch {
        socket.destroy();
      }
    });
  }

  /**
   * Connects to the program that holds the session in `folder`; resolves to undefined if no program listens. Calls `told` with
   * every report on the runs, and `gone` once the other program has disconnected.
   */
  static async of(folder: string, listening: Listening = {}): Promise<SessionClient | undefined> {
    const path = socketPath(folder);
    if (path === undefined) return undefined;
    const socket = connect(path);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    return (await promise) ? new SessionClient(socket, listening) : undefined;
  }

  /** Connects for one request; resolves as `of` and `ask` do. */
  static async ask(folder: string, request: SessionRequest): Promise<SessionReply | undefined> {
    const client = await SessionClient.of(folder);
    const reply = await client?.ask(request);
    client?.close();
    return reply;
  }

  /**
   * Resolves to the answer, which has a `problem` if the other program did not give one. Answers arrive in the order of requests.
   */
  async ask(request: SessionRequest): Promise<SessionReply> {
    if (this.#socket.destroyed) return failed(hasEnded);
    const { promise, resolve } = Promise.withResolvers<SessionReply>();
    this.#answers.push(resolve);
    const timer = setTimeout(() => resolve(failed("The program that has the session open does not answer")), patience);
    this.#socket.write(`${JSON.stringify(request)}\n`);
    return promise.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#socket.destroy();
  }
}
