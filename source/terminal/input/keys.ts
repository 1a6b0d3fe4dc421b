/** The key table: every command of every screen. The footer, help, the palette and the documentation are made from it. */
import { type Binding, key } from "./binding.ts";
import { backKeys, copyKeys, exportKeys, findKeys, leftRightKeys, listKeys, upDownKeys } from "./movement.ts";
import {
  cannotCorrect,
  cannotMove,
  cannotRun,
  cannotRunAll,
  cannotTag,
  either,
  isRunning,
  noAnalysisCell,
  noCell,
  noOlderCode,
  noRunCell,
  noSettings,
  noRuns,
  notGivenAway,
  notRunning,
  readOnly,
  whileBlind,
} from "./reasons.ts";

/** Goes to a pane by the number in its title; other screens use digits for their own parts. */
const paneKeys = [key(["1", "2", "3"], "pane", "Go to the pane with this number")] as const;

/** Command mode of the notebook, as in Jupyter. */
const notebookKeys = [
  ...listKeys,
  key(["}"], "lines-down", "Three lines down"),
  key(["{"], "lines-up", "Three lines up"),
  key(["right", "l"], "open-settings", "Show all settings", { disabled: noSettings }),
  key(["left", "h"], "close-settings", "Hide the settings", { disabled: noSettings }),
  key(["]"], "next-analysis", "Next analysis cell"),
  key(["["], "previous-analysis", "Previous analysis cell"),
  key(["enter"], "enter", "Edit the text, or open the figure", { short: "edit/open", footer: 2, disabled: noCell }),
  key(["i"], "edit", "Edit the text of the cell", { disabled: either(noCell, readOnly) }),
  key(["r", "shift+enter", "ctrl+r"], "run", "Run the cell, or resume it", {
    short: "run",
    footer: 1,
    disabled: cannotRun,
  }),
  key(["R"], "run-all", "Start or resume all run cells, in order", { disabled: cannotRunAll }),
  // Takes the place of `r`, which cannot be used while this can.
  key(["x"], "stop", "Stop the cell's runs and those that R started", {
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
      isRunning(context) ? "The cell is running: stop it with x first" : undefined,
    ),
  }),
  key(["N"], "rename", "Rename the cell, and update its name in other cells", {
    disabled: either(noCell, readOnly, ({ cell }) => {
      if (cell?.kind === "front-matter") return "Front matter has no name";
      if (cell?.kind === "kinds") return "A kinds cell has no name";
      return cell?.kind === "note" ? "A note has no name" : undefined;
    }),
  }),
  key(["z"], "undo", "Undo the last change of the session", { disabled: readOnly }),
  key(["Z", "ctrl+y"], "redo", "Redo", { disabled: readOnly }),
  key(["K", "shift+up"], "move-up", "Move the cell up", { disabled: either(noCell, readOnly, cannotMove(-1)) }),
  key(["J", "shift+down"], "move-down", "Move the cell down", { disabled: either(noCell, readOnly, cannotMove(1)) }),
  key(["s", "ctrl+s"], "save", "Save the session", { short: "save", footer: 6, disabled: readOnly }),
  key(["q"], "quit", "Quit", { short: "quit", footer: 9 }),
  key([], "rescore", "Re-score saved answers, without a request to a model", { disabled: either(noRunCell, readOnly) }),
  key(["t"], "incomplete", "List tasks with cut, filtered, refused or empty replies", { disabled: noRunCell }),
  key(["T"], "label-blind", "Label random tasks blind: score, run and earlier tags are hidden", {
    disabled: either(noRuns, readOnly),
  }),
  key(["O"], "keep-older", "Keep results of your older code, or stop keeping them", {
    disabled: either(noRunCell, readOnly, noOlderCode),
  }),
  key([], "take-up-workers", "Collect the results of the cell's tasks that workers have", {
    disabled: either(noRunCell, readOnly, notGivenAway),
  }),
  key([], "give-up-workers", "Give up the cell's tasks that workers have, and run them here", {
    disabled: either(noRunCell, readOnly, notGivenAway),
  }),
  key([], "stray-runs", "Stray runs: keep or remove runs that no cell requests"),
  key([], "compare", "Compare two runs task by task"),
  key([], "licence", "Show licences and data sources of the benchmarks"),
  ...findKeys,
  ...paneKeys,
  ...copyKeys,
  key([], "export-runs", "Export the runs of the cell", { disabled: noRunCell }),
  ...exportKeys(noAnalysisCell),
] as const;

