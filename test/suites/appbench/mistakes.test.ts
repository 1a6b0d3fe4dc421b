/** The mistakes in a plan of two or three calls, by call and argument. */
import { describe, expect, it } from "vitest";
import type { Gold } from "../../../suites/appbench/data/gold.ts";
import { mistakesOf } from "../../../suites/appbench/score/mistakes.ts";
import { isPlaceKey, isTimeKey } from "../../../suites/appbench/score/score-analysis.ts";
import { planOf } from "../../../suites/appbench/score/scored-plan.ts";

const gold: Gold = {
  used_app: ["Trains", "Hotels"],
  used_api: [],
  result_arguments: [["a"], ["b"]],
  api_results: ["a = find(#to='York', #date='monday')", "b = book(#place=a, #stars='4', #city='Paris')"],
  user_aware_arguments: { stars: "five" },
} as unknown as Gold;
const [find, book] = [
  "Trains: [a = find(#to='York', #date='monday')]",
  "Hotels: [b = book(#place=a, #stars='4', #city='Paris')]",
];
const mistakes = (...lines: readonly string[]) => {
  const answer = { output: lines.join("\n") };
  return mistakesOf(answer, planOf(answer, []), gold);
};
const replaced = (from: string, to: string) => mistakes(find!, book!).concat(mistakes(find!, book!.replace(from, to)));

describe("the mistakes in a plan", () => {
  it("are none if its calls are those of the reference, in any order", () => {
    expect(mistakes(find!, book!)).toEqual([]);
    expect(mistakes(book!, find!)).toEqual([]);
  });

  it("are one if there is no call at all", () => {
    expect(mistakes("I would rather not.")).toEqual([{ kind: "no-plan", got: "I would rather not." }]);
    expect(mistakes("x".repeat(301))).toEqual([{ kind: "no-plan", got: "x".repeat(300) }]);
  });

  it("name a missing call by whether its app was used, and a superfluous one by whether the reference uses its app", () => {
    expect(mistakes(find!)).toEqual([{ kind: "missing-app", step: 1, expected: gold.api_results[1] }]);
    expect(mistakes(find!, book!, "hotels: [c = pay(#sum='1')]")).toEqual([
      { kind: "extra-api", step: 2, got: "c = pay(#sum='1')" },
    ]);
    expect(mistakes(find!, book!, "Banks: [c = pay(#sum='1')]")).toEqual([
      { kind: "extra-app", step: 2, got: "c = pay(#sum='1')" },
    ]);
    expect(mistakes(find!, book!, "Banks: [pay it]").map(({ kind, step }) => [kind, step])).toEqual([
      ["unreadable-call", 2],
    ]);
  });

  it("name another API of the same app, and another app of the same API", () => {
    expect(mistakes(find!, "Hotels: [b = pay(#place=a)]")).toEqual([
      { kind: "wrong-api", step: 1, expected: "book", got: "pay" },
    ]);
    expect(mistakes(find!, book!.replace("Hotels", "Inns"))).toEqual([
      { kind: "wrong-app", step: 1, expected: "Hotels", got: "Inns" },
    ]);
    expect(mistakes(find!, book!.replace("Hotels", "HOTELS"))).toEqual([]);
  });

  it("name missing keys by whether their value comes from another call, and superfluous keys", () => {
    expect(replaced("#place=a, ", "")).toEqual([{ kind: "key-dependent", step: 1, key: "place", expected: "a" }]);
    expect(replaced("#stars='4', ", "")).toMatchObject([{ kind: "key-independent", step: 1, key: "stars" }]);
    expect(replaced("#stars='4'", "#stars='4', #pets='no'")).toMatchObject([
      { kind: "extra-key", step: 1, key: "pets" },
    ]);
  });

  it.each([
    ["#place=a", "#place='a'", "literal-for-reference", "place"],
    ["#stars='4'", "#stars=a", "reference-for-literal", "stars"],
    ["#place=a", "#place=x", "value-dependent", "place"],
    // The official program accepts a part of the value, and the user's value.
    ["#city='Paris'", "#city='Par'", "value-inexact", "city"],
    ["#stars='4'", "#stars='five'", "value-inexact", "stars"],
    ["#stars='4'", "#stars='3'", "value-independent", "stars"],
    ["#city='Paris'", "#city='Rome'", "value-space", "city"],
  ])("name a value: %s written as %s is %s", (from, to, kind, key) => {
    expect(replaced(from, to)).toMatchObject([{ kind, step: 1, key }]);
    expect(replaced(from, to)).toHaveLength(1);
  });

  it("name a wrong time, and come in the order of the reference's calls", () => {
    const late = mistakes("Hotels: [b = book(#place=a, #stars='3', #city='Paris')]", find!.replace("monday", "friday"));
    expect(late.map(({ kind, step, key }) => [kind, step, key])).toEqual([
      ["value-time", 0, "date"],
      ["value-independent", 1, "stars"],
    ]);
  });
});

describe("a call that a scorer misreads", () => {
  const wrong = (...lines: readonly string[]) =>
    mistakes(...lines).map(({ kind, step, key }) => [kind, step, key].join(" ").trim());

  it("is unreadable, and compared as far as it can be read", () => {
    expect(mistakes(find!, "Hotels: [book Paris]")).toEqual([
      { kind: "unreadable-call", step: 1, expected: gold.api_results[1], got: "book Paris" },
    ]);
    expect(wrong(find!, "Hotels: [b = book(Paris)]")).toEqual([
      "unreadable-call 1",
      "key-dependent 1 place",
      "key-independent 1 stars",
      "key-independent 1 city",
    ]);
  });

  it("is misread if the official reading has other keys, or no value for one that has a value", () => {
    const city = (written: string) => wrong(find!, book!.replace("#city='Paris'", written));
    expect(city("#city='Paris, France'")).toEqual(["misread-arguments 1", "value-inexact 1 city"]);
    expect(city("#city='Paris=France'")).toEqual(["misread-arguments 1", "value-inexact 1 city"]);
    expect(city("#city=")).toEqual(["value-inexact 1 city"]);
    const there = { ...gold, api_results: [gold.api_results[0]!, "b = book(#city='Paris, France')"] } as Gold;
    const answer = { output: `${find}\nHotels: [b = book(#city='Paris, France')]` };
    expect(mistakesOf(answer, planOf(answer, []), there)).toEqual([]);
  });

  it("comes in the order of the reference, whose other calls may be missing", () => {
    expect(wrong("Hotels: [b = book(#place=a, #stars='3', #city='Paris')]")).toEqual([
      "missing-app 0",
      "value-independent 1 stars",
    ]);
    const twice = { ...gold, used_app: ["Trains", "Trains"] } as Gold;
    const answer = { output: `${find}\nBanks: [c = pay(#sum='1')]` };
    expect(mistakesOf(answer, planOf(answer, []), twice).map(({ kind, step }) => [kind, step])).toEqual([
      ["missing-api", 1],
      ["extra-app", 1],
    ]);
  });
});

describe("a key is one of", () => {
  it("times if it contains date or time, and of places as upstream matches parts of names", () => {
    expect(["date", "start_time", "dat", "day"].map(isTimeKey)).toEqual([true, true, false, false]);
    const keys = ["from", "to", "city", "where_to", "destination", "total", "customer", "place", "where"];
    expect(keys.map(isPlaceKey)).toEqual([true, true, true, true, true, true, true, false, false]);
  });
});
