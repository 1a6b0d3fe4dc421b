/** What the limiter makes of servers that refuse requests, by a clock that is turned: every figure follows from the seed. */
import { describe, expect, it } from "vitest";
import { Limiter } from "../../../source/engine/models/limiter.ts";
import { pause } from "../../../source/engine/models/pause.ts";
import { defaultPolicy, nextWait, type RequestFailure } from "../../../source/engine/models/retry-policy.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { openTestClock, type TestClock } from "../work/test-clock.ts";

const never = new AbortController().signal;
const tooMany: RequestFailure = { kind: "busy", status: 429, error: "429" };

/** A server that takes a second for a reply and refuses at once. */
class SimulatedServer {
  /** Whether a request is refused that finds so many in flight. */
  refuses: (flying: number) => boolean;
  slow = 10;
  readonly #clock: TestClock;
  #flying = 0;
  /** Since they were last set to 0; `busy`: milliseconds of requests it held. */
  counts = { sent: 0, refused: 0, answered: 0, most: 0, busy: 0 };

  constructor(clock: TestClock, refuses: (flying: number) => boolean) {
    this.#clock = clock;
    this.refuses = refuses;
  }

  forget(): void {
    this.counts = { sent: 0, refused: 0, answered: 0, most: 0, busy: 0 };
  }

  async ask(): Promise<RequestFailure | undefined> {
    this.counts.sent += 1;
    if (this.refuses(this.#flying)) {
      await pause(this.slow, never, this.#clock);
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

/** So many tasks at a time, one request after the other, with the waits of the program. */
function simulation(refuses: (flying: number) => boolean, concurrency = 32, seed = 7) {
  const clock = openTestClock();
  const random = randomFrom(seed);
  const server = new SimulatedServer(clock, refuses);
  const limiter = new Limiter({ concurrency }, clock);
  const failed: string[] = [];
  const task = async () => {
    for (;;) {
      for (let attempt = 1; ; attempt++) {
        const permit = await limiter.acquire(never, 0, attempt > 1);
        const failure = await server.ask();
        permit.release(failure === undefined ? "taken" : "refused");
        if (failure === undefined) break;
        const next = nextWait(defaultPolicy, failure, { attempt, busy: attempt }, random);
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

const atRandom = (share: number, seed = 11) => {
  const random = randomFrom(seed);
  return () => random() < share;
};

describe("a server that takes 8 requests at a time and refuses the rest", () => {
  it("is kept busy, and refuses far less than half of what is sent, from the first second on", async () => {
    const { clock, server, limiter, failed } = simulation((flying) => flying >= 8);
    await clock.advance(5000);
    console.log(server.counts, limiter.state);
    server.forget();
    await clock.advance(300_000);
    console.log(server.counts, limiter.state, limiter.overload, failed.length);
  });
});
it("slow", async () => {
    const { clock, server, limiter, failed } = simulation((flying) => flying >= 8);
    server.slow = 1000;
    for (let i = 0; i < 6; i++) {
    await clock.advance(30_000);
    console.log("slow", server.counts, limiter.state, limiter.overload, failed.length);
    server.forget();
    }
});
describe("random", () => {
  it.each([0.1, 0.2, 0.3, 0.4, 0.6])("%s", async (share) => {
    const { clock, server, limiter, failed } = simulation(atRandom(share));
    for (let i = 0; i < 5; i++) {
    await clock.advance(60_000);
    console.log(share, server.counts, limiter.state, limiter.overload, failed.length);
    server.forget();
    }
  });
  it("outage", async () => {
    const { clock, server, limiter, failed } = simulation(() => false);
    await clock.advance(60_000);
    server.refuses = () => true;
    for (let i = 0; i < 4; i++) {
    await clock.advance(60_000);
    console.log(server.counts, limiter.state, limiter.overload, failed.length);
    server.forget();
    }
    server.refuses = () => false;
    for (let i = 0; i < 8; i++) {
    await clock.advance(10_000);
    console.log(server.counts, limiter.state, limiter.overload, failed.length);
    server.forget();
    }
  });
  it("change", async () => {
    const { clock, server, limiter, failed } = simulation(() => false);
    await clock.advance(60_000);
    server.refuses = (n) => n >= 8;
    for (let i = 0; i < 60; i++) {
    await clock.advance(10_000);
    console.log(server.counts, limiter.state, limiter.overload, failed.length);
    server.forget();
    }
  });
});
