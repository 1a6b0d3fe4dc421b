/** A task in two runs: their plans and replies, conversations or calls side by side; for three or four runs, only the calls. */
import { signs } from "../../look/signs.ts";
import { Box } from "ink";
import { useMemo, useState, type ReactNode } from "react";
import { inkOf, type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { runWords, type RunWords } from "../../engine/log/run-words.ts";
import { attemptState } from "../../engine/log/rows/task-counts.ts";
import { dataTask, forkPoint } from "../../engine/run/fork-point.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { printable } from "../../engine/text/printable.ts";
import { partOf, runColours } from "../../engine/workbench/runs/run-colours.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import { markOf } from "../drawing/task-mark.ts";
import { Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { shownCodes, standingKinds } from "../codes/blind.ts";
import { allRuns, cellOfRun } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import type { ScreenOf, ScreenProps } from "../frame/screen.ts";
import type { Commands } from "../input/keys.ts";
import { useLayer, useTerminal, useWorkbench } from "../terminal.ts";
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
import type { Suite } from "../../engine/suite.ts";
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { standingErrors } from "../../engine/log/rows/verdict.ts";
import type { Mistake } from "../../engine/types.ts";
import { plural } from "../../look/amounts.ts";
import { repliesBeside } from "./reply-blocks.ts";
import { rowBeside } from "../live/lanes.ts";
import { type Block, blockOf, gap } from "../trajectory/block.ts";
import { callsBeside } from "./call-blocks.ts";
import { mistakeLines, planLayout, type PlanLook, sideBySideFrom } from "../trajectory/sections/plan-blocks.ts";
import { pairOfMistake, pairSteps, type StepPair } from "../trajectory/sections/plan-diff.ts";
import { failureBlocks, markedByEntry } from "../trajectory/sections/step-blocks.ts";

const none: ReadonlySet<string> = new Set();

const unknown: Pick<Suite, "errorKinds"> = { errorKinds: [] };

/** Lines above the plans: the task, the question, and a line for each run. */
const headRowsOf = ({ runs }: ScreenOf<"beside">): number => 2 + runs.length;

const sectionsBeside = ["plans", "steps", "calls"] as const;

export function BesideScreen({ screen, active, focused, width, height }: ScreenProps<"beside">): ReactNode {
  const read = usePair(screen, active, focused, width);
  const { terminal, place, setPlace, blocks } = read;
  const find = useFind(width);
  const headRows = headRowsOf(screen);
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

/** A run's trajectory and plan of the task; undefined if the run has not started it. */
function usePair(screen: ScreenOf<"beside">, active: boolean, focused: boolean, width: number) {
  const terminal = useTerminal();
  const { symbols } = terminal.theme;
  const workbench = useWorkbench(active);
  const { task } = screen;
  const [chosen, setSection] = useState<(typeof sectionsBeside)[number]>(screen.section ?? "plans");
  const [place, setPlace] = useState(start);
  const [first, second, ...more] = screen.runs;
  const section = more.length > 0 ? "calls" : chosen;
  const spec = cellOfRun(workbench, first)?.state.spec;
  const otherSpec = cellOfRun(workbench, second)?.state.spec;
  // A place that a fork leaves is beside the whole task.
  const { fork } = otherSpec ?? {};
  const original = fork?.run === first ? fork.task : dataTask(otherSpec ?? {}, task);
  const one = useTrajectory(workbench, { run: first, task: original }, active);
  const other = useTrajectory(workbench, { run: second, task }, active);
  const third = useTrajectory(workbench, { run: more[0] ?? "", task }, active && more.length > 0);
  const fourth = useTrajectory(workbench, { run: more[1] ?? "", task }, active && more.length > 1);
  const all = [one, other, third, fourth].slice(0, screen.runs.length);
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
    if (section === "calls")
      return callsBeside([left, right, third.trajectory, fourth.trajectory].slice(0, screen.runs.length), view);
    if (section === "steps") return stepsBeside(sides, view, texts);
    const [plans, replies] = [plansBeside(sides, view), repliesBeside(sides, view)];
    // Next to the list of tasks, the texts of both models come first.
    return focused || replies.length === 0 ? [...plans, ...replies] : [...replies.slice(1), gap("plans gap"), ...plans];
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the number of runs never changes
  }, [
    left,
    right,
    leftPlan,
    rightPlan,
    leftWords,
    rightWords,
    section,
    view,
    texts,
    focused,
    third.trajectory,
    fourth.trajectory,
  ]);
  return { terminal, workbench, screen, original, section, setSection, place, setPlace, all, blocks };
}

function besideCommands(read: Pair, room: number, find: () => void): Commands<"beside"> {
  const { terminal, screen, section, place, setPlace, blocks } = read;
  const [first, second, ...more] = screen.runs;
  const openMore = (at: number) => {
    const run = more[at];
    if (run === undefined) terminal.notices.say(`Only ${screen.runs.length} runs are shown here`);
    else openIn(run, read);
  };
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
      if (more.length > 0)
        return terminal.notices.say("Plans and steps are compared for two runs only; keys 1 to 4 open a run");
      read.setSection(sectionsBeside[(sectionsBeside.indexOf(section) + 1) % sectionsBeside.length]!);
      setPlace(start);
    },
    "next-difference": () => toDifference(read, room, 1),
    "previous-difference": () => toDifference(read, room, -1),
    "open-first": () => openIn(first, read, read.original),
    "open-second": () => openIn(second, read),
    "open-third": () => openMore(0),
    "open-fourth": () => openMore(1),
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
  if (block === undefined) terminal.notices.say("There is no difference or error here");
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
function openIn(run: string, { terminal, screen }: Pair, task = screen.task): void {
  const ids = task === screen.task ? screen.tasks : [task];
  const siblings = ids.map((each) => ({ run, task: each }));
  terminal.navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
}

function headOf(read: Pair): readonly Line[] {
  const { screen, section, all } = read;
  const { task, tasks, runs } = screen;
  const at = tasks.length > 1 ? `  ${tasks.indexOf(task) + 1} of ${tasks.length}` : "";
  const question = all.find(({ trajectory }) => trajectory !== undefined)?.trajectory?.question ?? "";
  const sections = runs.length > 2 ? (["calls"] as const) : sectionsBeside;
  const titles = sections.map((each) => (each === section ? `[${sectionNames[each]}]` : sectionNames[each])).join(" ");
  return [
    [
      { text: ` ${printable(task)}`, style: "title" },
      { text: `${at}  `, style: "faint" },
      { text: titles, style: "accent" },
    ],
    [{ text: ` ${printable(question)}` }],
    ...runs.map((run, at) => sideLine(at + 1, run, all[at]!, read)),
  ];
}

const sectionNames = { plans: "Plans", steps: "Steps", calls: "Calls" } as const;

function sideLine(
  number: number,
  run: string,
  { trajectory }: Pick<Side, "trajectory">,
  { terminal, workbench, screen }: Pair,
): Line {
  const states = allRuns(workbench);
  const state = states.find((each) => partOf(each) === run) ?? states.find((each) => each.run === run);
  const isLive = workbench.live({ run, task: screen.task }) !== undefined;
  const mark = markOf(attemptState(trajectory, isLive), terminal.theme.symbols);
  const { fork, forks } = state?.spec ?? {};
  const ref = { run, task: trajectory?.task ?? screen.task };
  const kinds = standingKinds(shownCodes(workbench, ref, workbench.codes.codebook, undefined));
  const left = fork?.request ?? (forks && forkPoint(forks, { id: screen.task, facets: {} }).request);
  return [
    { text: ` ${number} ` },
    { text: printable(state?.label ?? run), ...inkOf(runColours(workbench).get(run), "strong") },
    { text: `  ${mark.sign} ${mark.word}${partlyText(trajectory?.score)}`, style: mark.style },
    { text: kinds.length === 0 ? "" : `  # ${printable(kinds.join(", "))}`, style: "warn" },
    { text: left === undefined ? "" : `  a fork from request ${left + 1}`, style: "faint" },
  ];
}

/** A run's trajectory and plan of the task; undefined if the run has not begun it. */
type Side = {
  readonly trajectory: Trajectory | undefined;
  readonly view: TaskView | undefined;
  readonly words?: RunWords;
};
type Sides = readonly [Side, Side];

/** Lays out the first run's plan on the left and the second run's plan on the right, with the mistakes below their steps. */
export function plansBeside(sides: Sides, view: View): Block[] {
  const joined = joinedPlans(sides[0].view, sides[1].view);
  const pairs = pairSteps(joined);
  const layout = planLayout(joined, lookOf(joined), view);
  const made = sides.flatMap((side, index) => madeBy(side, index));
  const linesAt = (pair: StepPair | undefined) =>
    made
      .filter(({ side, step }) => pairs.find((each) => step !== undefined && stepOf(each, side) === step) === pair)
      .flatMap(({ side, mistake }) =>
        mistakeLines(mistake, view).map((line): Line => [{ text: `${side + 1} `, style: "faint" }, ...line]),
      );
  const elsewhere = linesAt(undefined);
  return [
    ...layout.heading(),
    ...pairs.map((pair) => {
      const wrong = linesAt(pair);
      const lines = [...layout.pair(pair), ...wrong];
      return blockOf(`plan ${pair.id}`, lines, { error: pair.change !== "same" || wrong.length > 0 });
    }),
    ...(elsewhere.length === 0 ? [] : [blockOf("plan mistakes", [[], ...elsewhere], { error: true })]),
  ];
}

function lookOf({ plan, reference }: TaskView): PlanLook {
  const head = (number: number, steps: number) =>
    `${number}: ${steps === 0 ? "no plan could be read from the answer" : plural(steps, "step")}`;
  return {
    heads: [head(1, plan.length), head(2, reference.length)],
    ...(plan.length > 0 && plan.length === reference.length && { together: `1 and 2: ${plural(plan.length, "step")}` }),
    legend: [
      { text: `  ${signs.differs} differs  ${signs.extra} only in 1  ${signs.missing} only in 2`, style: "warn" },
      { text: `  ${signs.left} uses the result of`, style: "faint" },
    ],
    styles: { same: "plain", changed: "warn", missing: "warn", extra: "warn" },
    other: "warn",
  };
}

/**
 * Joins both plans into one view in which the second plan replaces the reference. Steps are paired by the step of the answer key
 * that they match, otherwise by title.
 */
function joinedPlans(one: TaskView | undefined, other: TaskView | undefined): TaskView {
  const plan = one?.plan ?? [];
  const reference = other?.plan ?? [];
  const stands = new Map(other?.matches);
  const matches = (one?.matches ?? []).flatMap(([key, step]): [number, number][] => {
    const partner = stands.get(key);
    return partner === undefined ? [] : [[partner, step]];
  });
  const taken = new Set(matches.map(([partner]) => partner));
  const matched = new Set(matches.map(([, step]) => step));
  for (const [step, { title }] of plan.entries()) {
    if (matched.has(step)) continue;
    const partner = reference.findIndex((each, index) => !taken.has(index) && each.title === title);
    if (partner < 0) continue;
    taken.add(partner);
    matches.push([partner, step]);
  }
  return { plan, reference, matches };
}

type MadeBy = { readonly side: number; readonly mistake: Mistake; readonly step: number | undefined };

/** Returns the mistakes of a run, each with its step in the run's own plan. */
function madeBy({ trajectory, view }: Side, side: number): MadeBy[] {
  const pairs = view === undefined ? [] : pairSteps(view);
  return standingErrors(trajectory?.score?.errors ?? []).map((mistake) => ({
    side,
    mistake,
    step: pairOfMistake(mistake, pairs)?.plan,
  }));
}

const stepOf = ({ plan, reference }: StepPair, side: number): number | undefined => (side === 0 ? plan : reference);

/**
 * Lays out both conversations so that entries with the same number start on the same line: the repeated replies of a fork are
 * then beside the replies of its original. `texts` keeps the wrapped texts of each side.
 */
export function stepsBeside(sides: Sides, view: View, texts: readonly [WrappedTexts, WrappedTexts]): Block[] {
  const wide = view.columns >= sideBySideFrom;
  const columns = wide ? Math.floor((view.columns - 3) / 2) : view.columns - 2;
  const [left, right] = sides.map(({ trajectory, words }, side) => {
    if (trajectory === undefined)
      return [[blockOf("nothing", [[{ text: "  This run has not begun the task", style: "faint" }]])]];
    // Long texts are folded here; the trajectory of each run shows them whole.
    const own = { ...view, columns, texts: texts[side]!, brief: true, words };
    return [...markedByEntry(trajectory, own), failureBlocks(trajectory, own)];
  });
  return Array.from({ length: Math.max(left!.length, right!.length) }, (_, index): Block => {
    const both = [left![index] ?? [], right![index] ?? []];
    const rows = both.map(linesOf);
    const rest = { error: both.flat().some(({ error }) => error === true) };
    const id = `entry ${index}`;
    if (wide) {
      const row = (at: number) => both.map((side) => visibleLines(side, at, 1)[0]);
      return {
        id,
        count: Math.max(...rows),
        line: (at) => rowBeside(row(at), columns, view.symbols.bar),
        ...rest,
      };
    }
    const lines = both.flatMap((side, at) =>
      visibleLines(side, 0, rows[at]!).map((line): Line => [{ text: `${at + 1} `, style: "faint" }, ...line]),
    );
    return blockOf(id, lines, rest);
  });
}
