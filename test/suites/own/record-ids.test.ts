import { describe, expect, it } from "vitest";
import { RecordIds } from "../../../suites/own/data/record-ids.ts";

/** Returns, for each id, whether no earlier one was the same, and which records were read again. */
function newness(given: readonly (string | undefined)[]) {
  const again: number[] = [];
  const ids = new RecordIds((at) => {
    again.push(at);
    return given[at];
  });
  return { isNew: given.map((id, at) => ids.isNew(id, at)), again, areNumbers: ids.areNumbers };
}

describe("ids of records", () => {
  it("are their numbers if no record has an own one", () => {
    expect(newness([undefined, undefined])).toEqual({ isNew: [true, true], again: [], areNumbers: true });
  });

  it("are repeated if an earlier record has the same, or the same number", () => {
    expect(newness(["a", "b", "a"])).toEqual({ isNew: [true, true, false], again: [0], areNumbers: false });
    expect(newness([undefined, undefined, "2"])).toEqual({ isNew: [true, true, false], again: [1], areNumbers: false });
    expect(newness(["3", "b", undefined])).toMatchObject({ isNew: [true, true, false], again: [0] });
    expect(newness([undefined, "b", undefined, "x"])).toMatchObject({ isNew: [true, true, true, true] });
  });

  it("are found among 50,000, of which few are read again", () => {
    const given = Array.from({ length: 50_000 }, (_, at) => `q${at}`);
    const { isNew, again } = newness([...given, "q0", "q1023", "q1024", "q2048", "q49999", "q50000"]);
    expect(isNew.slice(0, 50_000).every(Boolean)).toBe(true);
    expect(isNew.slice(50_000)).toEqual([false, false, false, false, false, true]);
    // About one pair in 2^32 has equal hashes.
    expect(again.length).toBeLessThan(20);
  });
});
