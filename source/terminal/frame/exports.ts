/** Writes runs, trajectories and figures for other programs. */
import {
  type RunFormat,
  type TaskRef,
  type CellState,
  type ExportFormat,
  exportFormats,
} from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import { type Notices, report } from "./notices.ts";
import { basename, dirname, relative } from "node:path";
import { plural } from "../../look/amounts.ts";
import type { ExportCommand } from "../input/movement.ts";

/** Parquet needs `planwright export`, because encoding it would block the screen. */
const about: Readonly<Record<Exclude<RunFormat, "rows.parquet">, string>> = {
  "rows.csv": "one line per task, for spreadsheets",
  "rows.jsonl": "one line per task, for programs",
  messages: "conversations, as JSON Lines",
  training: "conversations of correctly answered tasks, for fine-tuning",
  inspect: "logs for Inspect",
  atif: "one document per task (ATIF), for Harbor and others",
};

/** The formats for the runs of a cell. */
export const exportChoices: readonly Choice[] = Object.entries(about).map(([value, note]) => ({
  value,
  title: value,
  note,
}));

/** Writes the runs of a cell, or one of their tasks, into files named after the cell, and reports where. */
export function exportRuns({ workbench, notices }: Terminal, cell: string, format: RunFormat, only?: TaskRef): void {
  notices.say("Writing ...");
  const name = workbench.cells().find(({ id }) => id === cell)?.name ?? "";
  const written = workbench.exportRuns([cell], format, { ...(only && { only }), ...(name !== "" && { name }) });
  reportWritten(notices, written, () => "Nothing was written: no task has begun yet");
}

/** `notes`: parts that the written files lack. */
function reportWritten(
  notices: Notices,
  written: Promise<readonly string[]>,
  whyNone: () => string,
  notes: readonly string[] = [],
): void {
  report({ notices }, written, (paths) => {
    if (notes.length > 0) notices.say([...notes, writtenText(paths)].join("; "), "plain");
    else if (paths.length > 0) notices.say(writtenText(paths), "good");
    else notices.say(whyNone(), "bad");
  });
}

/** Lists the written files, relative to the current folder if that is shorter. */
export function writtenText(paths: readonly string[]): string {
  const short = paths.map(fromHere);
  const [first = "", ...more] = short;
  if (more.length === 0) return `Written: ${first}`;
  const folder = dirname(first);
  const names = short.map((path) => (dirname(path) === folder ? basename(path) : path));
  return `Written: ${plural(paths.length, "file")} in ${folder}: ${names.join(", ")}`;
}

function fromHere(path: string): string {
  const short = relative("", path);
  return short.startsWith("..") || short === "" ? path : short;
}

/** Returns a command for each export format of an analysis cell's figures. */
export function exportCommands(
  { workbench, notices }: Terminal,
  cell: string,
): Readonly<Record<ExportCommand, () => void>> {
  const write = (format: ExportFormat) => () => {
    const notes: string[] = [];
    const written = workbench.export(cell, format, { noted: (what) => notes.push(what) });
    reportWritten(notices, written, () => whyNothing(workbench.state(cell)), notes);
  };
  return Object.fromEntries(exportFormats.map((format) => [`export-${format}`, write(format)])) as Record<
    ExportCommand,
    () => void
  >;
}

function whyNothing(state: CellState): string {
  if (state.kind !== "analysis") return "Only analysis cells have figures";
  const none = state.figures.length > 0 ? "The figures of this cell are tables" : "There are no figures yet";
  return state.problems[0]?.message ?? state.missing ?? none;
}
