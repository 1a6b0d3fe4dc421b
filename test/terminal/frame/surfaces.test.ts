import { describe, expect, it } from "vitest";
import { escape, openScreen } from "../open-screen.tsx";
import { runningWorkbench } from "../sample-trajectory.ts";

const wide = { columns: 160, rows: 40, colour: true } as const;
const titles = (lines: readonly string[]) =>
  [...lines.join("\n").matchAll(/╭ (\d?) ?(\w+) /g)].map(([, digit, kind]) => [digit, kind]);

describe("panes of the window", () => {
  it("have borders, and have numbers that select a pane if digits have no other function", async () => {
    const screen = await openScreen({ ...wide, workbench: runningWorkbench() });
    await screen.press("j");
    await screen.still();
    expect(titles(screen.lines())).toEqual([
      ["1", "notebook"],
      ["2", "tasks"],
      ["3", "task"],
    ]);
    await screen.press("3");
    // Its sections use the digits.
    expect(titles(screen.lines())).toEqual([
      ["", "tasks"],
      ["", "task"],
    ]);
    expect(screen.lines().at(-1)).toContain("Tab section");
    await screen.press(escape, escape, "2");
    expect(titles(screen.lines())).toEqual([
      ["1", "tasks"],
      ["2", "task"],
    ]);
    await screen.close();
  });

  it("have no numbers if there is only one pane, and a digit then reports why it has no effect", async () => {
    const screen = await openScreen({ columns: 120, rows: 40 });
    expect(screen.lines()[0]).toMatch(/^╭ notebook {2}.* ─+╮$/);
    await screen.press("2");
    expect(screen.lines().at(-1)).toContain(
      "There is no pane 2: only windows of at least 150 columns show several panes",
    );
    await screen.press("1");
    expect(screen.lines().at(-1)).toContain("Pane 1 already has the focus");
    await screen.close();
  });

  it("have only a title in windows below 100 columns or 30 rows", async () => {
    for (const size of [
      { columns: 99, rows: 40 },
      { columns: 120, rows: 29 },
    ]) {
      const screen = await openScreen(size);
      expect(screen.lines()[0]).toMatch(/^ notebook {2}/);
      expect(screen.text()).not.toContain("╭");
      await screen.close();
    }
  });

  it("are dimmed without the focus, but task states keep their colours", async () => {
    const screen = await openScreen({ ...wide, workbench: runningWorkbench() });
    await screen.press("j");
    await screen.still();
    const { active } = screen.stdout.terminal.buffer;
    const inkAt = (words: string) => {
      const row = screen.lines().findIndex((line) => line.lastIndexOf(words) > 60);
      const cell = active.getLine(active.baseY + row)!.getCell(screen.lines()[row]!.lastIndexOf(words))!;
      return { isPlain: cell.isFgDefault(), isBold: cell.isBold() !== 0 };
    };
    const corner = (column: number) => active.getLine(active.baseY)!.getCell(column)!.getFgColor();
    expect(corner(0)).not.toBe(corner(159));
    expect(inkAt("Find a crossing")).toEqual({ isPlain: false, isBold: false });
    await screen.press("3");
    expect(inkAt("Find a crossing").isPlain).toBe(true);
    await screen.close();
  });
});

describe("the status line", () => {
  it("shows the active run and the four most useful keys, or a message instead", async () => {
    const screen = await openScreen({ columns: 120, rows: 40, workbench: runningWorkbench() });
    await screen.press("j");
    expect(screen.lines().at(-1)).toMatch(/^ ▸ 1 run {2}4\/6 {3}\d+ tok\/s {3}1 of 4 in flight {2,}.*\? help$/);
    await screen.press("c");
    expect(screen.lines().at(-1)).toMatch(/^ Only for analysis cells; .*\? help$/);
    await screen.close();
  });
});
