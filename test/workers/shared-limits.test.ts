import type { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EndpointLimit, Permit } from "../../source/engine/models/limits/limiter.ts";
import { connectRedis } from "../../source/workers/connection.ts";
import { aliveKey, limitKeys, limitsChannel } from "../../source/workers/rounds/round-keys.ts";
import { endpointKey, restoreLimits, sharedOverload, SharedLimits } from "../../source/workers/shared-limits.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

const baseUrl = "https://models.lab.example/v1";
const never = new AbortController().signal;

/** Returns a worker's limits for the lab's endpoint, made as in its process. */
async function worker(server: RedisServer, name: string, limit: EndpointLimit, window?: number) {
  const redis = await connectRedis(server.url);
  const news = redis.duplicate({ lazyConnect: false });
  onTestFinished(() => (redis.disconnect(), news.disconnect()));
  await redis.set(aliveKey(name), "1");
  const limits = new SharedLimits({ redis, worker: name, ...(window !== undefined && { window }) });
  await news.subscribe(limitsChannel);
  news.on("message", (_, endpoint) => limits.hear(endpoint));
  return { limits, ...limits.of({ baseUrl, ...limit }) };
}

const workers = (server: RedisServer, count: number, limit: EndpointLimit, window?: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => worker(server, `w${index}`, limit, window)));

const keys = limitKeys(endpointKey({ baseUrl }));

/** Resolves to the requests of the last minute: when they were admitted by the clock of Redis, and their tokens. */
async function entries(client: Redis): Promise<readonly { readonly at: number; readonly tokens: number }[]> {
  const found = await client.zrange(keys.window, 0, "-1", "WITHSCORES");
  return Array.from({ length: found.length / 2 }, (_, index) => ({
    at: Number(found[2 * index + 1]),
    tokens: Number(found[2 * index]!.split("|")[1]),
  }));
}

/** Collects requests as they are admitted from now on, because entries of a short window expire soon. */
async function admitted(server: RedisServer): Promise<readonly { readonly at: number; readonly tokens: number }[]> {
  const all: { readonly at: number; readonly tokens: number }[] = [];
  const monitor = await redisClient(server).monitor();
  onTestFinished(() => monitor.disconnect());
  monitor.on("monitor", (_: string, [name, key, at, entry]: readonly string[]) => {
    if (name!.toLowerCase() === "zadd" && key === keys.window)
      all.push({ at: Number(at), tokens: Number(entry!.split("|")[1]) });
  });
  return all;
}

