import { expect, test } from "vitest";
import { grid } from "../sample-figures.ts";
import { openDouble } from "../double-workbench.ts";
import { enter, openScreen } from "../open-screen.tsx";

/** The double with long options, and a long note on the first value of its figure. */
function wordy() {
  const workbench = openDouble();
  const state = workbench.state("c3");
  if (state.kind !== "analysis") throw new Error("Expected an analysis cell");
  const [[first, ...others] = [], ...rows] = grid.cells;
  const note = "95 % interval 88.1 to 98.3; 114 of 120 tasks, of which each was counted once and none was left out";
  const figure = { ...grid, cells: [[{ ...first!, note }, ...others], ...rows] };
  workbench.edit("c3", "pane: scale\nof: [prompting]\nmeasures: [all]\n");
  const chosen = { measures: "all measures that the paper prints in its third table", by: "category", intervals: "on" };
  workbench.setState("c3", { ...state, figures: [figure], chosen });
  return workbench;
}

test("the value at the cursor is described in full, on two lines in a narrow window", async () => {
  const screen = await openScreen({ workbench: wordy() });
  await screen.press("G", enter);
  expect(screen.lines().slice(-3, -1).join(" ").replace(/ +/g, " ")).toContain(
    "parallel 1, sequential 1: 95.0 n 120, 3 tasks, 95 % interval 88.1 to 98.3; 114 of 120 tasks, of which each was counted once and none was left out",
  );
  await screen.press("l");
  expect(screen.lines().at(-3)).toContain("parallel 1, sequential 2: 80.0");
  await screen.close();
});

test("a figure's choices are below the cell's head after Right, and only informative choices are in the figure's heading", async () => {
  const screen = await openScreen({ workbench: wordy(), columns: 46 });
  await screen.press("G");
  expect(screen.text()).not.toContain("measures");
  expect(screen.lines().at(-1)).toContain("c choose");
  await screen.press("\x1b[C");
  expect(screen.text()).toMatch(/^▌ {5}measures {3}all measures that.*…$/m);
  expect(screen.text()).toMatch(/^▌ {5}by {9}category$/m);
  await screen.press("\x1b[D");
  expect(screen.text()).not.toContain("measures");
  await screen.press(enter);
  expect(screen.lines()[1]).not.toContain("meas");
  screen.stdout.resize(120, 24);
  await screen.still();
  expect(screen.lines()[1]).toContain("measures: all measures that the paper");
  await screen.close();
});
