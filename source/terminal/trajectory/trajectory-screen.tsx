/** One task: its plan beside the reference, the conversation, live or saved, how it was scored, and the raw requests. */
import { familyName } from "../../engine/session/file-suite.ts";
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { attemptState } from "../../engine/log/task-counts.ts";
import { type Trajectory, emptyTrajectory } from "../../engine/log/trajectory.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import type { ErrorKind, Suite } from "../../engine/suite.ts";
import { plural } from "../drawing/amount.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { exportRuns } from "../frame/export-runs.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";
import type { Block } from "./block.ts";
import { LineField } from "../editor/line-field.tsx";
import { Correction } from "./correction.tsx";
import { blocksOf } from "./section-blocks.ts";
import { blockAt, lineAt, linesOf, positionAt, start, topOf, visibleLines } from "./position.ts";
import { isCut, isLong, previewBlocks } from "./preview-blocks.ts";
import { type Reading, freshReading, positionIn, settled } from "./reading.ts";
import { firstSection, type Section, sectionsOf } from "./sections.ts";
import { sectionAt, trajectoryHead } from "./trajectory-head.ts";
import { measuredOf } from "./measured.ts";
import { atWords, findText, trajectoryCommands } from "./trajectory-commands.ts";
import { placeInList } from "../tasks/task-places.ts";
import { useCorrection } from "./use-correction.ts";
import { useDrawnSteps } from "./use-drawn-steps.ts";
import { useTrajectory } from "./use-trajectory.ts";

/** A suite that is gone. */
const unknown: Pick<Suite, "errorKinds" | "measures"> = { errorKinds: [], measures: [] };

/** Commands that lead away from a task, so that it need not be read for them. */
const leaving = ["back", "next", "previous"] as const;

/** Commands that show the sections, in their order. */
const sectionKeys = ["section-1", "section-2", "section-3", "section-4", "section-5"] as const;

