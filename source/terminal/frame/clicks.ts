import type { Scope } from "../input/binding.ts";
import type { CommandOf } from "../input/keys.ts";
import type { Clickable } from "../painting/surface.ts";
import type { Terminal } from "../terminal.ts";
import type { MouseEvent } from "../input/reports.ts";
import type { Navigation } from "./navigation.ts";

/** What opens, in the scopes of lists, the entry the cursor is on. */
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

/** A click on an entry goes to it; on the one the cursor is on, it opens that. `entryAt` is undefined where there is none. */
export function clicks(
  scope: keyof typeof opening,
  { keyboard }: Pick<Terminal, "keyboard">,
  entryAt: (line: number, column: number) => number | undefined,
  here: number,
  go: (entry: number) => void,
): Clickable {
  return {
    scope,
    at(line, column) {
      const entry = entryAt(line, column);
      if (entry === here) keyboard.perform(scope, opening[scope]);
      else if (entry !== undefined) go(entry);
    },
  };
}

/** Where a turn of the wheel is three lines; elsewhere it is one entry. */
const long: ReadonlySet<Scope> = new Set(["text", "trajectory", "beside", "tasks", "compare", "editor"]);

type Followed = Pick<Terminal, "keyboard" | "surface" | "navigation">;

/**
 * The wheel moves what it is over as the keys for up and down do; a click goes to what it is on. Of screens beside each other the one
 * the mouse is on has the keys from then on. Questions are answered by keys.
 */
export function followMouse(event: MouseEvent, { keyboard, surface, navigation }: Followed): void {
  const top = keyboard.top();
  if (top === undefined || top.scope === "question") return;
  const clicked = surface?.clicked(event.row, event.column);
  const isElsewhere = clicked?.scope !== undefined && clicked.scope !== top.scope;
  if (isElsewhere && !goTo(clicked.scope, top.scope, navigation)) {
    // Below a list nothing is reached.
    if (event.kind === "click") return;
  }
  if (event.kind === "click") return clicked?.perform();
  // What has the keys now listens for them once it has been drawn.
  setImmediate(() => turn(event.by, keyboard));
}

function turn(by: 1 | -1, keyboard: Terminal["keyboard"]): void {
  const top = keyboard.top();
  // A line down there is a cell.
  if (top?.scope === "notebook") return keyboard.press([by === 1 ? "}" : "{"]);
  const chord = by === 1 ? "down" : "up";
  if (top?.commands[chord] === undefined) return;
  keyboard.press(Array.from({ length: long.has(top.scope) ? 3 : 1 }, () => chord));
}

/** Opens the screen of this scope that stands beside the top one, or goes back to it; whether there is one. */
function goTo(scope: Scope, from: Scope, navigation: Navigation): boolean {
  const { all, open } = navigation.places();
  if (all[open - 1]?.screen.kind !== from) return false;
  // What was written into a fork is not lost by a click beside it.
  if (from === "fork") return false;
  const ahead = all.findIndex(({ screen }, index) => index >= open && screen.kind === scope);
  if (ahead >= 0) for (const { screen } of all.slice(open, ahead + 1)) navigation.push(screen);
  else if (all[open - 2]?.screen.kind === scope) navigation.pop();
  else return false;
  return true;
}
