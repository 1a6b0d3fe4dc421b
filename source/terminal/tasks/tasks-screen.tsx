/** Lists tasks: all tasks of a cell's runs with a strip of marks, the tasks of a figure's value, or any other tasks. */
import { bufferText, insertText, openBuffer, type TextBuffer, textCommands } from "../editor/text-buffer.ts";
import { Box } from "ink";
import { useLayoutEffect, useMemo, useState, type ReactNode, useCallback } from "react";
import { inkOf, type Line, type Span, styled } from "../../engine/figures/drawing/line.ts";
import { printable, fitMiddle, pad, width } from "../../engine/text/printable.ts";
import { plural, countText } from "../../look/amounts.ts";
import { partOf, runColours } from "../../engine/workbench/runs/run-colours.ts";
import { cellOfRun, isActive, runsOfCells } from "../frame/runs.ts";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { jumpToPane } from "../frame/navigation.ts";
import { packedSpans } from "../drawing/wrapped-spans.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import type { TaskRef } from "../../engine/types.ts";
import type { Screen, ScreenOf, ScreenProps, TaskSource } from "../frame/screen.ts";
import { taskStates } from "../../engine/log/rows/task-counts.ts";
import { markOf, runCaveats } from "../drawing/task-mark.ts";
import { useTerminal, useSelected, type Terminal, useLayer } from "../terminal.ts";
import type { Commands } from "../input/keys.ts";
import { boardLines, boardRows } from "../live/board.ts";
import {
  type TaskListView,
  orders,
  type ChosenItems,
  chosenItems,
  type GatheredItems,
  listedTasks,
  runBoards,
  taskItems,
  tasksOf,
  type TaskItem,
} from "./task-item.ts";
import { listedKey } from "./task-places.ts";
import { codeCommands } from "../codes/marks.ts";
import { useTagging } from "../codes/tagging.tsx";
import { AskedChoice, type ListRequest, listRows } from "../input/choice-list.tsx";
import { listMoves } from "../input/movement.ts";
import { many } from "../../engine/work/pieces.ts";
import { usePieces } from "../frame/use-pieces.ts";
import { whenAllowed } from "../frame/allow.ts";
import { report } from "../frame/notices.ts";
import { columnsOfNames } from "../../engine/figures/drawing/told-apart.ts";
import { runNames } from "../drawing/run-names.ts";
import type { Theme } from "../drawing/theme.ts";

const none: ReadonlySet<string> = new Set();
/** In windows of at most this many rows, the tasks take the rows of the strip and of all but one row of counts. */
const low = 10;
/** Commands that need no list; other keys wait while the list is gathered or sorted. */
const leaving = ["back"] as const;
const first: TaskListView = { order: "as listed", reversed: false, state: undefined, words: "" };

export function TasksScreen(props: ScreenProps<"tasks">): ReactNode {
  const { screen, active, focused, opened, leadTo, width, height } = props;
  const list = useList(screen.tasks, opened, active);
  const { terminal, tasks, counted, shown, here, to, ref, refs, isGathering } = list;
  const colours = runColours(terminal.workbench);
  const hasStrip = "runs" in tasks && terminal.isSpoken !== true && height > low;
  const tagging = useTagging(width, height, list.unmark);
  const [asking, ask] = useState<ListRequest>();
  const listed = asking === undefined ? tagging.rows : listRows(asking.choices, height);
  const strip = active && hasStrip && listed === 0 ? stripOf(list, width, height) : [];
  const counts = countLines(list, width).slice(0, height > low ? undefined : 1);
  const room = Math.max(1, height - 2 - counts.length - strip.length - listed);
  const next = useMemo(() => ref && ({ kind: "trajectory", ref, siblings: refs } as const), [ref, refs]);
  useLayoutEffect(() => leadTo(next));
  useLayer(focused, {
    scope: "tasks",
    meanwhile: list.by === list.choice ? undefined : leaving,
    commands: { ...tasksCommands(list, next, room), ...codeCommands(list, tagging.open, ask) },
  });
  useSearch(list, focused);
  if (!active) return null;

  const from = Math.max(0, Math.min(here - (room >> 1), shown.length - room));
  const seen = shown.slice(from, from + room);
  const columns = columnsFor(seen, [...new Set(counted.runs.values())], width);
  const lines = seen.map((item, index) =>
    taskLine(item, columns, {
      chosen: from + index === here,
      marked: list.marks.has(listedKey(item.ref)),
      theme: terminal.theme,
      colour: colours.get(item.ref.run),
      isSameRun: seen[index - 1]?.label === item.label,
    }),
  );
  const empty = styled("faint", `   ${isGathering ? "Loading ..." : whyEmpty(list, screen.none)}`);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={strip} columns={width} height={strip.length} />
      <Rows lines={counts} columns={width} height={counts.length} />
      <TextRow line={choiceLine(list)} columns={width} />
      <TextRow line={headingLine(columns)} columns={width} />
      <Rows
        lines={shown.length === 0 ? [empty] : lines}
        columns={width}
        height={room}
        click={clicks("tasks", terminal, (line) => from + line, here, to)}
      />
      {asking === undefined ? (
        tagging.drawn()
      ) : (
        <AskedChoice asking={asking} columns={width} height={listed} close={() => ask(undefined)} />
      )}
    </Box>
  );
}

