/** The commands of the trajectory screen. */
import { lineText } from "../../engine/figures/drawing/line.ts";
import { cellOfRun } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import { exportRuns } from "../frame/exports.ts";
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
import type { Section } from "./sections/sections.ts";
import type { ReadTask } from "./use-read-task.ts";
import type { Trajectory, Turn } from "../../engine/log/trajectory.ts";

export type TrajectoryContext = ReadTask & {
  readonly blocks: readonly Block[];
  /** Returns the blocks of another section. */
  readonly blocksIn: (section: Section) => readonly Block[];
  readonly place: Position;
  /** Rows of the scrolling part of the window. */
  readonly height: number;
  /** Opens the search field. */
  readonly find: () => void;
};

export function trajectoryCommands(context: TrajectoryContext): Commands<"trajectory"> {
  const { terminal, reading, blocks, place, go, find, correction } = context;
  const { navigation, notices } = terminal;
  const put = putOf(context);
  const block = () => blockAt(blocks, lineAt(blocks, place));
  return {
    ...moveCommands(context, put),
    ...sectionCommands(context),
    open: () => openBlock(context, put),
    find,
    copy: () => copyText(terminal, copiedText(block())),
    export: () => exportTask(context),
    wrap() {
      go({ ...reading, wrapped: !reading.wrapped });
      notices.say(reading.wrapped ? "Long lines are cut" : "Long lines are wrapped");
    },
    raw() {
      go({ ...reading, raw: !reading.raw });
      notices.say(reading.raw ? "Texts of the steps are set to be read" : "Texts of the steps are shown byte for byte");
    },
    fork: () => forkHere(context),
    beside: () => openBeside(context),
    correct: () => correction.open(block()?.mistakes ?? []),
    back: navigation.pop,
  };
}

function moveCommands(context: TrajectoryContext, put: Put) {
  const { terminal, reading, section, blocks, place, height, go } = context;
  const move = (by: number) => {
    // At the end, moving down keeps following it.
    if (by < 0 || place.seen !== undefined) put(movedBy(blocks, place, by, height));
  };
  const toFound = (by: 1 | -1) =>
    reading.find === "" ? toError(context, put, by) : findText(context, reading.find, by);
  return {
    down: () => move(1),
    up: () => move(-1),
    "page-down": () => move(Math.max(1, height - 2)),
    "page-up": () => move(-Math.max(1, height - 2)),
    first: () => put(positionAt(blocks, 0, place.seen ?? linesOf(blocks))),
    last: () => put(end),
    next: () => toSibling(context, 1),
    previous: () => toSibling(context, -1),
    "next-error": () => toError(context, put, 1),
    "previous-error": () => toError(context, put, -1),
    "next-found": () => toFound(1),
    "previous-found": () => toFound(-1),
    words() {
      const from = section === "steps" ? place : start;
      const next = atWords(reading, context.blocksIn("steps"), from, height);
      if (next === undefined) terminal.notices.say("No error here refers to the model's words");
      else go(next);
    },
  };
}

function sectionCommands({ terminal, reading, section, sections, go }: TrajectoryContext) {
  const show = (wanted: Section | undefined) => wanted !== undefined && go({ ...reading, section: wanted });
  const cycle = (by: number) => show(sections[(sections.indexOf(section) + by + sections.length) % sections.length]);
  return {
    "next-section": () => cycle(1),
    "previous-section": () => cycle(-1),
    "section-1": () => show("plan"),
    "section-2": () => show("steps"),
    "section-3": () => show("checks"),
    "section-4": () => show("raw"),
    "section-5": () =>
      sections.includes("tree") ? show("tree") : terminal.notices.say("This strategy builds no tree"),
  };
}

/** Goes to the next or previous task of the list that opened the screen, and moves the list's cursor too. */
function toSibling({ terminal, siblings, reading, go }: TrajectoryContext, by: number): void {
  const { navigation, notices } = terminal;
  const at = placeInList(siblings, reading.ref);
  const next = siblings[at + by];
  if (at < 0 || next === undefined) return notices.say(by > 0 ? "This is the last task" : "This is the first task");
  const { wrapped, raw } = reading;
  go({ ...freshReading(next), section: reading.section, wrapped, raw, find: reading.find });
  navigation.amend({ kind: "trajectory", ref: next, siblings });
}

/** Returns all lines of the block as they are shown, folded or not, without their indentation. */
function copiedText(block: Block | undefined): string | undefined {
  if (block === undefined) return undefined;
  const shown = Array.from({ length: block.count }, (_, index) => lineText(block.line(index)));
  return (block.folded?.lines ?? shown).map((line) => line.trim()).join("\n");
}

/** Opens the fork beside its original. */
function openBeside({ terminal, reading, run }: TrajectoryContext): void {
  const original = run?.spec.fork?.run;
  const { ref } = reading;
  if (original === undefined) return;
  terminal.navigation.push({ kind: "beside", task: ref.task, tasks: [ref.task], runs: [original, ref.run] });
}

function exportTask({ terminal, workbench, reading }: TrajectoryContext): void {
  const cell = cellOfRun(workbench, reading.ref.run)?.cell;
  if (cell !== undefined) exportRuns(terminal, cell, "atif", reading.ref);
}

