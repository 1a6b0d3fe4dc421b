import { describe, expect, it } from "vitest";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import { alignedCalls, changeAt } from "../../../source/engine/measures/aligned-calls.ts";

describe("the calls of several trajectories", () => {
  it("are matched by name and arguments first, then by name between two identical calls", () => {
    expect(
      alignedCalls([
        ["find 1", "book 1", "pay 1"],
        ["find 1", "book 2", "pay 1"],
      ]),
    ).toEqual([
      ["find 1", "find 1"],
      ["book 1", "book 2"],
      ["pay 1", "pay 1"],
    ]);
    // The call behind the equal one is matched by name with the one behind it, not with the one before.
    expect(
      alignedCalls([
        ["book 1", "find 1", "book 2"],
        ["find 1", "book 3"],
      ]),
    ).toEqual([
      ["book 1", undefined],
      ["find 1", "find 1"],
      ["book 2", "book 3"],
    ]);
  });

  it("are matched by name several times between two identical calls", () => {
    expect(
      alignedCalls([
        ["find 1", "book 1", "look 1", "pay 1", "call 1"],
        ["find 1", "book 2", "look 2", "call 2", "pay 1", "call 3"],
      ]),
    ).toEqual([
      ["find 1", "find 1"],
      ["book 1", "book 2"],
      ["look 1", "look 2"],
      [undefined, "call 2"],
      ["pay 1", "pay 1"],
      ["call 1", "call 3"],
    ]);
    expect(
      alignedCalls([
        ["book 1", "look 1"],
        ["book 2", "look 2"],
      ]),
    ).toEqual([
      ["book 1", "book 2"],
      ["look 1", "look 2"],
    ]);
  });

  it("are never matched by name across two identical calls", () => {
    expect(
      alignedCalls([
        ["pay 1", "find 1", "book 1"],
        ["find 2", "book 2", "pay 1"],
      ]),
    ).toEqual([
      [undefined, "find 2"],
      [undefined, "book 2"],
      ["pay 1", "pay 1"],
      ["find 1", undefined],
      ["book 1", undefined],
    ]);
  });

  it("share the longest common sequence of identical calls", () => {
    expect(
      alignedCalls([
        ["a 1", "b 1", "c 1", "d 1"],
        ["b 1", "c 1", "d 1", "a 1"],
      ]),
    ).toEqual([
      ["a 1", undefined],
      ["b 1", "b 1"],
      ["c 1", "c 1"],
      ["d 1", "d 1"],
      [undefined, "a 1"],
    ]);
  });

  it("share a step if several trajectories insert the same call at one place, and otherwise have separate steps", () => {
    expect(alignedCalls([["pay 1"], ["find 1", "book 1", "pay 1"], ["book 1", "look 1", "pay 1"]])).toEqual([
      [undefined, "find 1", undefined],
      [undefined, "book 1", "book 1"],
      [undefined, undefined, "look 1"],
      ["pay 1", "pay 1", "pay 1"],
    ]);
    expect(alignedCalls([[], ["x 1"], ["x 1", "x 1"]])).toEqual([
      [undefined, "x 1", "x 1"],
      [undefined, undefined, "x 1"],
    ]);
  });

  it("match the first call of the other trajectory if several sequences have the same length", () => {
    expect(
      alignedCalls([
        ["a 1", "b 1"],
        ["b 1", "a 1"],
      ]),
    ).toEqual([
      ["a 1", undefined],
      ["b 1", "b 1"],
      [undefined, "a 1"],
    ]);
    // Calls before the first equal call are also matched by name.
    expect(
      alignedCalls([
        ["book 1", "find 1"],
        ["book 2", "find 1"],
      ]),
    ).toEqual([
      ["book 1", "book 2"],
      ["find 1", "find 1"],
    ]);
  });

  it("match as many equal calls as any common sequence of two random trajectories has", () => {
    const random = randomFrom("calls");
    const drawn = () => Array.from({ length: Math.floor(random() * 7) }, () => pick(["a", "b", "c"], random));
    /** The length of the longest of all subsequences of `one` that `other` contains in order. */
    const longest = (one: readonly string[], other: readonly string[]) => {
      let most = 0;
      for (let chosen = 0; chosen < 2 ** one.length; chosen++) {
        const calls = one.filter((_, at) => (chosen >> at) & 1);
        let found = 0;
        for (const call of other) if (call === calls[found]) found += 1;
        if (found === calls.length) most = Math.max(most, found);
      }
      return most;
    };
    for (let round = 0; round < 300; round++) {
      const [one, other] = [drawn(), drawn()];
      const steps = alignedCalls([one, other]);
      for (const [which, calls] of [one, other].entries())
        expect(steps.flatMap((step) => step[which] ?? [])).toEqual(calls);
      const equal = steps.filter(([first, second]) => first === second);
      expect([one, other, equal.length]).toEqual([one, other, longest(one, other)]);
    }
  });

  it("share a step for each equal call that is inserted, in the order of each trajectory", () => {
    expect(alignedCalls([[], ["x 1", "y 1", "x 1"], ["y 1", "x 1"]])).toEqual([
      [undefined, "x 1", undefined],
      [undefined, "y 1", "y 1"],
      [undefined, "x 1", "x 1"],
    ]);
    expect(alignedCalls([[], ["x 1"], ["y 1", "x 1"]])).toEqual([
      [undefined, undefined, "y 1"],
      [undefined, "x 1", "x 1"],
    ]);
  });

  it("match calls of one name between two equal calls, although the names of other calls are longer", () => {
    expect(alignedCalls([["book 1 of 2"], ["book 2 of 2"], ["booking 1 of 2"]])).toEqual([
      [undefined, undefined, "booking 1 of 2"],
      ["book 1 of 2", "book 2 of 2", undefined],
    ]);
  });

  it("are empty without trajectories", () => {
    expect(alignedCalls([])).toEqual([]);
    expect(alignedCalls([["a 1"], []])).toEqual([["a 1", undefined]]);
  });

  it.each([
    [["a", "a", "a"], "same"],
    [["a", "a", "b"], "changed"],
    [["a", "b", undefined], "removed"],
    [[undefined, "b", undefined], "inserted"],
  ] as const)("are compared at a step with %j: %s", (step, change) => {
    expect(changeAt(step)).toBe(change);
  });
});