/** Moving and deleting by words and lines, and by characters. `Home` and `End` are of the list where a filter is typed. */
const wordKeys = [
  key(["left", "ctrl+b"], "left", "Left"),
  key(["right", "ctrl+f"], "right", "Right"),
  key(["ctrl+left", "alt+left"], "word-left", "One word left"),
  key(["ctrl+right", "alt+right"], "word-right", "One word right"),
  key(["delete", "ctrl+d"], "delete", "Delete the character at the cursor"),
  key(["ctrl+k"], "cut-line", "Delete to the end of the line"),
  key(["ctrl+u"], "cut-before", "Delete to the start of the line"),
  key(["ctrl+w", "alt+backspace"], "cut-word", "Delete the word before the cursor"),
] as const;

/** Moving and deleting in a text field of one or more lines. */
const textKeys = [
  ...wordKeys,
  key(["home", "ctrl+a"], "home", "Start of the line"),
  key(["end", "ctrl+e"], "end", "End of the line"),
  key(["backspace"], "backspace", "Delete the character before the cursor"),
] as const;

/** A line typed above a list. */
const filterKeys = [
  ...wordKeys,
  key(["ctrl+a"], "home", "Start of the line"),
  key(["ctrl+e"], "end", "End of the line"),
  key(["backspace"], "backspace", "Delete the character before the cursor"),
] as const;

export type TextCommand = (typeof textKeys)[number]["command"];

/** A text field of one line over a screen; every other key types a character. */
const lineKeys = [
  key(["enter"], "accept", "Accept the text", { short: "accept", footer: 1 }),
  key(["esc"], "back", "Cancel", { short: "cancel", footer: 2 }),
  ...textKeys,
] as const;

/** Edit mode; every other key types. */
const editorKeys = [
  key(["esc"], "leave", "Leave the editor; the text is kept", { short: "done", footer: 1 }),
  key(["shift+enter", "ctrl+r"], "run", "Leave the editor and run the cell", { short: "run (Ctrl+R)", footer: 2 }),
  key(["ctrl+s"], "save", "Leave the editor and save the session", { short: "save", footer: 3 }),
  key(["enter"], "newline", "New line"),
  key(["tab"], "indent", "Indent by two spaces"),
  key(["up"], "up", "Up"),
  key(["down", "ctrl+n"], "down", "Down"),
  key(["pageup", "ctrl+home"], "page-up", "A page up"),
  key(["pagedown", "ctrl+end"], "page-down", "A page down"),
  ...textKeys,
  key(["ctrl+z"], "undo", "Undo a change of this text"),
] as const;

const figureKeys = [
  ...listKeys,
  ...leftRightKeys,
  key(["enter", "o"], "open", "List the tasks that the value is computed from", { short: "tasks", footer: 1 }),
  key(["c"], "choose", "Choose what the analysis shows", { short: "choose", footer: 2, disabled: readOnly }),
  key(["tab", "]"], "next", "Next figure of the cell", { short: "next figure", footer: 3 }),
  key(["shift+tab", "["], "previous", "Previous figure of the cell"),
  key(["v"], "bars", "Show numbers as bars, or a chart as numbers", { short: "bars", footer: 9 }),
  key(["i"], "intervals", "Hide or show the intervals of a table"),
  key(["n"], "notes", "Read the notes in full", { short: "notes", footer: 4 }),
  key(["b"], "beside", "Show the runs' calls for the task of the row side by side", { short: "diff", footer: 5 }),
  ...exportKeys(),
  ...findKeys,
  ...paneKeys,
  ...copyKeys,
  ...backKeys,
] as const;

const formKeys = [
  ...listKeys,
  key(["tab"], "down", "Next field"),
  key(["shift+tab"], "up", "Previous field"),
  key(["enter", "space", "l", "right"], "change", "Change the field", { short: "change", footer: 1 }),
  key(["ctrl+s", "s"], "keep", "Write the cell", { short: "write the cell", footer: 2 }),
  key(["r", "ctrl+r"], "keep-and-run", "Write the cell and run it", { short: "write and run", footer: 3 }),
  key(["delete", "backspace", "d"], "reset", "Reset the field to its default", { short: "default", footer: 4 }),
  key(["p"], "prompt", "Show the messages of the first request, before anything is sent", {
    short: "messages",
    footer: 5,
  }),
  key(["P"], "template", "Show the templates beside the first request"),
  key(["w"], "share", "Set the field for the whole notebook, or for this cell again"),
  ...findKeys,
  ...copyKeys,
  key(["esc", "q"], "back", "Cancel without writing", { short: "cancel", footer: 9 }),
] as const;