type List = ReturnType<typeof useList>;

/** Keeps the tasks, their order and filter, and the cursor. */
function useList(tasks: TaskSource, opened: Screen | undefined, active: boolean) {
  const terminal = useTerminal();
  const [choice, choose] = useState(first);
  /** The words while they are typed. */
  const [searching, setSearching] = useState<TextBuffer>();
  const [cursor, setCursor] = useState<string>();
  const [marks, setMarks] = useState<ReadonlySet<string>>(none);
  const list = useTaskList(tasks, choice, active);
  const { shown, places } = list;
  const isGathering = list.by === undefined;
  // The cursor follows the task shown beside the list, including when `next` moves to another one.
  const read = opened?.kind === "trajectory" ? listedKey(opened.ref) : cursor;
  if (read !== cursor) setCursor(read);
  const here = places.get(read ?? "") ?? 0;
  // While the list is gathered, its first task is already shown beside it.
  const firstTask = useMemo(() => firstOf(tasks), [tasks]);
  const ref = isGathering ? firstTask : shown[here]?.ref;
  const run = ref?.run ?? ("runs" in tasks ? tasks.runs[0]! : "");
  const to = (index: number) => {
    const item = shown[index];
    if (item !== undefined) setCursor(listedKey(item.ref));
  };
  return {
    ...list,
    terminal,
    tasks,
    choice,
    choose,
    searching,
    setSearching,
    isGathering,
    here,
    to,
    ref,
    run,
    marks,
    setMarks,
    unmark: () => setMarks(none),
  };
}

function tasksCommands(
  list: List,
  next: ScreenOf<"trajectory"> | undefined,
  room: number,
): Omit<Commands<"tasks">, keyof ReturnType<typeof codeCommands>> {
  const { terminal, items, counted, shown, refs, choice, choose, here, to, ref, run } = list;
  const { navigation, notices, workbench } = terminal;
  const open = (how: { readonly atWords?: true }) => {
    if (next === undefined) notices.say("There is no task to open");
    else navigation.push({ ...next, ...how });
  };
  return {
    ...listMoves(here, shown.length, room - 1, to),
    open: () => open({}),
    words: () => open({ atWords: true }),
    sort() {
      const order = orders[(orders.indexOf(choice.order) + 1) % orders.length]!;
      choose({ ...choice, order, reversed: false });
    },
    reverse: () => choose({ ...choice, reversed: !choice.reversed }),
    search: () => list.setSearching(openBuffer(list.choice.words, "end")),
    filter() {
      if (items.length === 0) return notices.say("There are no tasks to choose from");
      const tagged = items.some(({ codes }) => codes !== "") ? (["tagged", "not tagged"] as const) : [];
      const states = [undefined, ...taskStates.filter((mark) => counted.counts.has(mark)), ...tagged];
      choose({ ...choice, state: states[(states.indexOf(choice.state) + 1) % states.length] });
    },
    live() {
      const cell = cellOfRun(workbench, run)?.cell;
      if (cell === undefined) notices.say("No cell requests this run any more: it cannot be watched", "bad");
      else navigation.push({ kind: "live", cell, run });
    },
    rerun: () => rerun(refs, terminal),
    pane: (digit) => jumpToPane(terminal, digit),
    copy: () => copyText(terminal, ref?.task),
    back() {
      if (list.marks.size > 0) list.unmark();
      else if (choice.words === "" && choice.state === undefined) navigation.pop();
      else choose({ ...choice, words: "", state: undefined });
    },
  };
}

