import { describe, expect, test } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { taskStates } from "../../../source/engine/log/rows/task-counts.ts";
import type { BoardTask } from "../../../source/engine/workbench/workbench.ts";
import { boardLines, boardRows, DrawnBoard, marksPerRow } from "../../../source/terminal/live/board.ts";
import { assignLanes, laneRows, lanesThatFit, restingLanes } from "../../../source/terminal/live/lanes.ts";
import { listMoves } from "../../../source/terminal/input/movement.ts";
import { flightLine, modelSpans, oldestRunning } from "../../../source/terminal/live/run-head.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { bareSpec } from "../../bare-spec.ts";
import { sampleTrajectory, row, sampleBoard } from "../sample-trajectory.ts";

const theme = openTheme({ colour: false, ascii: false });
const states = taskStates;
const tasks = (count: number): BoardTask[] =>
  Array.from({ length: count }, (_, index) => ({
    task: `t-${index}`,
    question: "",
    state: states[index % states.length]!,
    row: undefined,
  }));
const drawn = (count: number, selected: number, columns: number, rows: number, look = theme) => {
  const { lines, hidden } = boardLines(tasks(count), selected, new Set(["t-4"]), columns, rows, look);
  return { lines: lines.map(lineText), hidden };
};

describe("the strip of marks for the tasks of a run", () => {
  test("has a mark for each task, with brackets around the selected task and a bar at tasks shown in lanes", () => {
    expect(drawn(8, 1, 80, 2).lines).toEqual(["  ✓[✗]? !│■ ▸ · ✓"]);
    expect(drawn(8, 7, 80, 2).lines).toEqual(["  ✓ ✗ ? !│■ ▸ ·[✓]"]);
    expect(drawn(7, 0, 80, 2, openTheme({ colour: false, ascii: true })).lines).toEqual([" [+]x ? !|/ > ."]);
  });

  test("shows the rows around the cursor, and their numbers", () => {
    const perRow = marksPerRow(23);
    expect(perRow).toBe(10);
    const { lines, hidden } = drawn(100, 55, 23, 3);
    expect(lines).toHaveLength(3);
    expect(hidden).toBe("rows 5 to 7 of 10");
    expect(lines[1]).toContain("[");
  });

  test("never exceeds its size, also with 10,000 tasks", () => {
    for (const columns of [40, 60, 80, 200]) {
      const rows = boardRows(10_000, columns, 21);
      expect(rows).toBe(5);
      for (const selected of [0, 4_999, 9_999]) {
        const { lines } = drawn(10_000, selected, columns, rows);
        expect(lines).toHaveLength(rows);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
      }
    }
  });

  test("is redrawn only if a task, the cursor, the lanes or the window changes", () => {
    const board = new DrawnBoard();
    const all = tasks(300);
    const first = board.lines(all, 3, new Set(["t-4", "t-5"]), 80, 4, theme);
    expect(first).toEqual(boardLines(all, 3, new Set(["t-4", "t-5"]), 80, 4, theme));
    expect(board.lines(all, 3, new Set(["t-5", "t-4"]), 80, 4, theme)).toBe(first);
    const longer = all.with(4, { ...all[4]!, row: row("t-4", {}) });
    expect(board.lines(longer, 3, new Set(["t-4", "t-5"]), 80, 4, theme)).toBe(first);
    const others: readonly Parameters<typeof boardLines>[] = [
      [all.with(2, { ...all[2]!, state: "failed" }), 3, new Set(["t-4", "t-5"]), 80, 4, theme],
      [all.slice(1), 3, new Set(["t-4", "t-5"]), 80, 4, theme],
      [all, 4, new Set(["t-4", "t-5"]), 80, 4, theme],
      [all, 3, new Set(["t-4", "t-6"]), 80, 4, theme],
      [all, 3, new Set(["t-4"]), 80, 4, theme],
      [all, 3, new Set(["t-4", "t-5"]), 60, 4, theme],
      [all, 3, new Set(["t-4", "t-5"]), 80, 3, theme],
      [all, 3, new Set(["t-4", "t-5"]), 80, 4, openTheme({ colour: true, ascii: true })],
    ];
    for (const other of others) {
      const drawnAnew = board.lines(...other);
      expect(drawnAnew).toEqual(boardLines(...other));
      expect(drawnAnew).not.toEqual(first);
    }
  });

  test("has no lines if there are no tasks", () => {
    expect(drawn(0, 0, 80, 1).lines).toEqual([]);
  });

  test("keeps the cursor on a task", () => {
    const places: number[] = [];
    const none = listMoves(0, 0, 99, (place) => places.push(place));
    const some = listMoves(3, 10, 99, (place) => places.push(place));
    for (const moves of [none, some]) {
      moves["page-down"]();
      moves["page-up"]();
    }
    expect(places).toEqual([0, 0, 9, 0]);
  });
});

