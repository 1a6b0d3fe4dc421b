/**
 * The rounds of a trajectory in a lane: in a dialogue the requests of both sides, otherwise one request. Ended rounds fold to one
 * line each, up to the number that their lane determines.
 */
import { seenNote } from "../../engine/log/rows/row-notes.ts";
import { type Entry, type Trajectory, type Turn } from "../../engine/log/trajectory.ts";
import { ofOtherModel, roleName } from "../../engine/log/run-words.ts";
import type { Role } from "../../engine/types.ts";
import { callText, valuesText } from "../../engine/text/call-text.ts";
import { printable } from "../../engine/text/printable.ts";
import { fitLine, type Line, lineText, type Span } from "../../engine/figures/drawing/line.ts";
import { plural } from "../../look/amounts.ts";
import { type Block, blockOf } from "../trajectory/block.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { readingLines } from "../trajectory/reading-lines.ts";
import { blocksByEntry, failureBlocks, lastStepBlocks } from "../trajectory/sections/step-blocks.ts";
import { roleStyle, turnTime } from "../trajectory/sections/turn-head.ts";
import type { View } from "../trajectory/view.ts";
import { type KnownRows, rowBeside } from "./lanes.ts";

/** Indexes of the round's entries; a side is empty until it receives a request. */
type Round = { readonly model: readonly number[]; readonly other: readonly number[] };

const isCounted = (entry: Entry): entry is Turn => entry.kind === "turn" && entry.role !== "judge";

export const requestsIn = ({ entries }: Trajectory): readonly Turn[] => entries.filter(isCounted);

/** Returns true for the other side of a dialogue, which is drawn on the right. */
const isOther = (role: Role) => role === "responder" || role === "user";

/** Splits a trajectory into rounds. A round of a dialogue starts when its first side receives a request after the other side. */
export function roundsOf({ entries }: Trajectory, isDialogue: boolean): readonly Round[] {
  const rounds: { readonly model: number[]; readonly other: number[] }[] = [];
  let [first, last]: ("model" | "other" | undefined)[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "turn") {
      const asked = isDialogue && isOther(entry.role) ? "other" : "model";
      first ??= asked;
      const isNext = isDialogue ? asked === first && last !== asked : isCounted(entry);
      if (isNext && last !== undefined) rounds.push({ model: [], other: [] });
      last = asked;
    }
    if (rounds.length === 0) rounds.push({ model: [], other: [] });
    // The answer of a dialogue repeats the texts of both sides.
    if (isDialogue && entry.kind === "answer") continue;
    const isOfSide =
      entry.kind === "turn" || entry.kind === "result" || (entry.kind === "note" && entry.note === seenNote);
    const isOfOther = isOfSide && last === "other";
    rounds.at(-1)![isOfOther ? "other" : "model"].push(index);
  }
  return rounds;
}

/** Returns the number of rounds that have ended: all but the last, which may continue. */
export const endedRounds = (trajectory: Trajectory, isDialogue: boolean): number =>
  Math.max(0, roundsOf(trajectory, isDialogue).length - 1);

/** Draws at least the last `lines` lines of a task; each of its first `folded` requests takes one line. */
export function requestBlocks(trajectory: Trajectory, view: View, folded: number, lines: number): readonly Block[] {
  if (folded === 0) return lastStepBlocks(trajectory, view, lines);
  const rounds = roundsOf(trajectory, false);
  const open = lastStepBlocks(trajectory, view, lines, rounds[folded]?.model[0] ?? 0);
  const from = Math.max(0, folded - Math.max(0, lines - linesOf(open)));
  const line = (at: number) => foldedLine(trajectory, rounds[at]!.model, at, view);
  return [
    ...Array.from({ length: folded - from }, (_, at) => blockOf(`round ${from + at}`, [line(from + at)])),
    ...open,
  ];
}

/**
 * Draws a dialogue with the model on the left and the other side on the right; each round starts on one line. `view` describes
 * one of the two columns.
 */
export function roundBlocks(trajectory: Trajectory, view: View, folded: number): readonly Block[] {
  const kept = view.texts.kept(newRounds);
  const all = blocksByEntry(trajectory, view);
  const rounds = roundsOf(trajectory, true);
  return rounds.map(({ model, other }, index): Block => {
    const known = (kept[index] ??= []);
    const id = `round ${index}`;
    if (index < folded) {
      const sides = [foldedLine(trajectory, model, index, view), foldedLine(trajectory, other, undefined, view)];
      return blockOf(id, [rowBeside(sides, view.columns, view.symbols.bar, known)]);
    }
    const sides = [model, other].map((side) => sideBlocks(trajectory, side, all, index === 0, view));
    if (index === rounds.length - 1) sides[0]!.push(...failureBlocks(trajectory, view));
    const row = (at: number) => sides.map((side) => visibleLines(side, at, 1)[0]);
    return {
      id,
      count: Math.max(...sides.map(linesOf)) + 1,
      line: (at) =>
        at === 0
          ? titleRow(trajectory, [model, other], index, view)
          : rowBeside(row(at - 1), view.columns, view.symbols.bar, known, at),
    };
  });
}

/** The last drawn rows of each round, with the texts from which they were drawn. */
const newRounds = (): KnownRows[] => [];

