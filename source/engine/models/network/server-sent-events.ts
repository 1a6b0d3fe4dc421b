/** Parses Server-Sent Events from the bytes of a stream as they arrive. */
import { StringDecoder } from "node:string_decoder";

export type ServerSentEvent = {
  /** The event's name; empty if it has no name. */
  readonly name: string;
  /** The event's lines of data, joined by line feeds. */
  readonly data: string;
};

const byteOrderMark = "\ufeff";

/**
 * Takes parts of a stream, split anywhere, and returns complete events. Lines end with a line feed, a carriage return or both; an
 * event ends with an empty line, or with the stream, because some servers omit the last empty line. Comments, ids, waiting times
 * and events without data are ignored. (WHATWG HTML, section 9.2.6, except for the stream's end.)
 */
export class ServerSentEvents {
  readonly #decoder = new StringDecoder("utf8");
  /** The beginning of an incomplete line. */
  #line = "";
  #isAfterReturn = false;
  #isFirstLine = true;
  #name = "";
  #data: string | undefined;

  /** Characters of the incomplete event. */
  get pending(): number {
    return (this.#data?.length ?? 0) + this.#line.length;
  }

  take(bytes: Uint8Array): ServerSentEvent[] {
    return this.#events(this.#decoder.write(bytes));
  }

  /** Returns the last event if the stream ended in it. */
  end(): ServerSentEvent[] {
    return this.#events(`${this.#decoder.end()}\n\n`);
  }

  #events(text: string): ServerSentEvent[] {
    const lines = this.#withLineFeeds(text).split("\n");
    lines[0] = this.#line + lines[0]!;
    this.#line = lines.pop()!;
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      const event = this.#takeLine(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #withLineFeeds(text: string): string {
    const own = this.#isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#isAfterReturn = text.endsWith("\r");
    return own.includes("\r") ? own.replace(/\r\n?/g, "\n") : own;
  }

  /** Returns the event that is complete after this line, which is given without its end; undefined if no event is. */
  #takeLine(line: string): ServerSentEvent | undefined {
    const own = this.#isFirstLine && line.startsWith(byteOrderMark) ? line.slice(1) : line;
    this.#isFirstLine = false;
    if (own === "") return this.#event();
    const colon = own.indexOf(":");
    const field = colon === -1 ? own : own.slice(0, colon);
    if (field === "event") this.#name = valueAfter(own, colon);
    if (field !== "data") return undefined;
    const value = valueAfter(own, colon);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    return undefined;
  }

  #event(): ServerSentEvent | undefined {
    const [name, data] = [this.#name, this.#data];
    this.#name = "";
    if (data === undefined) return undefined;
    this.#data = undefined;
    return { name, data };
  }
}

/** The format includes one blank after the colon. */
function valueAfter(line: string, colon: number): string {
  if (colon === -1) return "";
  return line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
}
