import { expect, it } from "vitest";
import { mutationsOf } from "../../bench/mutants/mutations.ts";

/** Every mutation of an expression, as the expression it becomes. */
function becomes(expression: string): readonly string[] {
  const text = `const it = ${expression}`;
  return mutationsOf(text, "rule.ts").map(({ start, end, becomes: other }) =>
    (text.slice(0, start) + other + text.slice(end)).replace("const it = ", ""),
  );
}

it("a mutation replaces the first item by the last, in calls and by index", () => {
  expect(becomes("a.find(b)")).toEqual(["a.findLast(b)"]);
  expect(becomes("a.indexOf(b)")).toEqual(["a.lastIndexOf(b)"]);
  expect(becomes("a.at(-1)")).toContain("a.at(0)");
  expect(becomes("a[0]")).toContain("a.at(-1)!");
});

it("a mutation reverses ties and roundings", () => {
  expect(becomes("a.toSorted(by)")).toEqual(["a.toSorted(by).toReversed()"]);
  expect(becomes("Math.ceil(a)")).toEqual(["Math.floor(a)"]);
  expect(becomes("a >= b")).toEqual(["(a) > (b)"]);
});

it("a mutation adds one to a divisor", () => {
  expect(becomes("a / b")).toEqual(["(a) * (b)", "(a) / (b + 1)"]);
});

it("mutations skip code without an effect at run time", () => {
  const removed = (text: string) => mutationsOf(text, "rule.ts").filter(({ kind }) => kind === "removed").length;
  expect(["event satisfies never;", '"use strict";', "a();", "a = b;"].map(removed)).toEqual([0, 0, 1, 1]);
});

it("mutations skip calls to functions that have no mutation", () => {
  expect(becomes("a.b(c)")).toEqual([]);
  expect(becomes("find(c)")).toEqual([]);
  expect(becomes("a.toString()")).toEqual([]);
});

it("mutations skip a list of names whose values are never read", () => {
  expect(becomes("{ a: true, b: true } satisfies Record<Kind, true>")).toEqual([]);
  expect(becomes("{ a: true, b: true }")).toEqual(["{ a: false, b: true }", "{ a: true, b: false }"]);
});

it("mutations skip the target of an assignment, and parts of an optional chain", () => {
  expect(becomes("() => (a[0] = b)")).toEqual([]);
  expect(becomes("a?.b[c].at(-1)")).toContain("a?.b[c].at(0)");
  expect(becomes("a?.find(b).c")).toEqual([]);
});
