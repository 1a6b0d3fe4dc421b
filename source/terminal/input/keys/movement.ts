/** Keys that mean the same on many screens. */
import type { Binding, Scope } from "../binding.ts";

/** Up and down in a list. */
export function listKeys(scope: Scope): readonly Binding[] {
  return [
    { scope, keys: ["j", "down"], command: "down", title: "Down" },
    { scope, keys: ["k", "up"], command: "up", title: "Up" },
    { scope, keys: ["g", "home"], command: "first", title: "To the first" },
    { scope, keys: ["G", "end"], command: "last", title: "To the last" },
    { scope, keys: ["pagedown", "ctrl+d"], command: "page-down", title: "A page down" },
    { scope, keys: ["pageup", "ctrl+u"], command: "page-up", title: "A page up" },
  ];
}

export function backKeys(scope: Scope): readonly Binding[] {
  return [{ scope, keys: ["esc", "q", "backspace"], command: "back", title: "Back", short: "back", footer: 99 }];
}
