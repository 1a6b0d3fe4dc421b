/** Reads a server's answer in any form: Server-Sent Events, one JSON value, or a page. */
import { type ServerSentEvent, ServerSentEvents } from "./server-sent-events.ts";
import { TextRuns } from "../replies/text-runs.ts";

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

/** An error in the middle of a stream, as the server wrote it. */
export class StreamedError extends Error {
  override readonly name = "StreamedError";
  readonly error: unknown;

  constructor(error: unknown) {
    super(errorMessage(error));
    this.error = error;
  }
}

/** Maximum number of bytes of an unstreamed answer, and maximum number of characters of a streamed event. */
const longest = 64_000_000;
/** Insignificant bytes before an answer: blanks and the bytes of the byte order mark. */
const blanks: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 32, 0xa0, 0xef, 0xbb, 0xbf]);
/** Limit of characters shown of a page. */
const longestPage = 300;

export type ReplyBody = {
  /**
   * The values of each part of the stream, with adjacent texts joined (`TextRuns`), part by part; each must be iterated to its
   * end. Iteration throws `SyntaxError` for invalid JSON, `StreamedError`, and errors of the network.
   */
  readonly pieces: AsyncIterable<Iterable<unknown>>;
  /** True if the server marked the reply as complete, by `[DONE]` or by sending it as a whole. */
  readonly complete: () => boolean;
  /** Reads and discards data after a complete reply; undefined if the answer has ended. Never rejects. */
  readonly rest: () => Promise<void> | undefined;
};

/**
 * Reads the body of an answer. `received` is called with every part of it, including comments and keep-alives, which show that
 * the server is active. Throws `NoReply`, and errors of the network.
 */
export async function readReply(response: Response, received: () => void): Promise<ReplyBody> {
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const begun: Uint8Array[] = [];
  let first: number | undefined;
  while (first === undefined) {
    const { value, done } = await reader.read();
    if (done) break;
    received();
    begun.push(value);
    first = value.find((byte: number) => !blanks.has(byte));
  }
  if (first !== undefined && "{[<".includes(String.fromCharCode(first)))
    return wholeReply(await restOf(reader, begun, received));
  return streamedReply(reader, begun, received);
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function streamedReply(reader: Reader, begun: readonly Uint8Array[], received: () => void): ReplyBody {
  let complete = false;
  let ended = false;
  const runs = new TextRuns();
  function* values(events: readonly ServerSentEvent[]): Generator<unknown> {
    for (let from = 0; from < events.length;) {
      const { event, count } = runs.at(events, from);
      complete ||= event.data === "[DONE]";
      if (complete) return;
      const value = valueOf(event);
      runs.learn(event, value);
      yield value;
      from += count;
    }
  }
  async function* pieces(): AsyncGenerator<Iterable<unknown>> {
    const stream = new ServerSentEvents();
    for (const bytes of begun) yield values(stream.take(bytes));
    while (!complete) {
      const { value, done } = await reader.read();
      if (done) {
        ended = true;
        return yield values(stream.end());
      }
      received();
      const events = stream.take(value);
      if (stream.pending > longest) throw new NoReply(`Expected events of at most ${longest} characters, got more`);
      if (events.length > 0) yield values(events);
    }
  }
  const rest = async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // The reply is complete, so the state of its connection does not matter.
    }
  };
  return { pieces: pieces(), complete: () => complete, rest: () => (ended ? undefined : rest()) };
}

/** Parses an event's data. Throws `SyntaxError`, and `StreamedError` for an error. */
function valueOf({ name, data }: ServerSentEvent): unknown {
  const value: unknown = JSON.parse(data);
  const error = (value as { readonly error?: unknown } | null)?.error;
  if (Boolean(error) || name === "error") throw new StreamedError(error ?? value);
  return value;
}

async function restOf(reader: Reader, begun: Uint8Array[], received: () => void): Promise<string> {
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
    pieces: (async function* () {
      yield [value];
    })(),
    complete: () => true,
    rest: () => undefined,
  };
}

/**
 * Returns the error in an answer: `{error}`, a list that contains it, or vLLM's `{object: "error"}`; undefined if there is no
 * error.
 */
function errorIn(value: unknown): unknown {
  const own: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof own !== "object" || own === null) return undefined;
  const fields = own as Readonly<Record<string, unknown>>;
  if (fields["error"] !== undefined && fields["error"] !== null && fields["error"] !== false) return fields["error"];
  return fields["object"] === "error" || "detail" in fields ? fields : undefined;
}

/** Returns an error's message from any of the fields that servers use. */
export function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  const { message, detail } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const words = message ?? detail;
  return typeof words === "string" && words !== "" ? words : JSON.stringify(words ?? error);
}

/** Summarizes a page: its title and its text, without the tags. */
function pageText(page: string): string {
  const text = page
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^>]{0,500}>[^<]*/gi, " ")
    .replace(/<[^<>]{0,500}>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `the server answered with a web page instead of a reply: ${text.slice(0, longestPage)}`;
}

/**
 * Returns the error's message in a refusal, from any of the fields that servers use; undefined for text that is neither JSON nor
 * a page.
 */
export function errorOfRefusal(text: string): { readonly message: string } | undefined {
  let value: unknown;
  try {
    // Some servers send the error as the stream's only event.
    value = JSON.parse(/^data: ?(.*)/.exec(text)?.[1] ?? text);
  } catch {
    return text.trimStart().startsWith("<") ? { message: pageText(text) } : undefined;
  }
  const error = errorIn(value) ?? value;
  return { ...(typeof error === "object" ? error : {}), message: errorMessage(error) };
}