/** Filters the list by the typed words. */
function useSearch({ choice, choose, searching, setSearching }: List, focused: boolean): void {
  const buffer = searching ?? openBuffer("");
  const type = (next: TextBuffer) => {
    setSearching(next);
    choose({ ...choice, words: bufferText(next) });
  };
  useLayer(focused && searching !== undefined, {
    scope: "search",
    commands: {
      accept: () => setSearching(undefined),
      ...textCommands(buffer, setSearching, type),
      back() {
        setSearching(undefined);
        choose({ ...choice, words: "" });
      },
    },
    text: (text) => type(insertText(buffer, text)),
    paste: (text) => type(insertText(buffer, text.split(/[\r\n]/)[0] ?? "")),
  });
}

function whyEmpty({ items, tasks }: List, none: string | undefined): string {
  if (items.length > 0) return "No task matches: f and / change what is shown";
  return "runs" in tasks ? "No tasks yet: r in the notebook runs the cell" : (none ?? "No tasks");
}

/** Returns a mark for every task of the cursor's run, with the cursor's task in brackets. */
function stripOf({ terminal, run, shown, here }: List, width: number, height: number): readonly Line[] {
  const board = terminal.workbench.board(run);
  const at = board.findIndex(({ task }) => task === shown[here]?.ref.task);
  return boardLines(board, at, none, width, boardRows(board.length, width, height), terminal.theme).lines;
}

/**
 * Returns the number of tasks in each state, on two lines if necessary, and the run below them. Next to the states, the run would
 * appear and disappear and move all rows below.
 */
function countLines({ terminal, tasks, items, counted, isGathering }: List, width: number): readonly Line[] {
  if (isGathering) return packedSpans("length" in tasks ? [{ text: plural(tasks.length, "task") }] : [], width);
  const { counts, runs } = counted;
  const only = runs.size === 1 ? cellOfRun(terminal.workbench, [...runs.keys()][0]!)?.state : undefined;
  const caveats = only === undefined ? "" : runCaveats(only);
  const states: readonly Span[] = [
    { text: plural(items.length, "task") },
    ...(only === undefined ? [{ text: plural(runs.size, "run"), style: "faint" as const }] : []),
    ...taskStates.flatMap((state): Span[] => {
      const mark = markOf(state, terminal.theme.symbols);
      const count = counts.get(state) ?? 0;
      return count === 0 ? [] : [{ text: `${mark.sign} ${count} ${mark.word}`, style: mark.style }];
    }),
  ];
  const run: readonly Span[] = [
    ...(only === undefined
      ? []
      : [{ text: printable(only.label), ...inkOf(runColours(terminal.workbench).get(only.run), "faint") }]),
    ...(caveats === "" ? [] : [{ text: caveats, style: "warn" as const }]),
  ];
  const lines = packedSpans(states, width);
  return lines.length === 1 ? [...lines, ...packedSpans(run, width)] : packedSpans([...states, ...run], width);
}

function choiceLine({ choice, searching, isGathering, shown, here, marks }: List): Line {
  const order = `${choice.order === "as listed" ? choice.order : `by ${choice.order}`}${choice.reversed ? ", reversed" : ""}`;
  const typed = searching === undefined ? choice.words : bufferText(insertText(searching, "_"));
  const words = typed === "" ? "" : `  /${printable(typed)}`;
  return [
    {
      text: isGathering ? ` ${order}` : ` ${shown.length === 0 ? 0 : here + 1}/${shown.length}  ${order}`,
      style: "faint",
    },
    { text: choice.state === undefined ? "" : `  only ${choice.state}`, style: "warn" },
    { text: words, style: "accent" },
    { text: marks.size === 0 ? "" : `  ${plural(marks.size, "task")} marked: t tags`, style: "accent" },
  ];
}