const forkKeys = [
  ...upDownKeys,
  key(["tab"], "down", "Next field"),
  key(["shift+tab"], "up", "Previous field"),
  key(["space", "l", "right", "i"], "change", "Change the field", { short: "change", footer: 2 }),
  key(["delete", "backspace", "d"], "reset", "Reset the field to its value in the run", { short: "reset", footer: 4 }),
  key(["x"], "times", "Repeat the fork several times, such as x10", { short: "times", footer: 3 }),
  key(["enter", "r", "ctrl+r"], "fork", "Add the fork as a cell, and run it", {
    short: "fork and run",
    footer: 1,
    disabled: readOnly,
  }),
  ...findKeys,
  ...copyKeys,
  key(["esc", "q"], "back", "Cancel without a fork", { short: "cancel", footer: 9 }),
] as const;

/** A list over a screen; every other key filters it. */
const choiceKeys = [
  key(["down", "ctrl+n"], "down", "Down"),
  key(["up"], "up", "Up"),
  key(["pagedown"], "page-down", "A page down"),
  key(["pageup"], "page-up", "A page up"),
  key(["home"], "first", "Go to the start"),
  key(["end"], "last", "Go to the end"),
  // A list with a single choice has no marks, so Space belongs to the filter.
  key(["space"], "mark", "Mark several values: they make a grid of runs", {
    short: "mark several",
    footer: 2,
    optional: true,
  }),
  key(["enter"], "accept", "Choose", { short: "choose", footer: 1 }),
  key(["tab"], "remark", "Choose and add a remark", { short: "with a remark", footer: 3, optional: true }),
  ...filterKeys,
  key(["esc"], "back", "Cancel", { short: "cancel", footer: 9 }),
] as const;

/** The keys of `ink-select-input`, which wraps around at the ends. */
const shortListKeys = [
  key(["j", "down", "ctrl+n"], "down", "Down, or from the last line to the first"),
  key(["k", "up"], "up", "Up, or from the first line to the last"),
  key(["enter"], "accept", "Choose", { short: "choose", footer: 1 }),
  key(["1", "2", "3", "4", "5", "6", "7", "8", "9"], "number", "Choose an entry by its number"),
  key(["esc", "q"], "back", "Cancel", { short: "cancel", footer: 9 }),
] as const;

/** The command palette; every other key filters it. */
const paletteKeys = [
  key(["down", "ctrl+n"], "down", "Down"),
  key(["up"], "up", "Up"),
  key(["enter"], "accept", "Run the command", { short: "run command", footer: 1 }),
  ...filterKeys,
  key(["esc", "ctrl+p"], "back", "Close", { short: "close", footer: 2 }),
] as const;