/** Forks from the request under the cursor; if there is none, explains how to get to one. */
function forkHere({ terminal, reading, trajectory, blocks, place }: TrajectoryContext): void {
  const { navigation, notices } = terminal;
  const block = blockAt(blocks, lineAt(blocks, place));
  const turn = trajectory && turnAt(trajectory, block && requestBlock(blocks, block).id);
  const hasRequest = trajectory?.entries.some(({ kind }) => kind === "turn") === true;
  if (!hasRequest) notices.say("No request was sent yet: there is nothing to fork from");
  else if (turn === undefined) notices.say("Move to the request to fork from: 2 shows the steps, 4 the requests");
  else {
    const { request, stage } = turn;
    navigation.push({ kind: "fork", ref: reading.ref, request, stage, message: lastUserMessage(turn) });
  }
}

/** An error below the words it was made in belongs to the same request. */
function requestBlock(blocks: readonly Block[], block: Block): Block {
  if ((block.mistakes ?? []).length === 0) return block;
  return blocks.slice(0, blocks.indexOf(block)).findLast(({ mistakes = [] }) => mistakes.length === 0) ?? block;
}

type Put = (next: Position, more?: Partial<Reading>) => void;

function putOf({ reading, section, go }: Pick<TrajectoryContext, "reading" | "section" | "go">): Put {
  return (next, more = {}) =>
    go({ ...reading, ...more, section, positions: { ...reading.positions, [section]: next } });
}

/** Searches for this text from the cursor on, and expands the block that contains it; an empty text ends the search. */
export function findText(context: Omit<TrajectoryContext, "find">, text: string, by: 1 | -1): void {
  const { terminal, reading, blocks, place, height, go } = context;
  if (text === "") return go({ ...reading, find: "" });
  const found = atOnce(nextFound(blocks, lineAt(blocks, place), text, by));
  if (found === undefined) {
    go({ ...reading, find: text });
    return terminal.notices.say(`Not found in this section: ${text}`);
  }
  const toggled = new Set(reading.toggled);
  if (found.opens !== undefined && !toggled.delete(found.opens)) toggled.add(found.opens);
  const seen = place.seen ?? linesOf(blocks);
  putOf(context)({ block: found.block, line: found.line, row: Math.floor(height / 3), seen }, { toggled, find: text });
}

function openBlock(context: TrajectoryContext, put: Put): void {
  const { terminal, reading, blocks, place, height } = context;
  const found = blockAt(blocks, lineAt(blocks, place));
  // Inside an expanded text, the command means its heading.
  const block =
    found?.folds === true ? found : blocks.find(({ id, folds }) => folds === true && found?.id === `${id} text`);
  if (found?.leadsTo !== undefined) return followLead(context, found.leadsTo);
  if (block === undefined) return terminal.notices.say("There is nothing to expand on this line");
  const toggled = new Set(reading.toggled);
  if (!toggled.delete(block.id)) toggled.add(block.id);
  const next: Position = { block: block.id, line: 0, row: 0, seen: place.seen ?? linesOf(blocks) };
  const row = lineAt(blocks, next) - topOf(blocks, place, height);
  put({ ...next, row: Math.max(0, row) }, { toggled });
}

/** Goes to a block of another section and expands it. */
function followLead(
  { terminal, reading, blocksIn, height, go }: TrajectoryContext,
  { section, block }: NonNullable<Block["leadsTo"]>,
): void {
  const blocks = blocksIn(section);
  const target = blocks.find(({ id }) => id === block);
  if (target === undefined) return terminal.notices.say("This error has no words of a model to show");
  go(readingAt(reading, section, { blocks, target, height }));
}

type Target = { readonly blocks: readonly Block[]; readonly target: Block; readonly height: number };

function readingAt(reading: Reading, section: Section, { blocks, target, height }: Target): Reading {
  const toggled = new Set(reading.toggled);
  if (target.opens !== undefined && !toggled.delete(target.opens)) toggled.add(target.opens);
  const place: Position = { block: target.id, line: 0, row: Math.floor(height / 3), seen: linesOf(blocks) };
  return { ...reading, section, toggled, positions: { ...reading.positions, [section]: place } };
}

/** Returns the reading at the next error after `from` that the steps show at its words; undefined if there is none. */
export function atWords(
  reading: Reading,
  steps: readonly Block[],
  from: Position,
  height: number,
): Reading | undefined {
  const target = nextError(steps, from, 1);
  return target && readingAt(reading, "steps", { blocks: steps, target, height });
}

/** Goes to the next error of this section, or to the plan if the section has none. */
function toError(context: TrajectoryContext, put: Put, by: 1 | -1): void {
  const { terminal, reading, section, blocks, place, height, go } = context;
  const { notices } = terminal;
  const block = nextError(blocks, place, by);
  const seen = place.seen ?? linesOf(blocks);
  if (block !== undefined) return put({ block: block.id, line: 0, row: Math.floor(height / 3), seen });
  if (section === "plan") return notices.say("This plan has no errors");
  notices.say("This section has no errors: here is the plan");
  go({ ...reading, section: "plan" });
}

/** Returns the block's request, or the last one before it; in sections without requests, the only request. */
function turnAt({ entries }: Trajectory, block: string | undefined): Turn | undefined {
  const turns = entries.filter((entry) => entry.kind === "turn");
  const [, kind, number] = /^(step|request) (\d+)/.exec(block ?? "") ?? [];
  if (kind === "request") return turns[Number(number)];
  if (kind === "step") return entries.slice(0, Number(number) + 1).findLast((entry) => entry.kind === "turn");
  return block === "failure" ? turns.at(-1) : turns.length === 1 ? turns[0] : undefined;
}

/** Returns the text that a fork may change: the last user message of the request. */
function lastUserMessage({ messages }: Turn): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}
