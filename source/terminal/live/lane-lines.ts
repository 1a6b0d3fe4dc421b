/** Trajectories in a grid of lanes, each with its head and the end of its conversation. */
import { heldNote, releasedNote } from "../../engine/log/rows/rows.ts";
import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";
import type { Theme } from "../drawing/theme.ts";
import { visibleLines, linesOf, blockAt } from "../trajectory/position.ts";
import { endedRounds, requestBlocks, requestsIn, roundBlocks, roundsOf, sidesHead } from "./rounds.ts";
import type { View } from "../trajectory/view.ts";
import {
  type Lane,
  type Size,
  isPaired,
  laneColumns,
  laneHeight,
  laneRows,
  type KnownRows,
  rowBeside,
} from "./lanes.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { treeBlocks } from "../trajectory/sections/tree-blocks.ts";
import { kindTitle } from "../../engine/log/rows/mistake-text.ts";
import { standingErrors } from "../../engine/log/rows/verdict.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import { printable } from "../../engine/text/printable.ts";
import { tokensOf } from "../../engine/text/tokens.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { countText, timeText } from "../../look/amounts.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Block } from "../trajectory/block.ts";

type Look = {
  readonly theme: Theme;
  readonly about: About;
  readonly tops: LaneTops;
  /** The last drawn rows of each row of lanes. */
  readonly known: KnownRows[];
  readonly viewOf: (lane: Lane, columns: number) => View;
};

/** Returns exactly as many lines as `size` has rows. */
export function laneLines(lanes: readonly Lane[], { columns, rows }: Size, look: Look): Line[] {
  const { theme, about, tops, known, viewOf } = look;
  const counts = laneRows(lanes.length, columns, about.isDialogue);
  const height = laneHeight(rows, counts.length);
  const draw = () =>
    counts.flatMap((count, row) => {
      const before = counts.slice(0, row).reduce((sum, each) => sum + each, 0);
      return lanes.slice(before, before + count).map((lane) => drawnLane(lane, laneColumns(count, columns)));
    });
  let drawn = draw();
  const heads = Math.max(...drawn.map(({ head }) => head.length));
  const room = Math.max(1, height - heads);
  if (
    tops.folds(
      drawn.map(({ text }) => text),
      room,
    )
  )
    drawn = draw();
  const from = tops.of(
    drawn.map(({ text }) => text),
    room,
  );
  const whole = drawn.map(({ head, text }, index) => [...head, ...visibleLines(text.blocks, from[index]!, room)]);
  let next = 0;
  const lines = counts.flatMap((count, row): Line[] => {
    const own = whole.slice(next, (next += count));
    const rule: Line[] = row === 0 ? [] : [[{ text: theme.symbols.rule.repeat(columns), style: "rule" }]];
    const before = (known[row] ??= []);
    return [...rule, ...Array.from({ length: height }, (_, at) => rowAt(own, at, laneColumns(count, columns), before))];
  });
  return Array.from({ length: rows }, (_, row) => lines[row] ?? []);

  function rowAt(texts: readonly (readonly Line[])[], at: number, own: number, before: KnownRows): Line {
    const row = texts.map((text) => text[at]);
    return rowBeside(row, own, theme.symbols.bar, before, at);
  }

  function drawnLane(lane: Lane, own: number): { readonly head: readonly Line[]; readonly text: LaneText } {
    const { task, trajectory } = lane;
    const head = laneHead(lane, own, theme, about);
    const isPair = isPaired({ columns: own }, about.isDialogue);
    const view = viewOf(lane, isPair ? laneColumns(2, own) : own);
    const named = task?.task ?? "";
    const blocks = trajectory === undefined ? [] : blocksOfLane(trajectory, isPair, view, tops.folded(named), height);
    const ended = trajectory === undefined ? 0 : endedRounds(trajectory, isPair);
    return {
      head: isPair ? [head, sidesHead(trajectory, view)] : [head],
      text: { task: named, running: task?.state === "running", blocks, ended },
    };
  }
}

const blocksOfLane = (trajectory: Trajectory, isPair: boolean, view: View, folded: number, lines: number) =>
  isPair ? roundBlocks(trajectory, view, folded) : requestBlocks(trajectory, view, folded, lines);

/** Minimum number of lines for showing the nodes, too; with fewer lines, the conversation takes all of them. */
const least = 14;

