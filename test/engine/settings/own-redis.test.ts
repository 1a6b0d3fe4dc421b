import { describe, expect, it } from "vitest";
import { needsConsent, ownRedis } from "../../../source/engine/settings/own-redis.ts";

const password = { PLANWRIGHT_REDIS_PASSWORD: "open-sesame" };

describe("the password for a Redis server", () => {
  it.each([
    "redis://lab",
    "redis://lab:6380/2",
    "redis://10.0.0.7",
    "redis://[2001:db8::1]:6379",
    "redis://0.0.0.0",
    "redis://127.0.0.1.lab.example",
    "redis://localhost.lab.example",
    "redis://128.0.0.1",
  ])("requires consent to be sent to %s", (url) => {
    expect(needsConsent(url, {}, password)).toBe(true);
    expect(() => ownRedis(url, {}, password)).toThrow(
      /^PLANWRIGHT_REDIS_PASSWORD would be sent to .* unencrypted .*--allow/,
    );
  });

  it.each([
    "rediss://lab",
    "redis://127.0.0.1",
    "redis://127.9.9.9:7000",
    "redis://localhost",
    "redis://LOCALHOST:6380",
    "redis://[::1]:6379",
    "redis://[::ffff:127.0.0.1]",
  ])("requires no consent to be sent to %s", (url) => {
    expect(needsConsent(url, {}, password)).toBe(false);
    expect(ownRedis(url, {}, password)).toBe(url);
  });

  it("requires no consent if the password is empty", () => {
    expect(needsConsent("redis://lab", {}, {})).toBe(false);
    expect(needsConsent("redis://lab", {}, { PLANWRIGHT_REDIS_PASSWORD: "" })).toBe(false);
  });

  it("is sent only to servers that the user agreed to, in any spelling of the address", () => {
    const agreed = { unencrypted: ["redis://lab:6379"] };
    expect(needsConsent("redis://LAB/3", agreed, password)).toBe(false);
    expect(needsConsent("redis://lab:6380", agreed, password)).toBe(true);
    expect(needsConsent("redis://lab2", agreed, password)).toBe(true);
  });
});
