/** A loopback server that answers each request with the next answer of a script. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
};
export type Answer = (response: ServerResponse, seen: Seen) => void;

export type ScriptedServer = AsyncDisposable & {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Connections that the client closed before the answer was complete. */
  readonly dropped: () => number;
  /** Connections that were opened. */
  readonly connections: () => number;
};

/** The last answer repeats for every request beyond the script. */
export async function scriptedServer(...script: readonly Answer[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  let dropped = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    response.once("close", () => {
      if (!response.writableFinished) dropped += 1;
    });
    const one = { url: request.url ?? "", headers: request.headers, body: JSON.parse(body) as Record<string, unknown> };
    const answer = script[Math.min(seen.length, script.length - 1)]!;
    seen.push(one);
    answer(response, one);
  });
  let connections = 0;
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    dropped: () => dropped,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An event with this delta. */
export const delta = (value: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: value, finish_reason: finish }] });

export const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

/** A whole stream: these events, then `[DONE]`. */
export const stream =
  (...events: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${events.join("")}data: [DONE]\n\n`);
  };

/** A reply of one text, finished, with usage. */
export const says = (text: string): Answer =>
  stream(
    delta({ content: text }),
    delta({}, "stop"),
    event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }),
  );

/** An error with a JSON body. */
export const refuses =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** The answer in a file: status, headers, an empty line, the body. */
export function recorded(name: string): Answer {
  const file = readFileSync(new URL(`recorded/${name}.http`, import.meta.url));
  const at = file.indexOf("\n\n");
  const [status, ...headers] = file.toString("utf8", 0, at).split("\n");
  return (response) => {
    for (const header of headers) {
      const [field, value] = header.split(": ");
      response.setHeader(field!, value!);
    }
    response.statusCode = Number(status!.slice("HTTP ".length));
    response.end(file.subarray(at + 2));
  };
}
