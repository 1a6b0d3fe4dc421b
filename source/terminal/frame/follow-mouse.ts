import type { Scope } from "../input/binding.ts";
import type { MouseEvent } from "../input/mouse.ts";
import type { Terminal } from "../terminal.ts";

/** Where a turn of the wheel is three lines; elsewhere it is one entry. */
const long: ReadonlySet<Scope> = new Set(["notebook", "text", "trajectory", "beside", "tasks", "compare", "editor"]);

/** The wheel moves as the keys for up and down do; a click goes to what it is on. Questions are answered by keys. */
export function followMouse(event: MouseEvent, { keyboard, surface }: Pick<Terminal, "keyboard" | "surface">): void {
  const top = keyboard.top();
  if (top === undefined || top.scope === "question") return;
  if (event.kind === "click") {
    const clicked = surface?.clicked(event.row, event.column);
    if (clicked !== undefined && (clicked.scope ?? top.scope) === top.scope) clicked.perform();
    return;
  }
  const chord = event.by === 1 ? "down" : "up";
  if (top.commands[chord] === undefined) return;
  keyboard.press(Array.from({ length: long.has(top.scope) ? 3 : 1 }, () => chord));
}
