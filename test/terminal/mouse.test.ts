import { describe, expect, it } from "vitest";
import { ctrl, escape, openScreen } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

const wheel = (by: 1 | -1) => `\x1b[<${by === 1 ? 65 : 64};1;1M`;

/** Clicks on the first place these words stand in. */
async function click(screen: Awaited<ReturnType<typeof openScreen>>, words: string): Promise<void> {
  const lines = screen.lines();
  const row = lines.findIndex((line) => line.includes(words));
  if (row < 0) throw new Error(`Expected ${words} on the screen, got\n${lines.join("\n")}`);
  await screen.press(`\x1b[<0;${lines[row]!.indexOf(words) + 1};${row + 1}M`);
}

describe("the mouse", () => {
  it("is the terminal's own, unless it was asked for", async () => {
    const screen = await openScreen();
    expect(screen.stdout.written).not.toMatch(/\?100[06]h/);
    await screen.close();
  });

  it("is taken with the screen and given back with it, also while something else has the terminal", async () => {
    const screen = await openScreen({ mouse: true });
    expect(screen.stdout.written).toContain("\x1b[?1000h\x1b[?1006h");
    const last = () =>
      screen.stdout.written.lastIndexOf("\x1b[?1006h") - screen.stdout.written.lastIndexOf("\x1b[?1006l");
    const { length } = screen.stdout.written;
    await screen.press(ctrl("l"));
    expect(screen.stdout.written.slice(length)).toMatch(/\?1006l[^]*\?1006h/);
    expect(last()).toBeGreaterThan(0);
    await screen.press("q");
    await screen.over();
    expect(last()).toBeLessThan(0);
    expect(screen.stdout.written.lastIndexOf("\x1b[?1000l")).toBeGreaterThan(
      screen.stdout.written.lastIndexOf("\x1b[?1000h"),
    );
  });

  it("is given back when the program has a mistake", async () => {
    const screen = await openScreen({ mouse: true });
    const ended = expect(screen.ended).rejects.toThrow("a mistake");
    screen.workbench.breakDown("a mistake");
    await screen.pass();
    await ended;
    expect(screen.stdout.written.lastIndexOf("\x1b[?1006l")).toBeGreaterThan(
      screen.stdout.written.lastIndexOf("\x1b[?1006h"),
    );
  });

  it("selects with a click and opens with another, through the screens, and presses what the key bar says", async () => {
    const screen = await openScreen({ workbench: runningWorkbench(), mouse: true, columns: 100 });
    await click(screen, "run prompting");
    expect(screen.text()).toMatch(/^▌ run prompting/m);
    await click(screen, "run prompting");
    expect(screen.text()).toContain("1/6");
    await click(screen, "sm-002");
    expect(screen.text()).toMatch(/▸ . sm-002/);
    await click(screen, "sm-000");
    await click(screen, "sm-000");
    await screen.pass(60);
    expect(screen.text()).toContain("[1 Plan]");
    await click(screen, "3 Weather: getforecast");
    expect(screen.text()).toMatch(/^▌.*3 Weather: getforecast/m);
    await screen.press(escape);
    await click(screen, "L live");
    expect(screen.text()).toContain("following the newest tasks");
    await click(screen, "✗ ✓ ?");
    expect(screen.text()).toContain("[✗]");
    await screen.press(escape);
    await click(screen, "? help");
    expect(screen.text()).toContain("Keys");
    await screen.close();
  });

  it("moves with the wheel as with keys, answers no question, and reaches nothing below a list", async () => {
    const screen = await openScreen({ workbench: runningWorkbench(), mouse: true });
    await screen.press("j", "o", wheel(1));
    expect(screen.text()).toContain("4/6");
    await screen.press(wheel(-1));
    expect(screen.text()).toContain("1/6");
    await screen.press(escape, "q", wheel(1));
    await click(screen, "run prompting");
    expect(screen.text()).toContain("Quit? y/n");
    await screen.press("n", "k", "b");
    await click(screen, "run prompting");
    expect(screen.text()).toContain("Which kind of cell?");
    expect(screen.text()).not.toMatch(/^▌ run prompting/m);
    await screen.press(escape, ":");
    await click(screen, "Planwright");
    expect(screen.text()).toContain("Esc close");
    await click(screen, "Esc close");
    expect(screen.text()).not.toContain("Esc close");
    await screen.close();
  });

  it("chooses in lists and among commands, and stands on the value of a figure that was clicked", async () => {
    const screen = await openScreen({ mouse: true, columns: 100, rows: 40 });
    await screen.press("G", "o");
    const value = screen.lines().at(-3)!;
    await click(screen, "61.0");
    expect(screen.lines().at(-3)).not.toBe(value);
    expect(screen.lines().at(-3)).toContain("61.0");
    await click(screen, "61.0");
    expect(screen.text()).toContain("mm-0");
    await screen.press(escape, escape, "b");
    await click(screen, "Analysis: Scale");
    expect(screen.workbench.cells()).toHaveLength(4);
    await screen.press(escape, ":");
    await click(screen, "Run the cell, or resume it");
    expect(screen.text()).toContain("▸ Run the cell, or resume it");
    await screen.close();
  });
});