function firstOf(tasks: TaskSource): TaskRef | undefined {
  if ("runs" in tasks) return undefined;
  return "lists" in tasks ? tasks.lists[0]?.[0] : tasks[0];
}

const noRuns: readonly string[] = [];
const nothing: GatheredItems & ChosenItems = {
  items: [],
  counted: { counts: new Map(), runs: new Map() },
  by: undefined,
  shown: [],
  refs: [],
  places: new Map(),
};

/** Returns all items, and those that match `choice`: none until a long list was gathered for the first time. */
function useTaskList(tasks: TaskSource, choice: TaskListView, active: boolean): GatheredItems & ChosenItems {
  const listed = usePieces(
    useCallback(() => listedTasks(tasks), [tasks]),
    tasksOf(tasks) >= many,
  );
  const runs = listed?.runs ?? noRuns;
  const boards = useSelected(
    active,
    useMemo(() => runBoards(runs), [runs]),
  );
  const gathering = useCallback(() => taskItems(listed!.lists, boards), [listed, boards]);
  const looked = boards.reduce((sum, board) => sum + board.tasks.length, tasksOf(tasks));
  const all = usePieces(listed && gathering, looked >= many);
  const choosing = useCallback(() => chosenItems(all!.items, choice), [all, choice]);
  const part = usePieces(all && choosing, all !== undefined && all.items.length >= many);
  return { ...nothing, ...all, ...part };
}

/** Executes these tasks again, scored or not. Asks for confirmation first, because this sends requests. */
function rerun(tasks: readonly TaskRef[], terminal: Terminal): void {
  const { workbench, notices } = terminal;
  // Thousands of tasks may belong to one run.
  const owners = new Map(
    runsOfCells(workbench)
      .toReversed()
      .flatMap((owner) => [owner.state.run, partOf(owner.state)].map((run) => [run, owner] as const)),
  );
  const found = tasks.flatMap((ref) => {
    const owner = owners.get(ref.run);
    return owner === undefined ? [] : [{ ref, ...owner }];
  });
  if (found.length === 0) {
    return notices.say(
      tasks.length === 0
        ? "There are no tasks to re-run"
        : "No cell requests this run any more: its cell was changed or removed",
      "bad",
    );
  }
  // An active run accepts no further tasks.
  if (found.some(({ state }) => isActive(state))) {
    return notices.say("The run is not finished: stop it first, or wait", "bad");
  }
  notices.ask(`Re-run ${plural(found.length, "task")}?`, () => {
    const cells = [...new Set(found.map((each) => each.cell))];
    whenAllowed(terminal, cells, () => {
      for (const cell of cells) {
        const refs = found.filter((each) => each.cell === cell).map(({ ref }) => ref);
        report(terminal, workbench.run(cell, refs), () => notifyEnd(refs));
      }
    });
  });

  function notifyEnd(refs: readonly TaskRef[]): void {
    const problem = cellOfRun(workbench, refs[0]!.run)?.state.message;
    if (problem === undefined) notices.say(`Re-ran ${plural(refs.length, "task")}`, "good");
    else notices.say(problem, "bad");
  }
}

/** Widths of the columns, by content and window. */
type Columns = {
  /** 0 if the list is of one run. */
  readonly run: number;
  readonly runTitle: string;
  /** Names by label. */
  readonly runNames: ReadonlyMap<string, string>;
  readonly id: number;
  readonly question: number;
  readonly error: number;
  /** 0 if no visible task has a code. */
  readonly codes: number;
  /** Width of seconds and of tokens; 0 if there is no room. */
  readonly amounts: number;
};

/** Columns from which reasons have a third of the line. */
const roomy = 90;

/**
 * Measures only the visible items, so that a long list costs no more than a short one; runs are distinguished by all `labels` of
 * the list. Distinguishing parts of names are not truncated: each name has its share of the line, and more if names would
 * otherwise be equal.
 */
