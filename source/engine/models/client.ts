/** The `openai` package's client, configured by the endpoint's settings alone. */
import OpenAI from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { identityHeader } from "./builtin/identity.ts";
import { networkTo, onlyTheseHeaders } from "./network.ts";
import { withErrorWords } from "./reply-body.ts";

/**
 * The client of an endpoint, which sends these headers; `fetch` replaces the network. Throws `ModelProblem` where the
 * environment names no usable proxy.
 */
export function clientOf(
  endpoint: Endpoint,
  given: {
    readonly headers: Readonly<Record<string, string>>;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly fetch?: typeof globalThis.fetch | undefined;
  },
): OpenAI {
  const { headers, environment, fetch } = given;
  const sent = {
    headers,
    perRequest: endpoint.identify ? [identityHeader] : [],
  };
  return new OpenAI({
    // The package requires one; `fetch` below sends the headers.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    ...(endpoint.query === undefined ? {} : { defaultQuery: endpoint.query }),
    maxRetries: 0,
    // Longer than the idle timeout, which is to expire first.
    timeout: Math.min((endpoint.idleTimeout + 30) * 1000, longestTimer),
    // The package would write to the terminal.
    logLevel: "off",
    fetch: withErrorWords(
      fetch === undefined ? networkTo(endpoint.baseUrl, { ...sent, environment }) : onlyTheseHeaders(fetch, sent),
    ),
  });
}

/** Longer timers than this, in milliseconds, fire at once. */
const longestTimer = 2 ** 31 - 1;
