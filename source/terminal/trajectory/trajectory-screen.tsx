/** A task: its plan beside the reference, its conversation, live or saved, its score, and the raw requests. */
import { Box, useStdout } from "ink";
import { useState, type ReactNode } from "react";
import { type Line, lineText, styled } from "../../engine/figures/drawing/line.ts";
import { attemptState } from "../../engine/log/rows/task-counts.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import { runColours } from "../../engine/workbench/runs/run-colours.ts";
import { plural } from "../../look/amounts.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { LineField } from "../editor/line-field.tsx";
import { clicks } from "../frame/clicks.ts";
import { between } from "../frame/panes.ts";
import { joinedLine } from "../drawing/abreast.ts";
import { stepOfBlock, hasOutline, outlineColumns, outlineLines } from "./outline.ts";
import { forkPlace } from "./fork-place.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useLayer } from "../terminal.ts";
import { placeInList } from "../tasks/task-places.ts";
import { Correction } from "./correction.tsx";
import {
  lineAt,
  linesOf,
  positionAt,
  start,
  topOf,
  type Position,
  blockAt,
  end,
  movedBy,
  nextCall,
  nextError,
  nextSpeaker,
} from "./position.ts";
import { isCut } from "./sections/section-blocks.ts";
import { positionIn, settled, type Reading, freshReading } from "./reading.ts";
import { sectionAt, trajectoryHead } from "./trajectory-head.ts";
import { useDrawnSection, type ReadTask, useReadTask } from "./use-read-task.ts";
import { labelBlind, standingKinds } from "../codes/blind.ts";
import { markedLines, tagCommands } from "../codes/range.ts";
import { type Tagging, useTagging } from "../codes/tagging.tsx";
import { attempted } from "../frame/notices.ts";
import { cellOfRun } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import { exportRuns } from "../frame/exports.ts";
import type { Commands } from "../input/keys.ts";
import type { Block, Section } from "./block.ts";
import { showTemplates } from "../prompt/own-template.ts";
import { nextFound } from "./find.ts";
import { atOnce } from "../../engine/work/pieces.ts";
import type { Trajectory, Turn } from "../../engine/log/trajectory.ts";

/** Commands that leave a task, so that the task need not be read for them. */
const leaving = ["back", "next", "previous"] as const;

/** The commands that show the sections, in their order. */
const sectionKeys = ["section-1", "section-2", "section-3", "section-4", "section-5"] as const;