/** Draws the latest nodes in at most a third of the room, below a rule; nothing if there are no nodes or no room. */
export function graphLines(trajectory: Trajectory | undefined, view: View, room: number): readonly Line[] {
  if (trajectory === undefined || trajectory.nodes.length === 0 || room < least) return [];
  const blocks = treeBlocks(trajectory.nodes, view);
  const all = linesOf(blocks);
  const height = Math.min(all, Math.floor(room / 3) - 1);
  const { rule } = view.symbols;
  const title = ` steps and their dependencies: ${all > height ? `the last ${height} of ${all}` : all} `;
  const dashes = rule.repeat(Math.max(0, view.columns - title.length - 1));
  const head: Line = [
    { text: rule, style: "rule" },
    { text: title, style: "faint" },
    { text: dashes, style: "rule" },
  ];
  return [head, ...visibleLines(blocks, all - height, height)];
}

/** Minimum columns of a meaningful question, and the maximum needed to distinguish it from others. */
const [leastOfQuestion, mostOfQuestion] = [12, 60];

/** The run and the moment that a head describes. */
type About = {
  readonly state: Pick<RunState, "requests" | "total">;
  readonly isDialogue: boolean;
  /** The suite's titles of mistakes. */
  readonly errorKinds: readonly ErrorKind[];
  /** Milliseconds since 1970; undefined if clocks do not tick. */
  readonly now: number | undefined;
};

/** Draws the head of a lane. Numbers without room are omitted, the last ones first; the question takes the remaining room. */
function laneHead({ task, trajectory, chosen }: Lane, columns: number, theme: Theme, about: About): Line {
  if (task === undefined) return [{ text: " no task in flight", style: "faint" }];
  const mark = markOf(task.state, theme.symbols);
  // A stopped task waits to be resumed, which is not a mistake.
  const failure = task.state === "stopped" ? undefined : trajectory?.failure?.kind;
  const mistake = standingErrors(trajectory?.score?.errors ?? [])[0]?.kind ?? failure ?? "";
  let line: Line = [
    { text: chosen ? `${theme.symbols.pointer} ` : "  ", style: "accent" },
    { text: `${mark.sign} ${printable(task.task)} ${mark.word} `, style: mark.style },
    { text: trajectory?.worker === undefined ? "" : `on ${printable(trajectory.worker)} `, style: "accent" },
    { text: mistake === "" ? "" : `${printable(kindTitle(mistake, about.errorKinds))} `, style: "bad" },
  ];
  for (const text of facts(task, trajectory, about)) {
    const longer = [...line, { text: ` ${text} `, style: "plain" as const }];
    if (lineWidth(longer) > columns) break;
    line = longer;
  }
  const room = Math.min(columns - lineWidth(line) - 1, mostOfQuestion);
  if (room < leastOfQuestion) return line;
  return [...line, ...fitLine([{ text: ` ${printable(task.question)}`, style: "faint" }], room)];
}

/** `round 3 of about 6`, the time so far, and tokens in and out. */
function facts(
  { row, state }: NonNullable<Lane["task"]>,
  trajectory: Trajectory | undefined,
  { state: run, isDialogue, now }: About,
): readonly string[] {
  if (row === undefined) return [];
  const count =
    trajectory === undefined ? 0 : isDialogue ? roundsOf(trajectory, true).length : requestsIn(trajectory).length;
  const each = run.requests === undefined ? 0 : run.requests / run.total / (isDialogue ? 2 : 1);
  // The average is useless for a task that already exceeds it.
  const of = state === "running" && Math.round(each) >= count ? ` of about ${Math.round(each)}` : "";
  const { input, output, estimated } = row.counted.tokens;
  const begun = now === undefined ? "" : timeText((now - row.from - heldIn(trajectory, now)) / 1000);
  return [
    count === 0 ? "" : `${isDialogue ? "round" : "request"} ${count}${of}`,
    state === "running" ? begun : timeText(row.counted.seconds),
    input + output === 0 ? "" : `${estimated ? "~" : ""}${countText(input)}/${countText(output)}`,
    state === "running" ? speedText(trajectory, now) : "",
  ].filter((text) => text !== "");
}

/** Seconds that a reply must last to show the speed of its model. */
const leastSeconds = 2;

/** Returns the milliseconds in which a task was held, which do not count. */
function heldIn(trajectory: Trajectory | undefined, now: number): number {
  let [sum, since] = [0, undefined as number | undefined];
  for (const entry of trajectory?.entries ?? []) {
    if (entry.kind !== "note") continue;
    if (entry.note === heldNote) since = entry.at;
    if (entry.note !== releasedNote || since === undefined) continue;
    sum += entry.at - since;
    since = undefined;
  }
  return since === undefined ? sum : sum + Math.max(0, now - since);
}

