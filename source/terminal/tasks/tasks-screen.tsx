/** A list of tasks: those of a cell's runs with a strip of marks, those behind a value of a figure, or any others. */
import { Box } from "ink";
import { useLayoutEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { inkOf, type Line, type Span } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import { plural } from "../drawing/amount.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { packedSpans } from "../drawing/packed-spans.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import type { TaskRef } from "../../engine/types.ts";
import type { ScreenProps, TaskSource } from "../frame/screen.ts";
import { taskStates } from "../../engine/log/task-counts.ts";
import { markOf } from "../drawing/task-mark.ts";
import { runCaveats } from "../drawing/run-caveats.ts";
import { useTerminal } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";
import { boardLines, boardRows } from "../live/board.ts";
import { rerun } from "./rerun.ts";
import { type TaskListView, orders } from "./task-item.ts";
import { listedKey } from "./task-places.ts";
import { columnsFor, headingLine, taskLine } from "./task-line.ts";
import { useTaskList } from "./use-task-list.ts";

const none: ReadonlySet<string> = new Set();
/** In windows of no more rows the tasks themselves have those of the strip, and of the counts beyond one row. */
const low = 10;
/** What leads away from a list that is still gathered, or sorted; other keys wait for it: they are about what it will be. */
const leaving = ["back"] as const;
const first: TaskListView = { order: "as listed", reversed: false, state: undefined, words: "" };

export function TasksScreen(props: ScreenProps<"tasks">): ReactNode {
  const { screen, active, focused, opened, leadTo, width, height } = props;
  const terminal = useTerminal();
  const { theme, navigation, notices, workbench, isSpoken } = terminal;
  const [choice, setChoice] = useState(first);
  const [searching, setSearching] = useState(false);
  const [cursor, setCursor] = useState<string>();
  const { tasks } = screen;
  const { items, counted, by, shown, places, refs } = useTaskList(tasks, choice, active);
  const isGathering = by === undefined;
  // The task that is read is the one the cursor is on, also where reading went on to the next one.
  const read = opened?.kind === "trajectory" ? listedKey(opened.ref) : cursor;
  if (read !== cursor) setCursor(read);
  const here = places.get(read ?? "") ?? 0;
  // While they are gathered, what is read beside the list is the first one already.
  const firstTask = useMemo(() => firstOf(tasks), [tasks]);
  const ref = isGathering ? firstTask : shown[here]?.ref;
  const run = ref?.run ?? ("runs" in tasks ? tasks.runs[0]! : "");
  const hasStrip = "runs" in tasks && isSpoken !== true && height > low;
  const strip = active && hasStrip ? stripOf(run) : [];
  const colours = runColours(workbench);
  const counts = countLines().slice(0, height > low ? undefined : 1);
  const room = Math.max(1, height - 3 - counts.length - strip.length);
  const to = (index: number) => {
    const item = shown[Math.max(0, Math.min(index, shown.length - 1))];
    if (item !== undefined) setCursor(listedKey(item.ref));
  };
  const next = useMemo(() => ref && ({ kind: "trajectory", ref, siblings: refs } as const), [ref, refs]);
  useLayoutEffect(() => leadTo(next));

  const open = (how: { readonly atWords?: true }) => {
    if (next === undefined) notices.say("There is no task to open");
    else navigation.push({ ...next, ...how });
  };
  useLayer(focused, {
    scope: "tasks",
    meanwhile: by === choice ? undefined : leaving,
    commands: {
      down: () => to(here + 1),
      up: () => to(here - 1),
      first: () => to(0),
      last: () => to(shown.length - 1),
      "page-down": () => to(here + room - 1),
      "page-up": () => to(here - room + 1),
      open: () => open({}),
      words: () => open({ atWords: true }),
      sort() {
        const order = orders[(orders.indexOf(choice.order) + 1) % orders.length]!;
        setChoice({ ...choice, order, reversed: false });
      },
      reverse: () => setChoice({ ...choice, reversed: !choice.reversed }),
      search: () => setSearching(true),
      filter() {
        if (items.length === 0) return notices.say("There are no tasks to choose from");
        const states = [undefined, ...taskStates.filter((mark) => counted.counts.has(mark))];
        setChoice({ ...choice, state: states[(states.indexOf(choice.state) + 1) % states.length] });
      },
      live() {
        const cell = cellOfRun(workbench, run)?.cell;
        if (cell === undefined) notices.say("No cell has this run any more: it cannot be watched", "bad");
        else navigation.push({ kind: "live", cell, run });
      },
      rerun: () => rerun(refs, terminal),
      copy: () => copyText(terminal, ref?.task),
      back() {
        if (choice.words === "" && choice.state === undefined) navigation.pop();
        else setChoice({ ...choice, words: "", state: undefined });
      },
    },
  });
  const type = (words: string) => setChoice({ ...choice, words });
  useLayer(focused && searching, {
    scope: "search",
    commands: {
      accept: () => setSearching(false),
      erase: () => type(choice.words.slice(0, -1)),
      back() {
        setSearching(false);
        type("");
      },
    },
    text: (text) => type(choice.words + text),
    paste: (text) => type(choice.words + (text.split(/[\r\n]/)[0] ?? "")),
  });
  if (!active) return null;

  const from = Math.max(0, Math.min(here - (room >> 1), shown.length - room));
  const seen = shown.slice(from, from + room);
  const labels = [...new Set(counted.runs.values())];
  const columns = columnsFor(seen, labels, width);
  const lines = seen.map((item, index) =>
    taskLine(item, columns, from + index === here, theme, colours.get(item.ref.run)),
  );
  const empty: Line = [
    {
      text: `   ${isGathering ? "Loading ..." : whyEmpty()}`,
      style: "faint",
    },
  ];
  return (
    <Box flexDirection="column" height={height}>
      <TextRow line={[{ text: ` ${printable(screen.title)}`, style: "title" }]} columns={width} />
      <Rows lines={strip} columns={width} height={strip.length} />
      <Rows lines={counts} columns={width} height={counts.length} />
      <TextRow line={choiceLine()} columns={width} />
      <TextRow line={headingLine(columns)} columns={width} />
      <Rows
        lines={shown.length === 0 ? [empty] : lines}
        columns={width}
        height={room}
        click={clicks("tasks", terminal, (line) => from + line, here, to)}
      />
    </Box>
  );

  function whyEmpty(): string {
    if (items.length > 0) return "No task matches: f and / change what is shown";
    return "runs" in tasks ? "No tasks yet: r in the notebook runs the cell" : (screen.none ?? "No tasks");
  }

  /** A mark for every task of the run the cursor is in, the one the cursor is on in brackets. */
  function stripOf(run: string): readonly Line[] {
    const board = workbench.board(run);
    const at = board.findIndex(({ task }) => task === shown[here]?.ref.task);
    return boardLines(board, at, none, width, boardRows(board.length, width, height), theme).lines;
  }

  /**
   * How many there are in each state, what has no room on the first line on a second; and below, whose they are: not beside them,
   * where it would come and go with the states, and all below it would move.
   */
  function countLines(): readonly Line[] {
    if (isGathering) return packedSpans("length" in tasks ? [{ text: plural(tasks.length, "task") }] : [], width);
    const { counts, runs } = counted;
    const only = runs.size === 1 ? cellOfRun(workbench, [...runs.keys()][0]!)?.state : undefined;
    const caveats = only === undefined ? "" : runCaveats(only);
    const states: readonly Span[] = [
      { text: plural(items.length, "task") },
      ...(only === undefined ? [{ text: plural(runs.size, "run"), style: "faint" as const }] : []),
      ...taskStates.flatMap((state): Span[] => {
        const mark = markOf(state, theme.symbols);
        const count = counts.get(state) ?? 0;
        return count === 0 ? [] : [{ text: `${mark.sign} ${count} ${mark.word}`, style: mark.style }];
      }),
    ];
    const run: readonly Span[] = [
      ...(only === undefined ? [] : [{ text: printable(only.label), ...inkOf(colours.get(only.run), "faint") }]),
      ...(caveats === "" ? [] : [{ text: caveats, style: "warn" as const }]),
    ];
    const lines = packedSpans(states, width);
    return lines.length === 1 ? [...lines, ...packedSpans(run, width)] : packedSpans([...states, ...run], width);
  }

  function choiceLine(): Line {
    const order = `${choice.order === "as listed" ? choice.order : `by ${choice.order}`}${choice.reversed ? ", reversed" : ""}`;
    const words = searching || choice.words !== "" ? `  /${printable(choice.words)}${searching ? "_" : ""}` : "";
    return [
      {
        text: isGathering ? ` ${order}` : ` ${shown.length === 0 ? 0 : here + 1}/${shown.length}  ${order}`,
        style: "faint",
      },
      { text: choice.state === undefined ? "" : `  only ${choice.state}`, style: "warn" },
      { text: words, style: "code" },
    ];
  }
}

function firstOf(tasks: TaskSource): TaskRef | undefined {
  if ("runs" in tasks) return undefined;
  return "lists" in tasks ? tasks.lists[0]?.[0] : tasks[0];
}
