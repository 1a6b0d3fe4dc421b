import type { Binding } from "../binding.ts";
import { copyKeys, findKeys, listKeys, upDownKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const formKeys = [
  ...listKeys,
  { keys: ["tab"], command: "down", title: "Next field" },
  { keys: ["shift+tab"], command: "up", title: "Previous field" },
  { keys: ["enter", "space", "l", "right"], command: "change", title: "Change the field", short: "change", footer: 1 },
  { keys: ["ctrl+s", "s"], command: "keep", title: "Write the cell", short: "write the cell", footer: 2 },
  {
    keys: ["r", "ctrl+r"],
    command: "keep-and-run",
    title: "Write the cell and run it",
    short: "write and run",
    footer: 3,
  },
  {
    keys: ["delete", "backspace", "d"],
    command: "reset",
    title: "Reset the field to its default",
    short: "default",
    footer: 4,
  },
  { keys: ["w"], command: "share", title: "Set the field for the whole notebook, or for this cell again" },
  ...findKeys,
  ...copyKeys,
  { keys: ["esc", "q"], command: "back", title: "Cancel without writing", short: "cancel", footer: 9 },
] as const satisfies readonly Binding[];

export const forkKeys = [
  ...upDownKeys,
  { keys: ["tab"], command: "down", title: "Next field" },
  { keys: ["shift+tab"], command: "up", title: "Previous field" },
  { keys: ["space", "l", "right", "i"], command: "change", title: "Change the field", short: "change", footer: 2 },
  {
    keys: ["delete", "backspace", "d"],
    command: "reset",
    title: "Reset the field to what the run had",
    short: "reset",
    footer: 3,
  },
  {
    keys: ["enter", "r", "ctrl+r"],
    command: "fork",
    title: "Add the fork as a cell, and run it",
    short: "fork and run",
    footer: 1,
    disabled: readOnly,
  },
  ...findKeys,
  ...copyKeys,
  { keys: ["esc", "q"], command: "back", title: "Cancel without a fork", short: "cancel", footer: 9 },
] as const satisfies readonly Binding[];
