/** The `openai` package's client, configured by the endpoint's settings alone. */
import OpenAI from "openai";
import type { Endpoint } from "../settings/settings.ts";

/** The client of an endpoint. Without `key` no Authorization header is sent; `fetch` replaces the network. */
export function clientOf(endpoint: Endpoint, key: string | undefined, fetch?: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    // The package requires a key; where the server needs none, no Authorization header is sent.
    apiKey: key ?? "none",
    ...(key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    // Longer than the idle timeout, which is to expire first.
    timeout: (endpoint.idleTimeout + 30) * 1000,
    // The package would write to the terminal.
    logLevel: "off",
    ...(fetch === undefined ? {} : { fetch }),
  });
}
