import { expect, it } from "vitest";
import { factOf } from "../../../source/engine/work/fact.ts";

it("a fact about an object is computed once, on first request", () => {
  const asked: string[] = [];
  const size = factOf(({ name }: { readonly name: string }): number | undefined => {
    asked.push(name);
    return name === "" ? undefined : name.length;
  });
  const [one, alike, none] = [{ name: "one" }, { name: "one" }, { name: "" }];
  expect([size(one), size(one), size(alike), size(none), size(none)]).toEqual([3, 3, 3, undefined, undefined]);
  expect(asked).toEqual(["one", "one", ""]);
});

it("a fact about an object that was computed elsewhere is reused, and several facts of an object are separate", () => {
  const first = factOf(({ at }: { readonly at: number }) => at);
  const second = factOf(({ at }: { readonly at: number }) => -at);
  const object = { at: 1 };
  first.know(object, 7);
  expect([first(object), second(object)]).toEqual([7, -1]);
});
