/** A run has the same colour everywhere. */
import { expect, it } from "vitest";
import { runState } from "./double-workbench.ts";
import { enter, escape, openScreen } from "./open-screen.tsx";
import { row, runningWorkbench, sampleBoard, score } from "./sample-trajectory.ts";

/** Two ended runs that differ in one task. */
function workbench() {
  const double = runningWorkbench(
    sampleBoard().map((task) => (task.state === "running" ? { ...task, state: "waiting" } : task)),
  );
  const states = ["hierarchical", "flat"].map((label, index) =>
    runState({ run: `run-${index + 1}`, label, status: "done", total: 1 }),
  );
  double.setRuns("c2", states);
  const board = double.board("run-1");
  double.board = () => board;
  double.rows = (run) => [row("sm-000", { run, score: { ...score, value: run === "run-1" ? 0 : 1 } })];
  return double;
}

it("a run has the same colour in notebook, task list, trajectory, live view and comparison", async () => {
  const screen = await openScreen({ workbench: workbench(), colour: true, columns: 100, rows: 40 });
  const inks: number[] = [];
  /** Saves the colour of the run's name in the last row that contains it. */
  const look = () => {
    const line = screen.lines().findLastIndex((text) => text.includes("flat"));
    const { active } = screen.stdout.terminal.buffer;
    inks.push(
      active
        .getLine(active.baseY + line)!
        .getCell(screen.lines()[line]!.indexOf("flat"))!
        .getFgColor(),
    );
  };
  await screen.press("j");
  look();
  await screen.press("o", "2");
  look();
  await screen.press("g", enter);
  look();
  await screen.press(escape, "L");
  look();
  await screen.press(escape, escape, ":", "compare two", enter);
  look();
  await screen.press(enter);
  await screen.still();
  look();
  expect(new Set(inks).size).toBe(1);
  expect(inks).toHaveLength(6);
  expect(inks[0]).toBeGreaterThan(15);
  await screen.close();
});
