import { expect, it } from "vitest";
import { ctrl, enter, escape, openScreen } from "./open-screen.tsx";

it("finds every command by its name", async () => {
  const screen = await openScreen();
  await screen.press("G", ctrl("p"), "exp csv", enter);
  await screen.still();
  expect(screen.workbench.asked).toContain("export c3 csv");
  expect(screen.text()).toContain("Written: exports/c3.csv");
  await screen.press(":", "go cell run", enter);
  expect(screen.text()).toContain("▌ run prompting");
  await screen.press(":", "licence", enter);
  expect(screen.text()).toContain("Data: no licence stated");
  await screen.press("q", "?");
  expect(screen.text()).toContain("Shift+Enter");
  await screen.close();
});

it("lists commands of other screens, greyed, with where they can be used, on every screen", async () => {
  const screen = await openScreen({ columns: 120, rows: 40, colour: true });
  await screen.press("j", ctrl("p"), "fork");
  expect(screen.text()).toMatch(/▸ Fork: continue from this request.* F +Only in: Trajectory/);
  await screen.press(enter);
  expect(screen.text()).toContain(" Only in: Trajectory");
  for (const keys of ["o", "L", "?"]) {
    await screen.press(keys, ctrl("p"), "save the session");
    expect(screen.text()).toMatch(/▸ Save the session +s Ctrl\+S +Only in: Notebook/);
    await screen.press(escape);
  }
  await screen.press(escape, escape, escape, "e", ctrl("p"), "save");
  expect(screen.text()).toMatch(/Save the session.*Only in: Notebook/);
  await screen.press(escape, escape, ctrl("p"), "export csv");
  // One that cannot be used now stands with the others of this screen, where no other screen has it besides.
  expect(screen.text()).toMatch(/▸ Export as CSV +Only for analysis cells/);
  expect(screen.text().match(/Export as CSV/g)).toHaveLength(1);
  await screen.close();
});

it("says in full why the chosen command cannot be used, where its line has no room for that", async () => {
  const screen = await openScreen();
  await screen.press("g", ctrl("p"), "run the cell, or");
  expect(screen.text()).toMatch(/▸ Run the cell, or resume it +r Shift\+Enter Ctrl\+R /);
  expect(screen.text()).toMatch(/^ Only for run cells; this is a note *$/m);
  await screen.close();
});