const liveKeys = [
  ...listKeys,
  ...leftRightKeys,
  key(["enter", "o"], "open", "Open the task", { short: "open", footer: 1 }),
  key(["f"], "follow", "Follow the newest tasks", { short: "follow", footer: 2 }),
  key(["p"], "pause", "Pause or resume", { short: "pause", footer: 3, disabled: notRunning }),
  key(["."], "step", "Send one more request, and hold the task before the next one", {
    disabled: notRunning,
  }),
  key([","], "release", "Continue the held task", { disabled: notRunning }),
  key(["x"], "stop", "Stop this run; other runs of its cell continue", {
    short: "stop",
    footer: 4,
    disabled: notRunning,
  }),
  key(["r", "ctrl+r"], "run", "Run the tasks that have no score yet", {
    short: "run",
    footer: 5,
    disabled: (context) => readOnly(context) ?? (isRunning(context) ? "The run is already running" : undefined),
  }),
  key(["+", "="], "increase", "Increase concurrency: more tasks at once", {
    short: "concurrency",
    footer: 6,
    disabled: notRunning,
  }),
  key(["-"], "decrease", "Decrease concurrency: fewer tasks at once", { disabled: notRunning }),
  key(["tab"], "next-lane", "Select the next trajectory on the screen"),
  key(["1"], "lanes-1", "Show one trajectory"),
  key(["2"], "lanes-2", "Show two trajectories"),
  key(["3"], "lanes-3", "Show three trajectories"),
  key(["4"], "lanes-4", "Show four trajectories"),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;

const taskKeys = [
  ...listKeys,
  key(["enter", "o"], "open", "Open the trajectory of the task", { short: "open", footer: 1 }),
  key(["m"], "words", "Open the task at its first error marked in the model's text"),
  key(["s"], "sort", "Sort by the next column", { short: "sort", footer: 2 }),
  key(["S"], "reverse", "Reverse the order"),
  key(["/"], "search", "Search for words", { short: "search", footer: 3 }),
  key(["f"], "filter", "Show only right, wrong, failed ... tasks", { short: "filter", footer: 4 }),
  key(["space"], "mark", "Mark the task for tagging; go to the next"),
  key(["t"], "tag", "Tag the marked tasks, or this one, with a kind of your own; t again removes the tag", {
    short: "tag",
    footer: 6,
    disabled: readOnly,
  }),
  key(["z"], "untag", "Undo the last tag", { disabled: readOnly }),
  key(["T"], "label-blind", "Label random tasks blind: score, run and earlier tags are hidden", {
    disabled: readOnly,
  }),
  key(["r", "ctrl+r"], "rerun", "Re-run these tasks", { short: "re-run", footer: 5, disabled: readOnly }),
  key(["L"], "live", "Watch the run live", { short: "live", footer: 7 }),
  ...paneKeys,
  ...copyKeys,
  ...backKeys,
] as const;

/** The field for words to search for; every other key types. */
const searchKeys = [
  key(["enter"], "accept", "Keep the search", { short: "keep", footer: 1 }),
  ...textKeys,
  key(["esc"], "back", "End the search: show all tasks again", { short: "cancel", footer: 2 }),
] as const;

const trajectoryKeys = [
  ...listKeys,
  key(["tab"], "next-section", "Next section", { short: "section", footer: 1 }),
  key(["shift+tab"], "previous-section", "Previous section"),
  key(["1"], "section-1", "Plan and reference side by side"),
  key(["2"], "section-2", "Steps: the conversation, followed while the task runs"),
  key(["3"], "section-3", "Checks: score, errors, constraints"),
  key(["4"], "section-4", "Raw requests and replies"),
  key(["5"], "section-5", "Tree, if the strategy builds one"),
  key(["e"], "next-error", "Next error", { short: "next error", footer: 2 }),
  key(["E"], "previous-error", "Previous error"),
  key(["a"], "next-agent", "Next step of another agent or role"),
  key(["A"], "previous-agent", "Previous step of another agent or role"),
  key(["u"], "next-call", "Next tool call, in the steps"),
  key(["U"], "previous-call", "Previous tool call, in the steps"),
  key(["m"], "words", "Next error marked in the model's text, in the steps"),
  key(["/"], "find", "Find text in this section, also in folded texts", { short: "find", footer: 4 }),
  key(["n"], "next-found", "Next match; without a search, next error"),
  key(["N"], "previous-found", "Previous match; without a search, previous error"),
  key(["c"], "correct", "Correct the error on this line, else the score; a reason is required", {
    short: "correct",
    footer: 2,
    disabled: cannotCorrect,
  }),
  key(["t"], "tag", "Tag this line or the range with a kind of your own; t again removes the tag", {
    short: "tag",
    footer: 5,
    disabled: cannotTag,
  }),
  key(["ctrl+t"], "tag-task", "Tag the task as a whole", { disabled: cannotTag }),
  key(["V"], "range", "Begin or end the range of a tag", { disabled: cannotTag }),
  key(["z"], "untag", "Undo the last tag", { disabled: readOnly }),
  key(["enter", "o", "space"], "open", "Expand or collapse a long text, or go to the text of an error", {
    short: "expand",
    footer: 3,
  }),
  key(["]", "l", "right"], "next", "Next task", { short: "next task", footer: 4 }),
  key(["[", "h", "left"], "previous", "Previous task", { short: "previous", footer: 5 }),
  key(["F"], "fork", "Fork: continue from this request with another model, strategy, message, result or reply", {
    short: "fork",
    footer: 6,
    disabled: either(readOnly, whileBlind, ({ run }) =>
      run === undefined ? "No cell requests this run any more: it cannot be forked" : undefined,
    ),
  }),
  key(["P"], "template", "Show the prompt's template beside this request; e then saves the template as a file", {
    disabled: either(whileBlind, ({ run }) => (run === undefined ? "No cell requests this run any more" : undefined)),
  }),
  key(["b"], "beside", "Show a fork beside its original", {
    disabled: either(whileBlind, ({ run }) =>
      run?.spec.fork === undefined && run?.spec.forks === undefined
        ? "Only for forks: this run is not a fork"
        : undefined,
    ),
  }),
  key(["v"], "raw", "Show raw or formatted text", { short: "raw text", footer: 7 }),
  key(["w"], "wrap", "Wrap or cut long lines", { short: "wrap", footer: 7 }),
  key([], "export", "Export this trajectory as JSON (ATIF)", {
    disabled: either(whileBlind, ({ run }) => (run === undefined ? "No cell requests this run any more" : undefined)),
  }),
  ...copyKeys,
  ...backKeys,
] as const;

/** Two runs compared. */
const compareKeys = [
  ...listKeys,
  key(["enter", "o"], "open", "Show both plans of the task side by side", { short: "both plans", footer: 1 }),
  key(["1"], "open-first", "Open the task in the first run", { short: "open first", footer: 2 }),
  key(["2"], "open-second", "Open the task in the second run", { short: "open second", footer: 2 }),
  key(["f"], "filter", "Show only tasks whose score differs, all tasks, or tagged tasks", {
    short: "filter",
    footer: 3,
  }),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;

/** A task in two to four runs. */
const besideKeys = [
  ...listKeys,
  key(["tab"], "section", "Show plans, steps or calls", { short: "section", footer: 1 }),
  key(["n", "e"], "next-difference", "Next difference or error", { short: "next", footer: 2 }),
  key(["N", "E"], "previous-difference", "Previous difference or error"),
  key(["1", "enter", "o"], "open-first", "Open the task in the first run", { short: "open 1", footer: 3 }),
  key(["2"], "open-second", "Open the task in the second run", { short: "open 2", footer: 4 }),
  key(["3"], "open-third", "Open the task in the third run"),
  key(["4"], "open-fourth", "Open the task in the fourth run"),
  key(["]", ...leftRightKeys[1].keys], "next", "Next task", { short: "next task", footer: 5 }),
  key(["[", ...leftRightKeys[0].keys], "previous", "Previous task"),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;

const everywhereKeys = [
  key(["ctrl+p", ":"], "palette", "All commands", { short: "commands", footer: 7 }),
  key(["?"], "help", "Help", { short: "help", footer: 8 }),
  key(["ctrl+o"], "open-notebook", "Open another notebook from a list or by path"),
  key([], "new-notebook", "Create a new notebook and open it"),
  key([], "all-runs", "All runs below this folder: open their notebook, or add a run here"),
  key(["ctrl+l"], "redraw", "Redraw the screen"),
  key(["ctrl+z"], "suspend", "Suspend; fg in the shell resumes"),
  key(["ctrl+c"], "interrupt", "Quit; asks first if a run is active or changes are unsaved"),
] as const;

/** A question in the message line. */
const questionKeys = [
  key(["y", "Y"], "yes", "Yes", { short: "yes", footer: 1 }),
  key(["s", "S"], "save", "Save first", { short: "save first", footer: 1, optional: true }),
  key(["n", "N", "esc"], "no", "No", { short: "no", footer: 2 }),
] as const;

/** Help and long texts. */
const readingKeys = [
  ...listKeys,
  ...findKeys,
  key(["n"], "next-found", "Next match"),
  key(["N"], "previous-found", "Previous match"),
  key(["y"], "copy", "Copy the line of the match, or the whole text"),
  ...backKeys,
] as const;

/** A request beside its templates. */
const promptKeys = [
  ...readingKeys,
  key(["P"], "templates", "Show the templates of the prompt, or hide them", { short: "templates", footer: 3 }),
  key(["tab"], "next-template", "Next template", { short: "next template", footer: 2, optional: true }),
  key(["e"], "edit", "Save the template as a file, name the file in the cell, and edit the file in $EDITOR", {
    short: "edit as a file",
    footer: 1,
    disabled: readOnly,
    optional: true,
  }),
] as const;

/** The title and the keys of each scope, ordered as help lists them. */
const scopes = {
  notebook: ["Notebook", notebookKeys],
  editor: ["Editing a cell", editorKeys],
  figure: ["Figure", figureKeys],
  form: ["Set-up form", formKeys],
  choices: ["Lists to choose from", choiceKeys],
  "short-list": ["Short lists to choose from", shortListKeys],
  line: ["Text fields", lineKeys],
  live: ["Live", liveKeys],
  tasks: ["List of tasks", taskKeys],
  search: ["Searching tasks", searchKeys],
  trajectory: ["Trajectory", trajectoryKeys],
  fork: ["Fork", forkKeys],
  compare: ["Two runs compared", compareKeys],
  beside: ["A task in several runs", besideKeys],
  text: ["Help and long texts", readingKeys],
  prompt: ["Prompt and its templates", promptKeys],
  palette: ["Commands", paletteKeys],
  question: ["Questions", questionKeys],
  everywhere: ["Everywhere", everywhereKeys],
} as const satisfies Readonly<Record<string, readonly [string, readonly Binding[]]>>;

/** The screens and layers that keys apply to. */
export type Scope = keyof typeof scopes;

export const keyTable = Object.fromEntries(
  Object.entries(scopes).map(([scope, [, bindings]]): [string, readonly Binding[]] => [scope, bindings]),
) as Readonly<Record<Scope, readonly Binding[]>>;

type BindingOf<S extends Scope> = (typeof scopes)[S][1][number];

/** The names of all commands with keys in this scope. */
export type CommandOf<S extends Scope> = BindingOf<S>["command"];

type OptionalCommandOf<S extends Scope> = Extract<BindingOf<S>, { readonly optional: true }>["command"];

/** `keys` are the pressed keys, for commands whose keys have different meanings. */
type Handler = (keys: string) => void;

/** A handler for every command of this scope. */
export type Commands<S extends Scope> = Readonly<
  Record<Exclude<CommandOf<S>, OptionalCommandOf<S>>, Handler> & Partial<Record<OptionalCommandOf<S>, Handler>>
>;

export type KeyGroup = { readonly scope: Scope; readonly title: string; readonly bindings: readonly Binding[] };

/** Returns all bindings by scope, in help's order, with the given scope first. */
export function keyGroups(first?: Scope): readonly KeyGroup[] {
  const all = Object.keys(scopes) as Scope[];
  const ordered = first === undefined ? all : [first, ...all.filter((scope) => scope !== first)];
  return ordered.map((scope) => ({ scope, title: scopes[scope][0], bindings: keyTable[scope] }));
}

const namedKeys = ["Enter", "Esc", "Space", "Tab", "Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End"];
const keyNames = new Map(
  [...namedKeys, "Backspace", "Delete", "Ctrl", "Shift", "Alt"].map((name) => [name.toLowerCase(), name]),
);

/** Returns a chord or sequence as it is shown: `Shift+Enter` for `shift+enter`, `dd` for `d d`. */
export const keyName = (keys: string): string =>
  keys
    .split(" ")
    .map((chord) => (chord === "+" ? "+" : chord.split("+").map(chordName).join("+")))
    .join("");

const chordName = (part: string, _index: number, parts: readonly string[]): string =>
  keyNames.get(part) ?? (parts.length > 1 ? part.toUpperCase() : part);

/**
 * Returns the footers as a Markdown table for the documentation, with a row for each scope that has more than a way back. Help
 * lists all keys.
 */
export function keySummary(): string {
  const rows = keyGroups()
    .filter(({ scope }) => scope !== "palette" && scope !== "question")
    .flatMap(({ title, bindings }) => {
      const shown = bindings
        .filter(({ footer }) => footer !== undefined)
        .toSorted((one, other) => one.footer! - other.footer!);
      const keys = shown.map(
        (binding) => `\`${keyName(binding.keys[0]!)}\` ${binding.short ?? binding.title.toLowerCase()}`,
      );
      return keys.length < 2 ? [] : [`| ${title} | ${keys.join(", ")} |`];
    });
  return `${["| Screen | Keys |", "|---|---|", ...rows].join("\n")}\n`;
}
