import type { Binding } from "../binding.ts";
import { textKeys } from "./text.ts";

/** A text field of one line over a screen: every other key types. */
export const lineKeys = [
  { keys: ["enter"], command: "accept", title: "Accept the text", short: "accept", footer: 1 },
  { keys: ["esc"], command: "back", title: "Cancel", short: "cancel", footer: 2 },
  ...textKeys,
] as const satisfies readonly Binding[];
