import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Limiter } from "../../../source/engine/models/limiter.ts";
import type { Turn } from "../../../source/engine/models/limiter.ts";

const never = new AbortController().signal;

/** Sets off a request and notes when it gets its turn. */
function asking(limiter: Limiter, order: string[], name: string, again = false): Promise<Turn> {
  return limiter.enter(never, 0, again).then((turn) => {
    order.push(name);
    return turn;
  });
}

describe("how many requests an endpoint gets at a time", () => {
  it("is the width asked for; who waits goes in the order of asking, second attempts first", async () => {
    const limiter = new Limiter({ concurrency: 2 });
    const order: string[] = [];
    const first = await asking(limiter, order, "a");
    const second = await asking(limiter, order, "b");
    const rest = [asking(limiter, order, "c"), asking(limiter, order, "d"), asking(limiter, order, "again", true)];
    expect(limiter.state).toEqual({ width: 2, allowed: 2, running: 2, waiting: 3 });
    first.leave();
    first.leave();
    second.leave();
    await Promise.race(rest);
    await rest[0];
    expect(order).toEqual(["a", "b", "again", "c"]);
    (await rest[2]!).leave();
    (await rest[0]!).leave();
    (await rest[1]!).leave();
    expect(limiter.state).toEqual({ width: 2, allowed: 2, running: 0, waiting: 0 });
  });

  it("halves when the server has too much, once for all requests that were in flight together", async () => {
    const limiter = new Limiter({ concurrency: 8 });
    const turns = await Promise.all(Array.from({ length: 8 }, () => limiter.enter(never, 0)));
    for (const turn of turns) limiter.tooMuch(turn);
    expect(limiter.state.allowed).toBe(4);
    for (const turn of turns) turn.leave();
    const later = await limiter.enter(never, 0);
    limiter.tooMuch(later);
    later.leave();
    expect(limiter.state.allowed).toBe(2);
  });

  it("never falls below one, and grows back one by one up to the width", async () => {
    const limiter = new Limiter({ concurrency: 3 });
    for (let count = 0; count < 5; count++) {
      const turn = await limiter.enter(never, 0);
      limiter.tooMuch(turn);
      turn.leave();
    }
    expect(limiter.state.allowed).toBe(1);
    const grown = Array.from({ length: 20 }, () => {
      limiter.succeeded();
      return limiter.state.allowed;
    });
    expect(grown.slice(0, 9)).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3]);
    expect(grown.at(-1)).toBe(3);
  });

  it("changes while requests wait", async () => {
    const limiter = new Limiter({ concurrency: 1 });
    await limiter.enter(never, 0);
    const waiting = limiter.enter(never, 0);
    limiter.setWidth(2);
    await waiting;
    expect(limiter.state).toMatchObject({ width: 2, running: 2, waiting: 0 });
    expect(() => limiter.setWidth(0)).toThrow("Expected `width` to be a whole number of at least 1, got `0`");
  });

  it("is not taken by a request that was given up while it waited", async () => {
    const limiter = new Limiter({ concurrency: 1 });
    const running = await limiter.enter(never, 0);
    const stop = new AbortController();
    const waiting = limiter.enter(stop.signal, 0);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    running.leave();
    expect(limiter.state).toMatchObject({ running: 0, waiting: 0 });
  });
});

describe("limits a minute", () => {
  const clock = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  };

  it("let no more than so many requests go in any 60 seconds", async () => {
    clock();
    const limiter = new Limiter({ concurrency: 100, requestsPerMinute: 3 });
    const starts: number[] = [];
    for (let count = 0; count < 7; count++)
      void limiter.enter(never, 0).then((turn) => {
        starts.push(Math.round(performance.now() / 1000));
        turn.leave();
      });
    const began = Math.round(performance.now() / 1000);
    await vi.advanceTimersByTimeAsync(125_000);
    expect(starts.map((at) => at - began)).toEqual([0, 0, 0, 60, 60, 60, 120]);
  });

  it("count the tokens that were really spent", async () => {
    clock();
    const limiter = new Limiter({ concurrency: 100, tokensPerMinute: 1000 });
    const first = await limiter.enter(never, 900);
    first.spent(100);
    first.leave();
    const second = await limiter.enter(never, 900);
    second.spent(950);
    let third = false;
    void limiter.enter(never, 10).then(() => (third = true));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(third).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(third).toBe(true);
  });

  it("let a request go alone that is above the limit all by itself", async () => {
    clock();
    const limiter = new Limiter({ concurrency: 2, tokensPerMinute: 10 });
    expect(await limiter.enter(never, 5000)).toBeDefined();
  });

  it("can be waited out or given up", async () => {
    const limiter = new Limiter({ concurrency: 2, requestsPerMinute: 1 });
    (await limiter.enter(never, 0)).leave();
    const stop = new AbortController();
    const waiting = limiter.enter(stop.signal, 0);
    setTimeout(() => stop.abort(new Error("stopped")), 5);
    await expect(waiting).rejects.toThrow("stopped");
    expect(limiter.state.running).toBe(0);
  });
});
