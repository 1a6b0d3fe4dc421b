/** Two runs side by side, task by task: which scores differ, and the trajectories of both. */
import { Box } from "ink";
import { useLayoutEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { type Line, type Style, styled } from "../../engine/figures/drawing/line.ts";
import { columnsOfNames } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable, wrap } from "../../engine/text/printable.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import type { Comparison } from "../../engine/statistics/paired.ts";
import type { Row } from "../../engine/types.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import { allRuns } from "../frame/all-runs.ts";
import { plural } from "../drawing/amount.ts";
import { useFind } from "../editor/use-find.tsx";
import { blockOf } from "../trajectory/block.ts";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { SmallTable, type SmallTableProps } from "../drawing/small-table.tsx";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";
import type { ComparedRuns, Pair } from "./compared-runs.ts";
import { useCompared } from "./use-compared.ts";

const noPairs: readonly Pair[] = [];
const noTask = "There is no task to open";
/** In windows of more lines the two runs stand over the tasks as a table, and in `lowest` what was compared is cut to a line. */
const low = 14;
const lowest = 10;

export function CompareScreen(props: ScreenProps<"compare">): ReactNode {
  const { screen, active, focused, opened, leadTo, width, height } = props;
  const terminal = useTerminal();
  const { theme, navigation, notices } = terminal;
  const workbench = useWorkbench(active);
  const [at, setAt] = useState(0);
  const [onlyDifferent, setOnlyDifferent] = useState(true);
  const [first, second] = screen.runs;
  const areHere = active && [first, second].every((run) => workbench.hasRows(run));
  const compared = useCompared(...(areHere ? [workbench.rows(first), workbench.rows(second)] : []));
  const shown = (onlyDifferent ? compared?.differing : compared?.all) ?? noPairs;
  const tasks = useMemo(() => shown.map(({ task }) => task), [shown]);
  // The task that is read is the one the cursor is on, also where reading went on to the next one.
  const read = opened?.kind === "beside" ? tasks.indexOf(opened.task) : -1;
  if (read >= 0 && read !== at) setAt(read);
  const here = Math.max(0, Math.min(at, shown.length - 1));
  const { runs } = screen;
  const task = tasks[here];
  const next = useMemo(
    () => (task === undefined ? undefined : ({ kind: "beside", task, tasks, runs } as const)),
    [task, tasks, runs],
  );
  useLayoutEffect(() => leadTo(next));
  const open = (run: string) => {
    const pair = shown[here];
    const siblings = shown.map(({ task }) => ({ run, task }));
    if (pair === undefined) notices.say(noTask);
    else navigation.push({ kind: "trajectory", ref: { run, task: pair.task }, siblings });
  };
  const find = useFind(width);
  const hasTable = height > low;
  const said = (compared === undefined ? ["Comparing the tasks of both"] : textsOf(compared)).flatMap((text) =>
    height < lowest ? [text] : wrap(text, Math.max(10, width - 2)),
  );
  const room = Math.max(1, height - said.length - 1 - (hasTable ? 4 : 0) - find.rows);
  useLayer(focused, {
    scope: "compare",
    commands: {
      down: () => setAt(Math.min(here + 1, shown.length - 1)),
      up: () => setAt(Math.max(0, here - 1)),
      first: () => setAt(0),
      last: () => setAt(shown.length - 1),
      "page-down": () => setAt(Math.min(here + room, shown.length - 1)),
      "page-up": () => setAt(Math.max(0, here - room)),
      open() {
        if (next === undefined) notices.say(noTask);
        else navigation.push(next);
      },
      "open-first": () => open(first),
      "open-second": () => open(second),
      filter() {
        setOnlyDifferent(!onlyDifferent);
        notices.say(onlyDifferent ? "All tasks of both runs" : "Only tasks whose score differs");
      },
      find: find.open,
      copy: () => copyText(terminal, task),
      back: navigation.pop,
    },
  });
  if (!active) return null;
  const label = (run: string) => printable(allRuns(workbench).find((each) => each.run === run)?.label ?? run);
  const colours = runColours(workbench);
  const side = Math.max(8, width - 40);
  const names = [first, second].map((run) => fitMiddle(label(run), side));
  const mean = (at: 0 | 1) => shownValue(compared?.means[at], "percent");
  const count = (of: "better" | "worse") => (compared === undefined ? "-" : String(compared[of]));
  const heads: SmallTableProps = {
    columns: [
      { title: "", align: "left" },
      { title: "Run", align: "left" },
      { title: "Mean score", align: "right" },
      { title: "Better in", align: "right" },
    ],
    rows: [
      [{ text: "1" }, { text: names[0]! }, { text: mean(0) }, { text: count("worse") }],
      [{ text: "2" }, { text: names[1]! }, { text: mean(1) }, { text: count("better") }],
    ],
    colourOf: (text) => (text === names[0] ? colours.get(first) : text === names[1] ? colours.get(second) : undefined),
  };
  const from = Math.max(0, Math.min(here - (room >> 1), shown.length - room));
  const seen = shown.slice(from, from + room);
  const tasksSeen = seen.map((pair) => printable(pair.task));
  const nameColumns = Math.max(4, columnsOfNames(tasksSeen, Math.max(12, Math.floor(width / 5)), width / 3));
  const lines = seen.map((pair, index) => pairLine(pair, from + index === here));
  const none: Line = [
    {
      text: compared === undefined || compared.test.n === 0 ? "" : "   No score differs: f shows all tasks",
      style: "faint",
    },
  ];
  return (
    <Box flexDirection="column">
      {hasTable ? <SmallTable {...heads} /> : null}
      <Rows lines={said.map((text) => styled("faint", ` ${text}`))} columns={width} height={said.length} />
      <TextRow
        line={[{ text: `       1      2   ${pad("task", nameColumns)}  question`, style: "faint" }]}
        columns={width}
      />
      <Rows
        lines={lines.length === 0 ? [none] : lines}
        columns={width}
        height={room}
        click={clicks("compare", terminal, (line) => from + line, here, setAt)}
      />
      {find.field({
        blocks: () =>
          shown
            .values()
            .map(({ task, question }) => blockOf(task, [[{ text: `${printable(task)} ${printable(question)}` }]])),
        here,
        found: ({ block }) => setAt(shown.findIndex(({ task }) => task === block)),
      })}
    </Box>
  );

  function pairLine({ task, question, first: one, second: other, change }: Pair, chosen: boolean): Line {
    const style: Style = change === "better" ? "good" : change === "worse" ? "bad" : "plain";
    const arrow = change === "better" ? theme.symbols.up : change === "worse" ? theme.symbols.down : " ";
    return [
      { text: chosen ? ` ${theme.symbols.pointer} ` : "   ", style: "accent" },
      { text: `${valueText(one)}  ${valueText(other)} ${arrow}  `, style },
      { text: pad(fitMiddle(printable(task), nameColumns), nameColumns), style: chosen ? "strong" : "plain" },
      { text: `  ${printable(question)}`, style: "faint" },
    ];
  }
}

