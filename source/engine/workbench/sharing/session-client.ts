/** The side of a program that has not locked the session: it asks the one that has. */
import { connect, type Socket } from "node:net";
import { onLines, readSessionReply, type SessionReply, type SessionRequest } from "./session-message.ts";
import { socketPath } from "./session-socket.ts";

/** Milliseconds after which a program that has said nothing, as one that is suspended, is not waited for. */
const patience = 5000;

const failed = (problem: string): SessionReply => ({ process: 0, problem, runs: [] });
const hasEnded = "The program that had the session has ended";

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
        // In the order in which it was said: whoever waits for the answer continues later.
        if (reply.problem === undefined) told(reply);
        if (reply.answer) this.#answers.shift()?.(reply);
      } catch {
        socket.destroy();
      }
    });
  }

  /**
   * Connects to the program that has the session in `folder`; resolves to undefined if none listens. `told` is called with all that is
   * said of the runs, `gone` once the other side is.
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

  /** Asks once; resolves as `of` and `ask` do. */
  static async ask(folder: string, request: SessionRequest): Promise<SessionReply | undefined> {
    const client = await SessionClient.of(folder);
    const reply = await client?.ask(request);
    client?.close();
    return reply;
  }

  /** Resolves to the answer, which has a `problem` if there is none to be had. Answers come in the order of requests. */
  async ask(request: SessionRequest): Promise<SessionReply> {
    if (this.#socket.destroyed) return failed(hasEnded);
    const { promise, resolve } = Promise.withResolvers<SessionReply>();
    this.#answers.push(resolve);
    const timer = setTimeout(() => resolve(failed("The program that has the session does not answer")), patience);
    this.#socket.write(`${JSON.stringify(request)}\n`);
    return promise.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#socket.destroy();
  }
}
