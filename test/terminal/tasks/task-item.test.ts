import { describe, expect, test } from "vitest";
import { width } from "../../../source/engine/text/printable.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import type { Workbench } from "../../../source/engine/workbench/workbench.ts";
import type { TaskSource } from "../../../source/terminal/frame/screen.ts";
import {
  type TaskItem,
  type TaskListView,
  chosenItems,
  listedTasks,
  runBoards,
  taskItems,
} from "../../../source/terminal/tasks/task-item.ts";
import { columnsFor, headingLine, taskLine } from "../../../source/terminal/tasks/tasks-screen.tsx";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { sampleSuite } from "../sample-suite.ts";
import { runningWorkbench, sampleBoard } from "../sample-trajectory.ts";

const refs = sampleBoard().map(({ task }) => ({ run: "run-1", task }));
const itemsOf = (tasks: TaskSource, workbench: Workbench = runningWorkbench()) => {
  const { lists, runs } = atOnce(listedTasks(tasks));
  return atOnce(taskItems(lists, runBoards(runs)(workbench))).items;
};
const items = itemsOf(refs);
const asListed = { order: "as listed", reversed: false, state: undefined, words: "" } as const;
const chosenOf = (all: readonly TaskItem[], choice: Partial<TaskListView>) =>
  atOnce(chosenItems(all, { ...asListed, ...choice })).refs.map(({ task }) => task);
const chosen = (choice: Partial<TaskListView>) => chosenOf(items, choice).map((task) => task.at(-1)!);

