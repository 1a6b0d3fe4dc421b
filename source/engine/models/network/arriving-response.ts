/** Passes on a server's answer while its body arrives. Does not use `fetch`, which would take half the time of a request here. */
import type { Dispatcher } from "undici";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";

/** Buffered pieces of a body before the server has to wait. */
const mostWaiting = 16;
/** Answers without a body, according to the Fetch standard. */
const bodiless = new Set([204, 205, 304]);

export type SentRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal | null;
};

/**
 * Sends a request once; redirects count as answers. Resolves when the answer starts. Rejects with the network's error or the
 * signal's reason. A body that breaks off throws `TypeError` with the network's error as cause.
 */
export function responseTo(dispatcher: Dispatcher, url: URL, request: SentRequest): Promise<Response> {
  const { method, headers, body, signal } = request;
  const asked = { origin: url.origin, path: url.pathname + url.search, method, headers, body };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(asked as Dispatcher.DispatchOptions, new Arriving(signal, resolve, reject));
  });
}

class Arriving implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal | null;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  #pieces: ReadableStreamDefaultController<Uint8Array> | undefined;
  #gathered: GatheredBytes | undefined;
  #failure: Error | undefined;
  #aborted: (() => void) | undefined;

  constructor(signal: AbortSignal | null, resolve: (response: Response) => void, reject: (error: Error) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#aborted = () => controller.abort(this.#signal?.reason as Error);
    if (this.#signal?.aborted === true) this.#aborted();
    else this.#signal?.addEventListener("abort", this.#aborted, { once: true });
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Responses before the answer, such as early hints.
    if (status < 200) return;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (pieces) => void (this.#pieces = pieces),
        pull: () => {
          this.#failIfRead();
          controller.resume();
        },
        cancel: (reason) => {
          this.#gathered?.drop();
          this.#pieces = undefined;
          controller.abort(reason as Error);
        },
      },
      { highWaterMark: mostWaiting },
    );
    this.#gathered = new GatheredBytes((bytes) => {
      this.#pieces?.enqueue(bytes);
      if ((this.#pieces?.desiredSize ?? 1) <= 0) controller.pause();
    });
    const body = bodiless.has(status) ? null : unpacked(stream, headers["content-encoding"]);
    this.#resolve(new Response(body, { status, headers: sentHeaders(headers) }));
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    this.#gathered?.take(bytes);
  }

  onResponseEnd(): void {
    this.#end();
    this.#gathered?.end();
    this.#pieces?.close();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    if (this.#pieces === undefined) return this.#reject(error);
    this.#gathered?.end();
    this.#failure = this.#signal?.aborted === true ? error : new TypeError("terminated", { cause: error });
    this.#failIfRead();
  }

  /** Delivers data that arrived before a failure first, because a failed stream drops its unread data. */
  #failIfRead(): void {
    if (this.#failure !== undefined && this.#pieces?.desiredSize === mostWaiting) this.#pieces.error(this.#failure);
  }

  #end(): void {
    if (this.#aborted !== undefined) this.#signal?.removeEventListener("abort", this.#aborted);
  }
}

/** Unpacks a body if the server compressed it as the request allows. */
const unpacked = (body: ReadableStream<Uint8Array>, encoding: string | readonly string[] | undefined) =>
  /^(x-)?gzip$/i.test(String(encoding ?? "")) ? body.pipeThrough(new DecompressionStream("gzip")) : body;

/** Returns headers with values that the standard allows; a server may send others. */
function sentHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value]
      .flat()
      .flatMap((each): [string, string][] => (/^[\t\x20-\x7e\x80-\xff]*$/.test(each) ? [[name, each]] : [])),
  );
}

/** Maximum milliseconds during which bytes are gathered: one frame of the screen, so that the delay is not visible. */
const longest = 50;
/** Bytes from which pieces are passed on at once. */
const most = 64 * 1024;

/**
 * Passes on the gathered bytes of all answers together, because waking up for each of many streams costs as much as reading them.
 */
export class Gathering {
  readonly #clock: Clock;
  readonly #waiting = new Set<GatheredBytes>();
  #timer: Timer | undefined;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  add(bytes: GatheredBytes): void {
    this.#waiting.add(bytes);
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      for (const each of this.#waiting) each.end();
    }, longest);
  }

  remove(bytes: GatheredBytes): void {
    this.#waiting.delete(bytes);
    if (this.#waiting.size > 0) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const ofAnswers = new Gathering();

/** Passes on the first bytes at once, also after a pause, later bytes in at most a frame, and the remaining bytes at the end. */
export class GatheredBytes {
  readonly #pass: (bytes: Uint8Array) => void;
  readonly #gathering: Gathering;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #passedAt = -Infinity;

  constructor(pass: (bytes: Uint8Array) => void, gathering = ofAnswers) {
    this.#pass = pass;
    this.#gathering = gathering;
  }

  take(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    const isFirst = this.#pieces.length === 1 && this.#gathering.now() >= this.#passedAt + longest;
    if (isFirst || this.#size >= most) this.end();
    else this.#gathering.add(this);
  }

  /** Passes on gathered pieces. */
  end(): void {
    const pieces = this.drop();
    if (pieces.length === 0) return;
    this.#passedAt = this.#gathering.now();
    this.#pass(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  }

  /** Removes and returns gathered pieces. */
  drop(): readonly Uint8Array[] {
    this.#gathering.remove(this);
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#size = 0;
    return pieces;
  }
}
