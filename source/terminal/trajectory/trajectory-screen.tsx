/** A task: its plan beside the reference, its conversation, live or saved, its score, and the raw requests. */
import { Box } from "ink";
import { useState, type ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { attemptState } from "../../engine/log/rows/task-counts.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import { runColours } from "../../engine/workbench/runs/run-colours.ts";
import { plural } from "../drawing/amount.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { LineField } from "../editor/line-field.tsx";
import { clicks } from "../frame/clicks.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useLayer } from "../input/use-layer.ts";
import { placeInList } from "../tasks/task-places.ts";
import { Correction } from "./correction.tsx";
import { lineAt, linesOf, positionAt, start, topOf, visibleLines } from "./position.ts";
import { isCut } from "./sections/section-blocks.ts";
import { positionIn, settled } from "./reading.ts";
import { atWords, findText, trajectoryCommands, type TrajectoryContext } from "./trajectory-commands.ts";
import { sectionAt, trajectoryHead } from "./trajectory-head.ts";
import { useDrawnSection } from "./use-drawn-section.ts";
import { type ReadTask, useReadTask } from "./use-read-task.ts";

/** Commands that leave a task, so it need not be read for them. */
const leaving = ["back", "next", "previous"] as const;

/** The commands that show the sections, in their order. */
const sectionKeys = ["section-1", "section-2", "section-3", "section-4", "section-5"] as const;

export function TrajectoryScreen(props: ScreenProps<"trajectory">): ReactNode {
  const { screen, active, focused, opened, width, height } = props;
  const read = useReadTask(screen, active);
  const { workbench, reading, go, trajectory, live, loading, run, section, errorKinds, correction } = read;
  const [finding, setFinding] = useState(false);
  const listed = finding ? findRows : correction.mistakes === undefined ? 0 : correctionRows(height, errorKinds);
  const head = headOf(read, active, width, height);
  const above = listed > 0 && height < low ? 1 : head.length;
  const room = Math.max(1, height - above - 1 - listed);
  const drawn = useDrawnSection(read, { columns: width - 2, height, active, focused });
  const { blocks, blocksIn, areStepsDrawn, isDrawing, isPreview } = drawn;
  // The default section stays when the task ends.
  const isAtWords = screen.atWords === true && !live;
  if (!loading && reading.section === undefined && (areStepsDrawn || !isAtWords)) {
    const words = isAtWords ? atWords(reading, blocksIn("steps"), start, room) : undefined;
    go(words ?? settled(reading, section, live));
  }
  const place = positionIn(reading, section, live);
  const context = { ...read, blocks, blocksIn, place, height: room, find: () => setFinding(true) };
  const commands = trajectoryCommands(context);
  useLayer(focused, {
    scope: "trajectory",
    context: () => ({ workbench, run, isScored: trajectory?.score !== undefined }),
    commands,
    meanwhile: loading || isDrawing ? leaving : undefined,
  });
  if (!active) return null;

  const clickHead = (line: number, column: number) => {
    const at = line === head.length - 1 ? sectionAt(head[line]!, column) : undefined;
    // Called directly, because the keyboard has no commands of this screen while another one has the keys.
    if (at !== undefined) commands[sectionKeys[at]!](String(at + 1));
  };
  const closeFind = () => setFinding(false);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={head} columns={width} height={above} click={{ scope: "trajectory", at: clickHead }} />
      <Body
        context={context}
        read={read}
        // Beside a fork, the request that it continues from is marked.
        isMarked={focused || opened?.kind === "fork"}
        isFocused={focused}
        isPreview={isPreview}
        columns={width}
      />
      {finding ? (
        <FindField context={{ ...context, height: room + listed }} columns={width} rows={listed} close={closeFind} />
      ) : (
        <CorrectionField read={read} columns={width} rows={listed} />
      )}
    </Box>
  );
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
    state: attemptState(saved, live || loading),
    place: siblings.length > 1 && at >= 0 ? `${at + 1} of ${siblings.length}` : "",
    section,
    sections,
    theme: terminal.theme,
    columns,
    mostDetails: height < lowest ? 0 : height < low ? 1 : mostDetails,
  });
}

