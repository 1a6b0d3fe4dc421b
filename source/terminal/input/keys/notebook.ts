import type { Binding } from "../binding.ts";
import { exportKeys } from "./exports.ts";
import { copyKeys, findKeys, listKeys } from "./movement.ts";
import {
  cannotRun,
  cannotRunAll,
  either,
  isRunning,
  noAnalysisCell,
  noCell,
  noOlderCode,
  noRunCell,
  notRunning,
  readOnly,
} from "./reasons.ts";

/** Command mode of the notebook, as in Jupyter. */
export const notebookKeys = [
  ...listKeys,
  { keys: ["]"], command: "next-analysis", title: "Next analysis cell" },
  { keys: ["["], command: "previous-analysis", title: "Previous analysis cell" },
  {
    keys: ["enter"],
    command: "enter",
    title: "Edit the text, or open the figure",
    short: "edit/open",
    footer: 2,
    disabled: noCell,
  },
  { keys: ["i"], command: "edit", title: "Edit the text of the cell", disabled: either(noCell, readOnly) },
  {
    keys: ["r", "shift+enter", "ctrl+r"],
    command: "run",
    title: "Run the cell, or resume it",
    short: "run",
    footer: 1,
    disabled: cannotRun,
  },
  {
    keys: ["R"],
    command: "run-all",
    title: "Run all run cells in order, or resume them",
    disabled: cannotRunAll,
  },
  {
    keys: ["x"],
    command: "stop",
    title: "Stop the runs of the cell, and all that R began",
    short: "stop",
    // In the place of `r`, which cannot be used while this can.
    footer: 1,
    disabled: notRunning,
  },
  { keys: ["p"], command: "pause", title: "Pause or resume", short: "pause", disabled: notRunning },
  { keys: ["+", "="], command: "increase", title: "Increase concurrency: more tasks at once", disabled: notRunning },
  { keys: ["-"], command: "decrease", title: "Decrease concurrency: fewer tasks at once", disabled: notRunning },
  {
    keys: ["o"],
    command: "open",
    title: "Open the figure, or the tasks of the run",
    short: "open",
    footer: 3,
    disabled: noCell,
  },
  {
    keys: ["L"],
    command: "live",
    title: "Watch the run live",
    short: "live",
    footer: 7,
    disabled: noRunCell,
  },
  {
    keys: ["e"],
    command: "form",
    title: "Set up a run cell in the form",
    short: "form",
    footer: 4,
    disabled: either(noRunCell, readOnly),
  },
  {
    keys: ["E"],
    command: "external-editor",
    title: "Edit the cell in $EDITOR",
    disabled: either(noCell, readOnly),
  },
  {
    keys: ["c"],
    command: "choose",
    title: "Choose what an analysis shows",
    short: "choose",
    // In the place of `e`, which is for run cells.
    footer: 4,
    disabled: either(noAnalysisCell, readOnly),
  },
  { keys: ["v"], command: "notes", title: "Show all warnings and notes of the cell", short: "notes", disabled: noCell },
  { keys: ["a"], command: "add-above", title: "Add a cell above", disabled: readOnly },
  { keys: ["b"], command: "add-below", title: "Add a cell below", short: "add", footer: 5, disabled: readOnly },
  { keys: ["m"], command: "note", title: "Add a note below", disabled: readOnly },
  { keys: ["n"], command: "new-run", title: "Set up a new experiment below", disabled: readOnly },
  {
    keys: ["d d"],
    command: "delete",
    title: "Delete the cell",
    disabled: either(noCell, readOnly, (context) =>
      isRunning(context) ? "It is running: stop it with x first" : undefined,
    ),
  },
  {
    keys: ["N"],
    command: "rename",
    title: "Rename the cell, also where other cells refer to it",
    disabled: either(noCell, readOnly, ({ cell }) => {
      if (cell?.kind === "front-matter") return "Front matter has no name";
      return cell?.kind === "note" ? "A note has no name" : undefined;
    }),
  },
  { keys: ["z"], command: "undo", title: "Undo the last change of the session", disabled: readOnly },
  { keys: ["Z", "ctrl+y"], command: "redo", title: "Redo", disabled: readOnly },
  { keys: ["K", "shift+up"], command: "move-up", title: "Move the cell up", disabled: either(noCell, readOnly) },
  { keys: ["J", "shift+down"], command: "move-down", title: "Move the cell down", disabled: either(noCell, readOnly) },
  { keys: ["s", "ctrl+s"], command: "save", title: "Save the session", short: "save", footer: 6, disabled: readOnly },
  { keys: ["q"], command: "quit", title: "Quit", short: "quit", footer: 9 },
  {
    keys: [],
    command: "rescore",
    title: "Re-score saved answers, without asking a model",
    disabled: either(noRunCell, readOnly),
  },
  {
    keys: ["t"],
    command: "incomplete",
    title: "Tasks with replies that were cut, filtered, refused or empty",
    disabled: noRunCell,
  },
  {
    keys: ["O"],
    command: "keep-older",
    title: "Keep results of older code of your own as the present ones, or no longer",
    disabled: either(noRunCell, readOnly, noOlderCode),
  },
  { keys: [], command: "stray-runs", title: "Stray runs: keep or remove what no cell asks for" },
  { keys: [], command: "compare", title: "Compare two runs task by task" },
  { keys: [], command: "licence", title: "Show licences and data sources of the benchmarks" },
  ...findKeys,
  ...copyKeys,
  { keys: [], command: "export-runs", title: "Export the runs of the cell", disabled: noRunCell },
  ...exportKeys(noAnalysisCell),
] as const satisfies readonly Binding[];
