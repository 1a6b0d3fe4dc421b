/** Predicted steps compared with the requests whose repetition made failed tasks right. */
import { describe, expect, it } from "vitest";
import { againstRescue } from "../../analyses/attribution-against-rescue.ts";
import { turningPoints } from "../../analyses/rescue.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { madeRun, madeSpec, texts } from "./made-run.ts";

const of = "0123456789abcdef";

/** A rescue whose task became right from these of its requests, counted from 1; requests of the log are even. */
function rescued(tasks: Readonly<Record<string, readonly boolean[]>>, settings = "changed"): RunRows {
  const rows = Object.entries(tasks).flatMap(([task, right]) =>
    right.map((isRight, at) => ({
      task: `${task}@${2 * at}`,
      facets: { "fork.request": at + 1, "fork.requests": right.length, "fork.settings": settings },
      right: Number(isRight),
    })),
  );
  return madeRun("rescued", rows, { spec: { ...madeSpec, forks: { of } } });
}

/** A method that predicts these requests of the log; undefined: none. */
function method(label: string, requests: Readonly<Record<string, number | undefined>>, run = of) {
  const made = madeRun(
    label,
    Object.keys(requests).map((task) => ({ task, right: null })),
    {
      spec: { ...madeSpec, suite: `scan/${run}` },
    },
  );
  const rows = made.rows.map((row) => ({
    ...row,
    score: {
      ...row.score!,
      labels: {
        steps: "9",
        ...(requests[row.task] !== undefined && { "predicted request": String(requests[row.task]) }),
      },
    },
  }));
  return { run: { ...made, rows }, rows };
}

const lost = rescued({
  a: [true, true, false],
  b: [true, false, false],
  c: [true, false, false],
  d: [false, false],
  e: [true, true, true],
});

describe("the point of no return of a failed task", () => {
  it("is the last request from which a rescue succeeded", () => {
    const points = turningPoints([lost], of);
    expect([...points].map(([task, { last }]) => [task, last])).toEqual([
      ["a", 1],
      ["b", 0],
      ["c", 0],
      ["d", undefined],
      ["e", 2],
    ]);
    expect(points.get("a")!.requests).toEqual([0, 2, 4]);
    expect(turningPoints([lost], "fedcba9876543210").size).toBe(0);
    expect(turningPoints([madeRun("plain", [{ task: "a", right: 1 }])], of).size).toBe(0);
  });
});

describe("attribution against rescue", () => {
  const exact = method("exact", { a: 2, b: 0, c: 1, d: 0, e: undefined });
  const late = method("late", { a: 4, b: 4, c: 2, d: 0, e: 0 });

  it("counts predictions of the same request, alongside a constant prediction and a random guess", () => {
    const [table] = againstRescue("", [exact, late], [lost]);
    expect(table!.title).toBe("Predicted steps and points of no return");
    expect(table!.columns.map(({ title }) => title)).toEqual([
      "Method",
      "n",
      "same request %",
      "±1 %",
      "earlier",
      "later",
      "no prediction",
    ]);
    expect(texts(table!.rows)).toEqual([
      // A user's request before the model's first counts as the model's first.
      ["exact", "4", "75.00", "75.00", "0", "0", "1"],
      ["late", "4", "0.00", "50.00", "1", "3", "0"],
      ["always request 1", "", "50.00", "", "", "", ""],
      ["a random guess", "", "33.33", "", "", "", ""],
    ]);
    expect(table!.rows[0]![2]).toMatchObject({ n: 4, tasks: [{ run: "exact", task: "e" }] });
    expect(table!.notes.at(-1)).toBe("Left out: 1 task without a successful continuation");
  });

  it("counts the tasks that no rescue solved, if there are no others", () => {
    const hopeless = rescued({ a: [false, false], b: [false] });
    const [table] = againstRescue("", [exact], [hopeless]);
    expect(texts(table!.rows)).toEqual([["exact", "0", "-", "-", "0", "0", "0"]]);
    expect(table!.notes.at(-1)).toBe("Left out: 2 tasks without a successful continuation");
  });

  it("uses only predictions for the run that the rescue forked, and names the set", () => {
    expect(againstRescue("", [method("other", { a: 0 }, "fedcba9876543210")], [lost])).toEqual([]);
    expect(againstRescue("", [exact], [])).toEqual([]);
    expect(againstRescue("Own", [method("scored", { a: 2 }, `${of}.1111222233334444`)], [lost])[0]!.title).toBe(
      "Predicted steps and points of no return: Own",
    );
  });
});