/** Returns the tokens per second of the last reply, an estimate while it is streamed; empty before its first token. */
function speedText(trajectory: Trajectory | undefined, now: number | undefined): string {
  const turn = trajectory?.entries.findLast((entry) => entry.kind === "turn");
  if (turn?.kind !== "turn") return "";
  const { text, thinking, calls, tokens, finish, from, to } = turn;
  const written = calls.map((call) => call.text).join("");
  const output = finish === undefined ? tokensOf(text + thinking + written) : (tokens?.output ?? 0);
  const seconds = ((finish === undefined ? (now ?? to) : to) - from) / 1000;
  const speed = output / seconds;
  if (output === 0 || seconds < leastSeconds) return "";
  return `${finish === undefined || tokens?.estimated === true ? "~" : ""}${speed < 10 ? speed.toFixed(1) : countText(speed)} tokens/s`;
}

/** The end of a task's text, at least a window of it if it is that long, and how many of its rounds have ended. */
export type LaneText = {
  readonly task: string;
  readonly running: boolean;
  readonly blocks: readonly Block[];
  readonly ended?: number;
};

/** Stored by block, because the text above may not be loaded. */
type Top = { readonly block: string; readonly line: number };

/** The divisor of a lane's window by which the lane scrolls. */
const part = 3;

/**
 * The first visible line of each lane. Text grows downwards until a lane is full; then the ended rounds of all lanes fold, and
 * all lanes scroll by several lines at once. Between these moments no line above a last line moves, unless text folds, such as a
 * model's thinking once it answers; lines above it are then visible again.
 */
export class LaneTops {
  #tops: ReadonlyMap<string, Top> = new Map();
  #room = 0;
  /** The number of folded rounds of each task. */
  #folded: ReadonlyMap<string, number> = new Map();

  folded(task: string): number {
    return this.#folded.get(task) ?? 0;
  }

  /** Folds the ended rounds of all lanes if one is full. Returns whether any must be drawn again. */
  folds(lanes: readonly LaneText[], room: number): boolean {
    const before = this.#folded;
    const isFull = lanes.some(
      ({ task, blocks }) => linesOf(blocks) - (lineOf(blocks, this.#tops.get(task)) ?? 0) > room,
    );
    // A larger window may have room for all.
    const kept = (task: string) => (room > this.#room ? 0 : (before.get(task) ?? 0));
    const now = ({ task, ended = 0 }: LaneText) => (isFull ? Math.max(kept(task), ended) : kept(task));
    this.#folded = new Map(lanes.map((lane) => [lane.task, now(lane)]));
    return lanes.some(({ task }) => this.folded(task) !== (before.get(task) ?? 0));
  }

  /** Returns the first visible line of each lane in a window of `room` lines, and makes room if a lane is full. */
  of(lanes: readonly LaneText[], room: number): readonly number[] {
    const kept = lanes.map(({ task, blocks }) => lineOf(blocks, this.#tops.get(task)));
    const isFull = lanes.some(({ blocks }, lane) => linesOf(blocks) - (kept[lane] ?? Infinity) > room);
    const lines = lanes.map(({ running, blocks }, lane) => {
      const before = kept[lane];
      const total = linesOf(blocks);
      const roomy = Math.max(0, total - room + Math.floor(room / part));
      const isEmptied = before !== undefined && before > Math.max(0, total - Math.ceil(room / 2));
      const isLarger = room > this.#room;
      if (!running) {
        // A finished text does not grow, so it fills its window.
        const isMoved = before === undefined || isEmptied || isLarger || total - before > room;
        return isMoved ? Math.max(0, total - room) : before;
      }
      const fresh = total <= room ? 0 : roomy;
      if (before === undefined) return fresh;
      if (isLarger) return Math.min(before, fresh);
      if (isEmptied) return roomy;
      return isFull ? Math.max(before, roomy) : before;
    });
    this.#room = room;
    this.#tops = new Map(
      lanes.flatMap(({ task, blocks }, lane): [string, Top][] => {
        const top = topAt(blocks, lines[lane]!);
        return top === undefined ? [] : [[task, top]];
      }),
    );
    return lines;
  }
}

function lineOf(blocks: readonly Block[], top: Top | undefined): number | undefined {
  let before = 0;
  for (const { id, count } of blocks) {
    if (id === top?.block) return before + Math.min(top.line, count - 1);
    before += count;
  }
  return undefined;
}

function topAt(blocks: readonly Block[], line: number): Top | undefined {
  const block = blockAt(blocks, line);
  return block && { block: block.id, line: line - linesOf(blocks.slice(0, blocks.indexOf(block))) };
}
