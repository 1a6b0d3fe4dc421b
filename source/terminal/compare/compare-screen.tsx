/** Two runs compared task by task: shows which scores differ and opens the trajectories of both. */
import { Box } from "ink";
import { useLayoutEffect, useMemo, useState, type ReactNode, useCallback } from "react";
import { type Line, type Style, styled } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
import { columnsOfNames } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable, wrap } from "../../engine/text/printable.ts";
import { percentDigits } from "../../engine/figures/drawing/screen-text.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import { type Comparison, comparePaired } from "../../engine/statistics/paired.ts";
import { kindTitle } from "../../engine/log/rows/mistake-text.ts";
import { standingErrors } from "../../engine/log/rows/verdict.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Row } from "../../engine/types.ts";
import { partOf, runColours } from "../../engine/workbench/runs/run-colours.ts";
import { allRuns } from "../frame/runs.ts";
import { plural } from "../../look/amounts.ts";
import { useFind } from "../editor/use-find.tsx";
import { blockOf } from "../trajectory/block.ts";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { SmallTable, type SmallTableProps } from "../drawing/small-table.tsx";
import type { Screen, ScreenOf, ScreenProps } from "../frame/screen.ts";
import type { Commands } from "../input/keys.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import { many, eachInTurn, inSlices, type Pieces } from "../../engine/work/pieces.ts";
import { usePieces } from "../frame/use-pieces.ts";
import { listMoves } from "../input/movement.ts";
import {
  codesBeside,
  givenCodes,
  filteredPairs,
  nextPairFilter,
  type PairFilter,
  pairFilterText,
} from "./pair-codes.ts";

const noPairs: readonly Pair[] = [];
const noRows: readonly Row[] = [];
const noTask = "There is no task to open";
/**
 * Windows with more than `low` lines show the two runs as a table above the tasks. Windows with fewer than `lowest` lines cut
 * the result to one line.
 */
const low = 14;
const lowest = 10;

export function CompareScreen(props: ScreenProps<"compare">): ReactNode {
  const { screen, active, focused, opened, leadTo, width, height } = props;
  const pairs = usePairs(screen, opened, active);
  const { terminal, compared, shown, here, setAt, next, filter } = pairs;
  useLayoutEffect(() => leadTo(next));
  const find = useFind(width);
  const hasTable = height > low;
  const said = (compared === undefined ? ["Comparing both runs ..."] : textsOf(compared)).flatMap((text) =>
    height < lowest ? [text] : wrap(text, Math.max(10, width - 2)),
  );
  const room = Math.max(1, height - said.length - 1 - (hasTable ? 4 : 0) - find.rows);
  useLayer(focused, { scope: "compare", commands: compareCommands(pairs, room, find.open) });
  if (!active) return null;

  const from = Math.max(0, Math.min(here - (room >> 1), shown.length - room));
  const seen = shown.slice(from, from + room);
  const tasksSeen = seen.map((pair) => printable(pair.task));
  const nameColumns = Math.max(4, columnsOfNames(tasksSeen, Math.max(12, Math.floor(width / 5)), width / 3));
  const codesSeen = seen.map(codesBeside);
  const codeColumns = columnsOfNames(codesSeen, Math.max(12, Math.floor(width / 5)), width / 4);
  const columns = { name: nameColumns, codes: codeColumns };
  const lines = seen.map((pair, index) => pairLine(pair, from + index === here, columns, terminal.theme.symbols));
  const kinds = kindLines(pairs, room - lines.length, width);
  return (
    <Box flexDirection="column">
      {hasTable ? <SmallTable {...headTable(pairs, Math.max(8, width - 40))} /> : null}
      <Rows lines={said.map((text) => styled("faint", ` ${text}`))} columns={width} height={said.length} />
      <TextRow line={headingOf(filter, columns)} columns={width} />
      <Rows
        lines={[...(lines.length === 0 ? [styled("faint", nothingText(pairs))] : lines), ...kinds]}
        columns={width}
        height={room}
        click={clicks("compare", terminal, (line) => (line < lines.length ? from + line : undefined), here, setAt)}
      />
      {find.field({
        blocks: () =>
          shown
            .values()
            .map((pair) =>
              blockOf(pair.task, [
                [{ text: `${printable(pair.task)} ${codesBeside(pair)} ${printable(pair.question)}` }],
              ]),
            ),
        here,
        found: ({ block }) => setAt(shown.findIndex(({ task }) => task === block)),
      })}
    </Box>
  );
}

