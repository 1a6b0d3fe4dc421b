/** The limiter with servers that refuse requests, on an advanced clock: every figure follows from the seed. */
import { describe, expect, it } from "vitest";
import { Limiter } from "../../../source/engine/models/limits/limiter.ts";
import { pause } from "../../../source/engine/work/abort-listeners.ts";
import { defaultPolicy, nextWait, type RequestFailure } from "../../../source/engine/models/limits/retry-policy.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { openTestClock, type TestClock } from "../work/test-clock.ts";

const never = new AbortController().signal;
const tooMany: RequestFailure = { kind: "busy", status: 429, error: "429" };

/** A server that takes a second for a reply, and a moment for a refusal. */
class SimulatedServer {
  /** Decides if a request is refused, from the number of requests in flight. */
  refuses: (flying: number) => boolean;
  readonly #clock: TestClock;
  readonly #refusal: number;
  #flying = 0;
  /** Counts since the last reset; `busy`: milliseconds of requests it held. */
  counts = { sent: 0, refused: 0, answered: 0, most: 0, busy: 0 };

  /** `refusal`: milliseconds until a request is refused. */
  constructor(clock: TestClock, refuses: (flying: number) => boolean, refusal: number) {
    this.#clock = clock;
    this.#refusal = refusal;
    this.refuses = refuses;
  }

  forget(): void {
    this.counts = { sent: 0, refused: 0, answered: 0, most: 0, busy: 0 };
  }

