import { describe, expect, it } from "vitest";
import { comparePaired } from "../../../source/engine/statistics/paired.ts";
import type { Row } from "../../../source/engine/types.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { comparedRuns } from "../../../source/terminal/compare/compare-screen.tsx";

const row = (task: string, value: number | undefined): Row =>
  ({ task, question: task, score: { value, metrics: {}, checks: [], errors: [] } }) as unknown as Row;

describe("two runs compared task by task", () => {
  const first = [row("a", 1), row("b", 0), row("c", 1), row("d", undefined), row("e", 1)];
  const second = [row("b", 1), row("a", 0), row("c", 1), row("d", 1), row("f", 1)];

  it("compare scores only if both runs have a score", () => {
    const { all, better, differing, means, test, worse } = atOnce(comparedRuns(first, second));
    expect(all.map(({ task, change }) => [task, change])).toEqual([
      ["a", "worse"],
      ["b", "better"],
      ["c", "same"],
      ["d", "missing"],
      ["e", "missing"],
      ["f", "missing"],
    ]);
    expect(differing.map(({ task }) => task)).toEqual(["a", "b"]);
    expect({ better, worse, means }).toEqual({ better: 1, worse: 1, means: [2 / 3, 2 / 3] });
    expect(test).toEqual(comparePaired([1, 0, 1], [0, 1, 1], "compare"));
  });

  it("are compared with pauses after a few tasks, so that the screen stays responsive", () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `t${index}`);
    let looked = 0;
    const counting = (value: number) => (task: string) =>
      Object.defineProperty(row(task, value), "score", {
        get() {
          looked += 1;
          return { value };
        },
      });
    const work = comparedRuns(many.map(counting(0)), many.map(counting(1)));
    let most = 0;
    let next = work.next();
    for (; next.done !== true; next = work.next()) {
      most = Math.max(most, looked);
      looked = 0;
    }
    expect(next.value).toMatchObject({ better: 50_000, worse: 0, means: [0, 1] });
    expect(most).toBeLessThanOrEqual(5_000);
  });
});