export function TrajectoryScreen(props: ScreenProps<"trajectory">): ReactNode {
  const { screen, active, focused, opened, width, height } = props;
  const read = useReadTask(screen, active);
  const { terminal, workbench, reading, go, live, loading, owner, section, isAtWords, errorKinds, correction } = read;
  const [finding, setFinding] = useState(false);
  const tagging = useTagging(width, height, () => go({ ...reading, range: undefined }));
  const corrected = correction.mistakes === undefined ? tagging.rows : correctionRows(height, errorKinds);
  const listed = finding ? findRows : corrected;
  const head = headOf(read, active, width, height);
  const above = listed > 0 && height < low ? 1 : head.length;
  const room = Math.max(1, height - above - 1 - listed);
  const own = useOwnColumns(read, width);
  const drawn = useDrawnSection(read, { columns: own - 2, height, active, focused });
  const { blocks, blocksIn, areStepsDrawn, isDrawing, isPreview } = drawn;
  // The default section stays when the task ends.
  if (!loading && reading.section === undefined && (areStepsDrawn || !isAtWords)) {
    const words = isAtWords ? atWords(reading, blocksIn("steps"), start, room) : undefined;
    go(words ?? settled(reading, section, live));
  }
  const place = positionIn(reading, section, live);
  const context = { ...read, blocks, blocksIn, place, height: room, find: () => setFinding(true), tag: tagging.open };
  const commands = trajectoryCommands(context);
  useLayer(focused, {
    scope: "trajectory",
    context: () => ({ workbench, run: owner, ...keyContext(read) }),
    commands,
    meanwhile: loading || isDrawing ? leaving : undefined,
  });
  if (!active) return null;

  const clickHead = (line: number, column: number) => {
    const at = line === head.length - 1 && !isBelowNotebook(terminal) ? sectionAt(head[line]!, column) : undefined;
    // Called directly, because the keyboard has no commands of this screen while another one has the keys.
    if (at !== undefined) commands[sectionKeys[at]!](String(at + 1));
  };
  const top = topOf(blocks, place, room);
  const here = lineAt(blocks, place);
  // Beside a fork, the request that it continues from is marked.
  const isMarked = (focused || opened?.kind === "fork") && (place.seen !== undefined || !live);
  const lines = withOutline(markedLines(context, top, isMarked), context, own, width);
  const empty = styled("faint", loading ? "   Loading ..." : "   Nothing to show");
  // The line keeps its row in the window.
  const goToLine = (line: number) => putOf(context)(positionAt(blocks, line, linesOf(blocks), line - top));
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={head} columns={width} height={above} click={{ scope: "trajectory", at: clickHead }} />
      <Rows
        lines={blocks.length === 0 ? [empty] : lines}
        columns={width}
        height={room}
        click={clicks("trajectory", terminal, (line) => top + line, here, goToLine)}
      />
      <TextRow line={bottomLine(context, top, focused, isPreview)} columns={width} />
      {finding
        ? findField({ ...context, height: room + listed }, width, () => setFinding(false))
        : (tagging.drawn() ?? correctionField(read, width, listed))}
    </Box>
  );
}

/** Returns the columns that an outline leaves for the steps. */
function useOwnColumns({ terminal, section }: ReadTask, width: number): number {
  // A pane is drawn again with the window, so nothing listens to its size here.
  const { columns } = useStdout().stdout as NodeJS.WriteStream;
  const isOutlined = section === "steps" && terminal.isSpoken !== true && hasOutline(width, columns);
  return isOutlined ? width - outlineColumns - between : width;
}

/** Draws the outline on the left of the steps, if they have fewer columns than the pane. */
function withOutline(lines: readonly Line[], context: TrajectoryContext, own: number, width: number): readonly Line[] {
  const { terminal, trajectory, blocks, place, words, height: room } = context;
  if (trajectory === undefined || own === width) return lines;
  const { symbols } = terminal.theme;
  let at = blocks.indexOf(blockAt(blocks, lineAt(blocks, place))!);
  while (at > 0 && stepOfBlock(blocks[at]!) === undefined) at -= 1;
  const block = blocks[at];
  const step = block === undefined ? 0 : (stepOfBlock(block) ?? 0);
  const here = place.seen === undefined ? trajectory.entries.length : step;
  const outline = outlineLines(trajectory, blocks, here, room, { symbols, words });
  const columnsOf = (side: number) => (side === 0 ? outlineColumns : own);
  return Array.from({ length: Math.max(lines.length, outline.length) }, (_, row) =>
    joinedLine([outline[row] ?? [], lines[row] ?? []], columnsOf, { text: ` ${symbols.bar} `, style: "rule" }),
  );
}

function keyContext({ trajectory, saved, blind }: ReadTask) {
  return { isScored: trajectory?.score !== undefined, hasBegun: saved !== undefined, isBlind: blind !== undefined };
}

function headOf(read: ReadTask, active: boolean, columns: number, height: number): readonly Line[] {
  const { terminal, workbench, siblings, reading, saved, trajectory, live, loading, run, section, sections } = read;
  const { ref } = reading;
  const at = placeInList(siblings, ref);
  return trajectoryHead({
    task: ref.task,
    trajectory,
    run,
    colour: active ? runColours(workbench).get(ref.run) : undefined,
    state: read.blind === undefined ? attemptState(saved, live || loading) : undefined,
    place: siblings.length > 1 && at >= 0 ? `${at + 1} of ${siblings.length}` : "",
    codes: standingKinds(read.codes),
    section,
    sections,
    theme: terminal.theme,
    columns,
    mostDetails: height < lowest ? 0 : height < low ? 1 : mostDetails,
    isBrief: isBelowNotebook(terminal),
  });
}

