import { describe, expect, it } from "vitest";
import { EqualParts } from "../../../source/engine/log/rows/equal-parts.ts";
import type { Cause, Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";

const made = (task: string, value: number): Row =>
  bareRow("r", task, {
    facets: { level: "easy" },
    score: {
      value,
      metrics: { right: 1 },
      checks: [{ name: "c", right: true }],
      errors: [],
      labels: { a: "b" },
    } as never,
    failure: { kind: "model", message: "no" },
    cause: { cause: "read" } as Cause,
  });

describe("rows that share identical parts", () => {
  it("equal their originals, and share each identical part, even parts of scores that differ elsewhere", () => {
    const parts = new EqualParts();
    const [one, same, other] = [parts.row(made("a", 1)), parts.row(made("b", 1)), parts.row(made("c", 0))];
    expect(one).toEqual(made("a", 1));
    expect(other).toEqual(made("c", 0));
    for (const part of ["facets", "score", "failure", "cause", "counted", "spent", "notes"] as const)
      expect(same[part], part).toBe(one[part]);
    expect(other.score).not.toBe(one.score);
    for (const part of ["metrics", "checks", "errors", "labels"] as const)
      expect(other.score![part], part).toBe(one.score![part]);
  });

  it("keep absent parts absent, and keep separate lists of errors separate", () => {
    const parts = new EqualParts();
    const bare = parts.row(bareRow("r", "a"));
    expect(bare).toEqual(bareRow("r", "a"));
    expect("cause" in bare).toBe(false);
    const wrong = (task: string) =>
      parts.row(
        bareRow("r", task, { score: { value: 0, metrics: {}, checks: [], errors: [{ kind: task }] } as never }),
      );
    expect(wrong("a").score!.errors).toEqual([{ kind: "a" }]);
    expect("labels" in wrong("a").score!).toBe(false);
  });

  it("remember 5,000 parts of each kind, and forget the oldest parts beyond that number", () => {
    const parts = new EqualParts();
    for (let at = 0; at < 4999; at++) expect(parts.shared("one", [at])).toEqual([at]);
    // The last that finds a place is kept, but a caller cannot rely on its copy any more.
    expect(parts.shared("one", [4999])).toBeUndefined();
    const again = [4998];
    expect(parts.shared("one", again)).not.toBe(again);
    for (let time = 0; time < 2; time++) expect(parts.shared("one", [5000])).toBeUndefined();
    expect(parts.shared("one", [4999])).toEqual([4999]);
    expect(parts.shared("other", [5000])).toEqual([5000]);
  });

  it("share one object if all their parts are shared, and another one if any part differs", () => {
    const parts = new EqualParts();
    const [level, score, none] = [{ level: 1 }, { value: 1 }, undefined];
    const together = (facets: object | undefined, of: object | undefined) => parts.together({ facets, score: of });
    const first = together(level, score);
    expect(first).toEqual({ facets: level, score });
    expect(together(level, score)).toBe(first);
    for (const [facets, of] of [
      [score, level],
      [level, none],
      [none, score],
      [none, none],
      [{ level: 1 }, score],
    ]) {
      const other = together(facets, of);
      expect(other).toEqual({ facets, score: of });
      expect(other).not.toBe(first);
      expect(together(facets, of)).toBe(other);
    }
  });

  it("are kept as they are if there are more than five thousand combinations of parts", () => {
    const parts = new EqualParts();
    const known = Array.from({ length: 5_000 }, (_, at) => parts.together({ run: String(at) }));
    expect(parts.together({ run: "4999" })).toBe(known[4_999]);
    const further = parts.together({ run: "5000" });
    expect(further).toEqual({ run: "5000" });
    expect(parts.together({ run: "5000" })).not.toBe(further);
  });
});
