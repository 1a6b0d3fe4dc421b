/**
 * Whether a Redis answers: it is asked twice a second, as the socket of one that was suspended or cut off stays open. Of a Redis
 * that does not, nothing may be believed or waited for without saying so.
 */
import type { Redis } from "./connection.ts";
import { type Clock, machineClock, type Timer } from "../engine/work/clock.ts";

/** Milliseconds between two questions. */
const beat = 500;
/** So many beats without a reply, and it does not answer. Beats are counted: a program that was held up itself counts one. */
const mostMissed = 5;

/** What a pulse asks with; a client of ioredis has it. */
type PulseClient = Pick<Redis, "ping" | "status"> & {
  on(event: "close" | "ready", listener: () => void): unknown;
};

type PulseOptions = {
  /** Told when it no longer answers, and when it does again. */
  readonly changed: () => void;
  /** Told when it answers again after the connection was lost: it may have lost what it was told last. */
  readonly connectedAnew?: () => void;
  readonly clock?: Clock;
};

export class RedisPulse {
  readonly #redis: PulseClient;
  readonly #options: PulseOptions;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  /** Beats since a question that was not answered; undefined if none is open. */
  #missed: number | undefined;
  #trouble: string | undefined;
  #isConnectedAnew = false;
  #isOver = false;
  #back = Promise.withResolvers<void>();

  constructor(redis: PulseClient, options: PulseOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    redis.on("close", () => {
      this.#isConnectedAnew = true;
      this.#lose("does not answer");
    });
    redis.on("ready", () => this.#ask());
    this.#beat();
  }

  /** Why nothing is heard of it, as what it does; undefined while it answers. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Resolves once it answers, at once if it does; never after `end`. */
  async answers(): Promise<void> {
    while (this.#trouble !== undefined || this.#isOver) await this.#back.promise;
  }

  end(): void {
    this.#isOver = true;
    this.#back = Promise.withResolvers();
    this.#clock.clearTimeout(this.#timer);
  }

  #beat(): void {
    if (this.#isOver) return;
    if (this.#missed === undefined) this.#ask();
    else if (++this.#missed >= mostMissed) this.#lose("does not answer");
    this.#timer = this.#clock.setTimeout(() => this.#beat(), beat);
    this.#timer.unref();
  }

  #ask(): void {
    // A question waits while there is no connection, and is asked again by itself.
    if (this.#isOver || this.#missed !== undefined) return;
    this.#missed = 0;
    this.#redis.ping().then(
      (reply) => this.#hear(reply === "PONG" ? undefined : notRedis),
      // A refusal, as of one that is full or still reads its data, is an answer. Else its connection was given up, and it is asked again.
      ({ name }: Error) => this.#hear(name === "ReplyError" ? undefined : this.#trouble),
    );
  }

  #hear(trouble: string | undefined): void {
    this.#missed = undefined;
    if (trouble !== undefined) return this.#lose(trouble);
    if (this.#trouble === undefined || this.#isOver) return;
    this.#trouble = undefined;
    const isConnectedAnew = this.#isConnectedAnew;
    this.#isConnectedAnew = false;
    this.#back.resolve();
    this.#back = Promise.withResolvers();
    if (isConnectedAnew) this.#options.connectedAnew?.();
    this.#options.changed();
  }

  #lose(trouble: string): void {
    if (this.#isOver || this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#options.changed();
  }
}

/** What somebody does who answers otherwise than a Redis. */
const notRedis = "answers as no Redis does";
