/** An endpoint on loopback at which the user's programs ask models by the chat completions protocol. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BuiltinProblem } from "../../models/builtin/builtin-name.ts";
import { replyEvents, replyObject } from "../../models/builtin/wire-reply.ts";
import { longestBody, readBody, sendError, sendJson, sendModels } from "../../models/builtin/wire-http.ts";
import { readWireRequest } from "../../models/builtin/wire-request.ts";
import type { AgentEvent } from "../../protocol.ts";
import type { Role } from "../../types.ts";

type Taker = { readonly roles: readonly Role[]; take(event: AgentEvent): Promise<void> };

export class ModelDoor {
  readonly #server: Server;
  readonly #takers = new Map<string, Taker>();

  static async open(): Promise<ModelDoor> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
    return new ModelDoor(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  /** Returns a separate base URL at which `take` receives requests, until `remove` is called. */
  add(roles: readonly Role[], take: Taker["take"]): { readonly url: string; remove(): void } {
    // Other users of this machine do not know the path.
    const path = `/${randomBytes(16).toString("hex")}/v1`;
    this.#takers.set(path, { roles, take });
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
    return { url, remove: () => void this.#takers.delete(path) };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, path = "", place = ""] = /^(\/[0-9a-f]{32}\/v1)(\/[a-z/]+)$/.exec(request.url ?? "") ?? [];
    const taker = this.#takers.get(path);
    const asked = `${request.method} ${place}`;
    if (taker !== undefined && asked === "GET /models") return sendModels(response, taker.roles);
    if (taker === undefined || asked !== "POST /chat/completions")
      return sendError(response, 404, "Expected the base URL of this task with /models or /chat/completions");
    const body = await readBody(request);
    if (body === undefined) return sendError(response, 413, `Expected a body of at most ${longestBody} bytes`);
    let wire: ReturnType<typeof readWireRequest>;
    try {
      wire = readWireRequest(body);
    } catch (error) {
      if (error instanceof BuiltinProblem) return sendError(response, 400, error.message);
      throw error;
    }
    await taker.take({
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
