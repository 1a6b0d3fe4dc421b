import { describe, expect, it } from "vitest";
import { originOf, sourceKind, sourceOf, sourceText, withNote } from "../../../source/engine/log/rows/row-notes.ts";

describe("the notes of a row", () => {
  it("count equal ones, the first of the list too", () => {
    const one = withNote([], { type: "reply", how: "retried" } as never);
    const two = withNote(one, { type: "reply", how: "cached" } as never, 3);
    const again = withNote(two, { type: "reply", how: "retried" } as never, 2);
    expect(again.map(({ times }) => times)).toEqual([3, 3]);
  });

  it("name the run that gave an answer, how it was scored and by which judge", () => {
    expect(sourceText({ run: "r1", judge: undefined })).toBe("run r1 (no judge)");
    expect(sourceText({ run: "r1", judge: "lab/large" })).toBe("run r1 (judge lab/large)");
    expect(sourceText({ run: "r1", judge: undefined, scoring: "check exact" })).toBe("run r1 (check exact)");
    expect(sourceText({ run: "r1", judge: "lab/large", scoring: "rubric" })).toBe("run r1 (rubric, judge lab/large)");
  });

  it.each([
    { run: "r1", judge: undefined },
    { run: "r1", judge: "lab/large model" },
    { run: "r1", judge: "lab/large", scoring: "check exact" },
  ])("give back the source of an answer that they were made of: %j", (source) => {
    expect(sourceOf(sourceKind(source))).toEqual(source);
    expect(sourceOf("reply:cached")).toBeUndefined();
  });

  it("have no run that gave an answer if it is the run's own", () => {
    expect(originOf({ notes: [] })).toBeUndefined();
  });
});
