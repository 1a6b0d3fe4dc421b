import { expect, it } from "vitest";
import { ctrl, down, enter, escape, openScreen, openScreenOf } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

it("the command palette finds every command by its name", async () => {
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

it("the command palette lists commands of other screens in grey, with the screens that have them", async () => {
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
  // A command that cannot be used now is listed among those of this screen, if no other screen has it.
  expect(screen.text()).toMatch(/▸ Export as CSV +Only for analysis cells/);
  expect(screen.text().match(/Export as CSV/g)).toHaveLength(1);
  await screen.close();
});

it("the command palette gives the full reason why the selected command cannot be used", async () => {
  const screen = await openScreen();
  await screen.press("g", ctrl("p"), "run the cell, or");
  expect(screen.text()).toMatch(/▸ Run the cell, or resume it +r Shift\+Enter Ctrl\+R /);
  expect(screen.text()).toMatch(/^ Only for run cells; this is a note *$/m);
  await screen.close();
});

it("the command palette lists usable commands first, and matches by letters only if no words match", async () => {
  const screen = await openScreenOf(runningWorkbench(), { columns: 120, rows: 40 });
  await screen.press("j", "o", enter);
  await screen.still();
  await screen.press(ctrl("p"), "export");
  const listed = screen
    .lines()
    .slice(3, -4)
    .filter((line) => /[^ │]/.test(line));
  expect(listed[0]).toContain("Export this trajectory");
  expect(listed.slice(1).every((line) => line.includes("Only in: Notebook"))).toBe(true);
  // Letters count if no command has the words.
  await screen.press(escape, ctrl("p"), "exprt trajectory");
  expect(screen.text()).toMatch(/▸ Export this trajectory/);
  await screen.close();
});

it("the command palette lists commands that cannot be used on this screen after all others", async () => {
  const screen = await openScreen({ columns: 120, rows: 100 });
  await screen.press("g", ctrl("p"));
  const reasons = screen
    .lines()
    .slice(3, -4)
    .filter((line) => line.trim() !== "")
    .map((line) => / {2}(Only (for|in)|A note has|This is the first)/.test(line));
  expect(reasons.filter(Boolean).length).toBeGreaterThan(20);
  expect(reasons.indexOf(true)).toBe(reasons.lastIndexOf(false) + 1);
  await screen.close();
});

it("the command palette has two columns in a wide window, and the cursor moves from column to column", async () => {
  const screen = await openScreen({ columns: 200, rows: 30 });
  await screen.press("g", ctrl("p"));
  const [first = ""] = screen.lines().slice(3);
  expect(first).toMatch(/▸ Edit the text.* {3,}\S/);
  const second = first.slice(101).trim().split(/ {2,}/)[0]!;
  await screen.press(...Array.from({ length: 24 }, () => down));
  expect(screen.text()).toContain(`▸ ${second}`);
  await screen.close();
});