/**
 * Returns true if the notebook has the focus: its sentence and badge already say what the runs share, and digits go to panes
 * there, not to sections.
 */
function isBelowNotebook({ navigation }: ReadTask["terminal"]): boolean {
  const { all, open } = navigation.places();
  return all[open - 1]?.screen.kind === "notebook";
}

/** Describes which lines are visible, below them. */
function bottomLine(
  { terminal, live, trajectory, section, blocks, place, height }: TrajectoryContext,
  top: number,
  isFocused: boolean,
  isPreview: boolean,
): Line {
  const total = linesOf(blocks);
  if (isPreview && trajectory !== undefined && isCut(section, trajectory)) {
    const hint = isFocused ? "" : "; Enter opens all steps and marks errors";
    return styled("faint", ` ${plural(trajectory.entries.length, "step")}${hint}`);
  }
  const range = total <= height ? "" : ` lines ${top + 1} to ${Math.min(total, top + height)} of ${total}`;
  if (live && place.seen === undefined) return styled("accent", ` ${terminal.theme.symbols.running} following${range}`);
  const unseen = live && place.seen !== undefined && section === "steps" ? total - place.seen : 0;
  const news = unseen > 0 ? styled("warn", ` ${plural(unseen, "new line")}, G follows `) : [];
  return [...news, ...styled("faint", range)];
}

/** Draws the field for a correction while one is made. */
function correctionField({ correction, trajectory, errorKinds }: ReadTask, columns: number, height: number): ReactNode {
  const { mistakes } = correction;
  if (mistakes === undefined) return null;
  const of = { mistakes, score: trajectory?.score, errorKinds };
  return <Correction {...correction} {...of} columns={columns} height={height} />;
}

function findField(context: TrajectoryContext, columns: number, close: () => void): ReactNode {
  return (
    <LineField
      title="Find"
      about="in this section, also in folded text; n and N continue"
      text=""
      problem={() => undefined}
      columns={columns}
      height={findRows}
      accept={(text) => {
        close();
        findText(context, text, 1);
      }}
      back={close}
    />
  );
}

/** Rows of the search field. */
const findRows = 3;

/** Number of rows below which the heading has only one row while an error is corrected, and facets always have only one row. */
const low = 18;
/** Number of rows below which the heading has one row for the task and one row for the sections. */
const lowest = 10;

/** Lines of the heading for the model and the facets of the task. */
const mostDetails = 3;

/** Returns enough rows for all kinds of errors if there is room; some lines of the trajectory stay visible. */
function correctionRows(height: number, errorKinds: readonly ErrorKind[]): number {
  const least = height < low ? 6 : 3 + mostDetails + 7;
  return Math.max(3, Math.min(Math.max(8, errorKinds.length + 4), height - least));
}

type TrajectoryContext = ReadTask & {
  readonly blocks: readonly Block[];
  /** Returns the blocks of another section. */
  readonly blocksIn: (section: Section) => readonly Block[];
  readonly place: Position;
  /** Rows of the scrolling part of the window. */
  readonly height: number;
  /** Opens the search field. */
  readonly find: () => void;
  /** Opens the list of kinds. */
  readonly tag: (tagging: Tagging) => void;
};

