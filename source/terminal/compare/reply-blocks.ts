/** Shows the replies of two runs to one task side by side and marks the words that differ. */
import { type Line, lineText, type Span } from "../../engine/figures/drawing/line.ts";
import type { Trajectory, Turn } from "../../engine/log/trajectory.ts";
import { signs } from "../../look/signs.ts";
import { callText } from "../../engine/text/call-text.ts";
import { printable } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { rowBeside } from "../live/lanes.ts";
import { type Block, blockOf, gap } from "../trajectory/block.ts";
import { readingLines } from "../trajectory/reading-lines.ts";
import { turnHead } from "../trajectory/sections/turn-head.ts";
import { commonLines } from "../trajectory/sections/plan-diff.ts";
import { sideBySideFrom } from "../trajectory/sections/plan-blocks.ts";
import type { View } from "../trajectory/view.ts";
import type { RunWords } from "../../engine/log/run-words.ts";

type Side = { readonly trajectory: Trajectory | undefined; readonly words?: RunWords };

/**
 * Draws the replies of both runs. Replies to the same stage are side by side if there is room. Returns an empty list if there are
 * no replies.
 */
export function repliesBeside(sides: readonly [Side, Side], view: View): Block[] {
  const isWide = view.columns >= sideBySideFrom;
  const columns = isWide ? Math.floor((view.columns - 3) / 2) : view.columns - 2;
  return pairedTurns(repliesOf(sides[0]), repliesOf(sides[1])).flatMap((turns, at): Block[] => {
    const both = turns.map((turn) => (turn === undefined ? [] : replyLines(turn, columns, view)));
    const isPair = turns.every((turn) => turn !== undefined);
    const shown = isPair ? markedWords(both[0]!, both[1]!) : both.map((lines) => ({ lines, differs: false }));
    const texts = shown.map(({ lines }, side) => {
      const turn = turns[side];
      return turn === undefined ? [] : [turnHead(turn, false, view.symbols.rule, sides[side]!.words), ...lines];
    });
    const lines = isWide ? besideLines(texts, columns, view) : belowLines(texts);
    return [gap(`reply ${at} gap`), blockOf(`reply ${at}`, lines, { error: shown.some(({ differs }) => differs) })];
  });
}

/** A request in each run; undefined if a run does not have the request. */
type TurnPair = readonly [Turn | undefined, Turn | undefined];

/** Longer conversations are paired by their order alone. */
const mostAligned = 300;

/** Pairs requests of the same stage in order, and pairs the other requests between them by position. */
function pairedTurns(left: readonly Turn[], right: readonly Turn[]): readonly TurnPair[] {
  const stageOf = ({ role, stage }: Turn) => `${role} ${stage}`;
  const isLong = Math.max(left.length, right.length) > mostAligned;
  const common = isLong ? [] : commonLines(left.map(stageOf), right.map(stageOf));
  let [one, other] = [0, 0];
  return [...common, [left.length, right.length] as const].flatMap(([to, toOther]) => {
    const [own, others] = [left.slice(one, to), right.slice(other, toOther)];
    [one, other] = [to + 1, toOther + 1];
    const between = Array.from({ length: Math.max(own.length, others.length) }, (_, at): TurnPair => [
      own[at],
      others[at],
    ]);
    return to < left.length ? [...between, [left[to], right[toOther]] as TurnPair] : between;
  });
}

const repliesOf = ({ trajectory }: Side): readonly Turn[] =>
  trajectory?.entries.filter((entry): entry is Turn => entry.kind === "turn" && entry.role !== "judge") ?? [];

function replyLines({ text, calls }: Turn, columns: number, { symbols }: View): readonly Line[] {
  return [
    ...(text === "" ? [] : readingLines(text, columns - 2, symbols).map((line): Line => [{ text: "  " }, ...line])),
    ...calls.flatMap((call) => wrapSpans([{ text: printable(callText(call)), style: "code" }], columns, "  ")),
  ];
}

const besideLines = (texts: readonly (readonly Line[])[], columns: number, { symbols }: View): readonly Line[] =>
  Array.from({ length: Math.max(...texts.map(({ length }) => length)) }, (_, row) =>
    rowBeside(
      texts.map((lines) => lines[row]),
      columns,
      symbols.bar,
    ),
  );

/** Numbers the lines by their run. */
const belowLines = (texts: readonly (readonly Line[])[]): readonly Line[] =>
  texts.flatMap((lines, side) => lines.map((line): Line => [{ text: `${side + 1} `, style: "faint" }, ...line]));

/** A word on a line, between these characters. */
type Word = { readonly text: string; readonly line: number; readonly from: number; readonly to: number };

/** Longer replies are not compared word by word, because that would delay the screen. */
const mostWords = 600;

type Marked = { readonly lines: readonly Line[]; readonly differs: boolean };

/** Marks the words of two texts that are not in a longest common sequence of both. */
export function markedWords(one: readonly Line[], other: readonly Line[]): readonly [Marked, Marked] {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  if (Math.max(left.length, right.length) > mostWords || left.length === 0 || right.length === 0)
    return [
      { lines: one, differs: left.length !== right.length },
      { lines: other, differs: left.length !== right.length },
    ];
  const both = commonLines(
    left.map(({ text }) => text),
    right.map(({ text }) => text),
  );
  const kept = (side: 0 | 1) => new Set(both.map((pair) => pair[side]));
  return [marked(one, left, kept(0)), marked(other, right, kept(1))];
}

const wordsOf = (lines: readonly Line[]): readonly Word[] =>
  lines.flatMap((spans, line) =>
    Array.from(lineText(spans).matchAll(/[\p{L}\p{N}_-]+|[^\s\p{L}\p{N}_-]/gu), ({ 0: text, index }) => ({
      text,
      line,
      from: index,
      to: index + text.length,
    })),
  );

function marked(lines: readonly Line[], words: readonly Word[], kept: ReadonlySet<number>): Marked {
  const differing = words.filter((_, at) => !kept.has(at));
  const byLine = Map.groupBy(differing, ({ line }) => line);
  const shown = lines.map((line, at) => {
    const own = byLine.get(at);
    return own === undefined ? line : withSign(own.reduce(withWord, line));
  });
  return { lines: shown, differs: differing.length > 0 };
}

/** Puts a sign into the indentation of a line whose words differ, for terminals without colours. */
const withSign = ([first, ...rest]: Line): Line => [
  { text: signs.differs, style: "warn" },
  { ...first!, text: first!.text.slice(1) },
  ...rest,
];

function withWord(line: Line, { from, to }: Word): Line {
  let at = 0;
  return line.flatMap((span): Span[] => {
    const { text } = span;
    const within = (place: number) => Math.max(0, Math.min(place - at, text.length));
    const [start, end] = [within(from), within(to)];
    at += text.length;
    if (start === end) return [span];
    const pieces: Span[] = [
      { ...span, text: text.slice(0, start) },
      { ...span, text: text.slice(start, end), style: "warn" },
      { ...span, text: text.slice(end) },
    ];
    return pieces.filter((piece) => piece.text !== "");
  });
}
