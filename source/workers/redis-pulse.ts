/** Whether a Redis answers: it is asked twice a second, as the socket of one that was suspended or cut off stays open. */
import type { Redis } from "./connection.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";

/** Milliseconds between two questions. */
const beat = 500;
/** So many beats without a reply, and it does not answer. Beats are counted: a program that was held up itself counts one. */
const mostMissed = 5;

type PulseOptions = {
  /** Told when it no longer answers, and when it does again. */
  readonly changed: () => void;
  /** Told when it answers again after the connection was lost: it may have lost what it was told last. */
  readonly connectedAnew?: () => void;
  readonly clock?: Clock;
};

export class RedisPulse {
  readonly #redis: Redis;
  readonly #options: PulseOptions;
  readonly #stopBeating: () => void;
  /** Beats since a question that was not answered; undefined if none is open. */
  #missed: number | undefined;
  #isSilent = false;
  #isConnectedAnew = false;
  #isOver = false;

  constructor(redis: Redis, options: PulseOptions) {
    this.#redis = redis;
    this.#options = options;
    const { clock = machineClock } = options;
    redis.on("close", () => {
      this.#isConnectedAnew = true;
      this.#lose();
    });
    redis.on("ready", () => this.#ask());
    this.#beat();
    this.#stopBeating = repeatedly(clock, beat, () => this.#beat());
  }

  /** True while nothing is heard of it. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  end(): void {
    this.#isOver = true;
    this.#stopBeating();
  }

  #beat(): void {
    if (this.#missed === undefined) this.#ask();
    else if (++this.#missed >= mostMissed) this.#lose();
  }

  #ask(): void {
    // A question waits while there is no connection, and is asked again by itself.
    if (this.#isOver || this.#missed !== undefined) return;
    this.#missed = 0;
    this.#redis.ping().then(
      () => this.#hear(true),
      // A refusal, as of one that is full, is an answer. Else its connection was given up, and it is asked again.
      ({ name }: Error) => this.#hear(name === "ReplyError"),
    );
  }

  #hear(answers: boolean): void {
    this.#missed = undefined;
    if (!answers || !this.#isSilent || this.#isOver) return;
    this.#isSilent = false;
    const isConnectedAnew = this.#isConnectedAnew;
    this.#isConnectedAnew = false;
    if (isConnectedAnew) this.#options.connectedAnew?.();
    this.#options.changed();
  }

  #lose(): void {
    if (this.#isOver || this.#isSilent) return;
    this.#isSilent = true;
    this.#options.changed();
  }
}
