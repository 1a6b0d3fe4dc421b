/** A run during its execution: a mark for every task, the requests in flight, and up to four trajectories as they stream. */
import { Box } from "ink";
import { useMemo, useState, type ReactNode, useEffect, useReducer, useSyncExternalStore } from "react";
import { type Line, type Span, styled } from "../../engine/figures/drawing/line.ts";
import { runWords, type RunWords } from "../../engine/log/run-words.ts";
import { sourceText } from "../../engine/log/rows/row-notes.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Suite } from "../../engine/suite.ts";
import { partOf, runColours } from "../../engine/workbench/runs/run-colours.ts";
import { printable } from "../../engine/text/printable.ts";
import type { BoardTask, RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { isActive, runCellState, runsOfCell, changeConcurrency } from "../frame/runs.ts";
import { forkLines, preparingLines } from "../notebook/run-lines.ts";
import { Rows } from "../drawing/rows.tsx";
import { clicks } from "../frame/clicks.ts";
import { useFind } from "../editor/use-find.tsx";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { blockOf } from "../trajectory/block.ts";
import { isWide } from "../frame/panes.ts";
import type { ScreenOf, ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { runCaveats } from "../drawing/task-mark.ts";
import { boardRows, DrawnBoard, markAt, marksPerRow, type Shown } from "./board.ts";
import { countSpans, flightLine, headLine, measures, modelSpans, oldestRunning, workerSpans } from "./run-head.ts";
import { besideGraphs, isBeside, type KnownGraphs, useLaneNodes, withGraphs } from "./graph-beside.ts";
import { graphLines, laneLines, LaneTops } from "./lane-lines.ts";
import {
  type Lane,
  laneAt,
  lanesThatFit,
  type Size,
  type KnownRows,
  mostDialogues,
  assignLanes,
  restingLanes,
} from "./lanes.ts";
import { packedSpans } from "../drawing/wrapped-spans.ts";
import { plural } from "../../look/amounts.ts";
import { whenAllowed } from "../frame/allow.ts";
import { copyText } from "../frame/copy.ts";
import { report } from "../frame/notices.ts";
import type { Commands } from "../input/keys.ts";
import { listMoves } from "../input/movement.ts";
import { useTrajectory } from "../trajectory/use-trajectory.ts";
import { lastUsed, RepeatedTexts, WrappedTexts } from "../drawing/wrapped-text.ts";

export function LiveScreen({ screen, active, width, height }: ScreenProps<"live">): ReactNode {
  const view = useWatched(screen, active, { columns: width, rows: height });
  const { terminal, workbench, selection, select, run, state, board, selected } = view;
  // A screen reader gets no marks, because it would repeat the row whenever a task ends; each lane names its task.
  const [perRow, rows] =
    terminal.isSpoken === true ? [1, 10] : [marksPerRow(width), boardRows(board.length, width, height)];
  const find = useFind(width);
  useLayer(active, {
    scope: "live",
    context: () => ({ workbench, run: state }),
    commands: liveCommands({ ...view, cell: screen.cell, perRow, pageRows: rows, find: find.open }),
  });
  if (!active) return null;
  if (state === undefined) {
    const gone = styled("faint", "  No cell requests this run any more: its cell was changed or removed");
    return <Rows lines={[gone]} columns={width} height={height} />;
  }
  return (
    <Box flexDirection="column" height={height}>
      {watched(view, state, { columns: width, rows: height - find.rows }, rows, height - 8)}
      {find.field({
        blocks: () =>
          board.map((task) =>
            blockOf(task.task, [[{ text: searchedText(task, workbench.live({ run, task: task.task })) }]]),
          ),
        here: selected,
        found: ({ block }) => select({ ...selection, task: block }),
      })}
    </Box>
  );
}

type View = ReturnType<typeof useWatched>;

/** Keeps the run on the screen, its tasks, and the lanes with the watched trajectories. */
function useWatched(screen: ScreenOf<"live">, active: boolean, size: Size) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  const [drawings] = useState(openDrawings);
  const [selection, select] = useState<Selection>({ run: screen.run, task: undefined, lanes: undefined });
  const { run } = selection;
  const runs = active ? runsOfCell(workbench, screen.cell) : [];
  const state = runs.find((each) => partOf(each) === run || each.run === run);
  const running = state !== undefined && isActive(state);
  const now = useNow(active && running);
  // The runs of a cell execute one after another: when the shown one ends, the next is shown.
  const [wasRunning, setWasRunning] = useState(false);
  if (active && running && !wasRunning) setWasRunning(true);
  const next = runs.find((each) => each !== state && isActive(each));
  if (active && !running && wasRunning && next !== undefined && selection.task === undefined) {
    setWasRunning(false);
    select({ ...selection, run: partOf(next) });
  }
  const board = active ? workbench.board(run) : [];
  const suite = suiteNamed(state?.spec.suite, workbench.suites);
  const isDialogue = hasTwoSides(state?.spec, suite);
  const words = useWords(state?.spec, suite);
  const fit = lanesThatFit(size, isDialogue);
  const count = Math.min(selection.lanes ?? fit, fit);
  const isWanted = isBeside(size.columns) && terminal.isSpoken !== true;
  const executes = running;
  const lanes = useLanes(workbench, { run, board, count, executes, pinned: selection.task, active, isWanted });
  const newest = lanes.find(({ task }) => task?.state === "running") ?? lanes[0];
  const first = selection.task ?? newest?.task?.task;
  const at = board.findIndex(({ task }) => task === first);
  const selected = Math.max(0, at);
  const { errorKinds } = suite ?? unknown;
  const forks = active ? runCellState(workbench, screen.cell)?.forks : undefined;
  const shown = { selection, select, run, state, forks, running, now, board, isDialogue, errorKinds, words };
  return { terminal, workbench, drawings, ...shown, fit, lanes, selected };
}

/** Returns the same words while the run and its suite are unchanged, so that blocks drawn with them are cached. */
const useWords = (spec: RunState["spec"] | undefined, suite: Suite | undefined): RunWords =>
  useMemo(() => runWords(spec, suite), [spec, suite]);

/** Opens drawings of the last frame, most of which the next one reuses. */
const openDrawings = () => ({
  texts: openTexts(),
  tops: new LaneTops(),
  known: [] as KnownRows[],
  marked: new DrawnBoard(),
  /** The runs that have shown graphs, whose lanes reserve room for them. */
  graphed: new Set<string>(),
  graphs: [] as KnownGraphs,
});

/**
 * Draws the run, its strip of marks in `boardRows` rows, and the lanes. `mostNumbers` limits the rows for the run's numbers,
 * because in a low window the marks are more important.
 */
function watched(view: View, state: RunState, { columns, rows }: Size, boardRows: number, mostNumbers: number) {
  const { terminal, selection, select, board, isDialogue, lanes, selected, errorKinds, words, drawings } = view;
  const { theme, isSpoken = false } = terminal;
  const { texts, tops, known, marked, graphed, graphs } = drawings;
  const inLanes = new Set(lanes.flatMap(({ task }) => (task === undefined ? [] : [task.task])));
  const shown = isSpoken ? noBoard : marked.lines(board, selected, inLanes, columns, boardRows, theme);
  const marks = shown.lines;
  const head = headLines(view, state, columns, Math.max(1, mostNumbers));
  const top = [...head, ...marks, ruleLine(view, shown.hidden, columns)];
  const room = Math.max(1, rows - top.length);
  // At the start of a run there may be fewer tasks than lanes.
  const filled = lanes.filter(({ task }, index) => index === 0 || task !== undefined);
  const look = { symbols: theme.symbols, wrapped: true, brief: true, toggled: none, errorKinds, words };
  const viewOf = ({ task }: Lane, own: number) => ({ ...look, columns: own, texts: texts(task?.task ?? "") });
  if (lanes.some(({ nodes }) => nodes.length > 0)) graphed.add(view.run);
  const hasGraphs = isBeside(columns) && !isSpoken && graphed.has(view.run);
  const [first] = lanes;
  const graph = first === undefined || hasGraphs ? [] : graphLines(first.trajectory, viewOf(first, columns), room);
  const about = { state, isDialogue, errorKinds, now: isSpoken ? undefined : view.now };
  const all = { columns, rows: room - graph.length };
  const size = hasGraphs ? besideGraphs(all) : all;
  const lines = laneLines(filled, size, { theme, about, tops, known, viewOf });
  const body = hasGraphs ? withGraphs(lines, filled, size, isDialogue, graphs, viewOf) : lines;
  return (
    <Rows
      lines={[...top, ...body, ...graph]}
      columns={columns}
      height={rows}
      click={clicks("live", terminal, taskAt, selected, (at) => select({ ...selection, task: board[at]!.task }))}
    />
  );

  /** Returns the index of the task whose mark or lane is at this position. */
  function taskAt(line: number, column: number): number | undefined {
    const row = line - head.length;
    if (row > marks.length) return boardIndex(laneAt(filled.length, size, isDialogue, line - top.length, column));
    if (row < 0 || row === marks.length) return undefined;
    return markAt(board.length, selected, columns, boardRows, row, column);
  }

  function boardIndex(lane: number | undefined): number | undefined {
    const task = lane === undefined ? undefined : filled[lane]?.task?.task;
    return task === undefined ? undefined : board.findIndex((each) => each.task === task);
  }
}

/** Draws the run's name, its numbers in at most `most` rows, and the oldest request in flight or the end of the run. */
function headLines(view: View, state: RunState, width: number, most: number): readonly Line[] {
  const { terminal, workbench, run, running, now, board } = view;
  const { theme } = terminal;
  const oldest = oldestRunning(board);
  const numbers = [
    ...countSpans(state, theme),
    ...caveatSpans(state, theme),
    ...takenSpans(state),
    ...modelSpans(state),
    ...measures(state, isWide(width)),
    ...workerSpans(state),
  ];
  return [
    headLine(state, width, theme, frameAt(now), runColours(workbench).get(run)),
    ...packedSpans(numbers, width, 2).slice(0, most),
    ...preparingLines(state, width),
    ...forkLines({ ...(view.forks && { forks: view.forks }), runs: [] }, width),
    state.preparing === undefined && (running || state.counts.running > 0)
      ? flightLine(state.counts.running, oldest, oldest && workbench.live({ run, task: oldest.task }), now)
      : endLine(state),
  ];
}

function ruleLine({ terminal, running, selection }: View, hidden: string, width: number): Line {
  const { symbols } = terminal.theme;
  const hint = !running
    ? "arrows select a task, Enter opens it"
    : selection.task === undefined
      ? "following the newest tasks"
      : "f follows the newest tasks";
  const title = `${hidden === "" ? "" : `${hidden}, `}${hint}`;
  return [
    { text: `${symbols.rule} `, style: "rule" },
    { text: title, style: "faint" },
    { text: ` ${symbols.rule.repeat(Math.max(0, width - title.length - 4))}`, style: "rule" },
  ];
}

const noBoard: Shown = { lines: [], hidden: "" };
const unknown: Pick<Suite, "errorKinds"> = { errorKinds: [] };
const none: ReadonlySet<string> = new Set();

/** Returns the searchable text of a task: its id, its question, and all text written so far while it runs. */
function searchedText({ task, question }: BoardTask, trajectory: Trajectory | undefined): string {
  const texts = (trajectory?.entries ?? []).map((entry) =>
    entry.kind === "turn" ? `${entry.thinking} ${entry.text}` : "",
  );
  return printable([task, question, ...texts].join(" "));
}

/** Returns true if two models talk to each other in the run; its trajectories are then drawn in two columns. */
function hasTwoSides(spec: RunState["spec"] | undefined, suite: Suite | undefined): boolean {
  const roles = suite?.strategies.find(({ name }) => name === spec?.strategy)?.roles ?? [];
  return roles.includes("user") || (spec?.responder !== undefined && spec.responder !== "none");
}

const endLine = ({ message }: RunState): Line =>
  message === undefined ? [] : [{ text: `  ${printable(message)}`, style: "bad" }];

const takenSpans = ({ taken = [] }: RunState): readonly Span[] =>
  taken.map(({ source }) => ({ text: printable(`answers of ${sourceText(source)}`), style: "warn" }));

function caveatSpans(state: RunState, { symbols }: Theme): readonly Span[] {
  const caveats = runCaveats(state);
  return caveats === "" ? [] : [{ text: `${symbols.failed} ${caveats}`, style: "warn" }];
}

/** Milliseconds between two states of the spinner. */
const step = 200;
/**
 * Maximum milliseconds between two renderings of the screen if nothing changes; longer than the interval of frames while a run
 * streams.
 */
const tick = 250;

/** Returns milliseconds since 1970 in steps of the spinner; while active, the time is never older than a tick. */
function useNow(isActive: boolean): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const now = useSyncExternalStore(unheard, read, read);
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(renderAgain, tick);
    return () => clearTimeout(timer);
  }, [isActive, now]);
  return now;
}

