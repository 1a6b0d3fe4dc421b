import { describe, expect, it } from "vitest";
import { until } from "../../until.ts";
import { Limiter } from "../../../source/engine/models/limits/limiter.ts";
import { openTestClock } from "../work/test-clock.ts";
import type { Permit } from "../../../source/engine/models/limits/limiter.ts";

const never = new AbortController().signal;

/** Starts a request and records when it gets its permit. */
function asking(limiter: Limiter, order: string[], name: string, again = false): Promise<Permit> {
  return limiter.acquire(never, 0, again).then((permit) => {
    order.push(name);
    return permit;
  });
}

describe("the concurrency of an endpoint", () => {
  it("is the configured value; requests wait in order, repeated requests first", async () => {
    const limiter = new Limiter({ concurrency: 2 });
    const order: string[] = [];
    const first = await asking(limiter, order, "a");
    const second = await asking(limiter, order, "b");
    const rest = [asking(limiter, order, "c"), asking(limiter, order, "d"), asking(limiter, order, "again", true)];
    expect(limiter.state).toEqual({ concurrency: 2, allowed: 2, running: 2, waiting: 3 });
    first.release();
    first.release();
    second.release();
    await Promise.race(rest);
    await rest[0];
    expect(order).toEqual(["a", "b", "again", "c"]);
    (await rest[2]!).release();
    (await rest[0]!).release();
    (await rest[1]!).release();
    expect(limiter.state).toEqual({ concurrency: 2, allowed: 2, running: 0, waiting: 0 });
  });

  it("ignores a single refusal, and is reduced to the server's capacity if the server refuses most requests", async () => {
    const clock = openTestClock();
    const limiter = new Limiter({ concurrency: 8 }, clock);
    const take = (count: number) => Promise.all(Array.from({ length: count }, () => limiter.acquire(never, 0)));
    const first = await take(8);
    await clock.advance(100);
    first[0]!.release("refused");
    expect(limiter.state.allowed).toBe(8);
    expect(limiter.overload).toBeUndefined();
    for (const permit of first.slice(1, 5)) permit.release("refused");
    expect(limiter.state).toMatchObject({ concurrency: 8, allowed: 4, running: 3 });
    expect(limiter.overload).toBe("4 of 8 requests at a time: the server refuses 100 %");
  });

  it("ignores aborted requests", async () => {
    const limiter = new Limiter({ concurrency: 2 });
    for (let count = 0; count < 50; count++) (await limiter.acquire(never, 0)).release();
    expect(limiter.state.allowed).toBe(2);
    const many = new Limiter({ concurrency: 16 });
    const permits = await Promise.all(Array.from({ length: 16 }, () => many.acquire(never, 0)));
    for (const permit of permits.slice(0, 9)) permit.release("refused");
    const { allowed } = many.state;
    expect(allowed).toBeLessThan(16);
    for (const permit of permits.slice(9)) permit.release();
    expect(many.state.allowed).toBe(allowed);
  });

  it("can be changed while requests wait", async () => {
    const limiter = new Limiter({ concurrency: 1 });
    await limiter.acquire(never, 0);
    const waiting = limiter.acquire(never, 0);
    limiter.setConcurrency(2);
    await waiting;
    expect(limiter.state).toMatchObject({ concurrency: 2, running: 2, waiting: 0 });
    expect(() => limiter.setConcurrency(0)).toThrow(
      "Expected `concurrency` to be a whole number of at least 1, got `0`",
    );
  });

  it("does not include a request that was aborted while it waited", async () => {
    const limiter = new Limiter({ concurrency: 1 });
    const running = await limiter.acquire(never, 0);
    const stop = new AbortController();
    const waiting = limiter.acquire(stop.signal, 0);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    running.release();
    expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
  });
});

describe("limits per minute", () => {
  it("admit at most the configured number of requests in any 60 seconds", async () => {
    const clock = openTestClock();
    const limiter = new Limiter({ concurrency: 100, requestsPerMinute: 3 }, clock);
    const starts: number[] = [];
    for (let count = 0; count < 7; count++)
      void limiter.acquire(never, 0).then((permit) => {
        starts.push(clock.now() / 1000);
        permit.release();
      });
    await clock.advance(125_000);
    expect(starts).toEqual([0, 0, 0, 60, 60, 60, 120]);
  });

  it("count the tokens that were actually used", async () => {
    const clock = openTestClock();
    const limiter = new Limiter({ concurrency: 100, tokensPerMinute: 1000 }, clock);
    const first = await limiter.acquire(never, 900);
    first.spent(100);
    first.release();
    const second = await limiter.acquire(never, 900);
    second.spent(950);
    let third = false;
    void limiter.acquire(never, 10).then(() => (third = true));
    await clock.advance(59_000);
    expect(third).toBe(false);
    await clock.advance(2000);
    expect(third).toBe(true);
  });

  it("admit a request above the limit if no other request is running", async () => {
    const clock = openTestClock();
    const limiter = new Limiter({ concurrency: 2, tokensPerMinute: 10 }, clock);
    expect(await limiter.acquire(never, 5000)).toBeDefined();
  });

  it("make a request wait until the limit admits it or it is aborted", async () => {
    const clock = openTestClock();
    const limiter = new Limiter({ concurrency: 2, requestsPerMinute: 1 }, clock);
    (await limiter.acquire(never, 0)).release();
    const stop = new AbortController();
    const waiting = limiter.acquire(stop.signal, 0);
    await until(() => expect(clock.due()).toEqual([60_000]));
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    expect(limiter.state.running).toBe(0);
  });
});

describe("limits shared with other programs", () => {
  it("replace this program's limits for each request and its tokens, and receive the outcome", async () => {
    const told: string[] = [];
    const tell =
      (word: string) =>
      (what: number | string = "") =>
        void told.push(`${word} ${what}`.trim());
    const admission = { spent: tell("spent"), release: tell("release") };
    const limiter = new Limiter({ concurrency: 8, requestsPerMinute: 1 }, openTestClock(), {
      admit: async (tokens) => (tell("admit")(tokens), admission),
    });
    const permit = await limiter.acquire(never, 40);
    await limiter.acquire(never, 50);
    permit.spent(30);
    permit.release("refused");
    permit.release("taken");
    expect(told).toEqual(["admit 40", "admit 50", "spent 30", "release refused"]);
    expect(limiter.state).toMatchObject({ allowed: 8, running: 1 });
  });

  it("stop counting a request as running if it is aborted while it waits", async () => {
    const limiter = new Limiter({ concurrency: 1 }, openTestClock(), {
      admit: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    const stop = new AbortController();
    const waiting = limiter.acquire(stop.signal, 0);
    await until(() => expect(limiter.state.running).toBe(1));
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    expect(limiter.state.running).toBe(0);
  });
});
