/** The `openai` package's client, configured by the endpoint's settings alone. */
import OpenAI from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { withErrorWords } from "./reply-body.ts";

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
    timeout: Math.min((endpoint.idleTimeout + 30) * 1000, longestTimer),
    // The package would write to the terminal.
    logLevel: "off",
    fetch: withErrorWords(fetch ?? patientFetch),
  });
}

/** Longer timers than this, in milliseconds, fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The key under which Node keeps the dispatcher of its own `fetch`. */
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");
let patient: unknown;

/**
 * Node's `fetch` without its own limits of 300 seconds to the first byte and between two: the endpoint's idle timeout is the
 * only one. The dispatcher is made by the class of the one that Node itself uses; where there is none, its limits stay.
 */
const patientFetch: typeof globalThis.fetch = (input, init) => {
  // Node makes its dispatcher with the first of these.
  void new Headers();
  const own = (globalThis as { readonly [dispatcherKey]?: { readonly constructor: Function } })[dispatcherKey];
  if (patient === undefined && own?.constructor.name === "Agent")
    patient = Reflect.construct(own.constructor, [{ headersTimeout: 0, bodyTimeout: 0 }]);
  return globalThis.fetch(input, { ...init, ...(patient === undefined ? {} : { dispatcher: patient }) } as RequestInit);
};
