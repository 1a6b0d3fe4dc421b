/** Pasted text is text and never a command, whatever it contains, wherever it is pasted and however large it is. */
import { describe, expect, it } from "vitest";
import { ctrl, enter, escape, openScreen } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

type Screen = Awaited<ReturnType<typeof openScreen>>;

const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;
/** Keys that quit, delete, run and answer yes, and bytes that terminals obey. */
const rubbish = `dd\rq\ry\n:quit\r\x03\x1b[2J\x1b[A\x1b]0;title\x07\x1b[<0;3;3M\x00r`;

const opened: readonly (readonly [name: string, keys: readonly string[], shown: RegExp])[] = [
  ["the notebook", [], /▌ note|Does seeing/],
  ["a figure", ["G", "o"], /Argument EM/],
  ["the tasks of a run", ["j", "o"], /1\/6/],
  ["a trajectory", ["j", "o", enter], /\[1 Plan\]/],
  ["a run that is watched", ["j", "L"], /following the newest/],
  ["the form", ["n"], /set up  new experiment/],
  ["a fork", ["j", "o", enter, "2", "F"], /Fork /],
  ["help", ["?"], /keys/],
  ["a question", ["q"], /y\/n/],
  ["a short list", ["G", "c"], /What to show/],
];

async function on(keys: readonly string[]): Promise<Screen> {
  const screen = await openScreen({ workbench: runningWorkbench(), columns: 100, rows: 30 });
  for (const key of keys) {
    await screen.press(key);
    // The form rests before it estimates.
    await screen.pass(200);
  }
  return screen;
}

describe("pasted text", () => {
  it.each(opened)("has no effect on %s", async (_, keys, shown) => {
    const screen = await on(keys);
    expect(screen.text()).toMatch(shown);
    const [before, lines] = [screen.workbench.cells(), screen.lines().slice(0, -2)];
    await screen.press(pasted(rubbish));
    expect(screen.left()).toBe(false);
    expect(screen.workbench.cells()).toEqual(before);
    // Spinners turn meanwhile.
    const still = (line: string) => line.replaceAll(/[⠀-⣿]|\d+(\.\d+)? s\b/g, "");
    expect(screen.lines().slice(0, -2).map(still)).toEqual(lines.map(still));
    await screen.close();
  });

  it("becomes text in an edited cell, with signs for control characters, and one undo removes it", async () => {
    const screen = await on(["i"]);
    await screen.press(pasted(rubbish));
    expect(screen.text()).toContain("dd");
    expect(screen.text()).toContain(":quit");
    expect(screen.text()).toContain("␃␛[2J␛[A␛]0;title␇");
    await screen.press(ctrl("z"));
    expect(screen.text()).not.toContain(":quit");
    await screen.press(pasted(rubbish), escape);
    expect(screen.workbench.cells()[0]!.source.startsWith(rubbish.replaceAll("\r", "\n"))).toBe(true);
    expect(screen.left()).toBe(false);
    await screen.close();
  });

  it.each([
    ["a search", ["/"], "Find"],
    ["a list that is filtered", ["b"], "Which kind of cell?"],
    ["the palette", [":"], "Esc close"],
    ["the tasks that are searched", ["j", "o", "/"], "/_"],
    ["a field of the form", ["n", "j", "j", "j", "j", enter], "type to filter"],
  ])("becomes one line in %s, and does not confirm it", async (_, keys, shown) => {
    const screen = await on(keys);
    expect(screen.text()).toContain(shown);
    const before = screen.workbench.cells();
    await screen.press(pasted(`prompting\r${"q".repeat(200_000)}\r\x1b[2J`));
    expect(screen.text()).toContain("prompting");
    expect(screen.left()).toBe(false);
    expect(screen.workbench.cells()).toEqual(before);
    await screen.close();
  });

  it("can be as large as a file, and later typed text follows it", async () => {
    const large = Array.from(
      { length: 20_000 },
      (_, line) => `line ${line}: 预订餐厅 and some fifty characters of text`,
    );
    const screen = await on(["i"]);
    await screen.press(...chunks(pasted(large.join("\n"))), "END");
    expect(screen.text()).toMatch(/line 19999: .*textEND/);
    await screen.press(escape);
    expect(screen.workbench.cells()[0]!.source.startsWith(`${large.join("\n")}END`)).toBe(true);
    await screen.close();
  });
});

/** Cuts the text anywhere, like terminals do. */
function chunks(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) => text.slice(at * 65_536, (at + 1) * 65_536));
}

describe("keys typed faster than the screen is drawn", () => {
  it("are neither lost nor misread, even if the window is resized", async () => {
    const screen = await on(["i"]);
    const words = Array.from({ length: 200 }, (_, word) => `w${word} `).join("");
    for (const [at, letter] of [...words].entries()) {
      screen.stdin.send(letter);
      if (at % 40 === 0) screen.stdout.resize(at % 80 === 0 ? 41 : 130, at % 120 === 0 ? 10 : 40);
    }
    await screen.still();
    await screen.press(escape);
    expect(screen.workbench.cells()[0]!.source.startsWith(words)).toBe(true);
    await screen.close();
  });

  it("are handled later if the window is too small to draw", async () => {
    const screen = await on(["i"]);
    screen.stdout.resize(20, 5);
    await screen.press("still ");
    screen.stdout.resize(100, 30);
    await screen.press("here ");
    expect(screen.text()).toContain("still here");
    await screen.close();
  });
});
