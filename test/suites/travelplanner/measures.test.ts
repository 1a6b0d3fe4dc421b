import { evaluate } from "../../../source/engine/measures/measure.ts";
import { describe, expect, test } from "vitest";
import type { Row } from "../../../source/engine/types.ts";
import { findings, measures } from "../../../suites/travelplanner/score/measures.ts";
import { tripRow } from "../../analyses/trip-rows.ts";

const of = (name: string, rows: readonly Row[]) =>
  evaluate(
    measures.find((measure) => measure.name === name)!,
    rows,
  );
const sized = { "split:plans": 3, "split:commonsense": 24, "split:hard": 5 };
const counted = (finalPass: number, commonsense: number) => ({
  delivered: 1,
  finalPass,
  commonsense,
  commonsenseOf: 8,
  hard: 1,
  hardOf: 2,
  ...sized,
});
const row = (task: string, metrics: Record<string, number> | undefined) =>
  tripRow(task, { split: "train" }, metrics && { metrics });

test("a whole split is divided by the constants of the split, including failed and unread plans", () => {
  const rows = [row("a", counted(1, 8)), row("b", { delivered: 1 }), row("c", undefined)];
  expect(of("final", rows)).toEqual({ value: 1 / 3, n: 3 });
  expect(of("commonsense.micro", rows)).toEqual({ value: 8 / 24, n: 24 });
  expect(of("hard.micro", rows)).toEqual({ value: 1 / 5, n: 5 });
  expect(of("delivery", rows)).toEqual({ value: 2 / 3, n: 3 });
});

test("a part of a split is divided by the number of rows with a score, even if tasks are repeated or running", () => {
  const some = [row("a", counted(1, 8)), row("b", counted(0, 4))];
  expect(of("final", some)).toEqual({ value: 0.5, n: 2 });
  expect(of("commonsense.micro", some)).toEqual({ value: 12 / 16, n: 16 });
  expect(of("final", [...some, row("b", counted(0, 4))])).toEqual({ value: 1 / 3, n: 3 });
  expect(of("hard.micro", [...some, row("b", counted(0, 4))]).n).toBe(6);
  const running: Row = { ...row("c", undefined), state: "running", failure: undefined };
  expect(of("final", [...some, running])).toEqual({ value: 0.5, n: 2 });
});

test("a measure of a constraint has a note on which requests count", () => {
  const noteOf = (name: string) => measures.find((measure) => measure.name === `constraint.${name}`)!.note;
  expect(noteOf("diverse-restaurants")).toBe("Share of all requests; undelivered plans fail.");
  expect(noteOf("room-type")).toBe(
    "Share of the requests with this constraint; plans that are incomplete or not within the sandbox fail.",
  );
});

test("a task without a judge's verdict does not count as failed", () => {
  const hidden = [row("a", { delivered: 1 }), row("b", { delivered: 0 })];
  expect(of("final", hidden).value).toBeUndefined();
  expect(of("delivery", hidden)).toEqual({ value: 0.5, n: 2 });
  expect(of("final", [])).toEqual({ value: undefined, n: 0 });
});

describe("plans that only a judge can read", () => {
  const unread = (task: string, metrics: Record<string, number> = {}) =>
    tripRow(task, { split: "train" }, { value: undefined, metrics, labels: { reader: "unread" } });

  test("give Delivery a lower and an upper limit", () => {
    const rows = [row("a", { delivered: 1 }), row("b", { delivered: 0 }), unread("c"), unread("d")];
    expect(of("delivery", rows)).toEqual({ value: 0.5, n: 2 });
    expect(findings(rows)).toEqual([
      "Delivery is at least 25.00 % and at most 75.00 %: only a judge can decide whether 2 texts contain a plan (`judge: ENDPOINT/MODEL`)",
    ]);
    expect(of("delivery", [unread("c")])).toEqual({ value: undefined, n: 0 });
    expect(findings(rows.slice(0, 2))).toEqual([]);
  });

  test("are divided by the constant of a whole split", () => {
    const rows = [row("a", counted(1, 8)), row("b", counted(1, 8)), unread("c")];
    expect(findings(rows)[0]).toContain(
      "at least 66.67 % and at most 100.00 %: only a judge can decide whether 1 text contains",
    );
  });

  test("keep the score of a saved run, with a note that gives the command that updates it", () => {
    const rows = [unread("a", { delivered: 1 }), row("b", { delivered: 1 })];
    expect(of("delivery", rows)).toEqual({ value: 1, n: 2 });
    expect(findings(rows)).toEqual([
      "1 score was made when unreadable texts still counted as delivered: `--rescore` computes all scores again",
    ]);
  });
});