const unheard = () => () => {};

const read = (): number => Math.floor(Date.now() / step) * step;

/** Counts the steps, for the spinner. */
const frameAt = (now: number): number => Math.floor(now / step);

/** The selection; without a `task` the newest tasks are followed. */
type Selection = {
  readonly run: string;
  readonly task: string | undefined;
  readonly lanes: number | undefined;
};

type Context = View & {
  readonly cell: string;
  readonly perRow: number;
  readonly pageRows: number;
  /** Opens the search field. */
  readonly find: () => void;
};

const noTask = "There are no tasks yet";

/** Sends the requests of one task one by one. */
function holdCommands({ terminal, workbench, run, board, selected, selection, lanes, select }: Context) {
  const { notices } = terminal;
  return {
    step() {
      const task = lanes.find(({ chosen }) => chosen)?.task?.task ?? board[selected]?.task;
      if (task === undefined) return notices.say(noTask);
      // The task stays on the screen.
      select({ ...selection, task });
      if (!workbench.step({ run, task })) return notices.say("Only for tasks that this program is executing");
      notices.say("The task is held: . sends its next request, a comma continues the task, Enter opens it for a fork");
    },
    release() {
      const task = board[selected]?.task;
      const isHeld = task !== undefined && workbench.release({ run, task });
      notices.say(isHeld ? "The task continues" : "This task is not held");
    },
  };
}