describe("the lanes of the live view, each of which shows a task", () => {
  test("contain the newest running tasks", () => {
    expect(assignLanes([], ["a", "b", "c"], 2, undefined)).toEqual(["c", "b"]);
  });

  test("keep a task while it runs, and afterwards until another task needs the lane", () => {
    expect(assignLanes(["c", "b"], ["a", "b", "d"], 2, undefined)).toEqual(["d", "b"]);
    expect(assignLanes(["c", "b"], ["b"], 2, undefined)).toEqual(["c", "b"]);
  });

  test("always include the selected task", () => {
    expect(assignLanes(["c", "b"], ["b", "c", "d"], 2, "x")).toEqual(["x", "b"]);
    expect(assignLanes(["c", "b"], ["d"], 2, "b")).toEqual(["d", "b"]);
  });

  test("omit the last tasks if there is room for fewer", () => {
    expect(assignLanes(["c", "b", "a"], ["a", "b", "c"], 1, undefined)).toEqual(["c"]);
  });

  // The live screen has three rows fewer than the window.
  const inWindow = (isDialogue: boolean) =>
    (
      [
        [40, 10],
        [60, 15],
        [80, 24],
        [120, 24],
        [120, 40],
        [200, 24],
        [200, 60],
      ] as const
    ).map(([columns, rows]) => lanesThatFit({ columns, rows: rows - 3 }, isDialogue));

  test("number at most four, and as many as have a readable size", () => {
    expect(inWindow(false)).toEqual([1, 1, 2, 4, 4, 4, 4]);
  });

  test("number at most two for dialogues, whose two sides need more room", () => {
    expect(inWindow(true)).toEqual([1, 1, 2, 1, 2, 2, 2]);
  });

  test("are next to each other if there is room, otherwise below each other", () => {
    expect(laneRows(2, 80, false)).toEqual([1, 1]);
    expect(laneRows(3, 120, false)).toEqual([2, 1]);
    expect(laneRows(4, 140, false)).toEqual([2, 2]);
    expect(laneRows(4, 200, false)).toEqual([4]);
    expect(laneRows(2, 120, true)).toEqual([1, 1]);
    expect(laneRows(2, 200, true)).toEqual([2]);
  });

  test("stay after the run has ended, and show the next page if a task without a lane is selected", () => {
    const tasks = ["a", "b", "c", "d", "e"];
    expect(restingLanes(["e", "b"], tasks, 2, undefined)).toEqual(["e", "b"]);
    expect(restingLanes(["e"], tasks, 3, undefined)).toEqual(["e", "a", "b"]);
    expect(restingLanes([], tasks, 2, undefined)).toEqual(["a", "b"]);
    expect(restingLanes(restingLanes(["a", "b"], tasks, 1, "b"), tasks, 2, "b")).toEqual(["a", "b"]);
    expect(restingLanes(["a", "b"], tasks, 2, "b")).toEqual(["a", "b"]);
    expect(restingLanes(["a", "b"], tasks, 2, "c")).toEqual(["c", "d"]);
    expect(restingLanes(["a", "b"], tasks, 2, "e")).toEqual(["d", "e"]);
    expect(restingLanes([], ["a"], 4, undefined)).toEqual(["a"]);
  });
});

describe("the model in the head of a live run", () => {
  const named = (label: string, model: string) =>
    lineText(modelSpans({ label, spec: bareSpec("appbench", { model }) }));

  test("is named if the run's name omits it, with the share of its mistakes in percent", () => {
    expect(named("flat", "lab/small")).toBe("model lab/small");
    expect(named("flat", "builtin/slips?rate=0.4&pace=8&seed=1")).toBe("model slips(40 %, seed 1)");
    expect(named("flat", "builtin/slips?rate=0.29")).toBe("model slips(29 %)");
  });

  test("is not repeated after a run's name that contains it, and absent if the run has none", () => {
    expect(named("lab/small · flat", "lab/small")).toBe("");
    expect(named("lab/small · flat", "lab/other")).toBe("model lab/other");
    expect(named("flat", "")).toBe("");
  });
});

describe("requests in flight", () => {
  const now = 2_000_000;
  const line = (idle: number) => {
    const oldest = sampleBoard(now)[4]!;
    const task = { ...oldest, row: row("sm-004", { state: "running", from: now - 65_000, to: now - idle * 1000 }) };
    return lineText(flightLine(2, task, undefined, now));
  };

  test("show the oldest request and how long it has been idle", () => {
    expect(line(30)).toBe("  2 in flight; oldest sm-004 for 1 min 5 s, idle 30 s");
    expect(line(0)).toBe("  2 in flight; oldest sm-004 for 1 min 5 s");
    expect(lineText(flightLine(0, undefined, undefined, now))).toBe("  nothing in flight");
  });

  test("are timed from the last request if it is known", () => {
    const oldest = sampleBoard(now)[4]!;
    expect(lineText(flightLine(1, oldest, sampleTrajectory, now))).toContain("(plan) for 16 min 27 s");
  });

  test("show the task that began first as the oldest", () => {
    const board = ["a", "b", "c"].map((task, index): BoardTask => {
      const from = [30, 10, 20][index]!;
      return { task, question: "", state: index === 2 ? "right" : "running", row: row(task, { from }) };
    });
    expect(oldestRunning(board)?.task).toBe("b");
    expect(oldestRunning(tasks(10))).toBeUndefined();
  });
});
