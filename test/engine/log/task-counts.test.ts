import { describe, expect, it } from "vitest";
import {
  attemptState,
  countTexts,
  endedTasks,
  isAnswered,
  openTasks,
  summedCounts,
  tallyText,
  taskCounts,
  taskState,
} from "../../../source/engine/log/rows/task-counts.ts";
import { countedScore, standingErrors } from "../../../source/engine/log/rows/verdict.ts";
import type { Failure, Row, Score } from "../../../source/engine/types.ts";

const score = (value?: number): Score => ({ value, metrics: {}, checks: [], errors: [] });
const failure = (kind: Failure["kind"]): Failure => ({ kind, message: "" });
const row = (state: Row["state"], own: { score?: Score; failure?: Failure } = {}) => ({
  state,
  score: own.score,
  failure: own.failure,
});

describe("the state of a task in a run", () => {
  it.each([
    [undefined, false, "waiting"],
    [row("running"), true, "running"],
    [row("running"), false, "stopped"],
    [row("scored", { score: score(1) }), true, "right"],
    [row("scored", { score: score(0) }), false, "wrong"],
    [row("scored", { score: score() }), false, "unscored"],
    [row("failed", { failure: failure("model") }), true, "failed"],
    [row("failed", { failure: failure("stopped") }), true, "stopped"],
    // A score takes precedence over a later failure.
    [row("scored", { score: score(1), failure: failure("model") }), false, "right"],
    [{ ...row("running"), ended: "wrong" as const }, true, "wrong"],
  ] as const)("follows from its row: for %j, executed: %s, the state is %s", (given, isExecuted, state) => {
    expect(taskState(given, isExecuted)).toBe(state);
  });

  it("comes from the task's last attempt", () => {
    expect(attemptState(undefined, true)).toBe("waiting");
    expect(attemptState({ score: undefined, failure: undefined }, true)).toBe("running");
    expect(attemptState({ score: undefined, failure: undefined }, false)).toBe("stopped");
    expect(attemptState({ score: score(0), failure: undefined }, true)).toBe("wrong");
    expect(attemptState({ score: undefined, failure: failure("model") }, true)).toBe("failed");
  });

  it("is answered if the task is scored, or if its judge failed", () => {
    const answered = (state: Row["state"], kind?: Failure["kind"]) =>
      isAnswered({ state, failure: kind === undefined ? undefined : failure(kind) });
    expect([answered("scored"), answered("failed", "judge")]).toEqual([true, true]);
    expect([answered("failed", "model"), answered("running", "judge"), answered("running")]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("the counts of a run", () => {
  const counts = taskCounts({ rows: 12, right: 1, wrong: 2, unscored: 1, failed: 3 }, 2, 20);

  it("add up to the counts of all its tasks", () => {
    expect(counts).toEqual({ right: 1, wrong: 2, unscored: 1, failed: 3, stopped: 3, running: 2, waiting: 8 });
    expect([endedTasks(counts), openTasks(counts)]).toEqual([7, 13]);
    expect(summedCounts([counts, counts])).toEqual({
      right: 2,
      wrong: 4,
      unscored: 2,
      failed: 6,
      stopped: 6,
      running: 4,
      waiting: 16,
    });
    expect(openTasks(summedCounts([]))).toBe(0);
  });

  it("include a rare state only if it occurs", () => {
    expect(countTexts(counts)).toEqual([
      "1 right",
      "2 wrong",
      "3 failed",
      "1 unscored",
      "3 stopped",
      "2 running",
      "8 waiting",
    ]);
    expect(tallyText(taskCounts({ rows: 3, right: 3, wrong: 0, unscored: 0, failed: 0 }, 0, 3), 3)).toBe(
      "3 of 3, 3 right, 0 wrong, 0 failed",
    );
  });
});

describe("a score that measures count", () => {
  it("is undefined if version 0.1.0 scored a task whose model had failed", () => {
    const labels = { end: "model-error" };
    const given: Score = { ...score(1), metrics: { a: 1 }, labels };
    expect(countedScore(given)).toEqual({ value: undefined, metrics: {}, checks: [], errors: [], labels });
    expect(countedScore({ ...given, labels: { end: "other" } })).toMatchObject({ value: 1, metrics: { a: 1 } });
  });

  it("omits invalid numbers", () => {
    const whole = { ...score(0.5), metrics: { a: 1 } };
    expect(countedScore(whole)).toBe(whole);
    expect(countedScore({ ...score(NaN), metrics: { a: 1 } })).toEqual({ ...whole, value: undefined });
    expect(countedScore({ ...score(0.5), metrics: { a: 1, b: NaN } })).toEqual(whole);
    const unscored = score();
    expect(countedScore(unscored)).toBe(unscored);
  });

  it("excludes the mistakes that a person rejected", () => {
    const some = [{ kind: "app" }, { kind: "no-mistake" }, { kind: "key" }];
    expect(standingErrors(some)).toEqual([{ kind: "app" }, { kind: "key" }]);
    const all = [{ kind: "app" }];
    expect(standingErrors(all)).toBe(all);
  });
});
