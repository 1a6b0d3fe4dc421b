/** The conversation of a task in order: requests, replies as they stream, tool calls and their results. */
import type { Entry, Trajectory, Turn } from "../../../engine/log/trajectory.ts";
import type { Message, Mistake } from "../../../engine/types.ts";
import { atOnce, type Pieces } from "../../../engine/work/pieces.ts";
import { printable, width } from "../../../engine/text/printable.ts";
import { mistakePlaces, wordsAt } from "../../../engine/log/rows/mistake-place.ts";
import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import { messagesBefore, newsText, noMessages, promptNews, type PromptNews } from "../../../engine/log/prompt-news.ts";
import { plural, timeOfDay, timeText } from "../../drawing/amount.ts";
import { type Block, blockOf, gap, textBlock } from "../block.ts";
import { foldedBlocks } from "./fold.ts";
import { type Made, markedBlocks } from "./mistake-marks.ts";
import { linesOf } from "../position.ts";
import { isSilent, turnHead } from "./turn-head.ts";
import { callText } from "../../../engine/text/call-text.ts";
import { type View, linesOfText, readLines } from "../view.ts";
import { hangingLines } from "../../drawing/wrapped-spans.ts";

export function stepBlocks(trajectory: Trajectory, view: View): readonly Block[] {
  const all = view.texts.kept(newShown);
  const known = all.get(settingOf(view));
  if (known?.trajectory === trajectory && isSameView(known.view, view)) return known.blocks;
  const blocks = markedByEntry(trajectory, view).flat();
  if (blocks.length === 0) blocks.push(blockOf("nothing", [[{ text: "  No request was sent yet", style: "faint" }]]));
  blocks.push(...failureBlocks(trajectory, view));
  all.set(settingOf(view), { trajectory, view, blocks });
  return blocks;
}

/** All steps as they were last shown in each setting: going from one to another and back makes nothing of thousands of them anew. */
const newShown = () => new Map<Setting, Shown>();
type Shown = { readonly trajectory: Trajectory; readonly view: View; readonly blocks: readonly Block[] };

/** In what steps are drawn by, beside their texts. */
function isSameView(one: View, other: View): boolean {
  const by = ["columns", "symbols", "toggled", "brief", "errorKinds", "wrapped", "raw"] as const;
  return by.every((name) => one[name] === other[name]);
}

/** One list for each entry, with the mistakes that were made in it. */
export function markedByEntry(trajectory: Trajectory, view: View): readonly (readonly Block[])[] {
  return blocksByEntry(trajectory, view).map((own, index) =>
    markedBlocks(`step ${index}`, own, madeIn(trajectory, index, view), view),
  );
}

/** The end of the same, with at least so many lines where there are as many: a lane shows no more of it. */
export function lastStepBlocks(trajectory: Trajectory, view: View, lines: number): readonly Block[] {
  return stepBlocksAround(trajectory.entries.length, trajectory, view, lines);
}

/** Of the same the entry at this place, and before and behind it at least so many lines, where there are as many. */
export function stepBlocksAround(place: number, trajectory: Trajectory, view: View, lines: number): readonly Block[] {
  const { entries, ended } = trajectory;
  if (entries.length === 0) return stepBlocks(trajectory, view);
  const drawing = openDrawing(view);
  const parts: Block[][] = [];
  /** Adds one entry after the other until there are so many lines; to which it came. */
  const draw = (from: number, by: 1 | -1, most: number): number => {
    let index = from;
    for (let missing = most; entries[index] !== undefined && missing > 0; index += by) {
      const { blocks } = drawing(entries[index]!, index, messagesBefore(entries, index), !ended);
      parts.push(blocks);
      missing -= linesOf(blocks);
    }
    return index;
  };
  draw(place - 1, -1, lines);
  parts.reverse();
  if (draw(draw(place, 1, 1), 1, lines) === entries.length) parts.push(failureBlocks(trajectory, view));
  return parts.flat();
}

