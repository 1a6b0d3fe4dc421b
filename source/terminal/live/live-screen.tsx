/** A run as it executes: a mark for every task, the requests in flight, and up to four trajectories as they stream. */
import { Box } from "ink";
import { useMemo, useState, type ReactNode, useEffect, useReducer, useSyncExternalStore } from "react";
import { type Line, type Span, styled } from "../../engine/figures/drawing/line.ts";
import { runWords } from "../../engine/log/run-words.ts";
import { sourceText } from "../../engine/log/rows/row-notes.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Suite } from "../../engine/suite.ts";
import { runColours } from "../../engine/workbench/runs/run-colours.ts";
import { printable } from "../../engine/text/printable.ts";
import type { BoardTask, RunState } from "../../engine/workbench/workbench.ts";
import { isActive, runsOfCell } from "../frame/runs.ts";
import { preparingLines } from "../notebook/run-lines.ts";
import { Rows } from "../drawing/rows.tsx";
import { clicks } from "../frame/clicks.ts";
import { useFind } from "../editor/use-find.tsx";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { blockOf } from "../trajectory/block.ts";
import type { ScreenOf, ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { runCaveats } from "../drawing/task-mark.ts";
import { useLayer } from "../input/use-layer.ts";
import { boardRows, DrawnBoard, markAt, marksPerRow, type Shown } from "./board.ts";
import { flightLine, oldestRunning, countSpans, headLine, measures, workerSpans } from "./run-head.ts";
import { graphLines, laneLines } from "./lane-lines.ts";
import { LaneTops } from "./lane-tops.ts";
import { type Lane, laneAt, lanesThatFit, type Size, type KnownRows } from "./lanes.ts";
import { type Selection, liveCommands } from "./live-commands.ts";
import { openTexts, useLanes } from "./use-lanes.ts";
import { packedSpans } from "../drawing/wrapped-spans.ts";

export function LiveScreen({ screen, active, width, height }: ScreenProps<"live">): ReactNode {
  const view = useWatched(screen, active, { columns: width, rows: height });
  const { terminal, workbench, selection, select, run, state, board, selected } = view;
  const [drawings] = useState(openDrawings);
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
    const gone = styled("faint", "  No cell has this run any more: its cell was changed or removed");
    return <Rows lines={[gone]} columns={width} height={height} />;
  }
  return (
    <Box flexDirection="column" height={height}>
      <Watched
        view={view}
        state={state}
        drawings={drawings}
        width={width}
        height={height - find.rows}
        boardRows={rows}
        mostNumbers={height - 8}
      />
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
  const [selection, select] = useState<Selection>({ run: screen.run, task: undefined, lanes: undefined });
  const { run } = selection;
  const runs = active ? runsOfCell(workbench, screen.cell) : [];
  const state = runs.find((each) => each.run === run);
  const running = state !== undefined && isActive(state);
  const now = useNow(active && running);
  // The runs of a cell execute one after another: when the shown one ends, the next is shown.
  const [wasRunning, setWasRunning] = useState(false);
  if (active && running && !wasRunning) setWasRunning(true);
  const next = runs.find((each) => each.run !== run && isActive(each))?.run;
  if (active && !running && wasRunning && next !== undefined && selection.task === undefined) {
    setWasRunning(false);
    select({ ...selection, run: next });
  }
  const board = active ? workbench.board(run) : [];
  const isDialogue = hasResponder(state);
  const fit = lanesThatFit(size, isDialogue);
  const count = Math.min(selection.lanes ?? fit, fit);
  const lanes = useLanes(workbench, { run, board, count, executes: running, pinned: selection.task, active });
  const newest = lanes.find(({ task }) => task?.state === "running") ?? lanes[0];
  const first = selection.task ?? newest?.task?.task;
  const at = board.findIndex(({ task }) => task === first);
  const selected = Math.max(0, at);
  return { terminal, workbench, selection, select, run, state, running, now, board, isDialogue, fit, lanes, selected };
}

/** Drawings of the last frame, most of which the next one reuses. */
type Drawings = ReturnType<typeof openDrawings>;

function openDrawings() {
  return { texts: openTexts(), tops: new LaneTops(), known: [] as KnownRows[], marked: new DrawnBoard() };
}

type WatchedProps = {
  readonly view: View;
  readonly state: RunState;
  readonly drawings: Drawings;
  readonly width: number;
  readonly height: number;
  readonly boardRows: number;
  /** Limit of rows for the run's numbers: in a low window the board is more important. */
  readonly mostNumbers: number;
};

function Watched({ view, state, drawings, width, height, boardRows, mostNumbers }: WatchedProps): ReactNode {
  const { terminal, workbench, selection, select, board, isDialogue, lanes, selected } = view;
  const { theme, isSpoken = false } = terminal;
  const { texts, tops, known, marked } = drawings;
  const suite = suiteNamed(state.spec.suite, workbench.suites);
  const { errorKinds } = suite ?? unknown;
  const words = useMemo(
    () => runWords(state.spec, suiteNamed(state.spec.suite, workbench.suites)),
    [state.spec, workbench],
  );
  const inLanes = new Set(lanes.flatMap(({ task }) => (task === undefined ? [] : [task.task])));
  const shown = isSpoken ? noBoard : marked.lines(board, selected, inLanes, width, boardRows, theme);
  const marks = shown.lines;
  const head = headLines(view, state, width, Math.max(1, mostNumbers));
  const top = [...head, ...marks, ruleLine(view, shown.hidden, width)];
  const room = Math.max(1, height - top.length);
  // At the start of a run there may be fewer tasks than lanes.
  const filled = lanes.filter(({ task }, index) => index === 0 || task !== undefined);
  const viewOf = ({ task }: Lane, columns: number) => {
    const own = texts(task?.task ?? "");
    return {
      columns,
      symbols: theme.symbols,
      texts: own,
      wrapped: true,
      brief: true,
      toggled: none,
      errorKinds,
      words,
    };
  };
  const graph = lanes[0] === undefined ? [] : graphLines(lanes[0].trajectory, viewOf(lanes[0], width), room);
  const about = { state, isDialogue, errorKinds, now: isSpoken ? undefined : view.now };
  const size = { columns: width, rows: room - graph.length };
  const body = laneLines(filled, size, { theme, about, tops, known, viewOf });
  return (
    <Rows
      lines={[...top, ...body, ...graph]}
      columns={width}
      height={height}
      click={clicks("live", terminal, taskAt, selected, (at) => select({ ...selection, task: board[at]!.task }))}
    />
  );

  /** Returns the index of the task whose mark or lane is at this place. */
  function taskAt(line: number, column: number): number | undefined {
    const row = line - head.length;
    if (row > marks.length) return boardIndex(laneAt(filled.length, size, isDialogue, line - top.length, column));
    if (row < 0 || row === marks.length) return undefined;
    return markAt(board.length, selected, width, boardRows, row, column);
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
    ...measures(state),
    ...workerSpans(state),
  ];
  return [
    headLine(state, width, theme, frameAt(now), runColours(workbench).get(run)),
    ...packedSpans(numbers, width, 4).slice(0, most),
    ...preparingLines(state, width),
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

/** Returns the searchable text of a task: its id, its question, and everything written so far while it runs. */
function searchedText({ task, question }: BoardTask, trajectory: Trajectory | undefined): string {
  const texts = (trajectory?.entries ?? []).map((entry) =>
    entry.kind === "turn" ? `${entry.thinking} ${entry.text}` : "",
  );
  return printable([task, question, ...texts].join(" "));
}

function hasResponder(state: RunState | undefined): boolean {
  const responder = state?.spec.responder;
  return responder !== undefined && responder !== "none";
}

function endLine({ message }: RunState): Line {
  return message === undefined ? [] : [{ text: ` ${printable(message)}`, style: "bad" }];
}

function takenSpans({ taken = [] }: RunState): readonly Span[] {
  return taken.map(({ source }) => ({ text: printable(`answers of ${sourceText(source)}`), style: "warn" }));
}

function caveatSpans(state: RunState, { symbols }: Theme): readonly Span[] {
  const caveats = runCaveats(state);
  return caveats === "" ? [] : [{ text: `${symbols.failed} ${caveats}`, style: "warn" }];
}

/** Milliseconds between two states of the spinner. */
const step = 200;
/**
 * Milliseconds after which the screen is rendered if nothing else caused it; longer than the interval of frames while a
 * run streams.
 */
const tick = 250;

/** Returns milliseconds since 1970 in steps of the spinner; while active, they are never older than a tick. */
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

function read(): number {
  return Math.floor(Date.now() / step) * step;
}

/** Counts the steps, for the spinner. */
function frameAt(now: number): number {
  return Math.floor(now / step);
}
