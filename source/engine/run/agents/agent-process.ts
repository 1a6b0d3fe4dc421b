/** A running agent of the user's: a program that writes lines of JSON, and may ask models at our endpoint on loopback. */
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

/** Most events of a task in the queue; the program's output is not read while it is full. */
const mostWaiting = 100;

export class AgentProcess {
  readonly modelUrl: string;
  readonly #program: StartedProgram;
  readonly #agent: UserProgram;
  readonly #place: ProgramPlace;
  readonly #server: Server;
  readonly #events: AgentEvent[] = [];
  #ended: string | undefined;
  /** True from the start of a task to its end; events at other times belong to no task. */
  #hasTask = false;
  #late = false;
  #timer: Timer | undefined;
  /** Resolved when something happened, and when there may be room for another event. */
  #happened = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  /** Throws `Problem` if it cannot be started. */
  static async start(agent: UserProgram, place: ProgramPlace): Promise<AgentProcess> {
    // Other users of this machine do not know the path.
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

  /** Begins a task; its time limit runs from now. */
  begin(): void {
    this.#hasTask = true;
    const late = () => {
      this.#late = true;
      this.#program.kill();
    };
    this.#timer = this.#place.clock.setTimeout(late, this.#agent.seconds * 1000);
  }

  /** Ends the task. */
  done(): void {
    this.#hasTask = false;
    for (const event of this.#events.splice(0)) drop(event);
    this.#wakeWaiting();
    this.#place.clock.clearTimeout(this.#timer);
  }

  /** Throws `Problem` if the program has ended, of kind `timeout` if it exceeded the time of a task. */
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

  /** Ends the program with all its processes, and the endpoint. */
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

  /** Wakes everything that waits for room in the queue. */
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

/** Refuses the request of a dropped event, so that the program does not wait for a reply. */
function drop(event: AgentEvent): void {
  if (event.type === "request") event.refuse("No task is being answered");
}
