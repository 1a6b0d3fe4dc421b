/** What a server answers with, read as it is: Server-Sent Events, one JSON value, or a page that is neither. */
import { Stream } from "openai/core/streaming";

/** An answer with status 200 that is no reply: an error in JSON, or a page. */
export class NoReply extends Error {
  override readonly name = "NoReply";
  /** The error as the server wrote it; undefined for a page. */
  readonly error: unknown;

  constructor(message: string, error?: unknown) {
    super(message);
    this.error = error;
  }
}

/** Most bytes of an answer in one piece. */
const longest = 64_000_000;
/** Most characters of a page that are shown. */
const longestPage = 300;

export type ReplyBody = {
  readonly chunks: AsyncIterable<unknown>;
  /** Whether the server said that the reply is complete, by `[DONE]` or by sending it in one piece. */
  readonly complete: () => boolean;
};

/**
 * Reads the body of an answer. `received` is called with every piece of it, comments and keep-alives included: they are a
 * sign of life. Throws `NoReply`, and what the network throws.
 */
export async function readReply(response: Response, received: () => void): Promise<ReplyBody> {
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const begun: Uint8Array[] = [];
  let beginning = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    received();
    begun.push(value);
    beginning += Buffer.from(value).toString("latin1");
    if (beginning.replace(/^\xef\xbb\xbf/, "").trim() !== "") break;
  }
  const first = beginning.replace(/^\xef\xbb\xbf/, "").trimStart()[0] ?? "";
  if (first !== "" && "{[<".includes(first)) return wholeReply(await restOf(reader, begun, received));
  let complete = false;
  let tail = "";
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = begun.shift() ?? (await next());
      if (value === undefined) controller.close();
      else {
        // In JSON line breaks are escaped, so that this cannot stand in what a model wrote.
        tail += Buffer.from(value).toString("latin1");
        complete ||= /(?:^|[\r\n])data: ?\[DONE\]/.test(tail);
        tail = tail.slice(-20);
        controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const next = async () => {
    const { value, done } = await reader.read();
    if (!done) received();
    return value;
  };
  const stream = Stream.fromSSEResponse<unknown>(new Response(body), new AbortController());
  return { chunks: stream, complete: () => complete };
}

async function restOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun: Uint8Array[],
  received: () => void,
): Promise<string> {
  let size = begun.reduce((sum, each) => sum + each.length, 0);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new TextDecoder().decode(Buffer.concat(begun));
    received();
    size += value.length;
    if (size > longest) throw new NoReply(`Expected a reply of at most ${longest} bytes, got more`);
    begun.push(value);
  }
}

function wholeReply(text: string): ReplyBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoReply(pageText(text));
  }
  const error = errorIn(value);
  if (error !== undefined) throw new NoReply(errorMessage(error), error);
  return {
    // eslint-disable-next-line require-yield
    chunks: (async function* () {
      yield value;
    })(),
    complete: () => true,
  };
}

/** The error in an answer: `{error}`, a list with one, or vLLM's `{object: "error"}`; undefined where there is none. */
function errorIn(value: unknown): unknown {
  const own: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof own !== "object" || own === null) return undefined;
  const fields = own as Readonly<Record<string, unknown>>;
  if (fields["error"] !== undefined && fields["error"] !== null && fields["error"] !== false) return fields["error"];
  return fields["object"] === "error" || "detail" in fields ? fields : undefined;
}

/** An error's own words, wherever servers put them. */
export function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  const { message, detail } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const words = message ?? detail;
  return typeof words === "string" && words !== "" ? words : JSON.stringify(words ?? error);
}

/** A page in a few words: its title and its text, without the tags. */
function pageText(page: string): string {
  const text = page
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^>]{0,500}>[^<]*/gi, " ")
    .replace(/<[^<>]{0,500}>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `the server answered with a page instead of a reply: ${text.slice(0, longestPage)}`;
}

/**
 * `fetch` for the client: an error answer in another shape than `{error: {message}}` is given that shape, as the client
 * would otherwise report "no body" instead of the server's own words.
 */
export function withErrorWords(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || response.status < 400) return response;
    const text = await response.text();
    let value: unknown;
    try {
      // Some send the error as the stream's only event.
      value = JSON.parse(/^data: ?(.*)/.exec(text)?.[1] ?? text);
    } catch {
      const page = text.trimStart().startsWith("<");
      return answer(response, page ? JSON.stringify({ error: { message: pageText(text) } }) : text, page);
    }
    const error = errorIn(value) ?? value;
    const fields = typeof error === "object" && error !== null ? error : {};
    return answer(response, JSON.stringify({ error: { ...fields, message: errorMessage(error) } }), true);
  };
}

function answer({ status, headers }: Response, body: string, json: boolean): Response {
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  if (json) kept.set("content-type", "application/json");
  return new Response(body, { status, headers: kept });
}