export function TrajectoryScreen(props: ScreenProps<"trajectory">): ReactNode {
  const { screen, active, focused, opened, width, height } = props;
  const terminal = useTerminal();
  const { theme, navigation, notices } = terminal;
  const workbench = useWorkbench(active);
  const { siblings } = screen;
  const [reading, setReading] = useState<Reading>(() => freshReading(screen.ref));
  const { ref, wrapped, raw, toggled, texts } = reading;
  // Raised when the label of an error was corrected: the task was re-scored, and is read again.
  const [edition, setEdition] = useState(0);
  const loaded = useTrajectory(workbench, ref, active, { edition });
  const { view: task, live, loading } = loaded;
  // A task that did not run yet still has its question and its reference plan.
  const isWaiting = loaded.trajectory === undefined && !loading;
  const waiting = useMemo(() => (isWaiting ? waitingTask(workbench, ref) : undefined), [isWaiting, workbench, ref]);
  const trajectory = loaded.trajectory ?? waiting;
  const run = active ? cellOfRun(workbench, ref.run)?.state : undefined;
  const sections = sectionsOf(trajectory?.nodes.length ?? 0);
  const hasPlan = (task?.plan.length ?? 0) + (task?.reference.length ?? 0) > 0;
  const section = reading.section ?? firstSection({ live, loading, hasPlan, failed: isUnscored(trajectory) });
  const suite = familyName(run?.spec.suite);
  const { errorKinds, measures } = workbench.suites.find(({ name }) => name === suite) ?? unknown;
  const correction = useCorrection(ref, errorKinds, () => setEdition((before) => before + 1));
  const [finding, setFinding] = useState(false);
  const listed = finding ? findRows : correction.mistakes === undefined ? 0 : correctionRows(height, errorKinds);
  const at = placeInList(siblings, ref);
  const head = trajectoryHead({
    task: ref.task,
    trajectory,
    run,
    colour: active ? runColours(workbench).get(ref.run) : undefined,
    state: attemptState(loaded.trajectory, live || loading),
    place: siblings.length > 1 && at >= 0 ? `${at + 1} of ${siblings.length}` : "",
    section,
    sections,
    theme,
    columns: width,
    mostDetails: height < lowest ? 0 : height < low ? 1 : mostDetails,
  });
  const above = listed > 0 && height < low ? 1 : head.length;
  const room = Math.max(1, height - above - 1 - listed);
  const columns = width - 2;
  // The same object while nothing in it changes: what was drawn for it is kept.
  const hasRow = section === "checks" && workbench.hasRows(ref.run);
  const row = hasRow ? workbench.rows(ref.run).find(({ task: id }) => id === ref.task) : undefined;
  const measured = useMemo(() => measuredOf(row, measures), [row, measures]);
  const view = useMemo(
    () => ({ columns, symbols: theme.symbols, texts, wrapped, raw, toggled, errorKinds, measured }),
    [columns, theme, texts, wrapped, raw, toggled, errorKinds, measured],
  );
  const areStepsDrawn = useDrawnSteps(trajectory, view, active && focused);
  const isDrawing = focused && section === "steps" && !areStepsDrawn;
  const isPreview = trajectory !== undefined && (isDrawing || (!focused && isLong(trajectory)));
  const preview = isPreview ? positionIn(reading, section, live) : undefined;
  const blocks: readonly Block[] = useMemo(() => {
    if (!active || trajectory === undefined) return [];
    if (preview !== undefined) return previewBlocks(section, trajectory, task, view, preview, height);
    return blocksOf(section, trajectory, task, view);
  }, [active, trajectory, task, section, view, preview, height]);
  const blocksIn = (other: Section) => (trajectory === undefined ? [] : blocksOf(other, trajectory, task, view));
  // The section chosen by default stays when the task ends.
  const isAtWords = screen.atWords === true && !live;
  if (!loading && reading.section === undefined && (areStepsDrawn || !isAtWords)) {
    const words = isAtWords ? atWords(reading, blocksIn("steps"), start, room) : undefined;
    setReading(words ?? settled(reading, section, live));
  }
  const place = positionIn(reading, section, live);
  const here = lineAt(blocks, place);
  const mistakes = blockAt(blocks, here)?.mistakes ?? [];
  const context = {
    reading,
    section,
    sections,
    blocks,
    blocksIn,
    place,
    height: room,
    siblings,
    go: setReading,
    trajectory,
    fork: navigation.push,
    turned: (ref: TaskRef) => navigation.amend({ kind: "trajectory", ref, siblings }),
    notify: notices.say,
    back: navigation.pop,
  };
  const commands = trajectoryCommands({
    ...context,
    find: () => setFinding(true),
    copy: () => copyText(terminal, copiedText(blockAt(blocks, here))),
    beside() {
      const original = run?.spec.fork?.run;
      const tasks = [ref.task];
      if (original !== undefined) navigation.push({ kind: "beside", task: ref.task, tasks, runs: [original, ref.run] });
    },
    export() {
      const cell = cellOfRun(workbench, ref.run)?.cell;
      if (cell !== undefined) exportRuns(terminal, cell, "atif", ref);
    },
    correct: () => correction.open(mistakes),
  });
  useLayer(focused, {
    scope: "trajectory",
    context: () => ({
      workbench,
      run,
      isScored: trajectory?.score !== undefined,
    }),
    commands,
    meanwhile: loading || isDrawing ? leaving : undefined,
  });
  const search = (text: string) => {
    setFinding(false);
    findText({ ...context, height: room + listed }, text, 1);
  };
  if (!active) return null;

  const top = topOf(blocks, place, room);
  // Beside a fork of it, what that continues from is marked.
  const isAt = focused || opened?.kind === "fork";
  const lines = visibleLines(blocks, top, room).map((line, index): Line => {
    const chosen = isAt && top + index === here && (place.seen !== undefined || !live);
    return [{ text: chosen ? `${theme.symbols.here} ` : "  ", style: "accent" }, ...line];
  });
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={head} columns={width} height={above} click={{ scope: "trajectory", at: clickHead }} />
      <Rows
        lines={blocks.length === 0 ? [emptyLine()] : lines}
        columns={width}
        height={room}
        click={clicks("trajectory", terminal, (line) => top + line, here, goToLine)}
      />
      <TextRow line={bottomLine()} columns={width} />
      {finding ? (
        <LineField
          title="Find"
          about="in this section, folded texts too; then n and N go on"
          text=""
          problem={() => undefined}
          columns={width}
          height={listed}
          accept={search}
          back={() => setFinding(false)}
        />
      ) : correction.mistakes === undefined ? null : (
        <Correction
          {...correction}
          mistakes={correction.mistakes}
          score={trajectory?.score}
          errorKinds={errorKinds}
          columns={width}
          height={listed}
        />
      )}
    </Box>
  );

  /** On the name of a section: that section, by its number. */
  function clickHead(line: number, column: number): void {
    const at = line === head.length - 1 ? sectionAt(head[line]!, column) : undefined;
    // Not by the keyboard: where another screen has the keys, this one has no commands there yet.
    if (at !== undefined) commands[sectionKeys[at]!](String(at + 1));
  }

  /** It stays in its row of the window. */
  function goToLine(line: number): void {
    const next = positionAt(blocks, line, linesOf(blocks), line - top);
    setReading({ ...reading, section, positions: { ...reading.positions, [section]: next } });
  }

  function emptyLine(): Line {
    return [{ text: loading ? "   Loading ..." : "   Nothing to show", style: "faint" }];
  }

  function bottomLine(): Line {
    const total = linesOf(blocks);
    const last = Math.min(total, top + room);
    if (isPreview && isCut(section, trajectory))
      return [
        {
          text: ` ${plural(trajectory.entries.length, "step")}${focused ? "" : ": Enter opens all, with mistakes marked"}`,
          style: "faint",
        },
      ];
    const range = total <= room ? "" : ` lines ${top + 1} to ${last} of ${total}`;
    if (live && place.seen === undefined)
      return [{ text: ` ${theme.symbols.running} following${range}`, style: "accent" }];
    const unseen = live && place.seen !== undefined && section === "steps" ? total - place.seen : 0;
    if (unseen > 0)
      return [
        { text: ` ${plural(unseen, "new line")}, G follows `, style: "warn" },
        { text: range, style: "faint" },
      ];
    return [{ text: range, style: "faint" }];
  }
}