function liveCommands(context: Context): Commands<"live"> {
  const { terminal, workbench, cell, selection, run, state, board, selected, perRow, pageRows, lanes, select, find } =
    context;
  const { navigation, notices } = terminal;
  const to = (index: number) => {
    const task = board[Math.max(0, Math.min(index, board.length - 1))]?.task;
    if (task === undefined) notices.say(noTask);
    else select({ ...selection, task });
  };
  const setLanes = (wanted: number) => {
    select({ ...selection, lanes: wanted });
    const problem = tooMany(wanted, context);
    if (problem !== undefined) notices.say(problem);
  };
  return {
    ...listMoves(selected, board.length, perRow * pageRows, to),
    left: () => to(selected - 1),
    right: () => to(selected + 1),
    up: () => to(selected - perRow),
    down: () => to(selected + perRow),
    open() {
      const task = board[selected]?.task;
      if (task === undefined) return notices.say(noTask);
      const siblings = board.map((each) => ({ run, task: each.task }));
      navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
    },
    follow() {
      select({ ...selection, task: undefined });
      notices.say("Following the newest tasks");
    },
    "next-lane"() {
      const at = lanes.findIndex(({ chosen }) => chosen);
      const shown = lanes.flatMap(({ task }) => task ?? []);
      if (shown.length < 2) return notices.say("There is no other trajectory on the screen");
      select({ ...selection, task: shown[(at + 1) % shown.length]!.task });
    },
    "lanes-1": () => setLanes(1),
    "lanes-2": () => setLanes(2),
    "lanes-3": () => setLanes(3),
    "lanes-4": () => setLanes(4),
    pause: () => (state?.status === "paused" ? workbench.resume(cell) : workbench.pause(cell)),
    ...holdCommands(context),
    stop: () => workbench.stop(cell, run),
    run: () => whenAllowed(terminal, [cell], () => report(terminal, workbench.run(cell))),
    increase: () => changeConcurrency(terminal, cell, state, 1),
    decrease: () => changeConcurrency(terminal, cell, state, -1),
    find,
    copy: () => copyText(terminal, board[selected]?.task),
    back: navigation.pop,
  };
}

