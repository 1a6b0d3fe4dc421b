import { describe, expect, it } from "vitest";
import { acceptance, isReference, ownValue } from "../../../suites/appbench/score/values.ts";

describe("an accepted value of an argument", () => {
  const accepted = (gold: string, given: string, user = {}, before: Readonly<Record<string, string>> = {}) => {
    const remembered = new Map(Object.entries(before));
    return [acceptance("#city", gold, given, user, remembered), remembered.get("#city")];
  };

  it("is also accepted if only case and quotes differ", () => {
    expect(accepted("'Rome'", "'rome'")).toEqual(["gold", "rome"]);
    expect(accepted("'Rome, Italy'", "rome")).toEqual(["gold", "rome"]);
    expect(accepted("'Rome'", "'Rome, Italy'")).toEqual(["gold", "rome, italy"]);
    expect(accepted("'Rome'", "")).toEqual(["gold", ""]);
    expect(accepted("'Rome'", "'Oslo'")).toEqual([undefined, undefined]);
    expect(accepted("'New York'", "'NYC'")).toEqual(["gold", "new york"]);
    expect(accepted("'chicago'", "'Chi-Town'")[0]).toBe("gold");
  });

  it("is a value from the user or from an earlier call, and the first such value is kept", () => {
    expect(accepted("'Rome'", "'Oslo'", { city: "'Oslo'" })).toEqual(["user", "oslo"]);
    expect(accepted("'Rome'", "'Oslo'", { "#city": "'Oslo'" })[0]).toBeUndefined();
    expect(accepted("'Rome'", "'Oslo'", { city: "'Paris'" }, { "#city": "oslo" })).toEqual(["remembered", "oslo"]);
    expect(accepted("'Rome'", "'Oslo'", {}, { "#city": "paris" })).toEqual([undefined, "paris"]);
    expect(accepted("'Rome'", "'Rome'", {}, { "#city": "paris" })).toEqual(["gold", "paris"]);
    expect(accepted("'Rome'", "'Oslo'", { city: "'Oslo'" }, { "#city": "paris" })).toEqual(["user", "paris"]);
  });
});

it("a reference to a value is read without quotes, and only from an object's own properties", () => {
  expect(["x", "'x'", ""].map(isReference)).toEqual([true, false, true]);
  expect([ownValue({ a: 1 }, "a"), ownValue({ a: 1 }, "b"), ownValue({}, "toString")]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
