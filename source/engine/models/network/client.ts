/** The `openai` package's client, configured by the endpoint's settings alone. */
import OpenAI, { type ClientOptions } from "openai";
import type { Endpoint } from "../../settings/settings.ts";
import { identityHeader } from "../builtin/identity.ts";
import { networkTo, onlyTheseHeaders } from "./network.ts";
import { errorOfRefusal } from "./reply-body.ts";
import { randomUUID } from "node:crypto";

/**
 * Returns the client of an endpoint, which sends these headers; `fetch` replaces the network. Throws `ModelProblem` if an
 * environment variable contains an unusable proxy.
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
    // For requests without a timeout of their own.
    timeout: Math.min((endpoint.idleTimeout + 30) * 1000, longestTimer),
    // The package would write to the terminal.
    logLevel: "off",
    fetch: fetch === undefined ? networkTo(endpoint.baseUrl, { ...sent, environment }) : onlyTheseHeaders(fetch, sent),
  });
}

/** Maximum milliseconds of a timer; longer timers fire at once. */
const longestTimer = 2 ** 31 - 1;

type Options = Parameters<OpenAI["buildRequest"]>[0];
type Sent = Parameters<OpenAI["fetchWithTimeout"]>;

/**
 * The package's client without its slowest steps per request: headers that `fetch` does not send, long texts serialized before,
 * and a second timeout if the sender has one (`timeout: Infinity`).
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

  /** Reads the message of an error, because some servers put it where the package does not look for it. */
  override makeStatusError(status: number, error: object | undefined, text: string | undefined, headers: Headers) {
    const refusal = errorOfRefusal(text ?? JSON.stringify(error));
    return super.makeStatusError(status, { error: refusal }, text, headers);
  }

  override fetchWithTimeout(...[url, init, timeout, controller]: Sent): Promise<Response> {
    return timeout === Infinity ? this.#fetch(url, init) : super.fetchWithTimeout(url, init, timeout, controller);
  }
}

/** Minimum length of a cached text in characters. */
const shortest = 4096;
/** Cache limit in bytes; least recently used texts are evicted. */
const most = 8 * 1024 * 1024;

export class KeptJson {
  readonly #kept = new Map<string, Buffer>();
  #size = 0;
  /** Placeholder for a long text, which no other text can contain. */
  readonly #mark = randomUUID();

  /** Returns `JSON.stringify(value)` in UTF-8. */
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