type BodyProps = {
  readonly context: TrajectoryContext;
  readonly read: ReadTask;
  /** Marks the cursor's line. */
  readonly isMarked: boolean;
  readonly isFocused: boolean;
  readonly isPreview: boolean;
  readonly columns: number;
};

/** Draws the lines of the section around the cursor, and below them their range. */
function Body({ context, read, isMarked, isFocused, isPreview, columns }: BodyProps): ReactNode {
  const { terminal, reading, section, blocks, place, height, go } = context;
  const { live, loading, trajectory } = read;
  const { symbols } = terminal.theme;
  const top = topOf(blocks, place, height);
  const here = lineAt(blocks, place);
  const lines = visibleLines(blocks, top, height).map((line, index): Line => {
    const chosen = isMarked && top + index === here && (place.seen !== undefined || !live);
    return [{ text: chosen ? `${symbols.here} ` : "  ", style: "accent" }, ...line];
  });
  const empty: Line = [{ text: loading ? "   Loading ..." : "   Nothing to show", style: "faint" }];
  // The line keeps its row in the window.
  const goToLine = (line: number) => {
    const next = positionAt(blocks, line, linesOf(blocks), line - top);
    go({ ...reading, section, positions: { ...reading.positions, [section]: next } });
  };
  return (
    <>
      <Rows
        lines={blocks.length === 0 ? [empty] : lines}
        columns={columns}
        height={height}
        click={clicks("trajectory", terminal, (line) => top + line, here, goToLine)}
      />
      <TextRow line={bottomLine()} columns={columns} />
    </>
  );

  function bottomLine(): Line {
    const total = linesOf(blocks);
    if (isPreview && trajectory !== undefined && isCut(section, trajectory)) {
      const hint = isFocused ? "" : ": Enter opens all, with mistakes marked";
      return [{ text: ` ${plural(trajectory.entries.length, "step")}${hint}`, style: "faint" }];
    }
    const range = total <= height ? "" : ` lines ${top + 1} to ${Math.min(total, top + height)} of ${total}`;
    if (live && place.seen === undefined) return [{ text: ` ${symbols.running} following${range}`, style: "accent" }];
    const unseen = live && place.seen !== undefined && section === "steps" ? total - place.seen : 0;
    if (unseen > 0)
      return [
        { text: ` ${plural(unseen, "new line")}, G follows `, style: "warn" },
        { text: range, style: "faint" },
      ];
    return [{ text: range, style: "faint" }];
  }
}

type CorrectionFieldProps = { readonly read: ReadTask; readonly columns: number; readonly rows: number };

/** Draws the field for a correction while one is made. */
function CorrectionField({ read, columns, rows }: CorrectionFieldProps): ReactNode {
  const { correction, trajectory, errorKinds } = read;
  const { mistakes } = correction;
  if (mistakes === undefined) return null;
  const of = { mistakes, score: trajectory?.score, errorKinds };
  return <Correction {...correction} {...of} columns={columns} height={rows} />;
}

type FindFieldProps = {
  readonly context: TrajectoryContext;
  readonly columns: number;
  readonly rows: number;
  readonly close: () => void;
};

function FindField({ context, columns, rows, close }: FindFieldProps): ReactNode {
  return (
    <LineField
      title="Find"
      about="in this section, folded text too; n and N continue"
      text=""
      problem={() => undefined}
      columns={columns}
      height={rows}
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

/** In fewer rows, the heading is cut to one row while an error is corrected, and facets always are. */
const low = 18;
/** In fewer rows, the heading has one row for the task and one for the sections. */
const lowest = 10;

/** Lines of the heading for the model and the facets of the task. */
const mostDetails = 3;

/** Returns enough rows for all kinds of errors if there is room; some lines of the trajectory stay visible. */
function correctionRows(height: number, errorKinds: readonly ErrorKind[]): number {
  const least = height < low ? 6 : 3 + mostDetails + 7;
  return Math.max(3, Math.min(Math.max(8, errorKinds.length + 4), height - least));
}