type Pairs = ReturnType<typeof usePairs>;

type PairColumns = { readonly name: number; readonly codes: number };

function headingOf(filter: PairFilter, { name, codes }: PairColumns): Line {
  const text = `       1      2   ${pad("task", name)}${codes === 0 ? "" : `  ${pad("codes", codes)}`}  question`;
  const isOfCodes = filter !== "differing" && filter !== "all";
  return [
    { text, style: "faint" },
    { text: isOfCodes ? `  ${pairFilterText(filter)}` : "", style: "accent" },
  ];
}

function nothingText({ compared, filter }: Pairs): string {
  if (compared === undefined || compared.test.n === 0) return "";
  return filter === "differing" ? "   No score differs: f shows all tasks" : "   No task has this tag: f shows others";
}

/**
 * Lists in the room below the tasks how often each run made each kind of mistake in these tasks, with the largest differences
 * first.
 */
function kindLines({ workbench, runs, shown }: Pairs, room: number, columns: number): readonly Line[] {
  if (room < 3) return [];
  const suite = suiteNamed(allRuns(workbench).find((each) => partOf(each) === runs[0])?.spec.suite, workbench.suites);
  const counts = kindCounts(shown);
  const sorted = [...counts].toSorted(
    ([, one], [, other]) => Math.abs(other[1] - other[0]) - Math.abs(one[1] - one[0]),
  );
  const most = Math.min(sorted.length, room - 2);
  if (most < 1) return [];
  const rows = sorted.slice(0, most).map(([kind, [one, other]]): Line => {
    const title = fitMiddle(printable(kindTitle(kind, suite?.errorKinds ?? [])), columns - 20);
    const style: Style = other > one ? "bad" : other < one ? "good" : "plain";
    return [{ text: `   ${String(one).padStart(5)}  ${String(other).padStart(5)}    `, style }, { text: title }];
  });
  return [[], styled("faint", `       1      2    ${shown.length === 0 ? "" : "errors in these tasks"}`), ...rows];
}

/** Counts the mistakes of both runs by kind, without those removed by corrections, and the user's own kinds. */
export function kindCounts(pairs: readonly Pair[]): ReadonlyMap<string, readonly [number, number]> {
  const counts = new Map<string, [number, number]>();
  for (const pair of pairs)
    for (const [side, row] of [pair.first, pair.second].entries())
      for (const kind of [
        ...standingErrors(row?.score?.errors ?? []).map((error) => error.kind),
        ...givenCodes(row).map((code) => `# ${code}`),
      ]) {
        const known = counts.get(kind) ?? [0, 0];
        known[side]! += 1;
        counts.set(kind, known);
      }
  return counts;
}

/** Returns the tasks of both runs that the filter shows, and the cursor. */
function usePairs(screen: ScreenOf<"compare">, opened: Screen | undefined, active: boolean) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  const [at, setAt] = useState(0);
  const [filter, setFilter] = useState<PairFilter>("differing");
  const { runs } = screen;
  const [first, second] = runs;
  const areHere = active && runs.every((run) => workbench.hasRows(run));
  const [one = noRows, other = noRows] = areHere ? [workbench.rows(first), workbench.rows(second)] : [];
  const work = useCallback(() => comparedRuns(one, other), [one, other]);
  const compared = usePieces(areHere ? work : undefined, one.length + other.length >= many);
  const shown = useMemo(() => (compared === undefined ? noPairs : filteredPairs(compared, filter)), [compared, filter]);
  const tasks = useMemo(() => shown.map(({ task }) => task), [shown]);
  // The cursor follows the task shown beside the list, including when `next` moves to another one.
  const read = opened?.kind === "beside" ? tasks.indexOf(opened.task) : -1;
  if (read >= 0 && read !== at) setAt(read);
  const here = Math.max(0, Math.min(at, shown.length - 1));
  const task = tasks[here];
  const next = useMemo(
    () => (task === undefined ? undefined : ({ kind: "beside", task, tasks, runs } as const)),
    [task, tasks, runs],
  );
  return { terminal, workbench, runs, compared, shown, here, setAt, filter, setFilter, task, next };
}

