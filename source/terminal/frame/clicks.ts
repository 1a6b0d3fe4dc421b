import type { CommandOf, Scope } from "../input/keys.ts";
import type { Clickable } from "../painting/surface.ts";
import type { Terminal } from "../terminal.ts";
import type { MouseEvent } from "../input/reports.ts";
import type { Navigation } from "./navigation.ts";

/** The command that opens the current entry, in each scope with a list. */
const opening = {
  tasks: "open",
  compare: "open",
  trajectory: "open",
  notebook: "open",
  figure: "open",
  form: "change",
  live: "open",
  fork: "change",
  choices: "accept",
  palette: "accept",
} as const satisfies { readonly [S in Scope]?: CommandOf<S> };

/** A click moves to an entry, or opens it if the cursor is on it. `entryAt` returns undefined if there is no entry. */
export const clicks = (
  scope: keyof typeof opening,
  { keyboard }: Pick<Terminal, "keyboard">,
  entryAt: (line: number, column: number) => number | undefined,
  here: number,
  go: (entry: number) => void,
): Clickable => ({
  scope,
  at(line, column) {
    const entry = entryAt(line, column);
    if (entry === here) keyboard.perform(scope, opening[scope]);
    else if (entry !== undefined) go(entry);
  },
});

/** Scopes in which a turn of the wheel moves three lines; elsewhere it moves one entry. */
const long: ReadonlySet<Scope> = new Set(["text", "prompt", "trajectory", "beside", "tasks", "compare", "editor"]);

type Followed = Pick<Terminal, "keyboard" | "surface" | "navigation">;

/**
 * The wheel acts like the keys for up and down on the screen below the mouse, and a click acts on its target. Keys then go to
 * that screen. Questions are answered only by keys.
 */
export function followMouse(event: MouseEvent, { keyboard, surface, navigation }: Followed): void {
  const top = keyboard.top();
  if (top === undefined || top.scope === "question") return;
  const clicked = surface?.clicked(event.row, event.column);
  const isElsewhere = clicked?.scope !== undefined && clicked.scope !== top.scope;
  if (isElsewhere && !goTo(clicked.scope, top.scope, navigation)) {
    // Screens below a list are not reachable.
    if (event.kind === "click") return;
  }
  if (event.kind === "click") return clicked?.perform();
  // The screen must be drawn before it listens for keys.
  setImmediate(() => turn(event.by, keyboard));
}

function turn(by: 1 | -1, keyboard: Terminal["keyboard"]): void {
  const top = keyboard.top();
  // `down` moves by a cell there.
  if (top?.scope === "notebook") return keyboard.press([by === 1 ? "}" : "{"]);
  const chord = by === 1 ? "down" : "up";
  if (top?.commands[chord] === undefined) return;
  keyboard.press(Array.from({ length: long.has(top.scope) ? 3 : 1 }, () => chord));
}

/** Opens the screen of this scope beside the top screen, or goes back to it. Returns false if there is no such screen. */
function goTo(scope: Scope, from: Scope, navigation: Navigation): boolean {
  const { all, open } = navigation.places();
  if (all[open - 1]?.screen.kind !== from) return false;
  // A click elsewhere must not lose the text of a fork.
  if (from === "fork") return false;
  const ahead = all.findIndex(({ screen }, index) => index >= open && screen.kind === scope);
  if (ahead >= 0) for (const { screen } of all.slice(open, ahead + 1)) navigation.push(screen);
  else if (all[open - 2]?.screen.kind === scope) navigation.pop();
  else return false;
  return true;
}
