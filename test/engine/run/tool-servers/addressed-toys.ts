/** A tool server over HTTP from the protocol's own package: on loopback, for one test. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { onTestFinished } from "vitest";

export type AddressedToys = {
  readonly url: string;
  /** The `authorization` headers it received. */
  readonly authorizations: ReadonlySet<string | undefined>;
  /** Numbers of sessions begun and still open. */
  sessions(): { readonly begun: number; readonly open: number };
  /** Stops listening. */
  stop(): Promise<void>;
};

export async function addressedToys(): Promise<AddressedToys> {
  const authorizations = new Set<string | undefined>();
  const open = new Map<string, StreamableHTTPServerTransport>();
  let begun = 0;
  const transportOf = async (request: IncomingMessage): Promise<StreamableHTTPServerTransport | undefined> => {
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") return open.get(id);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        begun++;
        open.set(session, transport);
      },
      onsessionclosed: (session) => void open.delete(session),
    });
    await toys().connect(transport);
    return transport;
  };
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    authorizations.add(request.headers.authorization);
    void transportOf(request).then(async (transport) => {
      if (transport === undefined) response.writeHead(404).end();
      else await transport.handleRequest(request, response);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    authorizations,
    sessions: () => ({ begun, open: open.size }),
    stop,
  };
}

function toys(): McpServer {
  const server = new McpServer({ name: "far-toys", version: "2.0" });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool("clock", { description: "Says the time" }, () => text("noon"));
  server.registerTool("long", { description: "Says a lot" }, () => text("x".repeat(11_000_000)));
  return server;
}
