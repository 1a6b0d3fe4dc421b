import { code256, palettes } from "../../../source/look/palettes.ts";
import { describe, expect, test, vi } from "vitest";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import type { GridFigure } from "../../../source/engine/figure.ts";
import type { TaskRef } from "../../../source/engine/types.ts";
import { type BoardTask } from "../../../source/engine/workbench/workbench.ts";
import { runState } from "../double-workbench.ts";
import { grid } from "../sample-figures.ts";
import { ctrl, enter, escape, openScreen } from "../open-screen.tsx";
import { trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import { eventsOf, type RunningDouble, runningWorkbench, sampleBoard, sampleEvents } from "../sample-trajectory.ts";
import { until } from "../../until.ts";

/** The tasks behind the first value of a figure, opened as by a user: from the notebook, through the figure. */
async function openTasks(
  options: Parameters<typeof openScreen>[0] & { board?: readonly BoardTask[]; tasks?: readonly TaskRef[] } = {},
) {
  const { board = sampleBoard(), tasks = board.map(({ task }) => ({ run: "run-1", task })), ...rest } = options;
  const workbench: RunningDouble = runningWorkbench(board);
  const figure: GridFigure = {
    ...grid,
    cells: grid.cells.map((row) => row.map((cell) => (cell === undefined ? cell : { ...cell, tasks }))),
  };
  const state = workbench.state("c3");
  if (state.kind === "analysis") workbench.setState("c3", { ...state, figures: [figure] });
  const screen = await openScreen({ ...rest, workbench });
  await screen.press("G", enter, enter);
  return screen;
}

/** Opens one task, whose trajectory has 600 steps of looking. */
function withLongTrajectory() {
  const [first] = sampleBoard();
  const notes = Array.from({ length: 600 }, (_, at) => ({ type: "note", kind: "agent", text: `Look ${at}` }) as const);
  const long = trajectoryOf(first!.task, eventsOf(first!.task, [...sampleEvents, ...notes]));
  return Object.assign(runningWorkbench(), { board: () => [first!], trajectory: () => Promise.resolve(long) });
}

describe("the list of tasks on its screen", () => {
  for (const [columns, rows] of [
    [60, 24],
    [80, 24],
    [200, 60],
  ] as const) {
    test(`equals its snapshot at ${columns}x${rows}`, async () => {
      const screen = await openTasks({ columns, rows });
      await expect(`${screen.text()}\n`).toMatchFileSnapshot(`../../screens/tasks-${columns}x${rows}.txt`);
      await screen.close();
    });
  }

  test("lists all runs of a grid by name, with the strip of the run under the cursor", async () => {
    const [first] = sampleBoard();
    const boards = { "run-1": [first!], "run-2": [{ ...first!, state: "right" as const }] };
    const board = (run: string) => boards[run as keyof typeof boards];
    const workbench = Object.assign(runningWorkbench(), { board });
    workbench.setRuns("c2", [runState({ label: "hierarchical" }), runState({ run: "run-2", label: "flat" })]);
    const screen = await openScreen({ workbench });
    await screen.press("j", "o");
    expect(screen.text()).toContain("All 2 runs");
    await screen.press("j", "j", enter);
    expect(screen.text()).toContain("2 tasks");
    expect(screen.text()).toContain("2 runs");
    expect(screen.lines()[1]).toMatch(/^ \[✗\]/);
    expect(screen.text()).toMatch(/hierarchical[\s\S]*flat/);
    await screen.press("j");
    expect(screen.lines()[1]).toMatch(/^ \[✓\]/);
    await screen.press(enter);
    expect(screen.text()).toContain("flat");
    await screen.close();
  });

  test("starts with a strip of the run's marks, which can be enlarged, opens the live view, and can be closed", async () => {
    const board = sampleBoard();
    const workbench = runningWorkbench(board);
    const screen = await openScreen({ workbench });
    await screen.press("j", "o");
    expect(screen.lines()[0]).toContain(" run prompting");
    const strip = () => screen.lines()[1];
    expect(strip()).toMatch(/^ \[✗\]✓ /);
    await screen.press("j");
    expect(strip()).toMatch(/^ {2}✗\[✓\]/);
    await screen.press("f");
    expect(screen.text()).toContain("only right");
    expect(strip()).toMatch(/^ {2}✗\[✓\]/);
    await screen.press("f", "f", "f", "f", "f", "f", "/", "sm-004", enter);
    expect(strip()).toContain("[▸]");
    await screen.press(enter);
    expect(screen.text()).toContain("sm-004  hierarchical");
    await screen.press(escape, "L");
    expect(screen.text()).toContain("following the newest tasks");
    await screen.press(escape);
    expect(screen.text()).toContain("/sm-004");
    await screen.press("/", "no such words", enter);
    expect(screen.text()).toContain("No task matches");
    expect(strip()).not.toMatch(/[[\]]/);
    await screen.close();
  });

  test("contains only ASCII in an ASCII terminal", async () => {
    const screen = await openTasks({ ascii: true });
    expect(screen.text()).toMatch(/^[\n\x20-\x7e]*$/);
    expect(screen.text()).toContain("> x sm-000");
    await screen.close();
  });

  test("has marks with one meaning each, in colour and without", async () => {
    const screen = await openTasks({ colour: true });
    expect(screen.stdout.written).toContain(`\x1b[38;5;${code256(palettes.dark.tones.bad)}m`);
    expect(screen.text()).toContain("▸ ✗ sm-000");
    await screen.close();
  });

  test("opens a task with its neighbours by Enter, and returns by Esc to the task read last", async () => {
    const screen = await openTasks();
    await screen.press("jj", enter);
    expect(screen.text()).toContain("sm-002");
    expect(screen.text()).toContain("3 of 6");
    await screen.press("[[", escape);
    expect(screen.text()).toContain("▸ ✗ sm-000");
    await screen.close();
  });

  test("reads only the visible rows for a key, not all tasks", async () => {
    let looked = 0;
    const board = Array.from({ length: 10_000 }, (_, index) => ({ ...sampleBoard()[1]!, task: `sm-${index}` }));
    const tasks = board.map(({ task }) => ({
      run: "run-1",
      get task() {
        looked++;
        return task;
      },
    }));
    const screen = await openTasks({ board, tasks, columns: 200, rows: 60 });
    expect(screen.text()).toContain("1/10000");
    expect(looked).toBeGreaterThanOrEqual(10_000);
    for (const [key, place] of [
      ["j", 2],
      ["G", 10_000],
      ["k", 9_999],
      ["g", 1],
    ] as const) {
      looked = 0;
      await screen.press(key);
      expect(screen.text()).toContain(`${place}/10000`);
      // A few reads each: for its width, its text, and the cursor's position.
      expect(looked).toBeLessThan(60 * 10);
    }
    await screen.close();
  });

  test("shows the number of tasks in each of six states in full, on a second line if necessary", async () => {
    const states = ["right", "wrong", "unscored", "failed", "running", "waiting"] as const;
    const board = states.flatMap((state) =>
      Array.from({ length: 1200 }, (_, index) => ({ task: `${state}-${index}`, question: "", state, row: undefined })),
    );
    const screen = await openTasks({ board, columns: 80, rows: 24 });
    const words = screen.lines().slice(1, 5).join("\n");
    for (const state of states) expect(words).toContain(`1200 ${state}`);
    expect(words).toContain("reads the answer key");
    expect(words).not.toContain("…");
    expect(screen.text()).toMatch(/▸ . right-0/);
    await screen.close();
  });

  test("stays at its position while tasks change state, because the name of the run has its own line", async () => {
    const board = (states: readonly BoardTask["state"][]) =>
      states.map((state, index) => ({ task: `task-${index}`, question: "", state, row: undefined }));
    const at = async (states: readonly BoardTask["state"][]) => {
      const screen = await openTasks({ board: board(states), columns: 80, rows: 24 });
      const lines = screen.lines();
      await screen.close();
      return [
        lines.findIndex((line) => /^ +task +question/.test(line)),
        lines.indexOf(" hierarchical  reads the answer key"),
      ];
    };
    const places = [
      await at(["waiting", "waiting", "waiting", "waiting"]),
      await at(["right", "running", "running", "waiting"]),
      await at(["right", "wrong", "running", "waiting"]),
      await at(["right", "wrong", "failed", "right"]),
    ];
    expect(places).toEqual([
      [4, 2],
      [4, 2],
      [4, 2],
      [4, 2],
    ]);
  });

  test("shows only the start of a very long trajectory next to the list, so that keys are not delayed", async () => {
    const [first] = sampleBoard();
    const board = () => [first!];
    const note = { type: "note", kind: "agent", text: "One more" } as const;
    const long = trajectoryOf(
      first!.task,
      eventsOf(first!.task, [...sampleEvents, ...Array<typeof note>(600).fill(note)]),
    );
    const workbench = Object.assign(runningWorkbench(), { board, trajectory: () => Promise.resolve(long) });
    const screen = await openScreen({ workbench, columns: 200, rows: 60 });
    await screen.press("j", "o");
    expect(screen.text()).toContain("[1 Plan]");
    expect(screen.text()).toContain("Wyvernholm");
    await screen.press(enter, "2", "g");
    expect(screen.text()).toMatch(/lines 1 to \d+ of [67]\d\d/);
    const lines = vi.spyOn(WrappedTexts.prototype, "lines");
    await screen.press(escape);
    expect(lines.mock.calls.length).toBeLessThan(2 * 60);
    lines.mockRestore();
    // Moves to the last row, which is followed by the length.
    expect(screen.text()).toMatch(
      /│ +Note +agent +One more *│\n.*│ +6\d\d steps; Enter opens all steps and marks errors/,
    );
    await screen.close();
  });

  test("applies keys typed after sorting thousands of tasks to the sorted list", async () => {
    const board = Array.from({ length: 3_000 }, (_, at) => ({ ...sampleBoard()[1]!, task: `sm-${1000 + at}` }));
    const screen = await openTasks({ board });
    await screen.press("jsSg");
    expect(screen.text()).toMatch(/ 1\/3000 +by id, reversed/);
    expect(screen.text()).toMatch(/▸ ✓ sm-3999/);
    await screen.press("Sjj");
    expect(screen.text()).toMatch(/ 3000\/3000 +by id\b(?!,)/);
    await screen.close();
  });

  test("keeps the scroll position of a very long trajectory next to the list", async () => {
    const screen = await openScreen({ workbench: withLongTrajectory(), columns: 200, rows: 60 });
    const looks = () => screen.text().match(/Look \d+/g);
    await screen.press("j", "o", enter, "2", "G", ..."kkkkkkkkkkkk".repeat(10));
    const read = looks();
    expect(read).toContain("Look 480");
    await screen.press(escape);
    expect(looks()).toEqual(read);
    await screen.press(enter, "G");
    expect(looks()).toContain("Look 599");
    await screen.press("4", "G");
    const requests = () => screen.text().match(/> Request \d+/g);
    const raw = requests();
    await screen.press(escape);
    expect(requests()).toEqual(raw);
    await screen.close();
  });

  test("delays keys until all steps of a very long trajectory are drawn", async () => {
    const screen = await openScreen({ workbench: withLongTrajectory(), columns: 80, rows: 24 });
    await screen.press("j", "o", `${enter}2Gkk`);
    expect(screen.text()).toMatch(/^▌ +Note +agent +Look 597/m);
    expect(screen.text()).toMatch(/lines \d+ to (\d+) of \1$/m);
    // At another width they are drawn again, and the cursor stays.
    screen.stdout.resize(100, 24);
    await screen.still();
    expect(screen.text()).toMatch(/^▌ +Note +agent +Look 597/m);
    await screen.press("w", "gg");
    expect(screen.text()).toMatch(/lines 1 to \d+ of [67]\d\d$/m);
    await screen.close();
  });

  test("stops reading a trajectory when the cursor moves on", async () => {
    const board = () => sampleBoard();
    const asked: { readonly task: string; readonly signal: AbortSignal | undefined }[] = [];
    const workbench = Object.assign(runningWorkbench(), {
      board,
      live: () => undefined,
      trajectory: ({ task }: TaskRef, signal?: AbortSignal) => {
        asked.push({ task, signal });
        return new Promise<undefined>(() => {});
      },
    });
    const screen = await openScreen({ workbench, columns: 200, rows: 60 });
    await screen.press("j", "o", "j", "j");
    expect(screen.text()).toContain("3/6");
    expect(asked.map(({ task, signal }) => [task, signal?.aborted])).toEqual([
      ["sm-000", true],
      ["sm-001", true],
      ["sm-002", false],
    ]);
    await screen.close();
  });

  test("is filtered while the user types a search, and Esc ends the search", async () => {
    const screen = await openTasks();
    await screen.press("/", "cake");
    expect(screen.text()).toContain("/cake_");
    expect(screen.text()).not.toContain("sm-000");
    await screen.press(enter);
    expect(screen.text()).toContain("1/1");
    await screen.press("/", escape);
    expect(screen.text()).toContain("1/6");
    await screen.close();
  });

  test("cycles through the states with f, and sorts with s", async () => {
    const screen = await openTasks();
    await screen.press("ff");
    expect(screen.text()).toContain("only wrong");
    expect(screen.text()).not.toContain("sm-001");
    await screen.press("ffffff", "ss");
    expect(screen.text()).toContain("by seconds");
    await screen.close();
  });

  test("clears its filters with Esc, and is closed by a second Esc", async () => {
    const screen = await openTasks();
    await screen.press("/", "cake", enter, "f");
    expect(screen.text()).toContain("/cake");
    await screen.press(escape);
    expect(screen.text()).not.toMatch(/\/cake|only /);
    expect(screen.text()).toContain("/6  as listed");
    await screen.press(escape);
    expect(screen.text()).not.toContain("as listed");
    await screen.close();
  });

  test("runs the visible tasks again with r after a confirmation", async () => {
    const screen = await openTasks();
    await screen.press("/", "cake", enter, "r");
    expect(screen.text()).toContain("The run is not finished");
    screen.workbench.setRuns("c2", [runState({ status: "done" })]);
    await screen.press("r");
    expect(screen.text()).toContain("Re-run 1 task?");
    await screen.press("n", "r", "y");
    expect(screen.workbench.asked).toEqual(["run c2 sm-001"]);
    expect(screen.text()).toContain("Re-ran 1 task");
    await screen.close();
  });

  test("moves through 10,000 tasks, and draws only the visible tasks", async () => {
    const sample = sampleBoard();
    const board = Array.from({ length: 10_000 }, (_, index): BoardTask => ({
      ...sample[index % 6]!,
      task: `t-${index}`,
    }));
    const screen = await openTasks({ board });
    await screen.press("G");
    expect(screen.text()).toContain("10000/10000");
    await screen.press("gj", ctrl("d"), "j".repeat(100));
    await until(() => expect(screen.text()).toContain("119/10000"));
    expect(screen.lines().length).toBe(24);
    await screen.close();
  });
});
