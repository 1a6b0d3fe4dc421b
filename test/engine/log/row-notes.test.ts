import { describe, expect, it } from "vitest";
import {
  lackingNote,
  lackingText,
  originOf,
  printedRow,
  publicRow,
  repliesOf,
  sourceKind,
  sourceOf,
  sourceText,
  stepsNoted,
  takenText,
  withNote,
} from "../../../source/engine/log/rows/row-notes.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";

describe("the notes of a row", () => {
  it("count identical notes, including notes at the beginning of the list", () => {
    const one = withNote([], { type: "reply", how: "retried" } as never);
    const two = withNote(one, { type: "reply", how: "cached" } as never, 3);
    const again = withNote(two, { type: "reply", how: "retried" } as never, 2);
    expect(again.map(({ times }) => times)).toEqual([3, 3]);
    // Of two equal notes that another program wrote, the first is counted up.
    expect(withNote([one[0]!, one[0]!], one[0]!).map(({ times }) => times)).toEqual([2, 1]);
  });

  it("contain the run that gave an answer, how it was scored and by which judge", () => {
    expect(sourceText({ run: "r1", judge: undefined })).toBe("run r1 (no judge)");
    expect(sourceText({ run: "r1", judge: "lab/large" })).toBe("run r1 (judge lab/large)");
    expect(sourceText({ run: "r1", judge: undefined, scoring: "check exact" })).toBe("run r1 (check exact)");
    expect(sourceText({ run: "r1", judge: "lab/large", scoring: "rubric" })).toBe("run r1 (rubric, judge lab/large)");
  });

  it.each([
    { run: "r1", judge: undefined },
    { run: "r1", judge: "lab/large model" },
    { run: "r1", judge: "lab/large", scoring: "check exact" },
  ])("restore the source of the answer that the row notes describe: %j", (source) => {
    expect(sourceOf(sourceKind(source))).toEqual(source);
    expect(sourceOf("reply:cached")).toBeUndefined();
  });

  it("name no run if the run itself gave the answer", () => {
    expect(originOf({ notes: [] })).toBeUndefined();
    const notes = [
      { type: "stage", stage: "plan", times: 1 },
      { type: "answer-from", run: "r1", times: 1 },
    ] as unknown as Row["notes"];
    expect([originOf({ notes }), originOf({ notes: notes.slice(0, 1) })]).toEqual(["r1", undefined]);
  });

  it("count replies and steps of exactly the given kind", () => {
    const notes = [
      { type: "note", kind: "cut", times: 5 },
      { type: "reply", how: "cached", times: 2 },
      { type: "reply", how: "cut", times: 3 },
    ] as unknown as Row["notes"];
    const row = { ...bareRow("r", "t"), notes };
    expect([repliesOf(row, "cut"), repliesOf(row, "cached"), stepsNoted(row, "cut")]).toEqual([3, 2, 5]);
    expect([repliesOf(bareRow("r", "t"), "cut"), stepsNoted(row, "unread"), stepsNoted(row, "cached")]).toEqual([
      0, 0, 0,
    ]);
  });

  it("are printed by name; judging and codes are omitted if the row has none", () => {
    const row = bareRow("r", "t", { counts: { unread: 2 } });
    expect(publicRow(row)).toMatchObject({ counts: { unread: 2 }, calls: 1 });
    expect("judging" in publicRow(row)).toBe(false);
    const judging = { ...row.spent, calls: 4 };
    expect(publicRow({ ...row, judging }).judging).toEqual(judging);
    expect(printedRow(row)).not.toHaveProperty("notes");
    expect(printedRow(row)).not.toHaveProperty("codes");
    expect(printedRow({ ...row, codes: { given: ["a", "b"], has: { a: true, b: true } } })).toMatchObject({
      codes: "a|b",
      code: { a: true, b: true },
    });
  });

  it("report in how many tasks a stage returned an empty list", () => {
    expect(lackingText(lackingNote("apps", "app"), 1)).toBe(
      "Stage `apps` named no app in 1 task, which ended at this stage",
    );
    expect(lackingText("unread", 3)).toBeUndefined();
    expect(takenText({ source: { run: "r1", judge: undefined }, answers: 2 })).toBe(
      "2 answers reused from run r1 (no judge), not requested again",
    );
  });
});
