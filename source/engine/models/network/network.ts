/**
 * Sends requests to servers by a `fetch` of this program instead of Node's, so that environment variables of other programs do
 * not affect requests, and only the idle timeout limits waiting.
 */
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import { packageVersion } from "../../settings/package-folder.ts";
import { responseTo, type SentRequest } from "./arriving-response.ts";
import { proxyFor } from "./proxy.ts";

type Fetch = typeof globalThis.fetch;

/** Maximum number of redirects, only to the same server, because no other server must receive the request. */
const mostRedirects = 3;

/**
 * Returns a `fetch` for the server at `baseUrl`. It sends only `headers`, those of JSON over HTTP, and the `perRequest` headers
 * that the caller adds. Throws `ModelProblem` if an environment variable contains an unusable proxy.
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

/** Returns the same `fetch` without headers that packages add, partly from environment variables. */
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
  // NODE_TLS_REJECT_UNAUTHORIZED would disable the check of certificates.
  const tls = { rejectUnauthorized: true };
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(baseUrl, environment);
  if (proxy === undefined) return new Agent({ ...patient, connect: tls });
  // Most proxies tunnel only to https and forward unencrypted requests themselves.
  const proxyTunnel = baseUrl.startsWith("https:");
  return new ProxyAgent({ ...patient, uri: proxy.url, proxyTunnel, requestTls: tls, proxyTls: tls });
}

/** Returns the target of a redirect that keeps the method, on the same server. */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location");
  if ((status !== 307 && status !== 308) || location === null || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from);
  return to.origin === from.origin ? to : undefined;
}
