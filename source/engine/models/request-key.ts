/** What tells a request from every other: its body, the server, and what else a built-in model's reply depends on. */
import { modelSettings } from "../run-settings.ts";
import type { Endpoint } from "../settings/settings.ts";
import type { Asker, ModelRequest } from "../types.ts";
import { wordingFor } from "./stream-reply.ts";
import { requestBody } from "./protocols/chat/chat-body.ts";

/** The same text for requests that can share a reply. What a server refuses of them is learnt, and no part of it. */
export function requestKey(endpoint: Endpoint, model: string, request: ModelRequest): string {
  const { baseUrl, query = {}, api = "chat", identify } = endpoint;
  const body = requestBody(model, request, wordingFor(request, new Set()));
  return JSON.stringify([baseUrl, query, api, body, identify ? identityIn(request.asker) : null]);
}

/** Without what only says which tasks there are, when they end, and who else is asked. */
function identityIn({ role, stage, spec }: Asker): object {
  const { filter: _, limit: __, budget: ___, ...deciding } = spec;
  const own = Object.entries(deciding).filter(([name]) => !(modelSettings as readonly string[]).includes(name));
  return { role, stage, spec: Object.fromEntries(own) };
}
