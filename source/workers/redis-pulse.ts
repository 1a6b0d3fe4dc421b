/**
 * Detects whether Redis answers. It is pinged twice a second, because the socket of a suspended or disconnected Redis stays open.
 */
import type { Redis } from "./connection.ts";
import { type Clock, machineClock, repeatedly } from "../engine/work/clock.ts";

/** Milliseconds between two pings. */
const beat = 500;
/**
 * Number of beats without a reply after which Redis counts as silent. Beats are counted instead of time, so that a program that
 * was suspended itself counts only one.
 */
const mostMissed = 5;

type PulseOptions = {
  /** Called when Redis stops answering and when it answers again. */
  readonly changed: () => void;
  /** Called when Redis answers after the connection was lost, because it may have lost the last writes. */
  readonly connectedAnew?: () => void;
  readonly clock?: Clock;
};

export class RedisPulse {
  readonly #redis: Redis;
  readonly #options: PulseOptions;
  readonly #stopBeating: () => void;
  /** Beats since an unanswered ping; undefined if no ping is open. */
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

  /** True while Redis does not answer. */
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
    // A ping waits while there is no connection and is repeated by the client.
    if (this.#isOver || this.#missed !== undefined) return;
    this.#missed = 0;
    this.#redis.ping().then(
      () => this.#hear(true),
      // A rejection, for example by a full Redis, is an answer. Otherwise the connection was given up, and the next beat
      // pings again.
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