type Drawn = {
  readonly id: string;
  readonly known: readonly Message[];
  readonly live: boolean;
  readonly columns: number;
  readonly brief: boolean;
  /** Ids within the entry that are expanded or collapsed. */
  readonly toggled: string;
  readonly blocks: Block[];
};

/** Whether lines are wrapped or whole, and whether they are to be read or stand byte for byte. */
type Setting = `${"wrapped" | "whole"} ${"reading" | "raw"}`;
const settingOf = ({ wrapped, raw = false }: View): Setting =>
  `${wrapped ? "wrapped" : "whole"} ${raw ? "raw" : "reading"}`;

/**
 * Entries stay the same objects while a trajectory grows: those that were drawn are not drawn again, in whichever setting, until
 * something in them is expanded or collapsed. Kept as long as the texts they were drawn with.
 */
const newDrawn = () => new Map<Setting, WeakMap<Entry, Drawn>>();

/** The same, one list for each entry. */
export function blocksByEntry(trajectory: Trajectory, view: View): readonly Block[][] {
  return atOnce(drawnEntries(trajectory, view));
}

/** Draws all of them, of which a screen then makes its lines at once. */
export function* drawnEntries({ entries, ended }: Trajectory, view: View): Pieces<readonly Block[][]> {
  const drawing = openDrawing(view);
  const before = new Map<string, readonly Message[]>();
  const all: Block[][] = [];
  let made = 0;
  for (const [index, entry] of entries.entries()) {
    const known = entry.kind === "turn" ? (before.get(entry.role) ?? noMessages) : noMessages;
    if (entry.kind === "turn") before.set(entry.role, entry.messages);
    const { blocks, isKept } = drawing(entry, index, known, !ended);
    all.push(blocks);
    if (!isKept && ++made % slice === 0) yield;
  }
  return all;
}

/** Draws entries at their places, or has them as they were drawn. */
function openDrawing(view: View) {
  const kept = drawnWith(view);
  const toggled = Map.groupBy(view.toggled, (block) => block.split(" ", 2).join(" "));
  return (entry: Entry, index: number, known: readonly Message[], live: boolean) => {
    const id = `step ${index}`;
    const { columns, brief = false } = view;
    const now = { id, known, live, columns, brief, toggled: toggled.get(id)?.join() ?? "" };
    const last = kept.get(entry);
    if (last !== undefined && isSame(last, now)) return { blocks: last.blocks, isKept: true };
    const blocks = entryBlocks(entry, id, known, live, view);
    kept.set(entry, { ...now, blocks });
    return { blocks, isKept: false };
  };
}

/** So many entries are drawn in about a millisecond. */
const slice = 20;

/** Whether no more of them are to be drawn than take a moment: one that was added or expanded, not all at another width. */
export function areDrawn({ entries, ended }: Trajectory, view: View): boolean {
  const kept = drawnWith(view);
  let missing = 0;
  return entries.every((entry) => {
    const last = kept.get(entry);
    return (last?.columns === view.columns && last.live === !ended) || ++missing <= slice;
  });
}

function drawnWith(view: View): WeakMap<Entry, Drawn> {
  const settings = view.texts.kept(newDrawn);
  const kept = settings.get(settingOf(view)) ?? new WeakMap<Entry, Drawn>();
  settings.set(settingOf(view), kept);
  return kept;
}

function isSame(last: Drawn, now: Omit<Drawn, "blocks">): boolean {
  return drawnBy.every((name) => last[name] === now[name]);
}

const drawnBy = ["id", "known", "live", "columns", "brief", "toggled"] as const;

/** Those that were made in this entry, and in which of its words. */
function madeIn({ entries, score }: Trajectory, index: number, view: View): readonly Made[] {
  const mistakes = standingErrors(score?.errors ?? []);
  if (mistakes.length === 0) return [];
  const places = placesOf(entries, mistakes, view);
  return mistakes.flatMap((mistake, number): Made[] => {
    const place = places[number];
    if (place?.entry !== index) return [];
    const words = wordsAt(entries[index]!, place);
    return [{ id: mistakeBlock(number), mistake, place, ...(words !== undefined && { words }) }];
  });
}

