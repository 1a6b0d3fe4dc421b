/** What a server answers with, read as it is: Server-Sent Events, one JSON value, or a page that is neither. */
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

/** Most bytes of an answer in one piece, and characters of an event of a stream. */
const longest = 64_000_000;
/** Bytes before an answer that say nothing: blanks, and those of the byte order mark. */
const blanks: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 32, 0xa0, 0xef, 0xbb, 0xbf]);
/** Most characters of a page that are shown. */
const longestPage = 300;

export type ReplyBody = {
  /**
   * The values of each piece of the stream, texts in a row joined (`TextRuns`), one piece after the other; each is to be gone
   * through to its end. Going through them throws `SyntaxError` for what is not JSON and `StreamedError`, and what the network
   * throws.
   */
  readonly pieces: AsyncIterable<Iterable<unknown>>;
  /** Whether the server said that the reply is complete, by `[DONE]` or by sending it in one piece. */
  readonly complete: () => boolean;
  /** Reads what the server sends after a complete reply, and forgets it; undefined where the answer has ended. Never rejects. */
  readonly rest: () => Promise<void> | undefined;
};

/**
 * Reads the body of an answer. `received` is called with every piece of it, comments and keep-alives included: they are a
 * sign of life. Throws `NoReply`, and what the network throws.
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
      // The reply was complete: whatever became of its connection does no harm.
    }
  };
  return { pieces: pieces(), complete: () => complete, rest: () => (ended ? undefined : rest()) };
}

/** What an event holds. Throws `SyntaxError`, and `StreamedError` for an error. */
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

/** Returns the error in a refusal, wherever servers put it, in its own words; undefined for text that is neither JSON nor a page. */
export function errorOfRefusal(text: string): { readonly message: string } | undefined {
  let value: unknown;
  try {
    // Some send the error as the stream's only event.
    value = JSON.parse(/^data: ?(.*)/.exec(text)?.[1] ?? text);
  } catch {
    return text.trimStart().startsWith("<") ? { message: pageText(text) } : undefined;
  }
  const error = errorIn(value) ?? value;
  return { ...(typeof error === "object" ? error : {}), message: errorMessage(error) };
}