/** Returns the roles, with their models and what the other side sees (a status bar), as the heading of their columns. */
export function sidesHead(trajectory: Trajectory | undefined, view: View): Line {
  const seen = trajectory?.entries.findLast((entry) => entry.kind === "note" && entry.note === seenNote);
  const turns = trajectory?.entries.filter(isCounted) ?? [];
  const other = turns.find(({ role }) => isOther(role));
  const model = turns.find(({ role }) => !isOther(role));
  const names = [model ?? { role: "model" as const, model: "" }, other ?? { role: "responder" as const, model: "" }];
  const heads = names.map((turn, side): Line => [
    { text: `  ${roleName(turn.role, view.words)}`, style: roleStyle(turn.role) },
    { text: side === 1 && seen?.kind === "note" ? `  ${printable(seen.text)}` : "" },
    { text: printable(ofOtherModel(turn, view.words)), style: "faint" },
  ]);
  return rowBeside(heads, view.columns, view.symbols.bar);
}

/** Names the round, and how long each side took. */
function titleRow(
  { entries, ended }: Trajectory,
  sides: readonly (readonly number[])[],
  index: number,
  view: View,
): Line {
  const times = sides.map((side) => {
    const turn = side.map((at) => entries[at]!).find((entry) => entry.kind === "turn");
    return turn === undefined ? "" : `  ${turnTime(turn, !ended)}`;
  });
  const title: Line = [
    { text: `  Round ${index + 1}`, style: "title" },
    { text: times[0]!, style: "faint" },
  ];
  return rowBeside([title, [{ text: times[1]!, style: "faint" }]], view.columns, view.symbols.bar);
}

/**
 * Returns the blocks of a side in a round. Its first request has no heading, because the columns and the round have one; its
 * prompt is counted in the first round, and later it repeats the messages of the other side.
 */
function sideBlocks(
  trajectory: Trajectory,
  side: readonly number[],
  all: readonly Block[][],
  isFirst: boolean,
  view: View,
): Block[] {
  const first = side.find((at) => trajectory.entries[at]!.kind === "turn");
  return side.flatMap((at): readonly Block[] => {
    if (at !== first) return all[at]!;
    const id = `step ${at}`;
    const prompt = all[at]!.filter((block) => block.id.startsWith(`${id} message`));
    const isShown = (block: Block) => block.id !== id && block.id !== `${id} gap` && !prompt.includes(block);
    const lines = prompt.reduce((sum, { count, folded }) => sum + (folded?.lines.length ?? count), 0);
    const rest = all[at]!.filter(isShown);
    if (!isFirst || lines === 0) return rest;
    if (lines <= shortPrompt) return [...prompt, ...rest];
    const text = `  ${view.symbols.more} ${plural(lines, "line")} of prompt`;
    return [blockOf(`${id} prompt`, [[{ text, style: "faint" }]]), ...rest];
  });
}

/** A first prompt of so few lines is shown. */
const shortPrompt = 2;

/** Wide enough for the beginning of anything that a folded round shows. */
const readColumns = 400;

/** The folded lines by their first entry. */
const newFolded = () => new WeakMap<Entry, { readonly columns: number; readonly line: Line }>();

/** Shows a round, or a side of it, on one line: its number, its text or call, and the first result. */
function foldedLine({ entries }: Trajectory, side: readonly number[], round: number | undefined, view: View): Line {
  const own = side.map((at) => entries[at]!);
  const [first] = own;
  if (first === undefined) return [];
  const kept = view.texts.kept(newFolded);
  const known = kept.get(first);
  if (known?.columns === view.columns) return known.line;
  const turn = own.find((entry) => entry.kind === "turn");
  const result = own.find((entry) => entry.kind === "result");
  const head: Span = { text: `  ${round === undefined ? "" : `${round + 1}  `}`, style: "strong" };
  const said = turn === undefined ? [] : gist(turn, round === undefined, view);
  const got: Line =
    result === undefined
      ? []
      : [
          { text: ` ${view.symbols.right2} `, style: result.result.ok ? "faint" : "bad" },
          { text: resultText(result.result.observation, view) },
        ];
  const line = fitLine([head, ...said, ...got], view.columns);
  kept.set(first, { columns: view.columns, line });
  return line;
}

/**
 * Returns the result of a request: its calls, otherwise the action in its reply, or the answer to an action, otherwise its first
 * words.
 */
function gist(turn: Turn, isAnswer: boolean, view: View): Line {
  if (turn.calls.length > 0) return [{ text: printable(turn.calls.map(callText).join(", ")), style: "code" }];
  const lines = readingLines(turn.text, readColumns, view.symbols);
  const action = lines.findLastIndex((line) => line.some(({ style }) => style === "code"));
  if (action < 0) return [{ text: firstText(lines) }];
  if (!isAnswer) return lines[action]!.map((span) => (span.style === "code" ? span : { ...span, text: "" }));
  const results = lines.slice(action + 1).map((line) => lineText(line).trim());
  return [{ text: `${view.symbols.right2} ${results.filter((text) => text !== "").join(", ")}` }];
}

const resultText = (text: string, { symbols }: View): string =>
  (text.length > longestValue ? undefined : valuesText(text)) ?? firstText(readingLines(text, readColumns, symbols));

/** A longer result is not read for a line. */
const longestValue = 20_000;

const firstText = (lines: readonly Line[]): string =>
  lines.map((line) => lineText(line).trim()).find((text) => text !== "") ?? "";
