import { expect, test } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { enter, openScreen } from "../open-screen.tsx";
import { grid } from "../sample-figures.ts";

async function openFigure(columns = 80) {
  const screen = await openScreen({ columns, rows: 30 });
  await screen.press("G", "o");
  return screen;
}

test("the key v shows a table's column as bars, arrows move between numbers and columns, and Enter opens tasks", async () => {
  const screen = await openFigure();
  await screen.press("\t");
  expect(screen.text()).toContain("By category");
  await screen.press("v");
  expect(screen.text()).toContain("By category: F1 app");
  expect(screen.text()).toMatch(/▸ single app, si.*slips +│█+ 93 {2}n 40/);
  await screen.press("j");
  expect(screen.text()).toMatch(/▸ single app, ma.*slips +│█+ 90 /);
  await screen.press("l");
  expect(screen.text()).toContain("By category: F1 API");
  expect(screen.text()).toMatch(/▸ single app, ma.*slips +│█+ 70\.0 /);
  await screen.press(enter);
  expect(screen.text()).toContain("3 tasks");
  await screen.press("\x1b", "v");
  expect(screen.text()).toMatch(/▸ *70\.0/);
  await screen.close();
});

test("the row of a heat map becomes a profile, in which the arrow down moves along the row and right to the next row", async () => {
  const screen = await openFigure();
  await screen.press("v");
  expect(screen.text()).toContain("Argument EM by scale: parallel 1");
  await screen.press("j");
  expect(screen.text()).toMatch(/▸ 2 +│█+ 80 /);
  await screen.press("l");
  expect(screen.text()).toContain("Argument EM by scale: parallel 2");
  expect(screen.text()).toMatch(/▸ 2 +│█+▏?▎?▍?▌?▋?▊?▉? 52 /);
  await screen.close();
});

test("the key v shows the numbers of a chart, through which the cursor moves as through a table", async () => {
  const screen = await openFigure();
  await screen.press("\t\t\t");
  expect(screen.text()).toContain("Success by number of demonstrations");
  expect(screen.text()).toMatch(/[\u2801-\u28ff]/);
  await screen.press("v");
  const rows = () => screen.lines().filter((line) => /^ {2}hierarchical +\d/.test(line));
  expect(screen.text()).toMatch(/demonstrations +Succ.* +low +high +n$/m);
  expect(screen.text()).not.toMatch(/[\u2801-\u28ff]/);
  expect(rows().map((line) => line.includes("▸"))).toEqual([true, false, false, false]);
  await screen.press("j");
  expect(rows().map((line) => line.includes("▸"))).toEqual([false, true, false, false]);
  await screen.press("G");
  expect(screen.text()).toMatch(/^ {2}flat +5 ▸/m);
  await screen.press("k", "k", "k", "k");
  expect(rows().map((line) => line.includes("▸"))).toEqual([false, false, false, true]);
  await screen.press("v");
  expect(screen.text()).toMatch(/[\u2801-\u28ff]/);
  await screen.close();
});

test("the key v gives the reason if nothing can be drawn as bars", async () => {
  const workbench = openDouble();
  const state = workbench.state("c3");
  if (state.kind !== "analysis") throw new Error("Expected an analysis cell");
  const figure = { ...grid, cells: grid.cells.map((row) => row.map((cell) => cell && { ...cell, value: -1 })) };
  workbench.setState("c3", { ...state, figures: [figure] });
  const screen = await openScreen({ workbench, columns: 80, rows: 30 });
  await screen.press("G", "o", "v");
  expect(screen.text()).toContain("Bars need numbers of at least 0, in at most 1000 rows");
  await screen.close();
});
