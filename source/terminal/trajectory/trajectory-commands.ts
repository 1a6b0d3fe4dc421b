/** What the keys of the trajectory screen do. */
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { TaskRef } from "../../engine/types.ts";
import { lastUserMessage, turnAt } from "../fork/turn-at.ts";
import type { ScreenOf } from "../frame/screen.ts";
import type { Commands } from "../input/keys.ts";
import type { Block } from "./block.ts";
import { nextFound } from "./find.ts";
import { atOnce } from "../../engine/work/pieces.ts";
import {
  type Position,
  blockAt,
  end,
  lineAt,
  linesOf,
  movedBy,
  nextError,
  positionAt,
  start,
  topOf,
} from "./position.ts";
import { type Reading, freshReading } from "./reading.ts";
import { placeInList } from "../tasks/task-places.ts";
import type { Section } from "./sections.ts";

type Context = {
  readonly reading: Reading;
  readonly section: Section;
  readonly sections: readonly Section[];
  readonly blocks: readonly Block[];
  /** Those of another section. */
  readonly blocksIn: (section: Section) => readonly Block[];
  readonly place: Position;
  /** Rows of the part of the window that scrolls. */
  readonly height: number;
  readonly siblings: readonly TaskRef[];
  readonly go: (reading: Reading) => void;
  readonly trajectory: Trajectory | undefined;
  /** Tells the list of tasks which one is read now. */
  readonly turned: (ref: TaskRef) => void;
  /** Opens the field for what to find. */
  readonly find: () => void;
  readonly copy: () => void;
  /** Opens the fork beside its original. */
  readonly beside: () => void;
  readonly export: () => void;
  /** Opens the list of error kinds for the errors on this line. */
  readonly correct: () => void;
  readonly fork: (screen: ScreenOf<"fork">) => void;
  readonly notify: (text: string) => void;
  readonly back: () => void;
};

export function trajectoryCommands(context: Context): Commands<"trajectory"> {
  const { reading, section, sections, blocks, place, height, go, notify, back } = context;
  const put = putOf(context);
  const move = (by: number) => {
    // Already at the end: moving down keeps following it.
    if (by < 0 || place.seen !== undefined) put(movedBy(blocks, place, by, height));
  };
  const show = (wanted: Section | undefined) => wanted !== undefined && go({ ...reading, section: wanted });
  const cycle = (by: number) => show(sections[(sections.indexOf(section) + by + sections.length) % sections.length]);
  const sibling = (by: number) => {
    const { siblings } = context;
    const at = placeInList(siblings, reading.ref);
    const next = siblings[at + by];
    if (at < 0 || next === undefined) return notify(by > 0 ? "This is the last task" : "This is the first task");
    const { wrapped, raw } = reading;
    go({ ...freshReading(next), section: reading.section, wrapped, raw, find: reading.find });
    context.turned(next);
  };
  return {
    down: () => move(1),
    up: () => move(-1),
    "page-down": () => move(Math.max(1, height - 2)),
    "page-up": () => move(-Math.max(1, height - 2)),
    first: () => put(positionAt(blocks, 0, place.seen ?? linesOf(blocks))),
    last: () => put(end),
    open: () => openBlock(context, put),
    next: () => sibling(1),
    previous: () => sibling(-1),
    "next-error": () => toError(context, put, 1),
    "previous-error": () => toError(context, put, -1),
    words() {
      const from = section === "steps" ? place : start;
      const next = atWords(reading, context.blocksIn("steps"), from, height);
      if (next === undefined) notify("No error is of a model's words here");
      else go(next);
    },
    find: context.find,
    copy: context.copy,
    export: context.export,
    "next-found": () => (reading.find === "" ? toError(context, put, 1) : findText(context, reading.find, 1)),
    "previous-found": () => (reading.find === "" ? toError(context, put, -1) : findText(context, reading.find, -1)),
    "next-section": () => cycle(1),
    "previous-section": () => cycle(-1),
    "section-1": () => show("plan"),
    "section-2": () => show("steps"),
    "section-3": () => show("checks"),
    "section-4": () => show("raw"),
    "section-5": () => (sections.includes("tree") ? show("tree") : notify("This strategy builds no tree")),
    wrap() {
      go({ ...reading, wrapped: !reading.wrapped });
      notify(reading.wrapped ? "Long lines are cut" : "Long lines are wrapped");
    },
    raw() {
      go({ ...reading, raw: !reading.raw });
      notify(reading.raw ? "Texts of the steps are set to be read" : "Texts of the steps are shown byte for byte");
    },
    fork: () => forkHere(context),
    beside: context.beside,
    correct: context.correct,
    back,
  };
}

