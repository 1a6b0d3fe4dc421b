import type { Binding } from "../binding.ts";
import { listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

const scope = "fork" as const;

export const forkKeys: readonly Binding[] = [
  ...listKeys(scope).filter(({ command }) => command === "up" || command === "down"),
  { scope, keys: ["tab"], command: "down", title: "Next field" },
  { scope, keys: ["shift+tab"], command: "up", title: "Field before" },
  {
    scope,
    keys: ["space", "l", "right", "i"],
    command: "change",
    title: "Change the field",
    short: "change",
    footer: 2,
  },
  {
    scope,
    keys: ["delete", "backspace", "d"],
    command: "reset",
    title: "As it was in the run",
    short: "as it was",
    footer: 3,
  },
  {
    scope,
    keys: ["enter", "r", "ctrl+r"],
    command: "fork",
    title: "Add the fork as a cell, and play it",
    short: "fork and play",
    footer: 1,
    disabled: readOnly,
  },
  { scope, keys: ["esc", "q"], command: "back", title: "Leave without a fork", short: "leave", footer: 9 },
];
