/** The `openai` package's client, configured by the endpoint's settings alone. */
import OpenAI, { type ClientOptions } from "openai";
import type { Endpoint } from "../../settings/settings.ts";
import { identityHeader } from "../builtin/identity.ts";
import { networkTo, onlyTheseHeaders } from "./network.ts";
import { errorOfRefusal } from "./reply-body.ts";
import { randomUUID } from "node:crypto";

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
  return new LeanClient({
    // The package requires one; `fetch` below sends the headers.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    ...(endpoint.query === undefined ? {} : { defaultQuery: endpoint.query }),
    maxRetries: 0,
    // Of requests that come without one of their own.
    timeout: Math.min((endpoint.idleTimeout + 30) * 1000, longestTimer),
    // The package would write to the terminal.
    logLevel: "off",
    fetch: fetch === undefined ? networkTo(endpoint.baseUrl, { ...sent, environment }) : onlyTheseHeaders(fetch, sent),
  });
}

/** Longer timers than this, in milliseconds, fire at once. */
const longestTimer = 2 ** 31 - 1;

type Options = Parameters<OpenAI["buildRequest"]>[0];
type Sent = Parameters<OpenAI["fetchWithTimeout"]>;

/**
 * The package's client without what takes it longest at each request: headers that `fetch` does not send, long texts that were
 * written before, and a second timeout where the sender has one (`timeout: Infinity`).
 */
class LeanClient extends OpenAI {
  readonly #json = new KeptJson();
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions & { readonly fetch: typeof globalThis.fetch }) {
    super(options);
    this.#fetch = options.fetch;
  }

  override async buildRequest({ method, path, query, body, headers, signal, timeout = this.timeout }: Options) {
    const req = {
      method: method.toUpperCase(),
      headers: new Headers(headers as Record<string, string>),
      ...(body == null ? {} : { body: this.#json.bytesOf(body) }),
      ...(signal == null ? {} : { signal }),
    };
    return { req, url: this.buildURL(path, query as Record<string, unknown>), timeout };
  }

  /** Servers put their words in other places than the package looks in. */
  override makeStatusError(status: number, error: object | undefined, text: string | undefined, headers: Headers) {
    const refusal = errorOfRefusal(text ?? JSON.stringify(error));
    return super.makeStatusError(status, { error: refusal }, text, headers);
  }

  override fetchWithTimeout(...[url, init, timeout, controller]: Sent): Promise<Response> {
    return timeout === Infinity ? this.#fetch(url, init) : super.fetchWithTimeout(url, init, timeout, controller);
  }
}

/** Characters of a text that is worth keeping. */
const shortest = 4096;
/** Bytes that are kept; the texts that were used last. */
const most = 8 * 1024 * 1024;

export class KeptJson {
  readonly #kept = new Map<string, Buffer>();
  #size = 0;
  /** Stands for a long text; no text of others can hold it. */
  readonly #mark = randomUUID();

  /** `JSON.stringify(value)` in UTF-8. */
  bytesOf(value: NonNullable<unknown>): Buffer {
    const texts: string[] = [];
    const written = JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each !== "string" || each.length < shortest) return each;
      texts.push(each);
      return this.#mark;
    });
    const pieces = written.split(`"${this.#mark}"`).map((piece) => Buffer.from(piece));
    return Buffer.concat(pieces.flatMap((piece, at) => (at === 0 ? [piece] : [this.#textOf(texts[at - 1]!), piece])));
  }

  #textOf(text: string): Buffer {
    const bytes = this.#kept.get(text) ?? Buffer.from(JSON.stringify(text));
    if (!this.#kept.delete(text)) this.#size += bytes.length;
    this.#kept.set(text, bytes);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= most) break;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
    return bytes;
  }
}
