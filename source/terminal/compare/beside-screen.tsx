/** A task in two runs: their plans, or their conversations, beside each other. */
import { Box } from "ink";
import { useMemo, useState, type ReactNode } from "react";
import { inkOf, type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { runWords } from "../../engine/log/run-words.ts";
import { attemptState } from "../../engine/log/rows/task-counts.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { printable } from "../../engine/text/printable.ts";
import { runColours } from "../../engine/workbench/runs/run-colours.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import { markOf } from "../drawing/task-mark.ts";
import { Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { allRuns, cellOfRun } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import type { ScreenOf, ScreenProps } from "../frame/screen.ts";
import type { Commands } from "../input/keys.ts";
import { useLayer } from "../input/use-layer.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import {
  blockAt,
  lineAt,
  linesOf,
  movedBy,
  nextError,
  positionAt,
  start,
  topOf,
  visibleLines,
} from "../trajectory/position.ts";
import { partlyText } from "../trajectory/trajectory-head.ts";
import { useTrajectory } from "../trajectory/use-trajectory.ts";
import type { View } from "../trajectory/view.ts";
import { plansBeside, type Side, type Sides, stepsBeside } from "./beside-blocks.ts";
import type { Suite } from "../../engine/suite.ts";

const none: ReadonlySet<string> = new Set();

const unknown: Pick<Suite, "errorKinds"> = { errorKinds: [] };

/** Lines above the plans: the question, and a line for each run. */
const headRows = 4;

export function BesideScreen({ screen, active, focused, width, height }: ScreenProps<"beside">): ReactNode {
  const read = usePair(screen, active, width);
  const { terminal, place, setPlace, blocks } = read;
  const find = useFind(width);
  const room = Math.max(1, height - headRows - find.rows);
  const here = lineAt(blocks, place);
  const commands = besideCommands(read, room, find.open);
  useLayer(focused, { scope: "beside", commands });
  if (!active) return null;

  const top = topOf(blocks, place, room);
  const lines = visibleLines(blocks, top, room).map((line, index): Line => [
    { text: focused && top + index === here ? `${terminal.theme.symbols.here} ` : "  ", style: "accent" },
    ...line,
  ]);
  // A click on the names of the sections switches to the other one.
  const clickHead = (line: number) => line === 0 && commands.section("");
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={headOf(read)} columns={width} height={headRows} click={{ scope: "beside", at: clickHead }} />
      <Rows
        lines={lines}
        columns={width}
        height={room}
        click={{ scope: "beside", at: (line) => setPlace(positionAt(blocks, top + line, linesOf(blocks), line)) }}
      />
      {find.field({
        blocks: () => blocks,
        here,
        found: ({ block, line }) => setPlace({ block, line, row: Math.floor(room / 3), seen: 0 }),
      })}
    </Box>
  );
}

type Pair = ReturnType<typeof usePair>;

/** Reads the task in both runs and lays out the chosen section. */
function usePair(screen: ScreenOf<"beside">, active: boolean, width: number) {
  const terminal = useTerminal();
  const { symbols } = terminal.theme;
  const workbench = useWorkbench(active);
  const { task } = screen;
  const [section, setSection] = useState<"plans" | "steps">("plans");
  const [place, setPlace] = useState(start);
  const [first, second] = screen.runs;
  const one = useTrajectory(workbench, { run: first, task }, active);
  const other = useTrajectory(workbench, { run: second, task }, active);
  const spec = cellOfRun(workbench, first)?.state.spec;
  const otherSpec = cellOfRun(workbench, second)?.state.spec;
  const suite = suiteNamed(spec?.suite, workbench.suites);
  const { errorKinds } = suite ?? unknown;
  const leftWords = useMemo(() => runWords(spec, suite), [spec, suite]);
  const rightWords = useMemo(() => runWords(otherSpec, suite), [otherSpec, suite]);
  // Wrapped texts are kept by name, so each run needs its own.
  const [texts] = useState(() => [new WrappedTexts(), new WrappedTexts()] as const);
  const view = useMemo(
    (): View => ({ columns: width - 2, symbols, texts: texts[0], wrapped: true, toggled: none, errorKinds }),
    [width, symbols, texts, errorKinds],
  );
  const [left, right] = [one.trajectory, other.trajectory];
  const [leftPlan, rightPlan] = [one.view, other.view];
  const blocks = useMemo(() => {
    const sides: Sides = [
      { trajectory: left, view: leftPlan, words: leftWords },
      { trajectory: right, view: rightPlan, words: rightWords },
    ];
    return section === "plans" ? plansBeside(sides, view) : stepsBeside(sides, view, texts);
  }, [left, right, leftPlan, rightPlan, leftWords, rightWords, section, view, texts]);
  return { terminal, workbench, screen, section, setSection, place, setPlace, one, other, blocks };
}

