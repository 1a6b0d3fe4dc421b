import { describe, expect, test } from "vitest";
import { expectedRequests } from "../../../source/engine/workbench/runs/run-status.ts";
import { bareRow } from "../../bare-row.ts";

const sums = (ended: number, calls: number) => ({
  right: ended,
  wrong: 0,
  unscored: 0,
  failed: 0,
  spent: { ...bareRow("r", "t").spent, calls },
});

describe("the expected number of requests of a run with long tasks", () => {
  const running = {
    row: (task: string) => ({ ...bareRow("r", task), spent: { ...bareRow("r", task).spent, calls: 7 } }),
  };

  test("is the mean of ended tasks times the number of all tasks, ignoring running tasks", () => {
    expect(expectedRequests(sums(2, 27), running, ["x"], 10)).toBe(100);
    // Never fewer than the requests already sent.
    expect(expectedRequests(sums(2, 20), running, [], 2)).toBe(20);
    expect(expectedRequests(sums(1, 81), running, ["x", "y", "z"], 1)).toBe(81);
  });
  test("is undefined before a task has ended, and for short tasks", () => {
    expect(expectedRequests(sums(0, 7), running, ["x"], 10)).toBeUndefined();
    expect(expectedRequests(sums(2, 6), running, [], 10)).toBeUndefined();
  });
});
