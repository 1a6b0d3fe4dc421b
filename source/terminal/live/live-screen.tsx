/** A run as it executes: a mark for every task, what is in flight, and up to four trajectories as they stream. */
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { sourceText } from "../../engine/log/answer-source.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Suite } from "../../engine/suite.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import { printable } from "../../engine/text/printable.ts";
import type { BoardTask, RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { isActive } from "../frame/cell-of-run.ts";
import { preparingLines } from "../notebook/run-lines.ts";
import { Rows } from "../drawing/rows.tsx";
import { clicks } from "../frame/clicks.ts";
import { useFind } from "../editor/use-find.tsx";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { blockOf } from "../trajectory/block.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { runCaveats } from "../drawing/run-caveats.ts";
import { useLayer } from "../input/use-layer.ts";
import { boardRows, DrawnBoard, markAt, marksPerRow, type Shown } from "./board.ts";
import { flightLine, oldestRunning } from "./flight-line.ts";
import { graphLines } from "./graph-lines.ts";
import { laneLines } from "./lane-lines.ts";
import { LaneTops } from "./lane-tops.ts";
import { type Lane, laneAt, lanesThatFit } from "./lanes.ts";
import { type Selection, liveCommands } from "./live-commands.ts";
import { countSpans, headLine, measures, spanRows, workerSpans } from "./run-head.ts";
import type { KnownRows } from "./side-by-side.ts";
import { openTexts, useLanes } from "./use-lanes.ts";
import { frameAt, useNow } from "./use-now.ts";

export function LiveScreen({ screen, active, width, height }: ScreenProps<"live">): ReactNode {
  const terminal = useTerminal();
  const { theme } = terminal;
  const workbench = useWorkbench(active);
  const [selection, select] = useState<Selection>({ run: screen.run, task: undefined, lanes: undefined });
  const { run } = selection;
  const runs = active ? runsOf(workbench, screen.cell) : [];
  const state = runs.find((each) => each.run === run);
  const running = state !== undefined && isActive(state);
  const now = useNow(active && running);
  // The runs of a cell execute one after the other: when the run on the screen ends, the next one is shown.
  const [wasRunning, setWasRunning] = useState(false);
  if (active && running && !wasRunning) setWasRunning(true);
  const next = runs.find((each) => each.run !== run && isActive(each))?.run;
  if (active && !running && wasRunning && next !== undefined && selection.task === undefined) {
    setWasRunning(false);
    select({ ...selection, run: next });
  }

  const board = active ? workbench.board(run) : [];
  const isDialogue = hasResponder(state);
  const fit = lanesThatFit({ columns: width, rows: height }, isDialogue);
  const count = Math.min(selection.lanes ?? fit, fit);
  const lanes = useLanes(workbench, { run, board, count, executes: running, pinned: selection.task, active });
  const [texts] = useState(openTexts);
  const [tops] = useState(() => new LaneTops());
  const [known] = useState((): KnownRows[] => []);
  const [marked] = useState(() => new DrawnBoard());
  const newest = lanes.find(({ task }) => task?.state === "running") ?? lanes[0];
  const first = selection.task ?? newest?.task?.task;
  const selected = Math.max(
    0,
    board.findIndex(({ task }) => task === first),
  );
  const { isSpoken = false } = terminal;
  // Which task is watched stands over its lane in words: a row of marks would be said anew with every task that ends.
  const [perRow, rows] = isSpoken ? [1, 10] : [marksPerRow(width), boardRows(board.length, width, height)];
  const find = useFind(width);
  useLayer(active, {
    scope: "live",
    context: () => ({ workbench, run: state }),
    commands: liveCommands({
      terminal,
      cell: screen.cell,
      selection,
      state,
      board,
      selected,
      perRow,
      pageRows: rows,
      fit,
      isDialogue,
      lanes,
      select,
      find: find.open,
    }),
  });
  if (!active) return null;
  if (state === undefined) {
    const gone: Line = [{ text: "  No cell has this run any more: its cell was changed or removed", style: "faint" }];
    return <Rows lines={[gone]} columns={width} height={height} />;
  }

  const { errorKinds } = suiteNamed(state.spec.suite, workbench.suites) ?? unknown;
  const inLanes = new Set(lanes.flatMap(({ task }) => (task === undefined ? [] : [task.task])));
  const { lines: marks, hidden } = isSpoken ? noBoard : marked.lines(board, selected, inLanes, width, rows, theme);
  const oldest = oldestRunning(board);
  const top: Line[] = [
    headLine(state, width, theme, frameAt(now), runColours(workbench).get(run)),
    // In a low window the board is more important than the numbers.
    ...spanRows(
      [
        ...countSpans(state, theme),
        ...caveatSpans(state, theme),
        ...takenSpans(state),
        ...measures(state),
        ...workerSpans(state),
      ],
      width,
    ).slice(0, Math.max(1, height - 8)),
    ...preparingLines(state, width),
    state.preparing === undefined && (running || state.counts.running > 0)
      ? flightLine(state.counts.running, oldest, oldest && workbench.live({ run, task: oldest.task }), now)
      : endLine(state),
    ...marks,
    ruleLine(),
  ];
  const room = Math.max(1, height - top.length - find.rows);
  // At the start of a run there are fewer tasks than lanes.
  const filled = lanes.filter(({ task }, index) => index === 0 || task !== undefined);
  const graph = lanes[0] === undefined ? [] : graphLines(lanes[0].trajectory, viewOf(lanes[0], width), room);
  const about = { state, isDialogue, errorKinds, now: isSpoken ? undefined : now };
  const size = { columns: width, rows: room - graph.length };
  const body = laneLines(filled, size, { theme, about, tops, known, viewOf });
  return (
    <Box flexDirection="column" height={height}>
      <Rows
        lines={[...top, ...body, ...graph]}
        columns={width}
        height={height - find.rows}
        click={clicks("live", terminal, taskAt, selected, (at) => select({ ...selection, task: board[at]!.task }))}
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

  /** The task whose mark, or whose lane, stands there. */
  function taskAt(line: number, column: number): number | undefined {
    const row = line - (top.length - 1 - marks.length);
    if (row > marks.length) return boardIndex(laneAt(filled.length, size, isDialogue, line - top.length, column));
    if (row < 0 || row === marks.length) return undefined;
    return markAt(board.length, selected, width, rows, row, column);
  }

  function boardIndex(lane: number | undefined): number | undefined {
    const shown = lane === undefined ? undefined : filled[lane]?.task?.task;
    return shown === undefined ? undefined : board.findIndex(({ task }) => task === shown);
  }

  function viewOf({ task }: Lane, columns: number) {
    const own = texts(task?.task ?? "");
    return { columns, symbols: theme.symbols, texts: own, wrapped: true, brief: true, toggled: none, errorKinds };
  }

  function ruleLine(): Line {
    const hint = !running
      ? "arrows select a task, Enter opens it"
      : selection.task === undefined
        ? "following the newest tasks"
        : "f follows the newest tasks";
    const title = `${hidden === "" ? "" : `${hidden}, `}${hint}`;
    const dashes = theme.symbols.rule.repeat(Math.max(0, width - title.length - 4));
    return [
      { text: `${theme.symbols.rule} `, style: "rule" },
      { text: title, style: "faint" },
      { text: ` ${dashes}`, style: "rule" },
    ];
  }
}

const noBoard: Shown = { lines: [], hidden: "" };
const unknown: Pick<Suite, "errorKinds"> = { errorKinds: [] };
const none: ReadonlySet<string> = new Set();

/** What a task is found by: its id, its question, and while it runs all that was written in it. */
function searchedText({ task, question }: BoardTask, trajectory: Trajectory | undefined): string {
  const texts = (trajectory?.entries ?? []).map((entry) =>
    entry.kind === "turn" ? `${entry.thinking} ${entry.text}` : "",
  );
  return printable([task, question, ...texts].join(" "));
}

function runsOf(workbench: Workbench, cell: string): readonly RunState[] {
  if (!workbench.cells().some(({ id }) => id === cell)) return [];
  const state = workbench.state(cell);
  return state.kind === "run" ? state.runs : [];
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
