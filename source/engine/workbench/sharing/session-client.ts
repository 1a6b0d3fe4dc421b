/** The side of the program that has not: it asks the one that has. */
import { connect, type Socket } from "node:net";
import { onLines } from "./message-lines.ts";
import { readSessionReply, type SessionReply, type SessionRequest } from "./session-message.ts";

/** Milliseconds after which a program that has said nothing, as one that is suspended, is not waited for. */
const patience = 5000;

export class SessionClient {
  readonly #socket: Socket;
  readonly #answers: ((reply: SessionReply) => void)[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Resolves to undefined where nobody listens. `told` is called with all that is said of the runs, `gone` once the other side is. */
  static async at(
    path: string,
    {
      told = () => {},
      gone = () => {},
    }: { readonly told?: (reply: SessionReply) => void; readonly gone?: () => void } = {},
  ): Promise<SessionClient | undefined> {
    const socket = connect(path);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    if (!(await promise)) return undefined;
    const client = new SessionClient(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const answer of client.#answers.splice(0))
        answer({ process: 0, problem: "The program that had the session has ended", runs: [] });
      gone();
    });
    onLines(socket, (line) => {
      try {
        const reply = readSessionReply(line);
        // In the order in which it was said: whoever waits for the answer goes on later.
        if (reply.problem === undefined) told(reply);
        if (reply.answer) client.#answers.shift()?.(reply);
      } catch {
        socket.destroy();
      }
    });
    return client;
  }

  /** Resolves to the answer, which has a `problem` where there is none to be had. Answers come in the order of requests. */
  ask(request: SessionRequest): Promise<SessionReply> {
    const { promise, resolve } = Promise.withResolvers<SessionReply>();
    if (this.#socket.destroyed)
      resolve({ process: 0, problem: "The program that had the session has ended", runs: [] });
    else {
      this.#answers.push(resolve);
      const problem = "The program that has the session does not answer";
      const timer = setTimeout(() => resolve({ process: 0, problem, runs: [] }), patience);
      void promise.then(() => clearTimeout(timer));
      this.#socket.write(`${JSON.stringify(request)}\n`);
    }
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }
}