function compareCommands(pairs: Pairs, room: number, find: () => void): Commands<"compare"> {
  const { terminal, runs, compared, shown, here, setAt, filter, task, next } = pairs;
  const { navigation, notices } = terminal;
  const [first, second] = runs;
  const open = (run: string) => {
    const siblings = shown.map((pair) => ({ run, task: pair.task }));
    if (task === undefined) notices.say(noTask);
    else navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
  };
  return {
    ...listMoves(here, shown.length, room, setAt),
    open() {
      if (next === undefined) notices.say(noTask);
      else navigation.push(next);
    },
    "open-first": () => open(first),
    "open-second": () => open(second),
    filter() {
      const chosen = nextPairFilter(filter, compared?.all ?? noPairs);
      pairs.setFilter(chosen);
      const text = pairFilterText(chosen);
      notices.say(text[0]!.toUpperCase() + text.slice(1));
    },
    find,
    copy: () => copyText(terminal, task),
    back: navigation.pop,
  };
}

/** Lists both runs with their mean scores; names take at most `columns`. */
function headTable({ workbench, runs, compared }: Pairs, columns: number): SmallTableProps {
  const states = allRuns(workbench);
  const colours = runColours(workbench);
  const labels = runs.map((run) => printable(states.find((each) => partOf(each) === run)?.label ?? run));
  const names = labels.map((label) => fitMiddle(label, columns));
  const mean = (at: 0 | 1) => shownValue(compared?.means[at], "percent", percentDigits(compared?.test.n ?? 0));
  const count = (of: "better" | "worse") => (compared === undefined ? "-" : String(compared[of]));
  return {
    columns: [
      { title: "", align: "left" },
      { title: "Run", align: "left" },
      { title: "Mean score", align: "right" },
      { title: "Wins", align: "right" },
    ],
    rows: [
      [{ text: "1" }, { text: names[0]! }, { text: mean(0) }, { text: count("worse") }],
      [{ text: "2" }, { text: names[1]! }, { text: mean(1) }, { text: count("better") }],
    ],
    colourOf(text) {
      const at = names.indexOf(text);
      return at < 0 ? undefined : colours.get(runs[at]!);
    },
  };
}

function pairLine(pair: Pair, chosen: boolean, columns: PairColumns, symbols: Symbols): Line {
  const { task, question, first, second, change } = pair;
  const style: Style = change === "better" ? "good" : change === "worse" ? "bad" : "plain";
  const arrow = change === "better" ? symbols.up : change === "worse" ? symbols.down : " ";
  return [
    { text: chosen ? ` ${symbols.pointer} ` : "   ", style: "accent" },
    { text: `${valueText(first)}  ${valueText(second)} ${arrow}  `, style },
    { text: pad(fitMiddle(printable(task), columns.name), columns.name), style: chosen ? "strong" : "plain" },
    {
      text: columns.codes === 0 ? "" : `  ${pad(fitMiddle(codesBeside(pair), columns.codes), columns.codes)}`,
      style: "warn",
    },
    { text: `  ${printable(question)}`, style: "faint" },
  ];
}