export function columnsFor(items: readonly TaskItem[], labels: readonly string[], columns: number): Columns {
  const needed = (of: (item: TaskItem) => string, share: number, most: number) =>
    columnsOfNames(
      items.map((item) => printable(of(item))),
      share,
      columns * most,
    );
  const runs = runNames(labels, Math.floor(columns / 4));
  const isNamed = labels.some((label) => label !== "");
  const named = Math.max(width(runs.title), ...runs.names.map(width));
  const run = isNamed ? Math.min(named, Math.floor(columns / 3)) : 0;
  const id = Math.max(
    4,
    needed((item) => item.ref.task, Math.max(12, Math.floor(columns / 5)), 1 / 3),
  );
  // With some room, reasons are shown in full before questions are.
  const share = columns < roomy ? 4 : 3;
  const error = needed((item) => item.error, Math.max(12, Math.floor((columns - run) / share)), 1 / 3);
  const codes = needed((item) => item.codes, Math.max(12, Math.floor((columns - run) / 5)), 1 / 4);
  const amounts = columns < 70 || (codes > 0 && columns < 100) ? 0 : 8;
  const beside = [run, error, codes].reduce((sum, each) => sum + (each === 0 ? 0 : each + 2), 0);
  // A blank separates the last number from the border.
  const taken = 5 + beside + id + 2 + (amounts === 0 ? 0 : 2 * amounts + 1);
  const names = new Map(labels.map((label, at) => [label, runs.names[at]!]));
  return {
    run,
    runTitle: runs.title,
    runNames: names,
    id,
    error,
    codes,
    amounts,
    question: Math.max(0, columns - taken),
  };
}

export function headingLine({ run, runTitle, id, question, error, codes, amounts }: Columns): Line {
  const cells = [
    "     ",
    run === 0 ? "" : `${name(runTitle, run)}  `,
    `${pad("task", id)}  `,
    pad("question", question),
    error === 0 ? "" : `  ${pad("first error", error)}`,
    codes === 0 ? "" : `  ${pad("codes", codes)}`,
    amounts === 0 ? "" : pad("seconds", amounts, "right") + pad("tokens", amounts, "right"),
  ];
  return [{ text: cells.join(""), style: "faint" }];
}

type Look = {
  readonly chosen: boolean;
  readonly marked?: boolean;
  readonly theme: Theme;
  readonly colour?: number | undefined;
  /** True if the row above names the run. */
  readonly isSameRun?: boolean;
};

/** `colour` is the number of the run's colour. */
export function taskLine(item: TaskItem, columns: Columns, look: Look): Line {
  const { chosen, marked = false, theme, colour, isSameRun = false } = look;
  const { symbols } = theme;
  const { run, runNames: names, id, question, error, codes, amounts } = columns;
  const mark = markOf(item.state, symbols);
  const seconds = item.seconds === undefined ? "" : item.seconds.toFixed(1);
  const tokens = item.tokens === undefined ? "" : countText(item.tokens);
  return [
    { text: `${marked ? "x" : " "}${chosen ? symbols.pointer : " "} `, style: "accent" },
    { text: `${mark.sign} `, style: mark.style },
    {
      text: run === 0 ? "" : `${name(isSameRun ? "" : (names.get(item.label) ?? item.label), run)}  `,
      ...inkOf(colour, "faint"),
    },
    { text: `${name(item.ref.task, id)}  `, style: chosen ? "strong" : "plain" },
    { text: pad(printable(item.question), question) },
    { text: error === 0 ? "" : `  ${reason(item.error, error)}`, style: "bad" },
    { text: codes === 0 ? "" : `  ${name(item.codes, codes)}`, style: "warn" },
    {
      text: amounts === 0 ? "" : pad(seconds, amounts, "right") + pad(tokens, amounts, "right"),
      style: "faint",
    },
  ];
}

/** Cuts the text in the middle if there is no room. */
const name = (text: string, columns: number): string => pad(fitMiddle(printable(text), columns), columns);

/** Truncates a reason at the end: first the detail in brackets after it. Titles of errors are names. */
const reason = (text: string, columns: number): string =>
  text.endsWith(")") ? pad(printable(text), columns) : name(text, columns);
