import { describe, expect, it } from "vitest";
import type { Row } from "../../../source/engine/types.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { comparedRuns, kindCounts } from "../../../source/terminal/compare/compare-screen.tsx";
import { codesBeside, filteredPairs, nextPairFilter } from "../../../source/terminal/compare/pair-codes.ts";

const row = (task: string, value: number): Row =>
  ({ task, question: task, score: { value, metrics: {}, checks: [], errors: [] } }) as unknown as Row;
const coded = (task: string, value: number, ...given: string[]): Row =>
  ({ ...row(task, value), codes: { given, has: Object.fromEntries(given.map((kind) => [kind, true])) } }) as Row;

describe("codes of two runs", () => {
  const compared = atOnce(
    comparedRuns(
      [coded("a", 1, "late"), coded("b", 0, "late"), row("c", 1), row("d", 0), coded("e", 1, "late")],
      [coded("a", 1, "late"), coded("b", 1, "guess", "late"), coded("c", 1, "guess"), row("d", 1), row("e", 1)],
    ),
  );
  const { all } = compared;
  const tasks = (filter: Parameters<typeof filteredPairs>[1]) =>
    filteredPairs(compared, filter).map(({ task }) => task);

  it("are shown once if both runs have the same code, otherwise with the number of the run", () => {
    expect(all.map(codesBeside)).toEqual(["late", "1: late  2: guess|late", "2: guess", "", "1: late"]);
  });

  it("filter the tasks: all tasks with codes, or the tasks with codes of one kind", () => {
    expect(tasks("differing")).toEqual(["b", "d"]);
    expect(tasks("all")).toEqual(["a", "b", "c", "d", "e"]);
    expect(tasks("tagged")).toEqual(["a", "b", "c", "e"]);
    expect(tasks({ kind: "guess" })).toEqual(["b", "c"]);
    expect(tasks({ kind: "late" })).toEqual(["a", "b", "e"]);
    expect(nextPairFilter("differing", all)).toBe("all");
    expect(nextPairFilter("all", all)).toBe("tagged");
    expect(nextPairFilter("tagged", all)).toEqual({ kind: "guess" });
    expect(nextPairFilter({ kind: "guess" }, all)).toEqual({ kind: "late" });
    expect(nextPairFilter({ kind: "late" }, all)).toBe("differing");
    expect(nextPairFilter({ kind: "taken back" }, all)).toBe("differing");
  });

  it("are not offered as a choice if no task has codes", () => {
    const plain = atOnce(comparedRuns([row("a", 1)], [row("a", 0)])).all;
    expect(nextPairFilter("differing", plain)).toBe("all");
    expect(nextPairFilter("all", plain)).toBe("differing");
  });

  it("are counted by run, next to the kinds of mistakes", () => {
    expect([...kindCounts(all)]).toEqual([
      ["# late", [3, 2]],
      ["# guess", [0, 2]],
    ]);
  });
});
