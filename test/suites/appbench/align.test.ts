import { expect, it } from "vitest";
import { align } from "../../../suites/appbench/score/align.ts";
import {
  canonicalCall,
  canonicalText,
  canonicalValue,
  splitArguments,
} from "../../../suites/appbench/score/canonical-call.ts";
import { planCall } from "../../../suites/appbench/score/plan-call.ts";

const own = planCall("Alpha", "r = find(#day='monday', #town='rome')");

it("the alignment pairs a call with a call of the same API before a call with the same app and arguments", () => {
  const sameApp = planCall("Alpha", "r = book(#day='monday', #town='rome')");
  const sameApi = planCall("Beta", "r = find(#day='friday')");
  expect(align([own], [sameApp, sameApi])).toEqual({ pairs: [[0, 1]], missing: [], extra: [0] });
});

it("the alignment chooses among calls of the same API by app, then by arguments, then by position", () => {
  const call = (app: string, town: string) => planCall(app, `r = find(#day='monday', #town='${town}')`);
  expect(align([own], [call("Beta", "rome"), call("Alpha", "oslo")]).pairs).toEqual([[0, 1]]);
  expect(align([own], [call("Alpha", "oslo"), call("Alpha", "rome")]).pairs).toEqual([[0, 1]]);
  expect(align([own, own], [own, own]).pairs).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(align([call("Gamma", "x"), own], [own, own]).pairs).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

it("the alignment does not pair calls without a common readable API or app, even if the arguments are equal", () => {
  const unreadable = (app: string) => planCall(app, "nothing to call");
  expect(align([unreadable("Alpha")], [unreadable("Beta")])).toEqual({ pairs: [], missing: [0], extra: [0] });
  const other = planCall("Beta", "r = book(#day='monday', #town='rome')");
  expect(align([own], [other])).toEqual({ pairs: [], missing: [0], extra: [0] });
  expect(align([unreadable("Alpha")], [unreadable("alpha")]).pairs).toEqual([[0, 0]]);
});

it("spaces in a literal are joined into one, and removed at both ends", () => {
  const town = (text: string) => planCall("Alpha", `r = find(#day='monday', #town='${text}')`).arguments.get("town");
  expect(town("  new \t  york ")).toMatchObject({ kind: "literal", text: "new york" });
  expect(town("newyork")).toMatchObject({ text: "newyork" });
});

it("the alignment takes the first of two calls that are equally near", () => {
  const other = planCall("Beta", "r = book(#day='monday')");
  const another = planCall("Gamma", "r = pay(#day='monday')");
  expect(align([own, other, own], [another, own])).toEqual({ pairs: [[0, 1]], missing: [1, 2], extra: [0] });
});

it("arguments are split at commas before another key, and only there", () => {
  expect(splitArguments("a=1,b=2, c=3")).toEqual(["a=1", "b=2", " c=3"]);
  expect(splitArguments("a='x, y',,#b=2")).toEqual(["a='x, y',", "#b=2"]);
  expect(splitArguments("")).toEqual([""]);
});

it("a call ends at its last bracket, or with the text if there is none", () => {
  const read = (text: string) => {
    const call = canonicalCall("Alpha", text);
    return call && [call.name, ...[...call.arguments].map(([key, value]) => `${key}: ${value.text}`)];
  };
  expect(read("r = find()")).toEqual(["find"]);
  expect(read("r = Alpha_find(#a='(x)', #b='y=z')")).toEqual(["find", "a: (x)", "b: y=z"]);
  expect(read("r = alpha.find(#a='x'")).toEqual(["find", "a: x"]);
  expect(read("r ==find(#a=1)")).toEqual(["find", "a: 1"]);
  expect([read("r = find"), read("find(#a=1)"), read("r = find(x)")]).toEqual([undefined, undefined, undefined]);
});

it("a value loses an opening quote and an equal closing one", () => {
  const texts = ["'x'", "'x", "x'", "'x\"", '"x"', "'", "''"].map((text) => canonicalValue(text).text);
  expect(texts).toEqual(["x", "x", "x'", 'x"', "x", "", ""]);
  expect(["True", "x", "4", "a b"].map((text) => canonicalValue(text).kind)).toEqual([
    "literal",
    "reference",
    "literal",
    "literal",
  ]);
});

it("equal calls have equal texts, in any order of their arguments", () => {
  const text = (call: string) => canonicalText(canonicalCall("Alpha", call)!);
  expect(text("r = find(#b='y', #a='x')")).toBe(text("s = find(a='X', b='y')"));
  expect(text("r = find(#b='y')")).not.toBe(text("r = find(#b=y)"));
  expect(text("r = find(#b='y')")).not.toBe(text("r = find(#b='y', #a='x')"));
});