describe("a list of tasks", () => {
  test("truncates a reason before the detail in brackets, and the name of a mistake in the middle", () => {
    const reasons = ["repeats itself (the last three replies are equal)", "Same arguments of another tool"];
    const laid = { ...columnsFor(items, [""], 80), error: 20 };
    const theme = openTheme({ colour: false, ascii: false });
    const shown = reasons.map((error) => lineText(taskLine({ ...items[0]!, error }, laid, { chosen: false, theme })));
    expect(shown[0]).toContain("  repeats itself (the…");
    expect(shown[1]).toMatch(/ {2}Same [a-z ]+…[a-z ]+ tool/);
  });

  test("shows the state of each task and its first error", () => {
    expect(items.map(({ state, error, errors }) => [state, error, errors])).toEqual([
      ["wrong", "value-place", 2],
      ["right", "", 0],
      ["unscored", "", 0],
      ["failed", "model", 1],
      ["running", "", 0],
      ["waiting", "", 0],
    ]);
  });

  test("shows a mistake in the words of its suite, and finds the mistake by the name of its kind", () => {
    const errorKinds = [{ name: "value-place", title: "Wrong place" }];
    const workbench = Object.assign(runningWorkbench(), { suites: [{ ...sampleSuite, errorKinds }] });
    const all = itemsOf(refs, workbench);
    expect(all[0]!.error).toBe("Wrong place");
    for (const words of ["wrong place", "value-place"]) expect(chosenOf(all, { words })[0]).toEqual(all[0]!.ref.task);
  });

  test("shows the cause of an unread answer instead of its mistakes, and finds the task by the cause's name", () => {
    const workbench = runningWorkbench();
    const board = workbench.board("run-1");
    const cause = { cause: "wrapped", detail: "fence" } as const;
    const wrapped = board.map((task, at) =>
      at === 0 && task.row !== undefined ? { ...task, row: { ...task.row, cause } } : task,
    );
    const all = itemsOf(refs, Object.assign(workbench, { board: () => wrapped }));
    expect(all[0]).toMatchObject({ error: "Wrapped (fence)", kind: "wrapped" });
    for (const words of ["wrapped", "fence"]) expect(chosenOf(all, { words })).toEqual([all[0]!.ref.task]);
  });

  test("truncates names so that they stay distinguishable, and gives questions the rest of the line", () => {
    const errors = [
      "Missing key that the user gave",
      "Missing key that another call returns",
      "Missing key that the user gave",
    ];
    const alike = errors.map((error, at) => ({
      ...items[0]!,
      ref: { run: "run-1", task: `G1_instruction-${1000 + at}` },
      error,
    }));
    for (const width of [60, 80, 120]) {
      const columns = columnsFor(alike, [""], width);
      const lines = alike.map((item) =>
        lineText(taskLine(item, columns, { chosen: false, theme: openTheme({ colour: false, ascii: false }) })),
      );
      const ids = lines.map((line) => line.slice(5, 5 + columns.id));
      expect(new Set(ids).size).toBe(3);
      const from = 5 + columns.id + 2 + columns.question;
      expect(new Set(lines.map((line) => line.slice(from, from + 2 + columns.error))).size).toBe(2);
      expect(columns.question).toBeGreaterThan(width / 8);
    }
  });

  test("distinguishes its runs even if only one run is visible, and shows the common part of their names once", () => {
    const labels = ["0.5", "0.2"].flatMap((rate) =>
      ["hierarchical", "flat"].map((prompting) => `builtin/slips?rate=${rate}, ${prompting}`),
    );
    const runs = labels.map((label) => ({ ...items[0]!, label, error: "Another API of the right app" }));
    const theme = openTheme({ colour: false, ascii: false });
    for (const columns of [60, 80, 100, 200]) {
      const laid = runs.map((item) => columnsFor([item], labels, columns));
      expect(new Set(laid.map(({ run }) => run)).size).toBe(1);
      const cells = runs.map((item, at) =>
        lineText(taskLine(item, laid[at]!, { chosen: false, theme })).slice(5, 5 + laid[at]!.run),
      );
      expect(new Set(cells).size).toBe(4);
      expect(lineText(headingLine(laid[0]!))).toMatch(/^ {5}run {9}/);
      expect(laid[0]!.question).toBeGreaterThanOrEqual(11);
    }
  });

  test("has the column of runs as wide as their names, and the name of a run once in successive rows", () => {
    const theme = openTheme({ colour: false, ascii: false });
    const laid = columnsFor(items, ["hierarchical", "flat"], 120);
    expect(laid.run).toBe("hierarchical".length);
    expect(columnsFor(items, ["a", "b"], 120).run).toBe("run".length);
    const named = (isSameRun?: boolean) =>
      lineText(
        taskLine({ ...items[0]!, label: "flat" }, laid, {
          chosen: false,
          theme,
          ...(isSameRun !== undefined && { isSameRun }),
        }),
      );
    expect(named()).toMatch(/^ {3}\S flat {10}sm-000/);
    expect(named(true)).toBe(named(false).replace("flat", "    "));
  });

  test("shows no mistake for a stopped task", () => {
    const [, , , failed] = sampleBoard();
    const stopped = { kind: "stopped", message: "Stopped" } as const;
    const board = [{ ...failed!, state: "stopped" as const, row: { ...failed!.row!, failure: stopped } }];
    const item = itemsOf([{ run: "run-1", task: failed!.task }], runningWorkbench(board))[0]!;
    expect([item.state, item.error, item.errors]).toEqual(["stopped", "", 0]);
  });

  test("sorts the largest numbers first and missing numbers last", () => {
    expect(chosen({})).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(chosen({ order: "errors" }).slice(0, 2)).toEqual(["0", "3"]);
    expect(chosen({ order: "seconds" }).slice(-3)).toEqual(["3", "1", "5"]);
    expect(chosen({ order: "tokens" }).slice(-2)).toEqual(["2", "5"]);
    expect(chosen({ order: "id", reversed: true })).toEqual(["5", "4", "3", "2", "1", "0"]);
  });

  test("sorts ids by the numbers in the ids", () => {
    const many = ["t-10", "t-9", "t-100"].map((task) => ({ run: "run-1", task }));
    expect(chosenOf(itemsOf(many), { order: "id" })).toEqual(["t-9", "t-10", "t-100"]);
  });

  test("is filtered by state and by all words in any order", () => {
    expect(chosen({ state: "failed" })).toEqual(["3"]);
    expect(chosen({ words: "CAKE order" })).toEqual(["1"]);
    expect(chosen({ words: "value-place" })).toEqual(["0"]);
    expect(chosen({ words: "no such task" })).toEqual([]);
  });

  test("stays within the window with any content", () => {
    const hostile = {
      ...items[0]!,
      ref: { run: "r", task: "日本".repeat(40) },
      question: "\x1b[2J\n".repeat(90),
      error: "e".repeat(200),
      label: "多".repeat(50),
    };
    for (const columns of [60, 80, 120, 200]) {
      const laid = columnsFor([hostile, ...items], [hostile.label, ""], columns);
      for (const item of [hostile, ...items]) {
        const line = lineText(
          taskLine(item, laid, { chosen: true, theme: openTheme({ colour: false, ascii: false }) }),
        );
        expect(width(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(/\p{Control}/u);
      }
      expect(width(lineText(headingLine(laid)))).toBeLessThanOrEqual(columns);
    }
  });
});

test("a list of tasks from several lists contains each task once", () => {
  const lists = [refs.slice(0, 2), refs.slice(1, 4)];
  expect(itemsOf({ lists }).map(({ ref }) => ref)).toEqual(refs.slice(0, 4));
});

test("a list of tasks is rebuilt only when one of its runs changes", () => {
  const workbench = runningWorkbench();
  const read = runBoards(["run-1"]);
  const before = read(workbench);
  expect(read(workbench)).toBe(before);
  expect(read(runningWorkbench())).not.toBe(before);
});