/** Describes how many tasks were compared, and the result of the test. */
function textsOf(compared: ComparedRuns): readonly [string, string] {
  const { better, test, worse } = compared;
  const { n } = test;
  const counts = `${plural(n, "task")} scored in both runs, ${n - better - worse} unchanged; scores in %`;
  return [counts, n === 0 ? whyUntested(compared) : testText(test)];
}

/** Explains why there is no comparison and how to get one. */
function whyUntested({ all }: ComparedRuns): string {
  const isUnrun = [all.every(({ first }) => first === undefined), all.every(({ second }) => second === undefined)];
  if (isUnrun.every(Boolean)) return "Neither run has started yet: r in the notebook runs their cell";
  const unrun = isUnrun.indexOf(true) + 1;
  if (unrun > 0)
    return `Run ${unrun} has not started yet: r in the notebook runs its cell; f shows the tasks of the other run`;
  return "No task has a score in both runs: f shows all tasks";
}

function testText({ difference, interval, p, test }: Comparison): string {
  const points = (value: number) => `${value > 0 ? "+" : ""}${(value * 100).toFixed(1)}`;
  const range = interval === undefined ? "" : `, 95 % interval ${points(interval.low)} to ${points(interval.high)}`;
  return `${points(difference)} points${range}; ${test} p = ${p.toPrecision(2)}`;
}

function valueText(row: Row | undefined): string {
  const value = row?.score?.value;
  return (
    value === undefined ? (row === undefined ? "-" : "?") : (value * 100).toFixed(1).replace(/\.0$/, "")
  ).padStart(5);
}
type Pair = ReturnType<typeof pairOf>;

type ComparedRuns = {
  /** In the order of the first run. */
  readonly all: readonly Pair[];
  /** The tasks that score better or worse in the second run. */
  readonly differing: readonly Pair[];
  readonly better: number;
  readonly worse: number;
  /** Mean scores, from 0 to 1, over the tasks scored in both runs; undefined if there are none. */
  readonly means: readonly [number | undefined, number | undefined];
  /** The test that suits these scores, over the tasks scored in both runs. */
  readonly test: Comparison;
};

/** Compares the second run with the first: `better` means that the second scores higher. */
export function* comparedRuns(first: readonly Row[], second: readonly Row[]): Pieces<ComparedRuns> {
  const others = new Map<string, Row>();
  yield* eachInTurn(second, (row) => others.set(row.task, row));
  const known = new Set<string>();
  const pairs = yield* inSlices(first, (slice) =>
    slice.map((row) => {
      known.add(row.task);
      return pairOf(row, others.get(row.task));
    }),
  );
  const left = yield* inSlices(second, (slice) =>
    slice.filter(({ task }) => !known.has(task)).map((row) => pairOf(undefined, row)),
  );
  const all = left.length === 0 ? pairs : pairs.concat(left);
  const differing: Pair[] = [];
  const [before, after]: [number[], number[]] = [[], []];
  const sums: [number, number] = [0, 0];
  let better = 0;
  yield* eachInTurn(all, (pair) => {
    const [one, other] = [pair.first?.score?.value, pair.second?.score?.value];
    if (one === undefined || other === undefined) return;
    before.push(one);
    after.push(other);
    sums[0] += one;
    sums[1] += other;
    if (pair.change === "same") return;
    differing.push(pair);
    if (pair.change === "better") better += 1;
  });
  const mean = (sum: number) => (before.length === 0 ? undefined : sum / before.length);
  return {
    all,
    differing,
    better,
    worse: differing.length - better,
    means: [mean(sums[0]), mean(sums[1])],
    test: comparePaired(before, after, "compare"),
  };
}

function pairOf(first: Row | undefined, second: Row | undefined) {
  const { task, question } = (first ?? second)!;
  const one = first?.score?.value;
  const other = second?.score?.value;
  // A score of either run may be missing.
  const change: "better" | "worse" | "same" | "missing" =
    one === undefined || other === undefined ? "missing" : other > one ? "better" : other < one ? "worse" : "same";
  return { task, question, first, second, change };
}
