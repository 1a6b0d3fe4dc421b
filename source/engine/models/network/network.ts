/**
 * The way of a request to a server. It is our own `fetch`, not Node's: nothing that other programs' environment variables
 * say about requests reaches a server, and no limit of Node's on waiting cuts one (the idle timeout alone does).
 */
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import { packageVersion } from "../../settings/package-folder.ts";
import { responseTo, type SentRequest } from "./arriving-response.ts";
import { proxyFor } from "./proxy.ts";

type Fetch = typeof globalThis.fetch;

/** Redirects followed: to the same server only, as another one is not meant to see the request. */
const mostRedirects = 3;

/**
 * A `fetch` for the server at `baseUrl`. The only headers it sends are `headers`, those of JSON over HTTP, and `perRequest`
 * ones the caller gives with a request. Throws `ModelProblem` where the environment names no usable proxy.
 */
export function networkTo(
  baseUrl: string,
  given: {
    readonly headers: Readonly<Record<string, string>>;
    /** Names of headers that differ from request to request. */
    readonly perRequest: readonly string[];
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Fetch {
  const dispatcher = dispatcherTo(baseUrl, given.environment);
  return onlyTheseHeaders(async (input, init) => {
    let url = new URL(String(input instanceof Request ? input.url : input));
    const { method = "GET", headers, body = null, signal = null } = init ?? {};
    const request = { method, headers, body, signal } as SentRequest;
    for (let redirects = 0; ; redirects++) {
      const response = await responseTo(dispatcher, url, request);
      const next = redirectOf(response, url);
      if (next === undefined || redirects >= mostRedirects) return response;
      await response.body?.cancel();
      url = next;
    }
  }, given);
}

/** The same `fetch` without the headers that packages add, from environment variables among others. */
export function onlyTheseHeaders(
  fetch: Fetch,
  given: { readonly headers: Readonly<Record<string, string>>; readonly perRequest: readonly string[] },
): Fetch {
  const always = (ofBody: Readonly<Record<string, string>>) => {
    const headers = new Headers({
      accept: "application/json, text/event-stream",
      "accept-encoding": "gzip",
      "user-agent": `planwright/${packageVersion()}`,
      ...ofBody,
    });
    for (const [name, value] of Object.entries(given.headers)) headers.set(name, value);
    return Object.fromEntries(headers);
  };
  const [bare, withBody] = [always({}), always({ "content-type": "application/json" })];
  return (input, init) => {
    const headers = { ...(init?.body == null ? bare : withBody) };
    if (given.perRequest.length > 0) {
      const asked = new Headers(init?.headers);
      for (const name of given.perRequest) if (asked.has(name)) headers[name.toLowerCase()] = asked.get(name)!;
    }
    return fetch(input, { ...init, headers });
  };
}

function dispatcherTo(baseUrl: string, environment: Readonly<Record<string, string | undefined>>): Dispatcher {
  // NODE_TLS_REJECT_UNAUTHORIZED would switch the check of certificates off.
  const tls = { rejectUnauthorized: true };
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(baseUrl, environment);
  if (proxy === undefined) return new Agent({ ...patient, connect: tls });
  // Proxies tunnel to https only, as a rule; what is not encrypted they pass on themselves.
  const proxyTunnel = baseUrl.startsWith("https:");
  return new ProxyAgent({ ...patient, uri: proxy.url, proxyTunnel, requestTls: tls, proxyTls: tls });
}

/** Where a redirect that keeps the method leads, on the same server. */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location");
  if ((status !== 307 && status !== 308) || location === null || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from);
  return to.origin === from.origin ? to : undefined;
}
