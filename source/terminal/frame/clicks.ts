import type { Scope } from "../input/binding.ts";
import type { CommandOf } from "../input/keys.ts";
import type { Clickable } from "../painting/surface.ts";
import type { Terminal } from "../terminal.ts";

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