/** Forks from the request the cursor is on; where it is on none of several, says how to get to one. */
function forkHere({ reading, trajectory, blocks, place, fork, notify }: Context): void {
  const block = blockAt(blocks, lineAt(blocks, place));
  const turn = trajectory && turnAt(trajectory, block && requestBlock(blocks, block).id);
  const hasRequest = trajectory?.entries.some(({ kind }) => kind === "turn") === true;
  if (!hasRequest) notify("No request was sent yet: there is nothing to fork from");
  else if (turn === undefined) notify("Move to the request to fork from: 2 shows the steps, 4 the requests");
  else {
    const { request, stage } = turn;
    fork({ kind: "fork", ref: reading.ref, request, stage, message: lastUserMessage(turn) });
  }
}

/** An error stands below the words it was made in: it is of the same request. */
function requestBlock(blocks: readonly Block[], block: Block): Block {
  if ((block.mistakes ?? []).length === 0) return block;
  return blocks.slice(0, blocks.indexOf(block)).findLast(({ mistakes = [] }) => mistakes.length === 0) ?? block;
}

type Put = (next: Position, more?: Partial<Reading>) => void;

function putOf({ reading, section, go }: Pick<Context, "reading" | "section" | "go">): Put {
  return (next, more = {}) =>
    go({ ...reading, ...more, section, positions: { ...reading.positions, [section]: next } });
}

/** Looks for this text from the cursor on, and expands what it stands in; an empty one ends looking. */
export function findText(
  context: Omit<Context, "find" | "copy" | "beside" | "export" | "correct">,
  text: string,
  by: 1 | -1,
): void {
  const { reading, blocks, place, height, go, notify } = context;
  if (text === "") return go({ ...reading, find: "" });
  const found = atOnce(nextFound(blocks, lineAt(blocks, place), text, by));
  if (found === undefined) {
    go({ ...reading, find: text });
    return notify(`Not found in this section: ${text}`);
  }
  const toggled = new Set(reading.toggled);
  if (found.opens !== undefined && !toggled.delete(found.opens)) toggled.add(found.opens);
  const seen = place.seen ?? linesOf(blocks);
  putOf(context)({ block: found.block, line: found.line, row: Math.floor(height / 3), seen }, { toggled, find: text });
}

function openBlock(context: Context, put: Put): void {
  const { reading, blocks, place, height, notify } = context;
  const found = blockAt(blocks, lineAt(blocks, place));
  // Within an expanded text, its heading is meant.
  const block =
    found?.folds === true ? found : blocks.find(({ id, folds }) => folds === true && found?.id === `${id} text`);
  if (found?.leadsTo !== undefined) return followLead(context, found.leadsTo);
  if (block === undefined) return notify("There is nothing to expand on this line");
  const toggled = new Set(reading.toggled);
  if (!toggled.delete(block.id)) toggled.add(block.id);
  const next: Position = { block: block.id, line: 0, row: 0, seen: place.seen ?? linesOf(blocks) };
  const row = lineAt(blocks, next) - topOf(blocks, place, height);
  put({ ...next, row: Math.max(0, row) }, { toggled });
}

/** Goes to a block of another section, and expands what it is about. */
function followLead(
  { reading, blocksIn, height, go, notify }: Context,
  { section, block }: NonNullable<Block["leadsTo"]>,
): void {
  const blocks = blocksIn(section);
  const target = blocks.find(({ id }) => id === block);
  if (target === undefined) return notify("No model was asked for this: there are no words to show");
  go(readingAt(reading, section, { blocks, target, height }));
}

type Target = { readonly blocks: readonly Block[]; readonly target: Block; readonly height: number };

function readingAt(reading: Reading, section: Section, { blocks, target, height }: Target): Reading {
  const toggled = new Set(reading.toggled);
  if (target.opens !== undefined && !toggled.delete(target.opens)) toggled.add(target.opens);
  const place: Position = { block: target.id, line: 0, row: Math.floor(height / 3), seen: linesOf(blocks) };
  return { ...reading, section, toggled, positions: { ...reading.positions, [section]: place } };
}

/** At the next error after `from` that stands in the steps, where it was made; undefined where none does. */
export function atWords(
  reading: Reading,
  steps: readonly Block[],
  from: Position,
  height: number,
): Reading | undefined {
  const target = nextError(steps, from, 1);
  return target && readingAt(reading, "steps", { blocks: steps, target, height });
}

/** The next error of this section; where it has none, the plan. */
function toError({ reading, section, blocks, place, height, go, notify }: Context, put: Put, by: 1 | -1): void {
  const block = nextError(blocks, place, by);
  const seen = place.seen ?? linesOf(blocks);
  if (block !== undefined) return put({ block: block.id, line: 0, row: Math.floor(height / 3), seen });
  if (section === "plan") return notify("This plan has no errors");
  notify("This section has no errors: here is the plan");
  go({ ...reading, section: "plan" });
}
