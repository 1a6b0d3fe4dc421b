/** Trajectories in lanes: each with its head and the end of its conversation, beside each other and below. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Theme } from "../drawing/theme.ts";
import { visibleLines, linesOf } from "../trajectory/position.ts";
import { lastStepBlocks } from "../trajectory/sections/step-blocks.ts";
import type { View } from "../trajectory/view.ts";
import { type About, laneHead } from "./lane-head.ts";
import type { LaneText, LaneTops } from "./lane-tops.ts";
import { type Lane, type Size, isPaired, laneColumns, laneHeight, laneRows } from "./lanes.ts";
import { roundBlocks, sidesHead } from "./round-blocks.ts";
import { type KnownRows, sideBySide } from "./side-by-side.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { treeBlocks } from "../trajectory/sections/tree-blocks.ts";

type Look = {
  readonly theme: Theme;
  readonly about: About;
  readonly tops: LaneTops;
  /** As they were drawn last, for each row of lanes. */
  readonly known: KnownRows[];
  readonly viewOf: (lane: Lane, columns: number) => View;
};

/** Exactly as many lines as `size` has rows. */
export function laneLines(lanes: readonly Lane[], { columns, rows }: Size, look: Look): Line[] {
  const { theme, about, tops, known, viewOf } = look;
  const counts = laneRows(lanes.length, columns, about.isDialogue);
  const height = laneHeight(rows, counts.length);
  const drawn = counts.flatMap((count, row) => {
    const before = counts.slice(0, row).reduce((sum, each) => sum + each, 0);
    return lanes.slice(before, before + count).map((lane) => drawnLane(lane, laneColumns(count, columns)));
  });
  const heads = Math.max(...drawn.map(({ head }) => head.length));
  const room = Math.max(1, height - heads);
  const from = tops.of(
    drawn.map(({ text }) => text),
    room,
  );
  const whole = drawn.map(({ head, text }, index) => [...head, ...visibleLines(text.blocks, from[index]!, room)]);
  let next = 0;
  const lines = counts.flatMap((count, row): Line[] => {
    const own = whole.slice(next, (next += count));
    const rule: Line[] = row === 0 ? [] : [[{ text: theme.symbols.rule.repeat(columns), style: "rule" }]];
    return [...rule, ...sideBySide(own, laneColumns(count, columns), height, theme.symbols.bar, (known[row] ??= []))];
  });
  return Array.from({ length: rows }, (_, row) => lines[row] ?? []);

  function drawnLane(lane: Lane, own: number): { readonly head: readonly Line[]; readonly text: LaneText } {
    const { task, trajectory } = lane;
    const head = laneHead(lane, own, theme, about);
    const isPair = isPaired({ columns: own }, about.isDialogue);
    const view = viewOf(lane, isPair ? laneColumns(2, own) : own);
    const blocks =
      trajectory === undefined ? [] : isPair ? roundBlocks(trajectory, view) : lastStepBlocks(trajectory, view, height);
    return {
      head: isPair ? [head, sidesHead(view)] : [head],
      text: { task: task?.task ?? "", running: task?.state === "running", blocks },
    };
  }
}

/** With fewer lines, the conversation gets all of them. */
const least = 14;

/** The latest nodes in at most a third of the space, below a rule; nothing where there are no nodes or no space. */
export function graphLines(trajectory: Trajectory | undefined, view: View, room: number): readonly Line[] {
  if (trajectory === undefined || trajectory.nodes.length === 0 || room < least) return [];
  const blocks = treeBlocks(trajectory.nodes, view);
  const all = linesOf(blocks);
  const height = Math.min(all, Math.floor(room / 3) - 1);
  const { rule } = view.symbols;
  const title = ` steps and their dependencies: ${all}${all > height ? `, the last ${height}` : ""} `;
  const dashes = rule.repeat(Math.max(0, view.columns - title.length - 1));
  const head: Line = [
    { text: rule, style: "rule" },
    { text: title, style: "faint" },
    { text: dashes, style: "rule" },
  ];
  return [head, ...visibleLines(blocks, all - height, height)];
}
