/** Runs, and single trajectories, written for other programs. */
import {
  type RunFormat,
  type TaskRef,
  type CellState,
  type ExportFormat,
  exportFormats,
} from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import { report } from "./notices.ts";
import { basename, dirname, relative } from "node:path";
import { plural } from "../drawing/amount.ts";
import type { ExportCommand } from "../input/keys/movement.ts";

/** Parquet is left to `planwright export`: encoding it would keep the screen waiting. */
const about: Readonly<Record<Exclude<RunFormat, "rows.parquet">, string>> = {
  "rows.csv": "a line a task, for spreadsheets",
  "rows.jsonl": "a line a task, for programs",
  messages: "conversations, as JSON Lines",
  training: "conversations of tasks answered right, for fine-tuning",
  inspect: "logs for Inspect",
  atif: "a document a task (ATIF), for Harbor and others",
};

/** What the runs of a cell can be written as. */
export const exportChoices: readonly Choice[] = Object.entries(about).map(([value, note]) => ({
  value,
  title: value,
  note,
}));

/** Writes the runs of a cell, or one of their tasks, and says where: in files named by the cell, beside those of other cells. */
export function exportRuns({ workbench, notices }: Terminal, cell: string, format: RunFormat, only?: TaskRef): void {
  notices.say("Writing ...");
  const name = workbench.cells().find(({ id }) => id === cell)?.name ?? "";
  const written = workbench.exportRuns([cell], format, { ...(only && { only }), ...(name !== "" && { name }) });
  report(
    { notices },
    written.then((paths) => {
      if (paths.length > 0) notices.say(writtenText(paths), "good");
      else notices.say("Nothing was written: no task has begun yet", "bad");
    }),
  );
}

/** Says where files were written, as short as it can be told from the folder the program was started in. */
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

/** A command for each format the figures of an analysis cell can be written in. */
export function exportCommands(terminal: Terminal, cell: string): Readonly<Record<ExportCommand, () => void>> {
  const { workbench, notices } = terminal;
  const write = (format: ExportFormat) => () => {
    const written = workbench.export(cell, format);
    report(
      terminal,
      written.then((paths) => {
        if (paths.length > 0) notices.say(writtenText(paths), "good");
        else notices.say(whyNothing(workbench.state(cell)), "bad");
      }),
    );
  };
  return Object.fromEntries(exportFormats.map((format) => [`export-${format}`, write(format)])) as Record<
    ExportCommand,
    () => void
  >;
}

function whyNothing(state: CellState): string {
  if (state.kind !== "analysis") return "Only analysis cells have figures";
  return state.problems[0]?.message ?? state.missing ?? "There are no figures yet";
}
