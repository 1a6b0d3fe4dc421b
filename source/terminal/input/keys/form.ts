import { key } from "../binding.ts";
import { copyKeys, findKeys, listKeys, upDownKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const formKeys = [
  ...listKeys,
  key(["tab"], "down", "Next field"),
  key(["shift+tab"], "up", "Previous field"),
  key(["enter", "space", "l", "right"], "change", "Change the field", { short: "change", footer: 1 }),
  key(["ctrl+s", "s"], "keep", "Write the cell", { short: "write the cell", footer: 2 }),
  key(["r", "ctrl+r"], "keep-and-run", "Write the cell and run it", { short: "write and run", footer: 3 }),
  key(["delete", "backspace", "d"], "reset", "Reset the field to its default", { short: "default", footer: 4 }),
  key(["w"], "share", "Set the field for the whole notebook, or for this cell again"),
  ...findKeys,
  ...copyKeys,
  key(["esc", "q"], "back", "Cancel without writing", { short: "cancel", footer: 9 }),
] as const;

export const forkKeys = [
  ...upDownKeys,
  key(["tab"], "down", "Next field"),
  key(["shift+tab"], "up", "Previous field"),
  key(["space", "l", "right", "i"], "change", "Change the field", { short: "change", footer: 2 }),
  key(["delete", "backspace", "d"], "reset", "Reset the field to what the run had", { short: "reset", footer: 3 }),
  key(["enter", "r", "ctrl+r"], "fork", "Add the fork as a cell, and run it", {
    short: "fork and run",
    footer: 1,
    disabled: readOnly,
  }),
  ...findKeys,
  ...copyKeys,
  key(["esc", "q"], "back", "Cancel without a fork", { short: "cancel", footer: 9 }),
] as const;
