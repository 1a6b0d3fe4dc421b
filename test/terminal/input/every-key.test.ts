/** Every command in the table of keys, pressed on its screen: it has a visible effect, or a message gives the reason why not. */
import { describe, expect, it } from "vitest";
import { keyTable, type Scope } from "../../../source/terminal/input/keys.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { type Place, places } from "../places.ts";

/** Terminal sequences of keys that are not characters. */
const sequences: Readonly<Record<string, string>> = {
  enter,
  esc: escape,
  space: " ",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  delete: "\x1b[3~",
  backspace: "\x7f",
  "ctrl+left": "\x1b[1;5D",
  "ctrl+right": "\x1b[1;5C",
};

function sent(keys: string): string {
  const [, letter] = /^ctrl\+([a-z])$/.exec(keys) ?? [];
  if (letter !== undefined) return String.fromCodePoint(letter.codePointAt(0)! - 96);
  return sequences[keys] ?? keys.replaceAll(" ", "");
}

/** Keys that suspend the program, or redraw the screen, have their own stories. */
const leaves = new Set(["suspend", "external-editor", "redraw"]);
/** At an edge these keys do not move, which is checked. */
const moves =
  /^(up|down|left|right|first|last|page-up|page-down|lines-up|lines-down|home|end|word-left|word-right|backspace|delete|cut-line|cut-before|cut-word)$/;

/** The screen without spinners and times. */
const still = (text: string) => text.replaceAll(/[⠀-⣿]/g, "").replaceAll(/\d+ s\b/g, "");

/** Decides if this key changed the screen, closed it, or caused a message. */
async function does({ scope, workbench: made, way }: Place, keys: string): Promise<boolean> {
  const workbench = made();
  const screen = await openScreen({ workbench });
  await screen.press(...way);
  // The cost of the experiment is computed a moment later.
  if (scope === "form") await screen.pass(200);
  const before = still(screen.text());
  const asked = workbench.asked.length;
  await screen.press(sent(keys));
  await screen.pass(60);
  const changed = screen.left() || still(screen.text()) !== before || workbench.asked.length > asked;
  await screen.close();
  return changed;
}

const commandsOf = (scope: Scope) =>
  keyTable[scope].filter(({ keys, command }) => keys.length > 0 && !leaves.has(command));

describe("every key, pressed at 80x24", () => {
  for (const place of places)
    it(`has an effect or a message with the reason: ${place.scope}, ${place.name}`, async () => {
      const silent: string[] = [];
      for (const { keys, command } of commandsOf(place.scope))
        if (!moves.test(command) && command !== place.done && !(await does(place, keys[0]!)))
          silent.push(`${keys[0]} ${command}`);
      expect(silent).toEqual([]);
    });

  it.each(Object.entries(Object.groupBy(places, ({ scope }) => scope)))("moves the cursor: %s", async (scope, all) => {
    const still: string[] = [];
    for (const { keys, command } of commandsOf(scope as Scope)) {
      if (!moves.test(command)) continue;
      let moved = false;
      for (const place of all) moved ||= await does(place, keys[0]!);
      if (!moved) still.push(`${keys[0]} ${command}`);
    }
    expect(still).toEqual([]);
  });
});