/** Explains why fewer trajectories are shown; undefined if all are. */
function tooMany(wanted: number, { fit, isDialogue, board, state, lanes }: Context): string | undefined {
  if (isDialogue && wanted > mostDialogues) return `At most ${mostDialogues} dialogues are shown`;
  if (wanted > fit) return `This window has room for ${fit} trajectories: a larger window shows ${wanted}`;
  const shown = lanes.filter(({ task }) => task !== undefined).length;
  if (state === undefined || !isActive(state))
    return wanted > board.length ? `This run has ${plural(board.length, "task")}` : undefined;
  const there = Math.max(shown, board.filter((task) => task.state === "running").length);
  return wanted > there ? `${plural(there, "task")} in flight: others are shown once they begin` : undefined;
}

type LaneChoice = {
  readonly run: string;
  readonly board: readonly BoardTask[];
  readonly count: number;
  /** True if the run executes. */
  readonly executes: boolean;
  /** Always visible. */
  readonly pinned: string | undefined;
  readonly active: boolean;
  /** True if the steps of a plan are shown, too. */
  readonly isWanted: boolean;
};

/**
 * Returns `count` lanes, at most four, because the number of hook calls must not change. Trajectories of ended tasks are
 * read from the log.
 */
function useLanes(workbench: Workbench, choice: LaneChoice): readonly Lane[] {
  const { run, board, count, executes, pinned, active, isWanted } = choice;
  const [held, setHeld] = useState<{ readonly run: string; readonly tasks: readonly string[] }>({ run, tasks: [] });
  const before = held.run === run ? held.tasks : [];
  const tasks = executes
    ? assignLanes(before, named(board.filter(({ state }) => state === "running")), count, pinned)
    : restingLanes(before, named(board), count, pinned);
  const chosen = pinned ?? (executes ? undefined : tasks[0]);
  if (active && tasks !== before) setHeld({ run, tasks });
  const own = [0, 1, 2, 3].map((lane) => (lane < count ? tasks[lane] : undefined));
  const loaded = [
    useLane(workbench, run, own[0], active, isWanted),
    useLane(workbench, run, own[1], active, isWanted),
    useLane(workbench, run, own[2], active, isWanted),
    useLane(workbench, run, own[3], active, isWanted),
  ];
  return own.slice(0, count).map((task, lane): Lane => ({
    task: task === undefined ? undefined : board.find((each) => each.task === task),
    trajectory: task === undefined ? undefined : loaded[lane]!.trajectory,
    nodes: task === undefined ? [] : loaded[lane]!.nodes,
    chosen: task !== undefined && task === chosen,
  }));
}

const named = (tasks: readonly BoardTask[]): readonly string[] => tasks.map(({ task }) => task);

function useLane(workbench: Workbench, run: string, task: string | undefined, active: boolean, isWanted: boolean) {
  const ref = { run, task: task ?? "" };
  const { trajectory } = useTrajectory(workbench, ref, active && task !== undefined, { withView: false });
  return { trajectory, nodes: useLaneNodes(workbench, ref, trajectory, active && isWanted) };
}

/** Maximum number of tasks whose wrapped texts are cached; more than the number of lanes, because lanes change. */
const mostTexts = 8;

/** Returns the wrapped texts of each task; those not used lately are dropped. */
function openTexts(): (task: string) => WrappedTexts {
  const repeated = new RepeatedTexts();
  return lastUsed(mostTexts, () => new WrappedTexts(repeated));
}