function trajectoryCommands(context: TrajectoryContext): Commands<"trajectory"> {
  const { terminal, trajectory, reading, blocks, place, go, find, correction } = context;
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
      notices.say(reading.raw ? "The steps show formatted text" : "The steps show raw text");
    },
    ...tagCommands(context, (block) => trajectory && turnAt(trajectory, block)?.request),
    fork: () => forkHere(context),
    template: () => showTemplate(context),
    beside: () => openBeside(context),
    correct: () => correction.open(block()?.mistakes ?? []),
    back: () => (reading.range === undefined ? navigation.pop() : go({ ...reading, range: undefined })),
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
    "next-call": () => toCall(context, put, 1),
    "previous-call": () => toCall(context, put, -1),
    "next-agent": () => toAgent(context, put, 1),
    "previous-agent": () => toAgent(context, put, -1),
    "next-found": () => toFound(1),
    "previous-found": () => toFound(-1),
    words() {
      const from = section === "steps" ? place : start;
      const next = atWords(reading, context.blocksIn("steps"), from, height);
      if (next === undefined) terminal.notices.say("No error here is marked in the model's text");
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

/** Goes to the next or previous task of the list that opened the screen, and also moves the list's cursor. */
function toSibling(context: TrajectoryContext, by: number): void {
  const { terminal, siblings, reading, section, blocksIn, height, go, blind } = context;
  const { navigation, notices } = terminal;
  if (blind !== undefined && by > 0 && !attempted(terminal, () => labelBlind(terminal, blind, reading.ref))) return;
  const at = placeInList(siblings, reading.ref);
  const next = siblings[at + by];
  if (blind !== undefined && by > 0 && next === undefined)
    return notices.say(`Labelled: this was the last of ${plural(siblings.length, "task")}`, "good");
  if (at < 0 || next === undefined) return notices.say(by > 0 ? "This is the last task" : "This is the first task");
  const { wrapped, raw, find } = reading;
  // Whoever reads errors in the model's words finds those of the next task so, too.
  const hasWords = () => atWords(reading, blocksIn("steps"), start, height) !== undefined;
  const isAtWords = context.isAtWords && (section === "steps" || !hasWords());
  go({ ...freshReading(next), section: isAtWords ? undefined : reading.section, wrapped, raw, find });
  if (blind === undefined)
    navigation.amend({ kind: "trajectory", ref: next, siblings, ...(isAtWords && { atWords: true }) });
  else navigation.amend({ kind: "labelling", ref: next, siblings, blind });
}

/** Returns all lines of the block on the screen, folded or not, without their indentation. */
function copiedText(block: Block | undefined): string | undefined {
  if (block === undefined) return undefined;
  const shown = Array.from({ length: block.count }, (_, index) => lineText(block.line(index)));
  return (block.folded?.lines ?? shown).map((line) => line.trim()).join("\n");
}

/** Opens the fork beside its original. */
function openBeside({ terminal, reading, run, siblings }: TrajectoryContext): void {
  const { fork, forks } = run?.spec ?? {};
  const original = fork?.run ?? forks?.of;
  const { ref } = reading;
  if (original === undefined) return;
  const tasks = forks === undefined ? [ref.task] : siblings.flatMap((each) => (each.run === ref.run ? each.task : []));
  terminal.navigation.push({ kind: "beside", task: ref.task, tasks, runs: [original, ref.run] });
}

function exportTask({ terminal, workbench, reading }: TrajectoryContext): void {
  const cell = cellOfRun(workbench, reading.ref.run)?.cell;
  if (cell !== undefined) exportRuns(terminal, cell, "atif", reading.ref);
}

/** Returns the request under the cursor, and the block that belongs to it. */
function requestHere({ trajectory, blocks, place }: TrajectoryContext) {
  const block = blockAt(blocks, lineAt(blocks, place));
  const id = block && requestBlock(blocks, block).id;
  return { id, turn: trajectory && turnAt(trajectory, id) };
}

/** Shows the request at the cursor beside the templates from which it is made. */
function showTemplate(context: TrajectoryContext): void {
  const { terminal, workbench, reading, run } = context;
  const { turn } = requestHere(context);
  const found = cellOfRun(workbench, reading.ref.run);
  if (turn === undefined || run === undefined || found === undefined)
    return terminal.notices.say(
      "Select a request to see its prompt template: press 2 for the steps or 4 for the requests",
    );
  showTemplates(terminal, reading.ref.task, turn, run.spec, found.cell);
}

/** Forks from the step at the cursor; if there is none, explains how to select one. */
function forkHere(context: TrajectoryContext): void {
  const { terminal, reading, trajectory } = context;
  const { navigation, notices } = terminal;
  const { id, turn } = requestHere(context);
  const hasRequest = trajectory?.entries.some(({ kind }) => kind === "turn") === true;
  if (!hasRequest) notices.say("No request was sent yet: there is nothing to fork from");
  else if (turn === undefined) notices.say("Move to the request to fork from: 2 shows the steps, 4 the requests");
  else navigation.push({ kind: "fork", ref: reading.ref, ...forkPlace(trajectory!, turn, id) });
}

/** An error below the words it was made in belongs to the same request. */
function requestBlock(blocks: readonly Block[], block: Block): Block {
  if ((block.mistakes ?? []).length === 0) return block;
  return blocks.slice(0, blocks.indexOf(block)).findLast(({ mistakes = [] }) => mistakes.length === 0) ?? block;
}

type Put = (next: Position, more?: Partial<Reading>) => void;

const putOf =
  ({ reading, section, go }: Pick<TrajectoryContext, "reading" | "section" | "go">): Put =>
  (next, more = {}) =>
    go({ ...reading, ...more, section, positions: { ...reading.positions, [section]: next } });

/** Searches for this text from the cursor on, and unfolds the block that contains it; an empty text ends the search. */
function findText(context: Omit<TrajectoryContext, "find">, text: string, by: 1 | -1): void {
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

/** Goes to a block of another section and unfolds it. */
function followLead(
  { terminal, reading, blocksIn, height, go }: TrajectoryContext,
  { section, block }: NonNullable<Block["leadsTo"]>,
): void {
  const blocks = blocksIn(section);
  const target = blocks.find(({ id }) => id === block);
  if (target === undefined) return terminal.notices.say("This error is not marked in a model's text");
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
function atWords(reading: Reading, steps: readonly Block[], from: Position, height: number): Reading | undefined {
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
  notices.say("This section has no errors: the plan is shown");
  go({ ...reading, section: "plan" });
}

/** Goes to the next block at which another agent or role starts to speak. */
function toAgent({ terminal, blocks, place, height }: TrajectoryContext, put: Put, by: 1 | -1): void {
  const block = nextSpeaker(blocks, place, by);
  if (block === undefined)
    return terminal.notices.say(`No other agent speaks ${by === 1 ? "after" : "before"} this one`);
  put({ block: block.id, line: 0, row: Math.floor(height / 3), seen: place.seen ?? linesOf(blocks) });
}

/** Goes to the next or previous tool call. */
function toCall({ terminal, blocks, place, height }: TrajectoryContext, put: Put, by: 1 | -1): void {
  const block = nextCall(blocks, place, by);
  if (block === undefined) return terminal.notices.say("There is no tool call here: 2 shows the steps");
  put({ block: block.id, line: 0, row: Math.floor(height / 3), seen: place.seen ?? linesOf(blocks) });
}

/** Returns the block's request, or the last request before it; in sections without requests, the only request. */
function turnAt({ entries }: Trajectory, block: string | undefined): Turn | undefined {
  const turns = entries.filter((entry) => entry.kind === "turn");
  const [, kind, number] = /^(step|request) (\d+)/.exec(block ?? "") ?? [];
  if (kind === "request") return turns[Number(number)];
  if (kind === "step") return entries.slice(0, Number(number) + 1).findLast((entry) => entry.kind === "turn");
  return block === "failure" ? turns.at(-1) : turns.length === 1 ? turns[0] : undefined;
}