describeWithRedis("the limits of an endpoint that several workers share", () => {
  it("restrict the requests in flight of all workers together, and every worker can send requests", async () => {
    await using server = await RedisServer.start();
    const all = await workers(server, 5, { concurrency: 2 });
    let [flying, most, over] = [0, 0, 0];
    const ask = async ({ admit }: (typeof all)[number]) => {
      const admission = await admit(0, never);
      most = Math.max(most, ++flying);
      await new Promise((resolve) => setImmediate(resolve));
      flying -= 1;
      over += 1;
      admission.release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => ask(all[index % 5]!)));
    expect([most, over, flying]).toEqual([2, 60, 0]);
  });

  it("keep requests within the configured number in any window, even with more workers than requests", async () => {
    await using server = await RedisServer.start();
    const window = 150;
    const all = await workers(server, 5, { concurrency: 8, requestsPerMinute: 2 }, window);
    const begun = await admitted(server);
    const ask = async ({ admit }: (typeof all)[number]) => (await admit(0, never)).release();
    await Promise.all(Array.from({ length: 10 }, (_, index) => ask(all[index % 5]!)));
    await until(() => expect(begun).toHaveLength(10));
    for (const [index, { at }] of begun.entries())
      if (index >= 2) expect(at - begun[index - 2]!.at).toBeGreaterThanOrEqual(window);
  });

  it("count the final tokens of all workers", async () => {
    await using server = await RedisServer.start();
    const [one, other] = await workers(server, 2, { concurrency: 8, tokensPerMinute: 1000 });
    const first = await one!.admit(900, never);
    first.release();
    first.spent(100);
    const client = redisClient(server);
    await until(async () => expect(await entries(client)).toMatchObject([{ tokens: 100 }]));
    await other!.admit(900, never);
    // The first entry still exists, so no request waited until its minute was over.
    expect(await entries(client)).toMatchObject([{ tokens: 100 }, { tokens: 900 }]);
  });

  it("allow a request with more tokens than the limit per minute if no other is in flight", async () => {
    await using server = await RedisServer.start();
    const window = 150;
    const [one, other] = await workers(server, 2, { concurrency: 8, tokensPerMinute: 1000 }, window);
    const begun = await admitted(server);
    await one!.admit(10, never);
    await other!.admit(5000, never);
    await until(() => expect(begun.map(({ tokens }) => tokens)).toEqual([10, 5000]));
    expect(begun[1]!.at - begun[0]!.at).toBeGreaterThanOrEqual(window);
  });

  it("ignore a single refusal, fall for all workers to the server's capacity if it refuses most requests, and rise again", async () => {
    await using server = await RedisServer.start();
    const [one, other] = await workers(server, 2, { concurrency: 8 });
    const client = redisClient(server);
    const allowed = () => client.hget(keys.state, "allowed");
    const fresh = () => client.hget(keys.state, "fresh");
    const take = async (from: typeof one, count: number): Promise<readonly Permit[]> => {
      const taken: Permit[] = [];
      for (let each = 0; each < count; each++) taken.push(await from!.admit(0, never));
      return taken;
    };
    const [first, ...rest] = [...(await take(one, 4)), ...(await take(other, 4))];
    first!.release("refused");
    await until(async () => expect([await fresh(), await allowed()]).toEqual(["1", null]));
    for (const each of rest.slice(0, 4)) each.release("refused");
    await until(async () => expect(Number(await allowed())).toBeGreaterThanOrEqual(4));
    const left = Number(await allowed());
    expect(left).toBeLessThan(8);
    const endpoints = [endpointKey({ baseUrl })];
    expect(await sharedOverload(client, endpoints)).toBe(`${left} of 8 requests at a time: the server refuses 100 %`);
    for (const each of rest.slice(4)) each.release("taken");
    // Pretends that the limit was lowered some time ago.
    await client.hset(keys.state, "loweredAt", 0);
    while ((await allowed()) !== null) {
      const most = Number(await allowed());
      const taken = [...(await take(one, most >> 1)), ...(await take(other, most - (most >> 1)))];
      for (const each of taken) each.release("taken");
      await until(async () => expect(await client.hlen(keys.flying)).toBe(0));
    }
    expect(await sharedOverload(client, endpoints)).toBeUndefined();
  });

  it("stay at the configured value for a minute after a user resets them, even if the server refuses requests", async () => {
    await using server = await RedisServer.start();
    const [one] = await workers(server, 1, { concurrency: 4 });
    const client = redisClient(server);
    const endpoints = [endpointKey({ baseUrl })];
    const refuse = async (count: number) => {
      for (let each = 0; each < count; each++) (await one!.admit(0, never)).release("refused");
      await until(async () => expect(await client.hlen(keys.flying)).toBe(0));
    };
    await restoreLimits(client, endpoints);
    await refuse(12);
    await until(async () => expect(await client.hget(keys.state, "allowed")).toBe("1"));
    const first = await one!.admit(0, never);
    const next = one!.admit(0, never);
    await until(async () => expect(await client.hget(keys.state, "waiting")).toBe("1"));
    await restoreLimits(client, endpoints);
    (await next).release();
    first.release();
    await refuse(12);
    expect(await client.hget(keys.state, "allowed")).toBeNull();
    expect(await sharedOverload(client, endpoints)).toBeUndefined();
  });

  it("no longer count abandoned requests, or requests of a worker that has ended", async () => {
    await using server = await RedisServer.start();
    const [dead, waiting, living] = await workers(server, 3, { concurrency: 1 });
    await dead!.admit(0, never);
    const stop = new AbortController();
    const vain = waiting!.admit(0, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(vain).rejects.toThrow("stopped");
    const next = living!.admit(0, never);
    await redisClient(server).del(aliveKey("w0"));
    (await next).release();
  });

  it("allow no request while Redis is unreachable, can be stopped during that time, and count requests in flight afterwards", async () => {
    await using server = await RedisServer.start({ appendonly: "no" });
    const [one, other] = await workers(server, 2, { concurrency: 1 });
    const first = await one!.admit(0, never);
    await server.kill();
    const stop = new AbortController();
    const asked = other!.admit(0, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
    await server.restart();
    const client = redisClient(server);
    await client.set(aliveKey("w0"), "1");
    await client.set(aliveKey("w1"), "1");
    await one!.limits.sayAgain();
    let isAdmitted = false;
    const next = other!.admit(0, never).then(() => (isAdmitted = true));
    await until(async () => expect(await client.hget(keys.state, "waiting")).toBe("1"));
    expect(isAdmitted).toBe(false);
    first.release();
    await next;
  });
});

describe("the address of an endpoint", () => {
  it("is compared as a hash and never shown, because it can contain secrets", () => {
    expect(endpointKey({ baseUrl })).toMatch(/^[0-9a-f]{16}$/);
    expect(endpointKey({ baseUrl })).toBe(endpointKey({ baseUrl }));
    expect(endpointKey({ baseUrl })).not.toBe(endpointKey({ baseUrl: "https://other.example/v1" }));
  });
});