const mistakeBlock = (number: number): string => `mistake ${number} in step`;

/** From one of all the errors of a task to where the steps show it; undefined where it does not stand. */
export function leadsToWords(mistake: Mistake, errors: readonly Mistake[]): Block["leadsTo"] {
  const number = standingErrors(errors).indexOf(mistake);
  return number < 0 ? undefined : { section: "steps", block: mistakeBlock(number) };
}

type FoundPlaces = { of?: readonly Mistake[]; places?: ReturnType<typeof mistakePlaces> };
const newPlaces = (): FoundPlaces => ({});

/** Looked for once: entries of a task that has ended stay the same objects. */
function placesOf(entries: readonly Entry[], mistakes: readonly Mistake[], { texts }: View) {
  const found = texts.kept(newPlaces);
  if (found.of !== mistakes) Object.assign(found, { of: mistakes, places: mistakePlaces(entries, mistakes) });
  return found.places!;
}

export function failureBlocks({ failure }: Trajectory, view: View): Block[] {
  if (failure === undefined) return [];
  const text = `${failure.kind}: ${failure.message}`;
  const label = `${view.symbols.failed} Failed`;
  return foldedBlocks({ id: "failure", label, labelStyle: "bad", text, most: 20, error: true }, view);
}

function entryBlocks(entry: Entry, id: string, known: readonly Message[], live: boolean, view: View): Block[] {
  switch (entry.kind) {
    case "turn":
      return turnBlocks(entry, id, known, live, view);
    case "result": {
      const { result } = entry;
      const label = resultLabel(entry, view);
      const labelStyle = result.ok ? "good" : "bad";
      return foldedBlocks(
        { id, label, labelStyle, text: result.observation, most: 1, error: !result.ok, read: true },
        view,
      );
    }
    case "note":
      return foldedBlocks(
        { id, label: `Note  ${printable(entry.note)}`, labelStyle: "warn", text: entry.text, style: "faint", most: 6 },
        view,
      );
    case "answer": {
      const text = typeof entry.answer === "string" ? entry.answer : JSON.stringify(entry.answer);
      return foldedBlocks({ id, label: "Answer", labelStyle: "strong", text, most: 1, read: true }, view);
    }
    default:
      entry satisfies never;
      return [];
  }
}

/** Columns that the first words of a result need beside its label. */
const leastOfResult = 24;

/** How a call went; which call it was where there is room for it, as it stands right above. */
function resultLabel({ name, result }: Extract<Entry, { kind: "result" }>, { symbols, columns }: View): string {
  const parts = ["Tool result", printable(name), printable(String(result.status))];
  const label = (shown: readonly string[]) => `${result.ok ? symbols.right : symbols.wrong} ${shown.join("  ")}`;
  return width(label(parts)) + leastOfResult <= columns ? label(parts) : label(parts.toSpliced(1, 1));
}

function turnBlocks(turn: Turn, id: string, known: readonly Message[], live: boolean, view: View): Block[] {
  return [
    ...(id === "step 0" ? [] : [gap(`${id} gap`)]),
    blockOf(id, [turnHead(turn, live, view.symbols.rule)]),
    ...promptBlocks(turn.messages, id, known, view),
    ...turn.voided.flatMap((text, index) =>
      foldedBlocks(
        { id: `${id} voided ${index}`, label: "Cut off", labelStyle: "faint", text, style: "faint", most: 3 },
        view,
      ),
    ),
    ...retryBlocks(turn, id, live, view),
    ...thinkingBlocks(turn, id, live, view),
    ...replyBlocks(turn, id, live, view),
  ];
}

/** What was asked, as it was last drawn: while the reply streams in, it stays as it is. */
const newPrompts = () => new WeakMap<readonly Message[], Prompt>();
type Prompt = {
  readonly id: string;
  readonly known: readonly Message[];
  readonly view: View;
  readonly blocks: readonly Block[];
};

