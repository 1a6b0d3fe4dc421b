import type { Binding } from "../binding.ts";
import { backKeys, findKeys, listKeys } from "./movement.ts";

export const everywhereKeys = [
  { keys: ["ctrl+p", ":"], command: "palette", title: "All commands", short: "commands", footer: 7 },
  { keys: ["?"], command: "help", title: "Help", short: "help", footer: 8 },
  {
    keys: ["ctrl+o"],
    command: "open-notebook",
    title: "Open another notebook: a recent one, one of this folder, or by path",
  },
  { keys: [], command: "new-notebook", title: "Create a new notebook and open it" },
  { keys: ["ctrl+l"], command: "redraw", title: "Redraw the screen" },
  { keys: ["ctrl+z"], command: "suspend", title: "Suspend; fg in the shell resumes" },
  { keys: ["ctrl+c"], command: "interrupt", title: "Quit; asks first while something runs or is unsaved" },
] as const satisfies readonly Binding[];

/** A question in the message line. */
export const questionKeys = [
  { keys: ["y", "Y"], command: "yes", title: "Yes", short: "yes", footer: 1 },
  { keys: ["s", "S"], command: "save", title: "Save first", short: "save first", footer: 1, optional: true },
  { keys: ["n", "N", "esc"], command: "no", title: "No", short: "no", footer: 2 },
] as const satisfies readonly Binding[];

/** Help and long texts. */
export const readingKeys = [
  ...listKeys,
  ...findKeys,
  { keys: ["n"], command: "next-found", title: "Next place with the words" },
  { keys: ["N"], command: "previous-found", title: "Previous place with the words" },
  { keys: ["y"], command: "copy", title: "Copy the line that was found, or else the whole text" },
  ...backKeys,
] as const satisfies readonly Binding[];