function besideCommands(read: Pair, room: number, find: () => void): Commands<"beside"> {
  const { terminal, screen, section, place, setPlace, blocks } = read;
  const [first, second] = screen.runs;
  const to = (line: number) => setPlace(positionAt(blocks, line, 0, Math.floor(room / 3)));
  const by = (lines: number) => setPlace(movedBy(blocks, place, lines, room));
  return {
    down: () => by(1),
    up: () => by(-1),
    "page-down": () => by(room - 2),
    "page-up": () => by(2 - room),
    first: () => to(0),
    last: () => to(linesOf(blocks) - 1),
    section() {
      read.setSection(section === "plans" ? "steps" : "plans");
      setPlace(start);
    },
    "next-difference": () => toDifference(read, room, 1),
    "previous-difference": () => toDifference(read, room, -1),
    "open-first": () => openIn(first, read),
    "open-second": () => openIn(second, read),
    next: () => toTask(read, 1),
    previous: () => toTask(read, -1),
    find,
    copy() {
      const block = blockAt(blocks, lineAt(blocks, place));
      const lines = Array.from({ length: block?.count ?? 0 }, (_, index) => lineText(block!.line(index)).trim());
      copyText(terminal, lines.join("\n"));
    },
    back: terminal.navigation.pop,
  };
}

function toDifference({ terminal, blocks, place, setPlace }: Pair, room: number, by: 1 | -1): void {
  const block = nextError(blocks, place, by);
  if (block === undefined) terminal.notices.say("There is no difference or mistake here");
  else setPlace({ block: block.id, line: 0, row: Math.floor(room / 3), seen: 0 });
}

function toTask({ terminal, screen, setPlace }: Pair, by: number): void {
  const { navigation, notices } = terminal;
  const next = screen.tasks[screen.tasks.indexOf(screen.task) + by];
  if (next === undefined) return notices.say(by > 0 ? "This is the last task" : "This is the first task");
  navigation.amend({ ...screen, task: next });
  setPlace(start);
}

/** Opens the trajectory of the task in this run. */
function openIn(run: string, { terminal, screen }: Pair): void {
  const siblings = screen.tasks.map((task) => ({ run, task }));
  terminal.navigation.push({ kind: "trajectory", ref: { run, task: screen.task }, siblings });
}

function headOf(read: Pair): readonly Line[] {
  const { screen, section, one, other } = read;
  const { task, tasks, runs } = screen;
  const at = tasks.length > 1 ? `  ${tasks.indexOf(task) + 1} of ${tasks.length}` : "";
  const question = one.trajectory?.question ?? other.trajectory?.question ?? "";
  return [
    [
      { text: ` ${printable(task)}`, style: "title" },
      { text: `${at}  `, style: "faint" },
      { text: section === "plans" ? "[Plans] Steps" : "Plans [Steps]", style: "accent" },
    ],
    [{ text: ` ${printable(question)}` }],
    sideLine(1, runs[0], one, read),
    sideLine(2, runs[1], other, read),
  ];
}

function sideLine(number: number, run: string, { trajectory }: Side, { terminal, workbench, screen }: Pair): Line {
  const state = allRuns(workbench).find((each) => each.run === run);
  const isLive = workbench.live({ run, task: screen.task }) !== undefined;
  const mark = markOf(attemptState(trajectory, isLive), terminal.theme.symbols);
  const fork = state?.spec.fork;
  return [
    { text: ` ${number} ` },
    { text: printable(state?.label ?? run), ...inkOf(runColours(workbench).get(run), "strong") },
    { text: `  ${mark.sign} ${mark.word}${partlyText(trajectory?.score)}`, style: mark.style },
    { text: fork === undefined ? "" : `  a fork from request ${fork.request + 1}`, style: "faint" },
  ];
}