function promptBlocks(
  messages: readonly Message[],
  id: string,
  known: readonly Message[],
  view: View,
): readonly Block[] {
  const kept = view.texts.kept(newPrompts);
  const last = kept.get(messages);
  if (last?.id === id && last.known === known && isSameView(last.view, view)) return last.blocks;
  const news = promptNews(messages, known);
  const blocks = news.flatMap((each, index) => newsBlocks(each, `${id} message ${index}`, view));
  kept.set(messages, { id, known, view, blocks });
  return blocks;
}

/** Lines of an error while its request is still tried: a server may answer with a whole page. */
const mostRetryLines = 3;

/** Each retry; in a lane all of them as one, and while the request is still tried, with when the next try comes. */
function retryBlocks(turn: Turn, id: string, live: boolean, view: View): Block[] {
  const { retries, to } = turn;
  const open = live && turn.finish === undefined;
  const lines = (text: string) => hangingLines(`  ${view.symbols.failed} `, text, view.columns, "warn");
  const told = (error: string, status: number | undefined) =>
    `${status === undefined || error.startsWith(`${status} `) ? "" : ` (${status})`}: ${printable(error)}`;
  const last = retries.at(-1);
  if ((open || view.brief === true) && last !== undefined) {
    const waited = retries.reduce((sum, { wait }) => sum + wait, 0);
    const done = open ? "" : `, ${timeText(waited / 1000)}`;
    const next = open && isSilent(turn) ? `, next try at ${timeOfDay(to + last.wait)}` : done;
    const text = `${plural(retries.length, "retry", "retries")}${next}${told(last.error, last.status)}`;
    const shown = lines(text.slice(0, mostRetryLines * view.columns)).slice(0, mostRetryLines);
    return [blockOf(`${id} retries`, shown, { error: true })];
  }
  return retries.map(({ error, status, wait }, index) => {
    const text = `Retry ${index + 1}${told(error, status)}, after ${timeText(wait / 1000)}`;
    return blockOf(`${id} retry ${index}`, lines(text), { error: true });
  });
}

/** In a quieter style than the reply: as it streams while there is no reply yet, folded afterwards. */
function thinkingBlocks({ thinking, text, finish }: Turn, id: string, live: boolean, view: View): Block[] {
  if (thinking === "") return [];
  const label = "Thinking";
  const folded = { id: `${id} thinking`, label, labelStyle: "faint", text: thinking, style: "faint", most: 2 } as const;
  if (!live || text !== "" || finish !== undefined) return foldedBlocks(folded, view);
  const lines = linesOfText(folded.id, thinking, view, 4);
  return [
    blockOf(folded.id, [[{ text: `  ${label}`, style: "faint" }]]),
    textBlock(`${folded.id} text`, lines, "faint"),
  ];
}

function replyBlocks(turn: Turn, id: string, live: boolean, view: View): Block[] {
  const reply = `${id} reply`;
  return [
    ...(turn.text === ""
      ? []
      : [blockOf(reply, readLines(reply, turn.text, view, { live: live && turn.finish === undefined }))]),
    ...turn.calls.flatMap((call, index) =>
      foldedBlocks(
        {
          id: `${id} call ${index}`,
          label: view.raw === true ? `Tool call  ${printable(call.name)}` : "Tool call",
          labelStyle: "faint",
          text: view.raw === true ? call.text : callText(call),
          style: "code",
          most: 8,
          mostBrief: 3,
        },
        view,
      ),
    ),
    ...(turn.finish === undefined || usual.has(turn.finish)
      ? []
      : [blockOf(`${id} finish`, [[{ text: `  ended: ${printable(turn.finish)}`, style: "warn" }]])]),
  ];
}

const usual = new Set(["", "stop", "tool_calls", "function_call"]);

/** What a prompt repeats from the one before is no news: of it stands only how much is new. */
function newsBlocks(news: PromptNews, id: string, view: View): Block[] {
  const name = news.role === "system" ? "System" : "User";
  const label = view.raw === true ? name : [name, newsText(news) ?? ""].join("  ").trimEnd();
  const text = view.raw === true ? news.whole : news.text;
  return foldedBlocks({ id, label, labelStyle: "faint", text, style: "faint", most: 3, read: true }, view);
}
