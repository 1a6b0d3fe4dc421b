/** Shows the conversation of a task in order: requests, replies as they stream, tool calls and their results. */
import { seenNote } from "../../../engine/log/rows/row-notes.ts";
import { type Entry, speakerOf, type Trajectory, type Turn } from "../../../engine/log/trajectory.ts";
import { field } from "../../../engine/text/json-record.ts";
import type { Json, Message, Mistake, ToolCall } from "../../../engine/types.ts";
import { atOnce, type Pieces } from "../../../engine/work/pieces.ts";
import { fit, printable, width } from "../../../engine/text/printable.ts";
import { endText, finishText } from "../../../engine/log/run-words.ts";
import { besideCause } from "../../../engine/log/rows/cause-beside.ts";
import { isUnread, unreadCause } from "../../../engine/log/rows/cause-text.ts";
import { mistakePlaces, wordsAt } from "../../../engine/log/rows/mistake-text.ts";
import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import { messagesBefore, newsText, noMessages, promptNews, type PromptNews } from "../../../engine/log/prompt-news.ts";
import { plural, timeOfDay, timeText } from "../../../look/amounts.ts";
import { type Block, blockOf, gap, textBlock } from "../block.ts";
import { agentLanes, inLane, laneHeads, laneView } from "./agent-lanes.ts";
import { type Made, markedBlocks } from "./mistake-marks.ts";
import { linesOf } from "../position.ts";
import { isSilent, turnHead } from "./turn-head.ts";
import { callText, valuesText } from "../../../engine/text/call-text.ts";
import { repeatedText } from "../field-lines.ts";
import { saidBefore } from "../said-before.ts";
import { type View, linesOfText, readLines } from "../view.ts";
import { hangingLines } from "../../drawing/wrapped-spans.ts";
import { fitLine, type Line, lineText, lineWidth, type Style } from "../../../engine/figures/drawing/line.ts";

export function stepBlocks(trajectory: Trajectory, view: View): readonly Block[] {
  const all = view.texts.kept(newShown);
  const known = all.get(settingOf(view));
  if (known?.trajectory === trajectory && isSameView(known.view, view)) return known.blocks;
  const heads = laneHeads(agentLanes(trajectory.entries, view), view);
  const blocks = [...outlineBlocks(trajectory, view), ...heads, ...markedByEntry(trajectory, view).flat()];
  if (blocks.length === 0) blocks.push(blockOf("nothing", [[{ text: "  No request was sent yet", style: "faint" }]]));
  blocks.push(...failureBlocks(trajectory, view));
  all.set(settingOf(view), { trajectory, view, blocks });
  return blocks;
}

/** Shows which agent spoke when, by the numbers of requests, in a recording of several agents. */
function outlineBlocks({ entries }: Trajectory, { columns }: View): readonly Block[] {
  const turns = entries.filter((entry) => entry.kind === "turn");
  if (new Set(turns.map(({ agent }) => agent)).size < 2) return [];
  const runs: { readonly speaker: string; readonly from: number; to: number }[] = [];
  for (const [index, turn] of turns.entries()) {
    const last = runs.at(-1);
    if (last?.speaker === speakerOf(turn)) last.to = index + 1;
    else runs.push({ speaker: speakerOf(turn), from: index + 1, to: index + 1 });
  }
  const said = runs.map(({ speaker, from, to }) => `${printable(speaker)} ${from === to ? from : `${from}-${to}`}`);
  const shown =
    said.length <= mostRuns ? said : [...said.slice(0, mostRuns), plural(said.length - mostRuns, "more change")];
  return [blockOf("outline", hangingLines("  Requests  ", shown.join(", "), columns, "faint")), gap("outline gap")];
}

/** Maximum number of changes of the speaker that the outline shows one by one. */
const mostRuns = 60;

/** The last drawn steps in each setting, so that switching settings does not redraw thousands of them. */
const newShown = () => new Map<Setting, Shown>();
type Shown = { readonly trajectory: Trajectory; readonly view: View; readonly blocks: readonly Block[] };

/** Compares the fields of a view that steps depend on, besides their texts. */
function isSameView(one: View, other: View): boolean {
  const by = ["columns", "lanes", "symbols", "toggled", "brief", "errorKinds", "words", "wrapped", "raw"] as const;
  return by.every((name) => one[name] === other[name]);
}

