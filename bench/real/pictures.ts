/** Pictures of a task of each benchmark in the session that was played, with the reason why its answer is not right. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { screenSvg } from "../../build/screen-svg.ts";
import { openProgram, type PseudoTerminal } from "../../test/stories/pseudo-terminal.ts";

const sizes = [
  [120, 40],
  [200, 60],
] as const;

/** The run cell of each benchmark, and the text that its tasks are listed below; a cell with several runs asks for one first. */
const cells = [
  { name: "arena", isGrid: false },
  { name: "ultra", isGrid: true },
  { name: "app", isGrid: true },
  { name: "trip", isGrid: true },
  { name: "tools", isGrid: true },
  { name: "hub", isGrid: true },
] as const;

const [enter, ctrlP] = ["\r", "\u0010"];

/** Draws the steps of the first task of each cell but the `open` ones into `to`; `folder` has the session and its settings. */
export async function drawPictures(folder: string, to: string, open: ReadonlySet<string>): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const { name, isGrid } of cells.filter((cell) => !open.has(cell.name))) {
    const terminal = openProgram({ args: [join(folder, "session")], folder, columns: 120, rows: 40 });
    const keys: readonly (readonly [typed: string, shown: RegExp])[] = [
      ["", /Enter edit/],
      [ctrlP, /▏/],
      [`go to cell: run ${name}`, new RegExp(`▸ Go to cell: run ${name}\\s`)],
      [enter, new RegExp(`▌ run ${name}`)],
      ["o", isGrid ? /which run/ : /first error/],
      ...(isGrid ? [[enter, /first error/] as const] : []),
      [enter, /2 Steps/],
      ["2", /\[2 Steps\]/],
    ];
    for (const [typed, shown] of keys) {
      if (typed !== "") terminal.type(typed);
      await terminal.waitFor(shown);
    }
    for (const [columns, rows] of sizes) {
      terminal.resize(columns, rows);
      await rest(terminal);
      writeFileSync(join(to, `${name}-${columns}x${rows}.svg`), screenSvg(terminal.terminal));
    }
    terminal.kill("SIGTERM");
    await terminal.ended;
  }
}

/** Waits until the screen has been the same for a second. */
async function rest(terminal: PseudoTerminal): Promise<void> {
  let last = "";
  for (let same = 0; same < 4;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = terminal.screen();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}
