import { key } from "../binding.ts";
import { exportKeys, copyKeys, findKeys, listKeys } from "./movement.ts";
import {
  cannotMove,
  cannotRun,
  cannotRunAll,
  either,
  isRunning,
  noAnalysisCell,
  noCell,
  noOlderCode,
  noRunCell,
  notGivenAway,
  notRunning,
  readOnly,
} from "./reasons.ts";

/** Command mode of the notebook, as in Jupyter. */
export const notebookKeys = [
  ...listKeys,
  key(["}"], "lines-down", "Three lines down"),
  key(["{"], "lines-up", "Three lines up"),
  key(["]"], "next-analysis", "Next analysis cell"),
  key(["["], "previous-analysis", "Previous analysis cell"),
  key(["enter"], "enter", "Edit the text, or open the figure", { short: "edit/open", footer: 2, disabled: noCell }),
  key(["i"], "edit", "Edit the text of the cell", { disabled: either(noCell, readOnly) }),
  key(["r", "shift+enter", "ctrl+r"], "run", "Run the cell, or resume it", {
    short: "run",
    footer: 1,
    disabled: cannotRun,
  }),
  key(["R"], "run-all", "Run all run cells in order, or resume them", { disabled: cannotRunAll }),
  // Takes the place of `r`, which cannot be used while this can.
  key(["x"], "stop", "Stop the runs of the cell, and all started by R", {
    short: "stop",
    footer: 1,
    disabled: notRunning,
  }),
  key(["p"], "pause", "Pause or resume", { short: "pause", disabled: notRunning }),
  key(["+", "="], "increase", "Increase concurrency: more tasks at once", { disabled: notRunning }),
  key(["-"], "decrease", "Decrease concurrency: fewer tasks at once", { disabled: notRunning }),
  key(["o"], "open", "Open the figure, or the tasks of the run", { short: "open", footer: 3, disabled: noCell }),
  key(["L"], "live", "Watch the run live", { short: "live", footer: 7, disabled: noRunCell }),
  key(["e"], "form", "Set up a run cell in the form", {
    short: "form",
    footer: 4,
    disabled: either(noRunCell, readOnly),
  }),
  key(["E"], "external-editor", "Edit the cell in $EDITOR", { disabled: either(noCell, readOnly) }),
  // Takes the place of `e`, which is for run cells.
  key(["c"], "choose", "Choose what an analysis shows", {
    short: "choose",
    footer: 4,
    disabled: either(noAnalysisCell, readOnly),
  }),
  key(["v"], "notes", "Show all warnings and notes of the cell", { short: "notes", disabled: noCell }),
  key(["a"], "add-above", "Add a cell above", { disabled: readOnly }),
  key(["b"], "add-below", "Add a cell below", { short: "add", footer: 5, disabled: readOnly }),
  key(["m"], "note", "Add a note below", { disabled: readOnly }),
  key(["n"], "new-run", "Set up a new experiment below", { disabled: readOnly }),
  key(["d d"], "delete", "Delete the cell", {
    disabled: either(noCell, readOnly, (context) =>
      isRunning(context) ? "It is running: stop it with x first" : undefined,
    ),
  }),
  key(["N"], "rename", "Rename the cell, also where other cells refer to it", {
    disabled: either(noCell, readOnly, ({ cell }) => {
      if (cell?.kind === "front-matter") return "Front matter has no name";
      return cell?.kind === "note" ? "A note has no name" : undefined;
    }),
  }),
  key(["z"], "undo", "Undo the last change of the session", { disabled: readOnly }),
  key(["Z", "ctrl+y"], "redo", "Redo", { disabled: readOnly }),
  key(["K", "shift+up"], "move-up", "Move the cell up", { disabled: either(noCell, readOnly, cannotMove(-1)) }),
  key(["J", "shift+down"], "move-down", "Move the cell down", { disabled: either(noCell, readOnly, cannotMove(1)) }),
  key(["s", "ctrl+s"], "save", "Save the session", { short: "save", footer: 6, disabled: readOnly }),
  key(["q"], "quit", "Quit", { short: "quit", footer: 9 }),
  key([], "rescore", "Re-score saved answers, without asking a model", { disabled: either(noRunCell, readOnly) }),
  key(["t"], "incomplete", "Tasks with replies that were cut, filtered, refused or empty", { disabled: noRunCell }),
  key(["O"], "keep-older", "Keep results of your older code, or stop keeping them", {
    disabled: either(noRunCell, readOnly, noOlderCode),
  }),
  key([], "take-up-workers", "Take up the cell's tasks that workers have", {
    disabled: either(noRunCell, readOnly, notGivenAway),
  }),
  key([], "give-up-workers", "Give up the cell's tasks that workers have, and run the rest here", {
    disabled: either(noRunCell, readOnly, notGivenAway),
  }),
  key([], "stray-runs", "Stray runs: keep or remove what no cell asks for"),
  key([], "compare", "Compare two runs task by task"),
  key([], "licence", "Show licences and data sources of the benchmarks"),
  ...findKeys,
  ...copyKeys,
  key([], "export-runs", "Export the runs of the cell", { disabled: noRunCell }),
  ...exportKeys(noAnalysisCell),
] as const;
