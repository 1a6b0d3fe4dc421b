/** An agent of the user's while it runs: a program that writes lines of JSON, and may ask models at an endpoint of ours on loopback. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BuiltinProblem } from "../../models/builtin/builtin-name.ts";
import { longestBody, readBody, sendError, sendJson, sendModels } from "../../models/builtin/wire-http.ts";
import { replyEvents, replyObject } from "../../models/builtin/wire-reply.ts";
import { readWireRequest } from "../../models/builtin/wire-request.ts";
import { Problem } from "../../problem.ts";
import type { AgentEvent } from "../../strategy.ts";
import type { UserProgram } from "../../settings/user-program.ts";
import { parseJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import type { Timer } from "../../work/clock.ts";
import { StartedProgram, type ProgramPlace } from "../programs/started-program.ts";
import { counted } from "../../text/counted.ts";

/** Events of a task that wait to be taken, at most: a program that writes more is not read until they are. */
const mostWaiting = 100;

export class AgentProcess {
  readonly modelUrl: string;
  readonly #program: StartedProgram;
  readonly #agent: UserProgram;
  readonly #place: ProgramPlace;
  readonly #server: Server;
  readonly #events: AgentEvent[] = [];
  #ended: string | undefined;
  /** Whether a task was begun that is not done: whatever comes at other times is of none. */
  #hasTask = false;
  #late = false;
  #timer: Timer | undefined;
  /** Resolved when something happened, and when there may be room for another event. */
  #happened = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  /** Throws `Problem` where it cannot be started. */
  static async start(agent: UserProgram, place: ProgramPlace): Promise<AgentProcess> {
    // Whoever else is on this machine does not know the path.
    const path = `/${randomBytes(16).toString("hex")}`;
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
    try {
      return new AgentProcess(agent, place, await StartedProgram.start(agent, place), server, path);
    } catch (error) {
      server.close();
      throw error;
    }
  }

  private constructor(agent: UserProgram, place: ProgramPlace, program: StartedProgram, server: Server, path: string) {
    this.#agent = agent;
    this.#place = place;
    this.#program = program;
    this.#server = server;
    this.modelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}/v1`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response, path).catch((error: Error) => response.destroy(error));
    });
    void this.#read();
  }

  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  write(value: Json): Promise<void> {
    return this.#program.write(JSON.stringify(value));
  }

  /** A task begins: its time runs from now on. */
  begin(): void {
    this.#hasTask = true;
    const late = () => {
      this.#late = true;
      this.#program.kill();
    };
    this.#timer = this.#place.clock.setTimeout(late, this.#agent.seconds * 1000);
  }

  /** The task is over. */
  done(): void {
    this.#hasTask = false;
    for (const event of this.#events.splice(0)) drop(event);
    this.#wakeWaiting();
    this.#place.clock.clearTimeout(this.#timer);
  }

  /** Throws `Problem` where it has ended: of kind `timeout` where that was for the time a task may take. */
  async next(signal: AbortSignal): Promise<AgentEvent> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const event = this.#events.shift();
        this.#wakeWaiting();
        if (event !== undefined) return event;
        if (this.#ended !== undefined) throw this.#gone(this.#ended);
        await Promise.race([this.#happened.promise, aborted.promise]);
        this.#happened = Promise.withResolvers<void>();
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Ends the program, with everything it started, and the endpoint. */
  async end(): Promise<void> {
    this.done();
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#program.end();
  }

  async #read(): Promise<void> {
    for await (const line of this.#program.lines()) {
      await this.#put({ type: "line", value: parseJson(line) });
    }
    this.#ended = await this.#program.ended;
    this.#happened.resolve();
  }

  async #put(event: AgentEvent): Promise<void> {
    while (this.#events.length >= mostWaiting) await this.#taken.promise;
    if (!this.#hasTask) return drop(event);
    this.#events.push(event);
    this.#happened.resolve();
  }

  /** All who wait for room look again whether there is some. */
  #wakeWaiting(): void {
    this.#taken.resolve();
    this.#taken = Promise.withResolvers<void>();
  }

  #gone(how: string): Problem {
    const { name, seconds } = this.#agent;
    return this.#late
      ? new Problem("timeout", `\`${name}\` did not answer within ${counted(seconds, "second")}`)
      : new Problem("tool", `\`${name}\` gave no answer: ${how}`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const asked = `${request.method} ${request.url ?? ""}`;
    if (asked === `GET ${path}/v1/models`) return sendModels(response, ["model", "actor"]);
    if (asked !== `POST ${path}/v1/chat/completions`) return sendError(response, 404, "There is nothing here");
    const body = await readBody(request);
    if (body === undefined) return sendError(response, 413, `Expected a body of at most ${longestBody} bytes`);
    let wire: ReturnType<typeof readWireRequest>;
    try {
      wire = readWireRequest(body);
    } catch (error) {
      if (error instanceof BuiltinProblem) return sendError(response, 400, error.message);
      throw error;
    }
    await this.#put({
      type: "request",
      role: wire.model,
      messages: wire.messages,
      tools: wire.tools,
      refuse: (why) => sendError(response, 500, why),
      reply(reply) {
        if (!wire.stream) return sendJson(response, 200, replyObject(wire, reply));
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
        response.end(replyEvents(wire, reply).join(""));
      },
    });
  }
}

/** Nobody will take it: who asks is not kept waiting. */
function drop(event: AgentEvent): void {
  if (event.type === "request") event.refuse("No task is being answered");
}
