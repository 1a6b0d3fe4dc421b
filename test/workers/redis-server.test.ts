import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

describeWithRedis("the Redis server of a test", () => {
  test("keeps acknowledged data when it is killed, at the same address", async () => {
    await using server = await RedisServer.start();
    const { url } = server;
    await redisClient(server).xadd("events", "1-1", "text", "one");
    await server.kill();
    await expect(redisClient(server).ping()).rejects.toThrow();
    await server.restart();
    expect(server.url).toBe(url);
    expect(await redisClient(server).xrange("events", "-", "+")).toEqual([["1-1", ["text", "one"]]]);
  });

  test("loses data when it is killed without appendonly", async () => {
    await using server = await RedisServer.start({ appendonly: "no" });
    await redisClient(server).set("name", "value");
    await server.kill();
    await server.restart();
    expect(await redisClient(server).get("name")).toBeNull();
  });

  test("rejects writes when its memory is full", async () => {
    await using server = await RedisServer.start({ maxmemory: "2mb" });
    const fill = async () => {
      for (let key = 0; ; key++) await redisClient(server).set(`key-${key}`, "x".repeat(100_000));
    };
    await expect(fill()).rejects.toThrow("OOM command not allowed");
  });

  test("requires its password", async () => {
    await using server = await RedisServer.start({ password: "open-sesame" });
    await expect(redisClient(server).ping()).rejects.toThrow("NOAUTH");
    expect(await redisClient(server, { password: "open-sesame" }).ping()).toBe("PONG");
  });

  test("accepts only TLS, with a certificate that clients must trust", async () => {
    await using server = await RedisServer.start({ tls: true, password: "open-sesame" });
    expect(server.url).toMatch(/^rediss:/);
    const password = "open-sesame";
    await expect(redisClient(server, { password }).ping()).rejects.toThrow();
    const ca = readFileSync(server.certificate);
    expect(await redisClient(server, { password, tls: { ca } }).ping()).toBe("PONG");
  });
});
