import { key } from "../binding.ts";
import { backKeys, findKeys, listKeys } from "./movement.ts";

export const everywhereKeys = [
  key(["ctrl+p", ":"], "palette", "All commands", { short: "commands", footer: 7 }),
  key(["?"], "help", "Help", { short: "help", footer: 8 }),
  key(["ctrl+o"], "open-notebook", "Open another notebook: a recent one, one of this folder, or by path"),
  key([], "new-notebook", "Create a new notebook and open it"),
  key(["ctrl+l"], "redraw", "Redraw the screen"),
  key(["ctrl+z"], "suspend", "Suspend; fg in the shell resumes"),
  key(["ctrl+c"], "interrupt", "Quit; asks first while something runs or is unsaved"),
] as const;

/** A question in the message line. */
export const questionKeys = [
  key(["y", "Y"], "yes", "Yes", { short: "yes", footer: 1 }),
  key(["s", "S"], "save", "Save first", { short: "save first", footer: 1, optional: true }),
  key(["n", "N", "esc"], "no", "No", { short: "no", footer: 2 }),
] as const;

/** Help and long texts. */
export const readingKeys = [
  ...listKeys,
  ...findKeys,
  key(["n"], "next-found", "Next place with the words"),
  key(["N"], "previous-found", "Previous place with the words"),
  key(["y"], "copy", "Copy the line that was found, or else the whole text"),
  ...backKeys,
] as const;
