import type { Binding } from "../binding.ts";
import { listKeys } from "./movement.ts";

const scope = "form" as const;

export const formKeys: readonly Binding[] = [
  ...listKeys(scope),
  { scope, keys: ["tab"], command: "down", title: "Next field" },
  { scope, keys: ["shift+tab"], command: "up", title: "Field before" },
  {
    scope,
    keys: ["enter", "space", "l", "right"],
    command: "change",
    title: "Change the field",
    short: "change",
    footer: 1,
  },
  { scope, keys: ["ctrl+s", "s"], command: "keep", title: "Write the cell", short: "write the cell", footer: 2 },
  {
    scope,
    keys: ["r", "ctrl+r"],
    command: "keep-and-run",
    title: "Write the cell and run it",
    short: "write and run",
    footer: 3,
  },
  {
    scope,
    keys: ["delete", "backspace", "d"],
    command: "reset",
    title: "Back to the field's default",
    short: "default",
    footer: 4,
  },
  { scope, keys: ["esc", "q"], command: "back", title: "Leave without writing", short: "leave", footer: 9 },
];

/** A list that lies over a screen. */
export const choiceKeys: readonly Binding[] = [
  { scope: "choices", keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { scope: "choices", keys: ["up"], command: "up", title: "Up" },
  { scope: "choices", keys: ["pagedown"], command: "page-down", title: "A page down" },
  { scope: "choices", keys: ["pageup"], command: "page-up", title: "A page up" },
  { scope: "choices", keys: ["home"], command: "first", title: "To the first" },
  { scope: "choices", keys: ["end"], command: "last", title: "To the last" },
  {
    scope: "choices",
    keys: ["space"],
    command: "mark",
    title: "Mark: several make a grid",
    short: "mark several",
    footer: 2,
  },
  { scope: "choices", keys: ["enter"], command: "take", title: "Take it", short: "take", footer: 1 },
  { scope: "choices", keys: ["backspace"], command: "erase", title: "Erase a letter of the filter" },
  { scope: "choices", keys: ["esc"], command: "back", title: "Leave it as it is", short: "back", footer: 9 },
];
