import { expect, it } from "vitest";
import { align } from "../../../suites/appbench/score/align.ts";
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
