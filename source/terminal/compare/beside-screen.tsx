/** One task in two runs: where their plans differ, and their conversations beside each other. */
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { inkOf, type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { attemptState } from "../../engine/log/task-counts.ts";
import { printable } from "../../engine/text/printable.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import { markOf } from "../drawing/task-mark.ts";
import { Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { allRuns } from "../frame/all-runs.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import { copyText } from "../frame/copy.ts";
import type { ScreenProps } from "../frame/screen.ts";
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

const none: ReadonlySet<string> = new Set();

/** Lines above the plans: the question, and a line for each run. */
const headRows = 4;

export function BesideScreen({ screen, active, focused, width, height }: ScreenProps<"beside">): ReactNode {
  const terminal = useTerminal();
  const { theme, navigation, notices } = terminal;
  const workbench = useWorkbench(active);
  const { task } = screen;
  const [section, setSection] = useState<"plans" | "steps">("plans");
  const [place, setPlace] = useState(start);
  const [first, second] = screen.runs;
  const one = useTrajectory(workbench, { run: first, task }, active);
  const other = useTrajectory(workbench, { run: second, task }, active);
  const suite = cellOfRun(workbench, first)?.state.spec.suite;
  const errorKinds = useMemo(
    () => workbench.suites.find(({ name }) => name === suite)?.errorKinds ?? [],
    [workbench, suite],
  );
  // Each run has texts of its own: what is broken into lines is kept by name.
  const [texts] = useState(() => [new WrappedTexts(), new WrappedTexts()] as const);
  const view = useMemo(
    (): View => ({
      columns: width - 2,
      symbols: theme.symbols,
      texts: texts[0],
      wrapped: true,
      toggled: none,
      errorKinds,
    }),
    [width, theme, texts, errorKinds],
  );
  const [left, right] = [one.trajectory, other.trajectory];
  const [leftPlan, rightPlan] = [one.view, other.view];
  const blocks = useMemo(() => {
    const sides: Sides = [
      { trajectory: left, view: leftPlan },
      { trajectory: right, view: rightPlan },
    ];
    return section === "plans" ? plansBeside(sides, view) : stepsBeside(sides, view, texts);
  }, [left, right, leftPlan, rightPlan, section, view, texts]);
  const find = useFind(width);
  const room = Math.max(1, height - headRows - find.rows);
  const here = lineAt(blocks, place);
  const to = (line: number) => setPlace(positionAt(blocks, line, 0, Math.floor(room / 3)));
  const toDifference = (by: 1 | -1) => {
    const block = nextError(blocks, place, by);
    if (block === undefined) notices.say("They do not differ here, and there is no mistake");
    else setPlace({ block: block.id, line: 0, row: Math.floor(room / 3), seen: 0 });
  };
  const toTask = (by: number) => {
    const next = screen.tasks[screen.tasks.indexOf(task) + by];
    if (next === undefined) return notices.say(by > 0 ? "This is the last task" : "This is the first task");
    navigation.amend({ ...screen, task: next });
    setPlace(start);
  };
  const open = (run: string) => {
    const siblings = screen.tasks.map((each) => ({ run, task: each }));
    navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
  };
  const commands = {
    down: () => setPlace(movedBy(blocks, place, 1, room)),
    up: () => setPlace(movedBy(blocks, place, -1, room)),
    "page-down": () => setPlace(movedBy(blocks, place, room - 2, room)),
    "page-up": () => setPlace(movedBy(blocks, place, 2 - room, room)),
    first: () => to(0),
    last: () => to(linesOf(blocks) - 1),
    section() {
      setSection(section === "plans" ? "steps" : "plans");
      setPlace(start);
    },
    "next-difference": () => toDifference(1),
    "previous-difference": () => toDifference(-1),
    "open-first": () => open(first),
    "open-second": () => open(second),
    next: () => toTask(1),
    previous: () => toTask(-1),
    find: find.open,
    copy() {
      const block = blockAt(blocks, here);
      const lines = Array.from({ length: block?.count ?? 0 }, (_, index) => lineText(block!.line(index)).trim());
      copyText(terminal, lines.join("\n"));
    },
    back: navigation.pop,
  };
  useLayer(focused, { scope: "beside", commands });
  if (!active) return null;

  const colours = runColours(workbench);
  const at = screen.tasks.length > 1 ? `  ${screen.tasks.indexOf(task) + 1} of ${screen.tasks.length}` : "";
  const question = left?.question ?? right?.question ?? "";
  const head: Line[] = [
    [
      { text: ` ${printable(task)}`, style: "title" },
      { text: `${at}  `, style: "faint" },
      { text: section === "plans" ? "[Plans] Steps" : "Plans [Steps]", style: "accent" },
    ],
    [{ text: ` ${printable(question)}` }],
    sideLine(1, first, one),
    sideLine(2, second, other),
  ];
  const top = topOf(blocks, place, room);
  const lines = visibleLines(blocks, top, room).map((line, index): Line => [
    { text: focused && top + index === here ? `${theme.symbols.here} ` : "  ", style: "accent" },
    ...line,
  ]);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={head} columns={width} height={headRows} click={{ scope: "beside", at: clickHead }} />
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

  /** On the names of the sections: the other one. */
  function clickHead(line: number): void {
    if (line === 0) commands.section();
  }

  function sideLine(number: number, run: string, { trajectory }: Side): Line {
    const state = allRuns(workbench).find((each) => each.run === run);
    const score = trajectory?.score;
    const mark = markOf(attemptState(trajectory, workbench.live({ run, task }) !== undefined), theme.symbols);
    const fork = state?.spec.fork;
    return [
      { text: ` ${number} ` },
      { text: printable(state?.label ?? run), ...inkOf(colours.get(run), "strong") },
      {
        text: `  ${mark.sign} ${mark.word}${partlyText(score)}`,
        style: mark.style,
      },
      { text: fork === undefined ? "" : `  a fork from request ${fork.request + 1}`, style: "faint" },
    ];
  }
}
