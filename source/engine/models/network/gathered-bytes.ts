/** Bytes that arrive in many small pieces, gathered to few: whoever reads a stream pays for each piece, however short. */
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";

/** Milliseconds for which they are gathered: a frame of the screen, so that nobody sees it. */
const longest = 50;
/** Bytes that are gathered no longer. */
const most = 64 * 1024;

/** The first piece is passed on at once, as is one after a while of silence, and at the end whatever waits. */
export class GatheredBytes {
  readonly #pass: (bytes: Uint8Array) => void;
  readonly #clock: Clock;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #passedAt = -Infinity;
  #timer: Timer | undefined;

  constructor(pass: (bytes: Uint8Array) => void, clock: Clock = machineClock) {
    this.#pass = pass;
    this.#clock = clock;
  }

  take(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    const wait = this.#passedAt + longest - this.#clock.now();
    if (wait <= 0 || this.#size >= most) this.end();
    else this.#timer ??= this.#clock.setTimeout(() => this.end(), wait);
  }

  /** Passes on what waits. */
  end(): void {
    const waiting = this.drop();
    if (waiting.length === 0) return;
    this.#passedAt = this.#clock.now();
    this.#pass(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting));
  }

  /** Forgets what waits, and gives it. */
  drop(): readonly Uint8Array[] {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    return waiting;
  }
}