/** How many tasks were compared, and how. */
function textsOf(compared: ComparedRuns): readonly [string, string] {
  const { better, test, worse } = compared;
  const { n } = test;
  const counts = `${plural(n, "task")} scored in both, ${n - better - worse} the same; scores in %`;
  return [counts, n === 0 ? whyUntested(compared) : testText(test)];
}

/** Why nothing is compared, and what to do about it. */
function whyUntested({ all }: ComparedRuns): string {
  const isUnrun = [all.every(({ first }) => first === undefined), all.every(({ second }) => second === undefined)];
  if (isUnrun.every(Boolean)) return "Neither run has been run yet: r in the notebook runs their cell";
  const unrun = isUnrun.indexOf(true) + 1;
  if (unrun > 0)
    return `Run ${unrun} has not been run yet: r in the notebook runs its cell; f shows the tasks of the other`;
  return "No task has a score in both: f shows all tasks";
}

function testText({ difference, interval, p, test }: Comparison): string {
  const points = (value: number) => `${value > 0 ? "+" : ""}${(value * 100).toFixed(1)}`;
  const range = interval === undefined ? "" : `, 95 % interval ${points(interval.low)} to ${points(interval.high)}`;
  return `${points(difference)} points${range}; ${test} p = ${p.toPrecision(2)}`;
}

function valueText(row: Row | undefined): string {
  const value = row?.score?.value;
  return (value === undefined ? (row === undefined ? "-" : "?") : (value * 100).toFixed(1)).padStart(5);
}
