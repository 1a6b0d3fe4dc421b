/** The commands of the notebook. The key table disables a command that cannot be used, so handlers assume it can. */
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { isIncomplete } from "../../engine/log/rows/run-warnings.ts";
import { nameProblem } from "../../engine/session/document/rename-cell.ts";
import type { CellState, RunFormat, RunState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";
import { valueTitle, notesText } from "../figures/cell-texts.ts";
import { exportCommands, exportChoices, exportRuns } from "../frame/exports.ts";
import { allRuns, changeConcurrency, runsOfCell } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import { jumpToPane } from "../frame/navigation.ts";
import { askLabelling } from "../codes/labelling.tsx";
import { attempted, report } from "../frame/notices.ts";
import type { FindCommand, ListCommand } from "../input/movement.ts";
import type { Terminal } from "../terminal.ts";
import { giveUpWorkers, takeUpWorkers, keepOlderResults, chooseStrayRun } from "./stray-runs.ts";
import { addCell, cellKinds, type NotebookContext } from "./add-cell.ts";
import { figureOf, tasksOfRuns } from "./beside-notebook.ts";
import { moveDown, moveLines, movePage, moveTo, moveUp } from "./scroll.ts";
import type { ListRequest } from "../input/choice-list.tsx";
import { problemOf, runAllCells, runCell } from "./run-cells.ts";

export const notebookCommands = (context: NotebookContext) => ({
  ...movements(context),
  ...settingCommands(context),
  ...documentCommands(context),
  ...runCommands(context),
  ...analysisCommands(context),
});

type MovementCommand = ListCommand | FindCommand | "lines-down" | "lines-up" | "next-analysis" | "previous-analysis";

function movements({
  blocks,
  viewport,
  height,
  go,
  find,
  terminal,
  selected,
}: NotebookContext): Readonly<Record<MovementCommand, () => void>> {
  const to = (id: string | undefined) => id !== undefined && go(moveTo(blocks, viewport, height, id));
  const toAnalysis = (by: 1 | -1) => {
    const cells = terminal.workbench.cells();
    const at = cells.findIndex(({ id }) => id === selected?.id);
    const [before, after] = [cells.slice(0, Math.max(0, at)), cells.slice(at + 1)];
    const isAnalysis = ({ kind }: SessionCell) => kind === "analysis";
    const next = by === 1 ? after.find(isAnalysis) : before.findLast(isAnalysis);
    if (next === undefined) terminal.notices.say(`There is no analysis cell ${by === 1 ? "below" : "above"}`);
    else to(next.id);
  };
  return {
    down: () => go(moveDown(blocks, viewport, height)),
    up: () => go(moveUp(blocks, viewport, height)),
    "page-down": () => go(movePage(blocks, viewport, height, 1)),
    "page-up": () => go(movePage(blocks, viewport, height, -1)),
    "lines-down": () => go(moveLines(blocks, viewport, height, 3)),
    "lines-up": () => go(moveLines(blocks, viewport, height, -3)),
    "next-analysis": () => toAnalysis(1),
    "previous-analysis": () => toAnalysis(-1),
    first: () => to(blocks[0]?.id),
    last: () => to(blocks.at(-1)?.id),
    find,
  };
}

/** Shows all settings of a run cell below its head, or only its head. */
function settingCommands({ terminal, selected, opened, setOpened }: NotebookContext) {
  const id = selected?.id ?? "";
  return {
    "open-settings"() {
      if (opened.has(id)) terminal.notices.say("All settings of the cell are shown");
      else setOpened(new Set([...opened, id]));
    },
    "close-settings"() {
      if (!opened.has(id)) terminal.notices.say("The right arrow key shows all settings of the cell");
      else setOpened(new Set([...opened].filter((each) => each !== id)));
    },
  };
}

function documentCommands(context: NotebookContext) {
  const { terminal, selected, edit, ask } = context;
  const { workbench, notices, navigation } = terminal;
  const attempt = (change: () => void) => attempted(terminal, change);
  const add = (after: string | undefined) =>
    ask({
      title: "Which kind of cell?",
      choices: cellKinds(workbench, after),
      taken: [],
      answer: (value) => attempt(() => addCell(value, after, context)),
    });
  const above = () => workbench.cells()[workbench.cells().findIndex(({ id }) => id === selected?.id) - 1]?.id;
  return {
    edit: () => selected && edit(selected),
    pane: (digit: string) => jumpToPane(terminal, digit),
    copy: () => copyText(terminal, selected?.source),
    "add-above": () => add(above()),
    "add-below": () => add(selected?.id),
    note: () => attempt(() => addCell("note", selected?.id, context)),
    "new-run": () => navigation.push({ kind: "form", ...(selected && { after: selected.id }) }),
    delete: () => selected && deleteCell(selected, context),
    rename() {
      if (selected === undefined) return;
      const { id, name } = selected;
      ask({
        title: `New name for ${name === "" ? "this cell" : name}`,
        choices: [],
        taken: [],
        free: nameProblem,
        answer: (wanted) => attempt(() => workbench.rename(id, wanted)),
      });
    },
    undo: () =>
      attempt(() => notices.say(workbench.undo() ? "Undone: Z redoes the change" : "There is nothing to undo")),
    redo: () => attempt(() => notices.say(workbench.redo() ? "Redone" : "There is nothing to redo")),
    "move-up": () => attempt(() => selected && workbench.move(selected.id, -1)),
    "move-down": () => attempt(() => selected && workbench.move(selected.id, 1)),
    save: () => saveSession(terminal),
    quit: terminal.quit,
    "external-editor"() {
      if (selected === undefined) return;
      const { id, source, kind } = selected;
      report(terminal, terminal.editExternally(source, kind === "note" ? ".md" : ".yaml"), (text) => {
        if (text !== source) workbench.edit(id, text);
      });
    },
    licence: () => navigation.push({ kind: "text", title: "Licences and data", text: licenceText(workbench) }),
  };
}

function deleteCell({ id, kind }: SessionCell, { terminal, go }: NotebookContext): void {
  const { workbench, notices } = terminal;
  const cells = workbench.cells();
  const index = cells.findIndex((each) => each.id === id);
  const next = cells[index + 1] ?? cells[index - 1];
  attempted(terminal, () => workbench.remove(id));
  go({ selected: next?.id, anchor: 0 });
  notices.say(
    kind === "run"
      ? "The cell is deleted (z undoes this); its runs stay on disk"
      : "The cell is deleted: z undoes this",
  );
}

function runCommands(context: NotebookContext) {
  const { terminal, selected, ask } = context;
  const { workbench, navigation, notices } = terminal;
  const cell = selected?.id ?? "";
  // Read when a key is pressed, because the last drawing may be a frame old.
  const runsNow = () => runsOfCell(terminal.workbench, cell);
  const increase = (by: number) => {
    const run = runsNow().find(({ status }) => status === "running" || status === "paused");
    changeConcurrency(terminal, cell, run, by);
  };
  return {
    ...openCommands(context),
    // A form knows the fields of a benchmark.
    form: () =>
      /^scan:/m.test(selected?.source ?? "")
        ? notices.say("A scan has no form: Enter edits its text", "bad")
        : navigation.push({ kind: "form", cell }),
    run: () => runCell(terminal, cell),
    "run-all": () => runAllCells(terminal),
    stop: () => workbench.stop(cell),
    pause: () => (runsNow().some(({ status }) => status === "paused") ? workbench.resume(cell) : workbench.pause(cell)),
    increase: () => increase(1),
    decrease: () => increase(-1),
    rescore: () => rescore(cell, terminal),
    incomplete: () => openIncomplete(cell, terminal),
    "label-blind": () => askLabelling(terminal, runsOfState(context.state), ask),
    "export-runs": () =>
      ask({
        title: "Export the runs as",
        choices: exportChoices,
        taken: [],
        answer: (format) => exportRuns(terminal, cell, format as RunFormat),
      }),
    "take-up-workers": () => takeUpWorkers(cell, context),
    "give-up-workers": () => giveUpWorkers(cell, terminal),
    "stray-runs": () => chooseStrayRun(context),
    "keep-older": () => keepOlderResults(runsNow(), context),
    compare: () => compare(context),
  };
}

/** Opens the figure, the tasks or the live view of the selected cell, or its text. */
function openCommands(context: NotebookContext) {
  const { terminal, selected, state, edit } = context;
  const { workbench, notices, navigation } = terminal;
  const cell = selected?.id ?? "";
  const openTasks = () => {
    const push = (runs: readonly string[]) => selected && navigation.push(tasksOfRuns(selected, runs));
    withRun("Which run's tasks do you want to open?", context, (run) => push([run]), push);
  };
  const openFigure = (instead: () => void) => {
    if (state?.kind === "analysis" && state.figures.length > 0) navigation.push(figureOf(cell, state));
    else instead();
  };
  const editText = () => {
    if (selected === undefined) return;
    if (workbench.readOnly === undefined) edit(selected);
    else if (selected.kind === "run") openTasks();
    else notices.say(`Read-only: ${workbench.readOnly}`, "bad");
  };
  return {
    enter: () => openFigure(editText),
    open() {
      if (selected?.kind === "run") openTasks();
      else if (state?.kind === "analysis") openFigure(() => notices.say(state.missing ?? "No figures yet", "bad"));
      else if (selected !== undefined) notices.say("Nothing to open here: Enter edits the text", "bad");
    },
    live: () => withRun("Watch which run?", context, (run) => navigation.push({ kind: "live", cell, run })),
  };
}

/** Calls back with the active run of the selected cell, otherwise with the run that the user picks, or with all of them. */
function withRun(
  title: string,
  context: NotebookContext,
  then: (run: string) => void,
  thenAll?: (runs: readonly string[]) => void,
): void {
  const { terminal, selected } = context;
  const all = runsOfCell(terminal.workbench, selected?.id ?? "");
  const active = all.filter(({ status }) => status === "running" || status === "paused");
  const runs = active.length === 1 ? active : all;
  if (runs.length === 0) return terminal.notices.say("This cell has no run yet: correct the problems it shows", "bad");
  const every = thenAll && (() => thenAll(runs.map(partOf)));
  pickRun(runs, title, context, (run) => then(partOf(run)), every);
}

function rescore(cell: string, terminal: Terminal): void {
  const { workbench, notices } = terminal;
  notices.say("Re-scoring saved answers ...");
  report(terminal, workbench.rescore(cell), () => {
    const problem = problemOf(runsOfCell(workbench, cell));
    if (problem === undefined) notices.say("Re-scored", "good");
    else notices.say(problem, "bad");
  });
}

function runsOfState(state: CellState | undefined): readonly string[] {
  if (state?.kind === "run") return state.runs.map(({ run }) => run);
  return state?.kind === "analysis" ? [...new Set(state.runs)] : [];
}

function openIncomplete(cell: string, terminal: Terminal): void {
  const { workbench, notices, navigation } = terminal;
  const tasks = runsOfCell(terminal.workbench, cell)
    .map(partOf)
    .flatMap((run) =>
      workbench.board(run).flatMap(({ task, row }) => (row && isIncomplete(row) ? [{ run, task }] : [])),
    );
  if (tasks.length === 0) notices.say("No reply of this cell was cut, filtered, refused or empty");
  else navigation.push({ kind: "tasks", title: "Replies cut, filtered, refused or empty", tasks });
}

/** Saves the session and reports it. */
export function saveSession(terminal: Terminal): void {
  if (attempted(terminal, () => terminal.workbench.save())) terminal.notices.say("Saved", "good");
}

/** `all` handles a choice of all runs; absent if one run must be chosen. */
function pickRun(
  runs: readonly RunState[],
  title: string,
  { ask, terminal }: Pick<NotebookContext, "ask" | "terminal">,
  then: (run: RunState) => void,
  all?: () => void,
) {
  const [only] = runs;
  if (runs.length === 1) return then(only!);
  const every = { value: "", title: `All ${runs.length} runs`, note: "" };
  ask({
    title,
    // Runs continue while the user chooses.
    get choices() {
      const now = new Map(allRuns(terminal.workbench).map((run) => [partOf(run), run.status]));
      const choices = runs.map((run) => ({
        value: partOf(run),
        title: run.label,
        note: now.get(partOf(run)) ?? run.status,
      }));
      return all === undefined ? choices : [...choices, every];
    },
    taken: [],
    answer: (value) => (value === "" ? all?.() : then(runs.find((run) => partOf(run) === value)!)),
  });
}

function compare(context: NotebookContext): void {
  const { workbench, notices, navigation } = context.terminal;
  const runs = allRuns(workbench);
  if (runs.length < 2) return notices.say("Comparing needs two runs", "bad");
  const go = (one: RunState, other: RunState) =>
    navigation.push({ kind: "compare", runs: [partOf(one), partOf(other)] });
  if (runs.length === 2) return go(runs[0]!, runs[1]!);
  pickRun(runs, "Compare which run?", context, (one) => {
    const others = runs.filter((run) => run !== one);
    pickRun(others, `Compare ${one.label} with which run?`, context, (other) => go(one, other));
  });
}

/** Lets the user choose a value of an analysis cell's option; all options are in one list. */
export function askChoice(
  { workbench, notices }: Terminal,
  cell: string,
  state: CellState | undefined,
  ask: (asking: ListRequest) => void,
): void {
  if (state?.kind !== "analysis") return notices.say("This analysis has no options");
  const lists = Object.entries(state.lists).map(([name, { values }]) => [name, values] as const);
  const all = [...Object.entries(state.choices), ...lists].flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  );
  if (all.length === 0) return notices.say("This analysis has no options");
  const isTaken = (name: string, value: string) => state.listed[name]?.includes(value) ?? state.chosen[name] === value;
  ask({
    title: "What to show",
    choices: all.map(({ name, value }, index) => {
      const title = valueTitle(state, value);
      return { value: String(index), title: `${name}: ${title}`, ...(title !== value && { note: value }) };
    }),
    taken: all.flatMap(({ name, value }, index) => (isTaken(name, value) ? [String(index)] : [])),
    answer(value) {
      const { name, value: wanted } = all[Number(value)]!;
      workbench.choose(cell, name, wanted);
    },
  });
}

function analysisCommands({ terminal, selected, state, ask }: NotebookContext) {
  const { notices, navigation } = terminal;
  const cell = selected?.id ?? "";
  return {
    choose: () => askChoice(terminal, cell, state, ask),
    notes() {
      const text = state === undefined ? "" : notesText(state);
      if (text === "") notices.say("This cell has no notes");
      else navigation.push({ kind: "text", title: selected?.name ?? "", text });
    },
    ...exportCommands(terminal, cell),
  };
}

/** Describes each benchmark: its paper, its licence, the source of its data, and the installed data. */
const licenceText = (workbench: Workbench): string =>
  workbench.suites
    .map(({ name, title, paper, licence, data }) =>
      [
        `## ${title}`,
        "",
        `${paper.title}, ${paper.venue}. ${paper.url}`,
        "",
        `- Licence: ${licence}`,
        `- Source of the data: ${data.source}`,
        `- Installed: ${workbench.dataOf(name).join(", ")}`,
        ...(workbench.dataOf(name).some((data) => data !== "sample")
          ? []
          : [`- To install the published data: \`planwright data add ${name}\``]),
      ].join("\n"),
    )
    .join("\n\n");