/** Returns a list of blocks for each entry, with the mistakes made in it. */
export function markedByEntry(trajectory: Trajectory, view: View): readonly (readonly Block[])[] {
  const lanes = agentLanes(trajectory.entries, view);
  return blocksByEntry(trajectory, view).map((own, index) => {
    const made = madeIn(trajectory, index, view);
    return inLane(lanes, index, markedBlocks(`step ${index}`, own, made, laneView(lanes, index, view)), view);
  });
}

/**
 * Returns the last entries, of at least `lines` lines if there are as many from entry `from` on, because a lane shows no more.
 */
export const lastStepBlocks = (trajectory: Trajectory, view: View, lines: number, from = 0): readonly Block[] =>
  stepBlocksAround(trajectory.entries.length, trajectory, view, lines, from);

/** Returns the entry at this place and, from entry `first` on, before and after it, entries of at least `lines` lines if there are as many. */
export function stepBlocksAround(
  place: number,
  trajectory: Trajectory,
  view: View,
  lines: number,
  first = 0,
): readonly Block[] {
  const { entries, ended } = trajectory;
  if (entries.length === 0) return stepBlocks(trajectory, view);
  const [drawing, lanes] = [openDrawing(entries, view), agentLanes(entries, view)];
  const parts: (readonly Block[])[] = [];
  /** Draws entries in order until there are enough lines. Returns the next index. */
  const draw = (from: number, by: 1 | -1, most: number): number => {
    let index = from;
    for (let missing = most; index >= first && entries[index] !== undefined && missing > 0; index += by) {
      const { blocks } = drawing(entries[index]!, index, messagesBefore(entries, index), !ended);
      parts.push(inLane(lanes, index, blocks, view));
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
  /** Number of columns of the agent's lane, or of all lanes. */
  readonly own: number;
  readonly brief: boolean;
  /** Ids of expanded or collapsed blocks within the entry. */
  readonly toggled: string;
  readonly blocks: Block[];
};

/** Two choices: wrapped or whole lines, and text for reading or byte for byte. */
type Setting = `${"wrapped" | "whole"} ${"reading" | "raw"}`;
const settingOf = ({ wrapped, raw = false }: View): Setting =>
  `${wrapped ? "wrapped" : "whole"} ${raw ? "raw" : "reading"}`;

/**
 * Drawn entries by setting. Entries stay the same objects while a trajectory grows, so an entry is drawn again only if a part of
 * it is folded or unfolded. Stored with the texts from which they were drawn.
 */
const newDrawn = () => new Map<Setting, WeakMap<Entry, Drawn>>();

/** Returns a list of blocks for each entry. */
export const blocksByEntry = (trajectory: Trajectory, view: View): readonly Block[][] =>
  atOnce(drawnEntries(trajectory, view));

/** Draws all entries, so that a screen then gets its lines at once. */
export function* drawnEntries({ entries, ended }: Trajectory, view: View): Pieces<readonly Block[][]> {
  const drawing = openDrawing(entries, view);
  const before = new Map<string, readonly Message[]>();
  const all: Block[][] = [];
  let made = 0;
  for (const [index, entry] of entries.entries()) {
    const known = entry.kind === "turn" ? (before.get(speakerOf(entry)) ?? noMessages) : noMessages;
    if (entry.kind === "turn") before.set(speakerOf(entry), entry.messages);
    const { blocks, isKept } = drawing(entry, index, known, !ended);
    all.push(blocks);
    if (!isKept && ++made % slice === 0) yield;
  }
  return all;
}

/** Draws entries, or returns their earlier drawings. */
function openDrawing(entries: readonly Entry[], view: View) {
  const kept = drawnWith(view);
  const lanes = agentLanes(entries, view);
  const toggled = Map.groupBy(view.toggled, (block) => block.split(" ", 2).join(" "));
  return (entry: Entry, index: number, known: readonly Message[], live: boolean) => {
    const id = `step ${index}`;
    const { columns, brief = false } = view;
    const ownView = laneView(lanes, index, view);
    const own = ownView.columns;
    const now = { id, known, live, columns, own, brief, toggled: toggled.get(id)?.join() ?? "" };
    const last = kept.get(entry);
    if (last !== undefined && isSame(last, now)) return { blocks: last.blocks, isKept: true };
    const said = brief ? saidBefore(entries, index) : undefined;
    const asked = entry.kind === "result" ? askedFor(entries, index) : undefined;
    const blocks = entryBlocks(entry, id, known, live, said === undefined ? ownView : { ...ownView, said }, asked);
    kept.set(entry, { ...now, blocks });
    return { blocks, isKept: false };
  };
}

/** Entries drawn in about a millisecond. */
const slice = 20;

/** Returns true if few entries must be drawn, such as a new or unfolded entry; another width redraws all. */
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

const isSame = (last: Drawn, now: Omit<Drawn, "blocks">): boolean => drawnBy.every((name) => last[name] === now[name]);

const drawnBy = ["id", "known", "live", "columns", "own", "brief", "toggled"] as const;

/** Returns the mistakes made in this entry, and their words. */
function madeIn(trajectory: Trajectory, index: number, view: View): readonly Made[] {
  const { entries, score } = trajectory;
  const mistakes = standingErrors(score?.errors ?? []);
  const ending = endingIn(trajectory, index, view);
  if (mistakes.length === 0) return ending;
  const places = placesOf(entries, mistakes, view);
  const made = mistakes.flatMap((mistake, number): Made[] => {
    const place = places[number];
    if (place?.entry !== index) return [];
    return [{ id: mistakeBlock(number), mistake, place, words: wordsAt(entries[index]!, place) }];
  });
  return [...ending, ...made];
}

/** Returns why the answer was not read, at the characters of the reply that decide. */
function endingIn(trajectory: Trajectory, index: number, { words }: View): readonly Made[] {
  const { cause } = trajectory;
  const entry = trajectory.entries[index]!;
  if (cause === undefined || !isUnread({ cause })) return [];
  if (entry.kind !== "turn" || entry.request !== cause.request || entry.role === "judge") return [];
  const { from = 0, to = entry.text.length } = cause;
  const whole = from === 0 && to >= entry.text.length;
  const place = { entry: index, ...(whole ? {} : { from, to }) };
  const mistake = { kind: unreadCause(cause, besideCause(entry, trajectory, words?.reading)) };
  return [{ id: "cause in step", mistake, place, isCause: true, words: wordsAt(entry, place) }];
}

const mistakeBlock = (number: number): string => `mistake ${number} in step`;

/** Returns the position of an error of the task in the steps; undefined if it was corrected to no error. */
export function leadsToWords(mistake: Mistake, errors: readonly Mistake[]): Block["leadsTo"] {
  const number = standingErrors(errors).indexOf(mistake);
  return number < 0 ? undefined : { section: "steps", block: mistakeBlock(number) };
}

type FoundPlaces = { of?: readonly Mistake[]; places?: ReturnType<typeof mistakePlaces> };
const newPlaces = (): FoundPlaces => ({});

/** Computed once, because the entries of an ended task stay the same objects. */
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

/** The call of a result; `isAbove` is true if it is the only call, directly above the result. */
type Asked = { readonly call: ToolCall; readonly isAbove: boolean };

/** Entries back to which the call of a result is looked for. */
const farthestCall = 50;

function askedFor(entries: readonly Entry[], index: number): Asked | undefined {
  const result = entries[index]!;
  for (let at = index - 1; at >= Math.max(0, index - farthestCall); at--) {
    const turn = entries[at]!;
    if (turn.kind !== "turn" || result.kind !== "result") continue;
    const call = turn.calls.find(({ id, name }) => id === result.callId && name === result.name);
    if (call !== undefined) return { call, isAbove: at === index - 1 && turn.calls.length === 1 };
  }
  return undefined;
}

function entryBlocks(
  entry: Entry,
  id: string,
  known: readonly Message[],
  live: boolean,
  view: View,
  asked: Asked | undefined,
): Block[] {
  switch (entry.kind) {
    case "turn":
      return turnBlocks(entry, id, known, live, view);
    case "result": {
      const { result } = entry;
      const label = resultLabel(entry, asked, view);
      const labelStyle = result.ok ? "good" : "bad";
      const text = result.observation;
      const summary = view.raw === true || text.length > longestRead ? undefined : valuesText(text);
      return foldedBlocks(
        { id, label, labelStyle, text, most: 1, error: !result.ok, read: true, isFull: true, summary },
        view,
      );
    }
    case "note": {
      const text = entry.note === "end" && view.raw !== true ? endText(entry.text) : entry.text;
      const label = entry.note === seenNote ? "Sees" : `Note  ${printable(entry.note)}`;
      return foldedBlocks({ id, label, labelStyle: "warn", text, style: "faint", most: 6 }, view);
    }
    case "answer": {
      const answer = view.raw === true ? entry.answer : inWords(entry.answer);
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return foldedBlocks({ id, label: "Answer", labelStyle: "strong", text, most: 1, read: true }, view);
    }
  }
}

/** Returns the answer of a dialogue with the sentence for its end, which logs contain as a key. */
function inWords(answer: Json): Json {
  const end = field(answer, "end");
  return typeof end === "string" ? { ...(answer as object), end: endText(end) } : answer;
}

/** Maximum fraction of the line for the call of a result; a result below its only call has an arrow alone. */
const callShare = 0.4;

/** Labels a result with its call, `✓ name(args) →`, unless that is right above, and with the status of a failure. */
function resultLabel(
  { name, result }: Extract<Entry, { kind: "result" }>,
  asked: Asked | undefined,
  { symbols, columns, raw = false }: View,
): string {
  const sign = result.ok ? symbols.right : symbols.wrong;
  if (raw) return `${sign} Tool result  ${printable(name)}  ${printable(String(result.status))}`;
  const call = asked === undefined ? `${name}()` : callText(asked.call);
  const shown = asked?.isAbove === true ? "" : `${fit(printable(call), Math.floor(columns * callShare))} `;
  return `${sign} ${shown}${symbols.right2}${result.ok ? "" : `  ${printable(String(result.status))}`}`;
}

const turnBlocks = (turn: Turn, id: string, known: readonly Message[], live: boolean, view: View): Block[] => [
  ...(id === "step 0" ? [] : [gap(`${id} gap`)]),
  blockOf(id, [turnHead(turn, live, view.symbols.rule, view.words)], { speaker: speakerOf(turn) }),
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

/** The last drawn prompts: they do not change while the reply streams in. */
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

/** Limit of lines for an error while its request is retried, because a server may answer with a whole page. */
const mostRetryLines = 3;

/** Shows each retry. A lane shows all retries as one, and a request that is still retried shows the time of the next attempt. */
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

/** Shows thinking in a fainter style than the reply: in full while there is no reply, folded afterwards. */
function thinkingBlocks({ thinking, text, finish }: Turn, id: string, live: boolean, view: View): Block[] {
  if (thinking === "") return [];
  const label = "Thinking";
  const times = view.said?.thought(thinking, live && text === "" && finish === undefined) ?? 0;
  if (times > 0) return [blockOf(`${id} thinking`, [[{ text: `  ${label}  ${repeatedText(times)}`, style: "faint" }]])];
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
  const finish = finishText(turn, view.words);
  return [
    ...(turn.text === ""
      ? []
      : [blockOf(reply, readLines(reply, turn.text, view, { live: live && turn.finish === undefined }))]),
    ...turn.calls.flatMap((call, index) =>
      foldedBlocks(
        {
          id: `${id} call ${index}`,
          label: view.raw === true ? `Tool call  ${printable(call.name)}` : "",
          labelStyle: "faint",
          text: view.raw === true ? call.text : callText(call),
          style: "code",
          most: 8,
          mostBrief: 3,
          isCall: true,
        },
        view,
      ),
    ),
    ...(finish === undefined ? [] : [blockOf(`${id} finish`, [[{ text: `  ${printable(finish)}`, style: "warn" }]])]),
  ];
}

/** Omits the text that a prompt repeats from the previous prompt, and reports how much is new. */
function newsBlocks(news: PromptNews, id: string, view: View): Block[] {
  const name = news.role === "system" ? "System" : "User";
  const label = view.raw === true ? name : [name, newsText(news) ?? ""].join("  ").trimEnd();
  const text = view.raw === true ? news.whole : news.text;
  return foldedBlocks({ id, label, labelStyle: "faint", text, style: "faint", most: 3, read: true }, view);
}

type Folded = {
  readonly id: string;
  readonly label: string;
  readonly labelStyle: Style;
  readonly text: string;
  readonly style?: Style;
  /** Limit of lines that are shown whole; in a lane `mostBrief`, or 1. */
  readonly most: number;
  readonly mostBrief?: number;
  readonly error?: boolean;
  /** True to show it like a model's text, with JSON as fields, unless it is too long. */
  readonly read?: boolean;
  /** A text that replaces the first line of a folded text; shown alone if it fits. */
  readonly summary?: string | undefined;
  /** Leaves out fields without a value. */
  readonly isFull?: boolean;
  readonly isCall?: boolean;
};

/** Limit of characters shown for reading, because a conversation may have many long texts. */
const longestRead = 20_000;

/** Shows a labelled text: a short text in full, a long text as its first line and the number of further lines. */
function foldedBlocks(
  {
    id,
    label,
    labelStyle,
    text,
    style,
    most,
    mostBrief = 1,
    error = false,
    read = false,
    isFull = false,
    isCall,
    summary,
  }: Folded,
  view: View,
): Block[] {
  const inside = `${id} text`;
  const all =
    read && text.length <= longestRead
      ? inStyle(readLines(id, text, view, { indent: 4 }), style)
      : linesOfText(id, text, view, 4).map((line): Line => [{ text: "    " }, { text: line, style: style ?? "plain" }]);
  const full = isFull && view.raw !== true ? all.filter((line) => !isEmptyField(line)) : all;
  const shown = full.length === 0 ? all : full;
  const long = shown.length > (view.brief === true ? mostBrief : most);
  const open = long === view.toggled.has(id);
  const head: Line = [
    { text: "  " },
    { text: label, style: labelStyle },
    ...(open && long ? [{ text: "  Enter collapses", style: "faint" } as const] : []),
  ];
  const rest = { error, folds: long, isCall };
  // A text that begins with blank lines, such as tagged thinking, or with empty fields is introduced by its first words.
  const written = shown.filter((line) => lineText(line).trim() !== "");
  const first = (label === "" ? withoutBlanks : behindLabel)(
    written.find((line) => !isEmptyField(line)) ?? written[0] ?? [],
  );
  if (shown.length <= 1 && lineWidth(head) + lineWidth(first) <= view.columns)
    return [blockOf(id, [[...head, ...first]], rest)];
  if (label === "" && !long) return [blockOf(id, shown.map(callLine), rest)];
  if (open) return [blockOf(id, [head], rest), blockOf(inside, shown)];
  const folded = { id: inside, lines: shown.map(lineText) };
  const whole = summary === undefined ? undefined : `  ${printable(summary)}`;
  if (whole !== undefined && lineWidth(head) + width(whole) <= view.columns)
    return [blockOf(id, [[...head, { text: whole }]], { ...rest, folded })];
  const more = `  ${plural(shown.length - 1, "more line")}${view.brief === true ? "" : ": Enter"}`;
  const room = Math.max(0, view.columns - width(label) - more.length - 3);
  return [
    blockOf(
      id,
      [[...head, ...fitLine(whole === undefined ? first : [{ text: whole }], room), { text: more, style: "faint" }]],
      {
        ...rest,
        folded,
      },
    ),
  ];
}

/** Draws a call without a label, in the column of labels; its further lines are indented. */
const callLine = (line: Line, at: number): Line => [{ text: at === 0 ? "  " : "    " }, ...line.slice(1)];

/** Sets all lines in one quiet style. */
function inStyle(lines: readonly Line[], style: Style | undefined): readonly Line[] {
  if (style === undefined) return lines;
  return lines.map((line): Line => {
    const text = lineText(line);
    const bare = text.trim();
    return [{ text: text.slice(0, text.indexOf(bare)) }, { text: bare, style }];
  });
}

/** Reports whether a line of a read text is a field without a value, such as `error  ""`. */
function isEmptyField(line: Line): boolean {
  const last = line.at(-1);
  return line.length > 1 && ((last?.style === "faint" && /^(""|none)$/.test(last.text)) || last?.text === "null");
}

const withoutBlanks = (line: Line): Line => {
  const [first, ...rest] = behindLabel(line);
  return [{ ...first!, text: first!.text.trimStart() }, ...rest];
};

/** Replaces the indentation by two blanks. */
function behindLabel([first, ...rest]: Line): Line {
  if (first === undefined) return [{ text: "  " }];
  const text = first.text.trimStart();
  return text === "" ? behindLabel(rest) : [{ ...first, text: `  ${text}` }, ...rest];
}
