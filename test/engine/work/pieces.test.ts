import { describe, expect, test } from "vitest";
import { atOnce, inSlices, sorted, type Pieces, withPauses } from "../../../source/engine/work/pieces.ts";

/** Counts up as long as `goesOn` returns true. */
function* counting(goesOn: (count: number) => boolean): Pieces<number> {
  let count = 0;
  while (goesOn(count)) {
    count += 1;
    yield `piece ${count}`;
  }
  return count;
}

describe("work done in pieces", () => {
  test("gives the same results with and without pauses, and reports its progress", async () => {
    const said: string[] = [];
    expect(atOnce(counting((count) => count < 3))).toBe(3);
    expect(
      await withPauses(
        counting((count) => count < 3),
        { progress: (at) => said.push(at) },
      ),
    ).toBe(3);
    expect(said).toEqual(["piece 1", "piece 2", "piece 3"]);
  });

  test("lets pending events be handled, even an expired timer that ends the work", async () => {
    let isDue = false;
    setImmediate(() => setImmediate(() => (isDue = true)));
    expect(await withPauses(counting(() => !isDue))).toBeGreaterThan(0);
  });

  test("starts only after the call returns, and ends when it is aborted", async () => {
    const ending = new AbortController();
    let begun = 0;
    const endless = counting(() => (begun += 1) > 0);
    const done = withPauses(endless, {
      signal: ending.signal,
      progress: () => ending.abort(new Error("no longer wanted")),
    });
    expect(begun).toBe(0);
    await expect(done).rejects.toThrow("no longer wanted");
  });

  test("processes a long list in slices, with the start index of each slice", () => {
    const items = Array.from({ length: 10_001 }, (_, index) => index);
    let longest = 0;
    const pieces = inSlices(items, (slice, from) => {
      longest = Math.max(longest, slice.length);
      return slice.filter((item, index) => item === from + index && item % 3 === 0);
    });
    expect(atOnce(pieces)).toEqual(items.filter((item) => item % 3 === 0));
    expect(longest).toBe(1000);
    expect(atOnce(inSlices([], (slice) => slice))).toEqual([]);
  });

  test("sorts a long list, and keeps the order of items that compare as equal", () => {
    const items = Array.from({ length: 10_001 }, (_, at) => ({ at, key: (at * 7919) % 101 }));
    const byKey = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key;
    expect(atOnce(sorted(items, byKey))).toEqual(items.toSorted(byKey));
    expect(atOnce(sorted([], byKey))).toEqual([]);
  });
});
