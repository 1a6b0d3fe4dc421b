/** A run as it goes: a mark for every task, what is in flight, and up to four trajectories as they stream. */
import { Box, useAnimation } from "ink";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { isGoing } from "../frame/cell-of-run.ts";
import { countSpans, headLine, measures, preparingLines, spanRows } from "../notebook/run-lines.ts";
import { Rows } from "../drawing/rows.tsx";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { useLayer } from "../input/use-layer.ts";
import { boardLines, boardRows, marksPerRow } from "./board.ts";
import { flightLine, oldestRunning } from "./flight-line.ts";
import { graphLines } from "./graph-lines.ts";
import { type Lane, laneHead, laneLines, sideBySide } from "./lane-lines.ts";
import { lanesThatFit } from "./lanes.ts";
import { type Watching, liveCommands } from "./live-commands.ts";
import { roundLines } from "./round-lines.ts";
import { useLanes, useTexts } from "./use-lanes.ts";

export function LiveScreen({ screen, active, width, height }: ScreenProps<"live">): ReactNode {
  const terminal = useTerminal();
  const { theme } = terminal;
  const workbench = useWorkbench(active);
  const [watching, watch] = useState<Watching>({ run: screen.run, task: undefined, lanes: undefined });
  const { run } = watching;
  const runs = active ? runsOf(workbench, screen.cell) : [];
  const state = runs.find((each) => each.run === run);
  const running = state !== undefined && isGoing(state);
  // Besides the spinner it counts the seconds of silence, of which no event tells.
  const { frame } = useAnimation({ interval: 200, isActive: active && running });
  useNextRun(active, runs, watching, watch);

  const board = active ? workbench.board(run) : [];
  const paired = hasResponder(state) && width >= 100;
  const wanted = watching.lanes ?? lanesThatFit(width);
  const count = paired ? 1 : Math.max(1, Math.min(wanted, lanesThatFit(width)));
  // Nothing is newest in a run that has ended: its first task is shown until one is chosen.
  const resting = running ? undefined : board[0]?.task;
  const lanes = useLanes(workbench, { run, board, count, pinned: watching.task ?? resting, active });
  const texts = useTexts();
  const first = watching.task ?? lanes[0]?.task?.task;
  const selected = Math.max(
    0,
    board.findIndex(({ task }) => task === first),
  );
  const rows = boardRows(board.length, width, height);
  useLayer(active, {
    scope: "live",
    context: () => ({ workbench, run: state }),
    commands: liveCommands({
      terminal,
      cell: screen.cell,
      watching,
      state,
      board,
      selected,
      perRow: marksPerRow(width),
      pageRows: rows,
      columns: width,
      lanes,
      watch,
    }),
  });
  if (!active) return null;
  if (state === undefined) {
    const gone: Line = [{ text: "  This run is gone: its cell was changed or removed", style: "faint" }];
    return <Rows lines={[gone]} columns={width} height={height} />;
  }

  const inLanes = new Set(lanes.flatMap(({ task }) => (task === undefined ? [] : [task.task])));
  const { lines: marks, hidden } = boardLines(board, selected, inLanes, width, rows, theme);
  const oldest = oldestRunning(board);
  const top: Line[] = [
    headLine(state, width, theme, frame),
    // In a low window the board comes before the numbers.
    ...spanRows([...countSpans(state, theme), ...keySpans(state, theme), ...measures(state)], width).slice(
      0,
      Math.max(1, height - 8),
    ),
    ...preparingLines(state, width),
    state.preparing === undefined && (running || state.counts.running > 0)
      ? flightLine(state.counts.running, oldest, oldest && workbench.live({ run, task: oldest.task }), Date.now())
      : endLine(state),
    ...marks,
    ruleLine(),
  ];
  const room = Math.max(1, height - top.length);
  const graph = lanes[0] === undefined ? [] : graphLines(lanes[0].trajectory, viewOf(lanes[0], width), room);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={[...top, ...body(room - graph.length), ...graph]} columns={width} height={height} />
    </Box>
  );

  function body(room: number): Line[] {
    const lane = lanes[0];
    if (paired && lane?.trajectory !== undefined) {
      const columns = Math.floor((width - 3) / 2);
      const rounds = roundLines(lane.trajectory, viewOf(lane, columns), room - 1);
      return Array.from({ length: room }, (_, row) => [laneHead(lane, theme), ...rounds][row] ?? []);
    }
    // At the start of a run there are fewer tasks than lanes.
    const filled = lanes.filter(({ task }, index) => index === 0 || task !== undefined);
    const columns = Math.floor((width - 3 * (filled.length - 1)) / filled.length);
    const drawn = filled.map((each) => laneLines(each, viewOf(each, columns), room, theme));
    return sideBySide(drawn, columns, room, theme.symbols.bar);
  }

  function viewOf({ task }: Lane, columns: number) {
    const own = texts(task?.task ?? "");
    return { columns, symbols: theme.symbols, texts: own, wrapped: true, brief: true, turned: none, errorKinds: [] };
  }

  function ruleLine(): Line {
    const words = !running
      ? "arrows choose a task, Enter opens it"
      : watching.task === undefined
        ? "following the newest"
        : "f follows the newest";
    const said = `${hidden === "" ? "" : `${hidden}, `}${words}`;
    const dashes = theme.symbols.rule.repeat(Math.max(0, width - said.length - 4));
    return [
      { text: `${theme.symbols.rule} `, style: "rule" },
      { text: said, style: "faint" },
      { text: ` ${dashes}`, style: "rule" },
    ];
  }
}

const none: ReadonlySet<string> = new Set();

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

function keySpans({ readsAnswerKey }: RunState, { symbols }: Theme): readonly Span[] {
  return readsAnswerKey ? [{ text: `${symbols.failed} reads the answer key`, style: "warn" }] : [];
}

/** The runs of a cell are played one after the other: when the one that is watched ends, the next is watched. */
function useNextRun(
  active: boolean,
  runs: readonly RunState[],
  watching: Watching,
  watch: (watching: Watching) => void,
): void {
  const [was, setWas] = useState(false);
  const own = runs.find(({ run }) => run === watching.run);
  const now = own !== undefined && isGoing(own);
  const next = runs.find((each) => each.run !== watching.run && isGoing(each))?.run;
  useEffect(() => {
    if (!active) return;
    if (now) setWas(true);
    else if (was && next !== undefined && watching.task === undefined) {
      setWas(false);
      watch({ ...watching, run: next });
    }
  }, [active, now, was, next, watching, watch]);
}
