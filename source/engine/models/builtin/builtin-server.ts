/** Serves built-in models over HTTP, with injected faults on request, for tests, benchmarks and trying endpoints. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Problem } from "../../problem.ts";
import type { Reply } from "../../protocol.ts";
import { BuiltinProblem, readBuiltinName } from "./builtin-name.ts";
import { type BuiltinSources, builtinAnswerer } from "./builtin-reply.ts";
import { type FaultKind, type FaultRates, Faults } from "./faults.ts";
import { connectionTest, identityHeader, readIdentity } from "./identity.ts";
import { pause } from "../../work/abort-listeners.ts";
import { longestBody, readBody, sendError, sendJson, sendModels } from "./wire-http.ts";
import { replyEvents, replyObject } from "./wire-reply.ts";
import { type WireRequest, readWireRequest } from "./wire-request.ts";

export type BuiltinServerOptions = {
  readonly sources: BuiltinSources;
  /** Loopback when absent. */
  readonly host?: string;
  /** Any free port when absent or 0. */
  readonly port?: number;
  readonly rates?: FaultRates;
  /** Seconds in the `Retry-After` header of a 429. If absent, the header is not sent. */
  readonly retryAfter?: number;
  /** Maximum number of simultaneous requests; further requests get 429 at once. Unlimited if absent. */
  readonly concurrency?: number;
  /** Milliseconds before the first byte. */
  readonly latency?: number;
  /** Milliseconds between tokens. */
  readonly pace?: number;
  readonly seed?: number;
  /** Answers every request with this many tokens of filler text. */
  readonly lorem?: number;
};

export type BuiltinServer = {
  /** Base URL of the endpoint, ending in `/v1`. */
  readonly url: string;
  close(): Promise<void>;
  /** Number of requests so far, and of faults by kind. */
  faults(): Record<string, number>;
};

type Service = {
  readonly options: BuiltinServerOptions;
  readonly faults: Faults;
  readonly reply: (request: WireRequest, identity: string | undefined) => Promise<Reply>;
  readonly signal: AbortSignal;
  /** Requests being answered. */
  taken: number;
};

/** Starts the server; resolves once it listens. Rejects if the port is in use. */
export async function startBuiltinServer(options: BuiltinServerOptions): Promise<BuiltinServer> {
  const faults = new Faults(options.rates ?? {}, options.seed ?? 1);
  const stop = new AbortController();
  const service: Service = { options, faults, reply: replier(options), signal: stop.signal, taken: 0 };
  const server = createServer((request, response) => {
    handle(service, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, error instanceof Error ? error.message : String(error));
    });
  });
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/v1`,
    faults: () => faults.counts(),
    close: () =>
      new Promise((resolve) => {
        stop.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function replier({ sources, lorem }: BuiltinServerOptions): Service["reply"] {
  const answer = builtinAnswerer(sources);
  return async (request, identity) => {
    if (lorem !== undefined) return { text: loremText(lorem) };
    const asker = readIdentity(identity);
    if (asker === undefined)
      throw new BuiltinProblem(
        "Expected the identity of a task in the request: add this endpoint with `--identify` (`planwright endpoint add NAME --base-url URL --identify`)",
      );
    const name = readBuiltinName(request.model.replace(/^builtin\//, ""));
    return asker.task === connectionTest ? { text: "ready" } : answer(name, asker, request);
  };
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  const asked = `${request.method} ${path}`;
  if (asked === "GET /v1/models") return sendModels(response, ["oracle", "slips", "responder", "nothing", "filler"]);
  if (asked === "GET /v1/planwright/faults") return sendJson(response, 200, service.faults.counts());
  if (asked !== "POST /v1/chat/completions") return sendError(response, 404, `No resource at ${asked}`);
  const body = await readBody(request);
  if (body === undefined) return sendError(response, 413, `Expected a body of at most ${longestBody} bytes`);
  const { concurrency = Infinity } = service.options;
  if (service.taken >= concurrency) {
    service.faults.refuse();
    return refuse(service.options, response, `Too many requests: ${concurrency} at a time are taken`);
  }
  service.taken += 1;
  response.once("close", () => (service.taken -= 1));
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, service.signal]);
  try {
    await complete(service, body, request.headers[identityHeader], response, signal);
  } catch (error) {
    if (signal.aborted) response.destroy();
    else if (error instanceof BuiltinProblem || error instanceof Problem) sendError(response, 400, error.message);
    else throw error;
  }
}

async function complete(
  { options, faults, reply }: Service,
  body: string,
  identity: string | string[] | undefined,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const fault = faults.next();
  if (options.latency !== undefined && options.latency > 0) await pause(options.latency, signal);
  if (fault === "429") return refuse(options, response, "Too many requests (made on purpose)");
  if (fault === "500") return sendError(response, 500, "Internal error (made on purpose)");
  const wire = readWireRequest(body);
  const answered = await reply(wire, typeof identity === "string" ? identity : undefined);
  if (!wire.stream && fault === undefined) return sendJson(response, 200, replyObject(wire, answered));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  await sendEvents(response, replyEvents(wire, answered), options.pace ?? 0, fault, signal);
}

function refuse({ retryAfter }: BuiltinServerOptions, response: ServerResponse, message: string): void {
  sendError(response, 429, message, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
}

async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  pace: number,
  fault: FaultKind | undefined,
  signal: AbortSignal,
): Promise<void> {
  const sent = fault === undefined ? events : events.slice(0, Math.ceil((events.length - 2) / 2));
  if (pace === 0) response.write(sent.join(""));
  for (const event of pace === 0 ? [] : sent) {
    response.write(event);
    await pause(pace, signal);
  }
  if (fault === undefined) return void response.end();
  if (fault === "malformed") return void response.end('data: {"choices": [{"delta": {"content": \n\n');
  // Flushes the written data before the socket breaks.
  if (fault === "cut") return void setTimeout(() => response.destroy(), 5);
  // A stall lasts until the client disconnects or this server is closed.
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  response.destroy();
}

/**
 * Words of the filler text for benchmarks, which has exactly the requested number of token pieces, and lines that differ from
 * their neighbours.
 */
const words = [" sit", " non", " est", " sed", " cum", " nec", " per", " ita", " hic", " vel", " pro"];

const loremText = (tokens: number): string =>
  Array.from({ length: tokens }, (_, index) => words[(index * index + (index >> 4)) % words.length]!).join("");
