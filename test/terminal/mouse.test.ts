import { describe, expect, it } from "vitest";
import { ctrl, enter, escape, openScreen } from "./open-screen.tsx";
import { openDouble } from "./double-workbench.ts";
import { figures } from "./sample-figures.ts";
import { runningWorkbench, sampleBoard } from "./sample-trajectory.ts";

const wheel = (by: 1 | -1, column = 1, row = 9) => `\x1b[<${by === 1 ? 65 : 64};${column};${row}M`;

/** Clicks on the first occurrence of these words. */
async function click(screen: Awaited<ReturnType<typeof openScreen>>, words: string): Promise<void> {
  const lines = screen.lines();
  const row = lines.findIndex((line) => line.includes(words));
  if (row < 0) throw new Error(`Expected ${words} on the screen, got\n${lines.join("\n")}`);
  await screen.press(`\x1b[<0;${lines[row]!.indexOf(words) + 1};${row + 1}M`);
}

describe("the mouse", () => {
  it("is not used unless the user enables it", async () => {
    const screen = await openScreen();
    expect(screen.stdout.written).not.toMatch(/\?100[06]h/);
    await screen.close();
  });

  it("is enabled and disabled with the screen, even while another program uses the terminal", async () => {
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

  it("is disabled after a crash of the program", async () => {
    const screen = await openScreen({ mouse: true });
    const ended = expect(screen.ended).rejects.toThrow("a mistake");
    screen.workbench.breakDown("a mistake");
    await screen.pass();
    await ended;
    expect(screen.stdout.written.lastIndexOf("\x1b[?1006l")).toBeGreaterThan(
      screen.stdout.written.lastIndexOf("\x1b[?1006h"),
    );
  });

  it("selects with a click and opens with a second click, on all screens, and presses keys of the key bar", async () => {
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
    await screen.press("L");
    expect(screen.text()).toContain("following the newest tasks");
    await click(screen, "✗ ✓ ?");
    expect(screen.text()).toContain("[✗]");
    await screen.press(escape);
    await click(screen, "? help");
    expect(screen.lines()[0]).toContain("keys");
    await screen.close();
  });

  it("moves with the wheel as with keys, answers no question, and does nothing below a list", async () => {
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
    await click(screen, "commands");
    expect(screen.text()).toContain("Esc close");
    await click(screen, "Esc close");
    expect(screen.text()).not.toContain("Esc close");
    await screen.close();
  });

  it("scrolls the notebook by lines, not by cells", async () => {
    const screen = await openScreen({ mouse: true, columns: 60, rows: 12 });
    const before = screen.lines();
    await screen.press(wheel(1));
    expect(screen.text()).toMatch(/^▌ run prompting/m);
    await screen.press(wheel(-1), wheel(-1));
    expect(screen.lines()).toEqual(before);
    await screen.close();
  });

  it("chooses in lists and among commands, and selects the clicked value of a figure", async () => {
    const screen = await openScreen({ mouse: true, columns: 110, rows: 40 });
    await screen.press("G", "o");
    const value = screen.lines().at(-3)!;
    await click(screen, "61 n 22");
    expect(screen.lines().at(-3)).not.toBe(value);
    expect(screen.lines().at(-3)).toContain("61.0");
    await click(screen, "61 n 22");
    expect(screen.text()).toContain("mm-0");
    await screen.press(escape, escape, "b");
    await click(screen, "Analysis: Scale");
    expect(screen.workbench.cells()).toHaveLength(4);
    await screen.press(escape, ":");
    await click(screen, "Edit the text of the cell");
    expect(screen.text()).toContain("▸ Edit the text of the cell");
    await screen.close();
  });

  it("selects another clicked figure on the screen, below or next to the current one", async () => {
    const [first, second, third] = ["lines", "table", "bars"].map((name) => figures[name]!);
    const workbench = openDouble();
    const state = workbench.state("c3");
    if (state.kind === "analysis") workbench.setState("c3", { ...state, figures: [first!, second!, third!] });
    const screen = await openScreen({ workbench, mouse: true, columns: 140, rows: 60 });
    await screen.press("G", "o");
    expect(screen.text()).toContain("1 of 3");
    await click(screen, third!.title);
    expect(screen.text()).toContain("3 of 3");
    await click(screen, second!.title);
    expect(screen.text()).toContain("2 of 3");
    await screen.close();
  });

  it("puts the cursor into an edited text and into an input line", async () => {
    const screen = await openScreen({ mouse: true });
    await screen.press("i");
    await click(screen, "two calls");
    await screen.press("not ");
    expect(screen.text()).toMatch(/not .?two calls/);
    // Clicks outside the text have no effect while it is edited.
    await click(screen, "run prompting");
    await screen.press("never ");
    expect(screen.text()).toMatch(/not never .?two calls/);
    await screen.press(escape, "/", "prompting");
    await screen.press(`\x1b[<0;5;${screen.lines().findIndex((line) => line.includes("▸ prompting")) + 1}M`);
    await screen.press("x");
    expect(screen.text()).toMatch(/▸ px.?rompting/);
    await screen.close();
  });

  it("closes notes by a click outside them, but not a fork, which may contain typed text", async () => {
    const screen = await openScreen({ workbench: runningWorkbench(), mouse: true, columns: 200, rows: 40 });
    await screen.press("j", "v");
    expect(screen.lines().at(-1)).not.toContain("r run");
    await click(screen, "AppBench asks");
    await screen.pass(60);
    expect(screen.lines().at(-1)).toContain("Enter edit");
    await screen.press("j", "o", enter, "2", "j", "F");
    expect(screen.text()).toContain("at request");
    expect(screen.text()).toContain("[2 Steps]");
    await click(screen, "3 Checks");
    await screen.pass(60);
    expect(screen.text()).toContain("at request");
    await screen.close();
  });

  it("moves the focus to a clicked screen next to the current one", async () => {
    const screen = await openScreen({ workbench: runningWorkbench(), mouse: true, columns: 200, rows: 40 });
    await screen.press("j", "o");
    const keys = () => screen.lines().at(-1);
    expect(keys()).toContain("s sort");
    await click(screen, "3 Checks");
    await screen.pass(60);
    expect(screen.text()).toContain("[3 Checks]");
    expect(keys()).toContain("Tab section");
    await click(screen, "sm-003");
    expect(keys()).toContain("s sort");
    expect(screen.text()).toMatch(/▸ . sm-003/);
    await screen.press(wheel(1, 150));
    await screen.pass(60);
    expect(keys()).toContain("Tab section");
    await screen.press(wheel(-1, 10, 10));
    expect(keys()).toContain("s sort");
    expect(screen.text()).toMatch(/▸ . sm-000/);
    // An empty place also counts.
    expect(screen.lines()[36]!.slice(90)).toMatch(/^[ │]*$/);
    await screen.press(wheel(1, 150, 37));
    await screen.pass(60);
    expect(keys()).toContain("Tab section");
    await screen.close();
  });

  it("selects a lane in a watched run, a field in a fork, and a section in a task", async () => {
    const running = sampleBoard().map((task) => ({ ...task, state: "running" as const }));
    const screen = await openScreen({ workbench: runningWorkbench(running), mouse: true, columns: 100, rows: 40 });
    await screen.press("j", "L");
    const lanes = screen.lines().filter((line) => /(?:▸ sm-\d+ .*){2}/.test(line));
    const [first, second] = [...lanes[0]!.matchAll(/▸ (sm-\d+)/g)];
    const row = screen.lines().indexOf(lanes[0]!);
    for (const lane of [second!, first!]) {
      await screen.press(`\x1b[<0;${lane.index + 4};${row + 3}M`);
      expect(screen.text()).toContain("f follows the newest tasks");
      const place = sampleBoard().findIndex(({ task }) => task === lane[1]);
      expect(
        screen
          .lines()
          .find((line) => line.includes("[▸]"))!
          .indexOf("[▸]"),
      ).toBe(2 + 2 * place);
    }
    await screen.press(`\x1b[<0;${first!.index + 4};${row + 3}M`);
    expect(screen.text()).toMatch(new RegExp(`^│ . ${first![1]} .* of 6 *│$`, "m"));
    await screen.press(escape, escape, "o", "g", enter);
    await screen.pass(60);
    await click(screen, "2 Steps");
    await screen.press("F");
    await click(screen, "Strategy ");
    expect(screen.text()).toMatch(/▸ Strategy/);
    await click(screen, "Strategy ");
    expect(screen.lines().at(-1)).toContain("Enter choose");
    await screen.close();
  });
});
