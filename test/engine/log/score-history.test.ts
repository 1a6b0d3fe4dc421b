/** Who changed which score or which error to what, derived from the scores that a log has one after another. */
import { expect, it } from "vitest";
import { scoreHistory } from "../../../source/engine/log/rows/score-history.ts";
import type { Mistake, Score } from "../../../source/engine/types.ts";

const scored = (value: number | undefined, errors: readonly Mistake[] = [], override?: Score["override"]): Score => ({
  value,
  metrics: {},
  checks: [],
  errors,
  ...(override && { override }),
});
const by = (source: string, was: number, reason = "why"): Score["override"] => ({ was, metrics: {}, source, reason });
const history = (...scores: readonly (Score | readonly [Score, string])[]) =>
  scoreHistory(
    scores.map((each, at) => {
      const [score, person] = "metrics" in each ? [each] : each;
      return { at, score, ...(person !== undefined && { by: person }) };
    }),
  );
const value: Mistake = { kind: "value", step: 1, key: "day" };
const changed = (kind: string, source = "ada", reason = "why"): Mistake => ({
  ...value,
  kind,
  override: { was: "value", source, reason },
});

it("scoring again is no correction, whatever the result", () => {
  expect(history(scored(0), scored(1), scored(undefined, [value]), scored(0.5))).toEqual([]);
});

it("the history of a value starts with the scorer's value, and returns to it after corrections are withdrawn", () => {
  expect(
    history(
      scored(0),
      scored(1, [], by("ada", 0)),
      scored(1, [], by("ada", 0)),
      scored(0.5, [], by("ada", 0)),
      scored(0.5, [], by("bo", 0)),
      scored(0.5, [], by("bo", 0, "other")),
      [scored(0), "cy"],
    ),
  ).toEqual([
    { at: 1, by: "ada", from: 0, to: 1, reason: "why" },
    { at: 3, by: "ada", from: 1, to: 0.5, reason: "why" },
    { at: 4, by: "bo", from: 0.5, to: 0.5, reason: "why" },
    { at: 5, by: "bo", from: 0.5, to: 0.5, reason: "other" },
    { at: 6, by: "cy", from: 0.5, to: 0 },
  ]);
  expect(history(scored(1, [], by("ada", 0)))).toEqual([{ at: 0, by: "ada", from: 0, to: 1, reason: "why" }]);
  expect(history(scored(1, [], by("ada", 0)), scored(0))).toMatchObject([{}, { by: "ada", from: 1, to: 0 }]);
});

it("the history of an error starts with its kind, and returns to it after corrections are withdrawn", () => {
  const other: Mistake = { kind: "order" };
  expect(
    history(
      scored(0, [other, value]),
      scored(0, [other, changed("place")]),
      scored(0, [other, changed("place")]),
      scored(0, [other, changed("no-mistake", "bo")]),
      scored(0, [other, changed("no-mistake", "bo", "other")]),
      scored(0, [other, value]),
    ),
  ).toEqual([
    { at: 1, by: "ada", from: "value", to: "place", reason: "why" },
    { at: 3, by: "bo", from: "place", to: "no-mistake", reason: "why" },
    { at: 4, by: "bo", from: "no-mistake", to: "no-mistake", reason: "other" },
    { at: 5, by: "bo", from: "no-mistake", to: "value" },
  ]);
});

it("the history of an error identifies the error by its place together with its kind, step and key", () => {
  const from = (before: readonly Mistake[]) => history(scored(0, before), scored(0, [changed("place")])).at(-1)!.from;
  // Another error at this place before: the scorer's own kind is where the change begins.
  expect(from([{ ...changed("order"), step: 2 }])).toBe("value");
  expect(from([{ ...changed("order"), key: "town" }])).toBe("value");
  expect(from([{ kind: "order" }, changed("order")])).toBe("value");
  expect(from([changed("order")])).toBe("order");
});