/** All of it as it is shown, folded or not, without its indentation. */
function copiedText(block: Block | undefined): string | undefined {
  if (block === undefined) return undefined;
  const shown = Array.from({ length: block.count }, (_, index) => lineText(block.line(index)));
  return (block.folded?.lines ?? shown).map((line) => line.trim()).join("\n");
}

/** Of the field for what to find. */
const findRows = 3;

/** With fewer rows, the heading is cut to one row while an error is corrected, and facets to one always. */
const low = 18;
/** With fewer still there is one of the task and one of the sections. */
const lowest = 10;

/** Lines of the heading for the model and the facets of the task. */
const mostDetails = 3;

/** Enough for all kinds where there is space; some lines of the trajectory stay visible. */
function correctionRows(height: number, errorKinds: readonly ErrorKind[]): number {
  const least = height < low ? 6 : 3 + mostDetails + 7;
  return Math.max(3, Math.min(Math.max(8, errorKinds.length + 4), height - least));
}

function waitingTask(workbench: Workbench, { run, task }: TaskRef): Trajectory {
  const question = workbench.board(run).find((each) => each.task === task)?.question ?? "";
  return { ...emptyTrajectory(task), question };
}

/** Whether a task failed before there was anything to score. */
function isUnscored(trajectory: Trajectory | undefined): boolean {
  return trajectory?.failure !== undefined && trajectory.score === undefined;
}