  async ask(): Promise<RequestFailure | undefined> {
    this.counts.sent += 1;
    if (this.refuses(this.#flying)) {
      await pause(this.#refusal, never, this.#clock);
      this.counts.refused += 1;
      return tooMany;
    }
    this.#flying += 1;
    this.counts.most = Math.max(this.counts.most, this.#flying);
    const from = this.#clock.now();
    await pause(1000, never, this.#clock);
    this.#flying -= 1;
    this.counts.answered += 1;
    this.counts.busy += this.#clock.now() - from;
    return undefined;
  }
}

/** Runs so many tasks at a time, one request after another, with the program's own waits. */
function simulation(
  refuses: (flying: number) => boolean,
  { concurrency = 32, refusal = 10, retryAfter = undefined as number | undefined } = {},
) {
  const clock = openTestClock();
  const random = randomFrom(7);
  const server = new SimulatedServer(clock, refuses, refusal);
  const limiter = new Limiter({ concurrency }, clock);
  const failed: string[] = [];
  const task = async () => {
    for (;;) {
      for (let attempt = 1; ; attempt++) {
        const permit = await limiter.acquire(never, 0, attempt > 1);
        const failure = await server.ask();
        permit.release(failure === undefined ? "taken" : "refused");
        if (failure === undefined) break;
        const next = nextWait(defaultPolicy, { ...failure, retryAfter }, { attempt, busy: attempt }, random);
        if ("giveUp" in next) {
          failed.push(next.giveUp);
          break;
        }
        await pause(next.wait, never, clock);
      }
    }
  };
  for (let count = 0; count < concurrency; count++) void task();
  return { clock, server, limiter, failed };
}

const share = ({ sent, refused }: SimulatedServer["counts"]) => refused / sent;

describe("a server that accepts 8 concurrent requests and rejects others", () => {
  it.each([
    ["at once", 10, 0.2],
    ["after the duration of a reply", 1000, 0.35],
  ])("stays fully used and rejects far less than half of the requests, if it rejects %s", async (_, refusal, most) => {
    const { clock, server, limiter, failed } = simulation((flying) => flying >= 8, { refusal });
    await clock.advance(10_000);
    expect(share(server.counts)).toBeLessThan(0.5);
    server.forget();
    await clock.advance(300_000);
    expect(server.counts.busy / 300_000).toBeGreaterThan(7.9);
    expect(share(server.counts)).toBeLessThan(most);
    expect(limiter.overload).toMatch(/^([89]|1\d) of 32 requests at a time: the server refuses \d+ %$/);
    expect(failed).toEqual([]);
  });

  it("is detected even if other programs used its whole capacity for a while, and every task is executed", async () => {
    const { clock, server, limiter, failed } = simulation(() => false);
    await clock.advance(60_000);
    expect(limiter.state.allowed).toBe(32);
    server.refuses = (flying) => flying >= 8;
    await clock.advance(400_000);
    server.forget();
    await clock.advance(300_000);
    expect(limiter.state.allowed).toBeLessThanOrEqual(12);
    expect(limiter.state.running + limiter.state.waiting).toBeGreaterThan(24);
    expect(server.counts.busy / 300_000).toBeGreaterThan(7.9);
    expect(share(server.counts)).toBeLessThan(0.2);
    expect(failed).toEqual([]);
  });

  it("gets as many concurrent requests as configured again soon after it accepts every request", async () => {
    const { clock, server, limiter } = simulation((flying) => flying >= 8);
    await clock.advance(60_000);
    server.refuses = () => false;
    await clock.advance(30_000);
    expect(limiter.state.allowed).toBe(32);
    expect(limiter.overload).toBeUndefined();
  });

  it("gets as many concurrent requests as the user sets for a minute, then only as many as it accepts", async () => {
    const { clock, limiter } = simulation((flying) => flying >= 8);
    await clock.advance(60_000);
    expect(limiter.state.allowed).toBeLessThanOrEqual(12);
    limiter.setConcurrency(33);
    for (let seconds = 0; seconds < 59; seconds++) {
      await clock.advance(1000);
      expect(limiter.state).toMatchObject({ concurrency: 33, allowed: 33 });
    }
    await clock.advance(300_000);
    expect(limiter.state.allowed).toBeLessThanOrEqual(12);
  });
});

describe("random refusals", () => {
  const atRandom = (probability: number) => {
    const random = randomFrom(11);
    return () => random() < probability;
  };

  it.each([
    ["10 %", 0.1, 0.9],
    ["20 %", 0.2, 0.8],
    ["40 %", 0.4, 0.45],
  ])("cost little of the throughput: %s", async (_, probability, least) => {
    const { clock, server, failed } = simulation(atRandom(probability));
    await clock.advance(300_000);
    expect(server.counts.answered / (32 * 300)).toBeGreaterThan(least);
    expect(failed).toEqual([]);
  });

  it("never reduce the limit if they are rare", async () => {
    const { clock, limiter } = simulation(atRandom(0.1));
    for (let seconds = 0; seconds < 300; seconds++) {
      await clock.advance(1000);
      expect(limiter.state.allowed).toBe(32);
    }
  });

  it("delay only their own request by their Retry-After", async () => {
    const { clock, server } = simulation(atRandom(0.01), { retryAfter: 30_000 });
    await clock.advance(60_000);
    // Each of the 19 or so refusals costs its own task 30 seconds of 60 x 32.
    expect(server.counts.answered).toBeGreaterThan(0.6 * 32 * 60);
    expect(server.counts.refused).toBeGreaterThan(10);
  });
});

describe("a server that rejects everything for a while", () => {
  it("keeps the limit for a minute, then gets one request at a time, and all requests soon after it recovers", async () => {
    const { clock, server, limiter, failed } = simulation(() => false);
    await clock.advance(60_000);
    server.refuses = () => true;
    await clock.advance(50_000);
    expect(limiter.state.allowed).toBe(32);
    await clock.advance(100_000);
    expect(limiter.state.allowed).toBeLessThanOrEqual(2);
    expect(limiter.overload).toMatch(/^[12] of 32 requests at a time: the server refuses 100 %$/);
    server.refuses = () => false;
    // The longest wait of a refused request is 30 seconds.
    await clock.advance(60_000);
    expect(limiter.state.allowed).toBe(32);
    server.forget();
    await clock.advance(10_000);
    expect(server.counts.answered).toBeGreaterThan(300);
    expect(failed).toEqual([]);
  });
});
