import { describe, expect, it } from "vitest";
import { callsMade, TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import { pickedNote } from "../../../source/engine/log/rows/row-notes.ts";

type Entries = Parameters<typeof callsMade>[0]["entries"];

const turn = (...ids: readonly string[]) => ({
  kind: "turn",
  calls: ids.map((id) => ({ id, name: "find", text: "{}", arguments: { id } })),
});
const result = (callId: string, name = "find") => ({ kind: "result", callId, name });

describe("the calls that a trajectory made", () => {
  const made = (...entries: readonly object[]) =>
    callsMade({ entries: entries as unknown as Entries }).map(({ id, arguments: given }) => [id, given]);

  it("are those with a result, with their arguments if the call was saved", () => {
    expect(made(turn("a", "b"), result("a"), result("c"))).toEqual([
      ["a", { id: "a" }],
      ["c", undefined],
    ]);
    expect(made(turn("a"), result("a", "book"))).toEqual([["a", undefined]]);
  });

  it("begin behind the note about the picked sample, with the first entry there", () => {
    const note = { kind: "note", note: pickedNote };
    expect(made(turn("a"), result("a"), note, turn("b"), result("b"))).toEqual([["b", { id: "b" }]]);
    expect(made(turn("a"), result("a"), note, result("d"))).toEqual([["d", undefined]]);
  });
});

it("is not ended once its task is started again", () => {
  const fold = new TrajectoryFold("t");
  const event = (type: string, more: object = {}) =>
    ({ type, task: "t", at: "2026-01-01T00:00:00.000Z", ...more }) as never;
  const started = { question: "Which?", facets: {}, request: 0 };
  fold.take(event("started", started));
  expect(fold.trajectory?.ended).toBe(false);
  fold.take(event("scored", { score: { success: true, value: 1, metrics: {}, errors: [] } }));
  expect(fold.trajectory?.ended).toBe(true);
  fold.take(event("started", started));
  expect(fold.trajectory?.ended).toBe(false);
});
