import { expect, test } from "vitest";
import { enter, openScreen } from "../open-screen.tsx";

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

test("the key v gives the reason if nothing can be drawn as bars", async () => {
  const screen = await openFigure();
  await screen.press("\t\t", "v");
  expect(screen.text()).toContain("This figure is a chart already");
  await screen.close();
});
