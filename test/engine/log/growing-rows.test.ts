import { describe, expect, it } from "vitest";
import { GrowingRows } from "../../../source/engine/log/rows/growing-rows.ts";
import type { Row } from "../../../source/engine/types.ts";
import { filtered, listParts } from "../../../source/engine/work/growing-list.ts";
import { bareRow } from "../../bare-row.ts";

/** Returns rows of so many tasks, of which these are open. */
const rowsOf = (count: number, open: readonly number[] = []): Row[] =>
  Array.from({ length: count }, (_, at) => bareRow("r", `t${at}`, open.includes(at) ? { state: "running" } : {}));

/** Returns the lengths of the parts of rows; those of lists as text. */
const lengthsOf = (rows: readonly Row[]) =>
  listParts(rows).map((part) => ("root" in part ? `list of ${part.length}` : part.length));

/** Looks at the rows of a run, and returns the tasks that a fact about them reads. */
function openRun() {
  const read: string[] = [];
  const looks = ({ task }: Row) => read.push(task) > 0;
  const ended = new GrowingRows();
  const look = (rows: readonly Row[], count?: number) => {
    const now = ended.of(rows, count);
    expect(filtered(looks, now)).toEqual(rows.slice(0, count));
    return { lengths: lengthsOf(now), read: read.splice(0) };
  };
  return { ended, look };
}

describe("the rows of a run that executes", () => {
  it("are a list up to the first task that has not ended", () => {
    const { look } = openRun();
    expect(look(rowsOf(4, [2]))).toEqual({ lengths: ["list of 2", 2], read: ["t0", "t1", "t2", "t3"] });
    expect(look(rowsOf(5, [4]))).toEqual({ lengths: ["list of 4", 1], read: ["t2", "t3", "t4"] });
    expect(look(rowsOf(5))).toEqual({ lengths: ["list of 5"], read: ["t4"] });
    expect(look([])).toEqual({ lengths: ["list of 0"], read: [] });
  });

  it("behind a task that has not ended are a list once 500 tasks in a row have ended", () => {
    const { look } = openRun();
    expect(look(rowsOf(501, [1])).lengths).toEqual(["list of 1", 500]);
    expect(look(rowsOf(502, [1])).lengths).toEqual(["list of 1", 1, "list of 500"]);
    expect(look(rowsOf(504, [1, 502]))).toEqual({
      lengths: ["list of 1", 1, "list of 500", 2],
      read: ["t1", "t502", "t503"],
    });
    expect(look(rowsOf(504, [502]))).toEqual({
      lengths: ["list of 2", "list of 500", 2],
      read: ["t1", "t502", "t503"],
    });
    expect(look(rowsOf(504)).read).toEqual(["t502", "t503"]);
    expect(look(rowsOf(505)).read).toEqual(["t504"]);
  });

  it("are a list behind the last of several tasks that have not ended", () => {
    const { look } = openRun();
    expect(look(rowsOf(1_010, [0, 5, 506])).lengths).toEqual(["list of 0", 6, "list of 500", 1, "list of 503"]);
    expect(look(rowsOf(1_010, [5])).lengths).toEqual(["list of 5", 1, "list of 501", "list of 503"]);
  });

  it("are read again if the row of an ended task has changed, or if the run has fewer rows", () => {
    const { ended, look } = openRun();
    look(rowsOf(4, [3]));
    ended.changed(3);
    expect(look(rowsOf(4, [3])).read).toEqual(["t3"]);
    ended.changed(2);
    expect(look(rowsOf(4)).read).toEqual(["t0", "t1", "t2", "t3"]);
    expect(look(rowsOf(4), 4).read).toEqual([]);
    expect(look(rowsOf(4), 3).read).toEqual(["t0", "t1", "t2"]);
  });
});
