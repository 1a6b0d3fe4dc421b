/** The `openai` package's client, set up so that nothing but the endpoint's settings decides what is sent where. */
import OpenAI from "openai";
import type { Endpoint } from "../settings/settings.ts";

/** The client of an endpoint; `key` undefined sends no Authorization header, `fetch` stands in for the network. */
export function clientOf(endpoint: Endpoint, key: string | undefined, fetch?: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    // The package insists on a key; where the server wants none, no Authorization header is sent.
    apiKey: key ?? "none",
    ...(key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    // Later than the watch over silence, which is to be the one that cuts.
    timeout: (endpoint.idleTimeout + 30) * 1000,
    // The package would write to the terminal.
    logLevel: "off",
    ...(fetch === undefined ? {} : { fetch }),
  });
}
