/** Reads requests and writes replies of the chat completions protocol over HTTP, for the servers of this program. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { errorObject } from "./wire-reply.ts";

/** Longer bodies are refused. */
export const longestBody = 64 * 1024 * 1024;

/** Returns the whole body as text; undefined if it is too long. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > longestBody) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

export function sendModels(response: ServerResponse, ids: readonly string[]): void {
  const data = ids.map((id) => ({ id, object: "model", created: 0, owned_by: "planwright" }));
  sendJson(response, 200, { object: "list", data });
}

export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const type = status === 400 ? "invalid_request_error" : "server_error";
  sendJson(response, status, errorObject(message, type), headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}
