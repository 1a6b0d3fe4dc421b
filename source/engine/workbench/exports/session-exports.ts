/** Writes figures of analysis cells and answers in a publisher's format below a session's `exports/`. */
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { fileName } from "../../figures/file-name.ts";
import type { ExportFormat } from "../../figures/export-figure.ts";
import type { FigureLook } from "../../figures/export-files.ts";
import { outcomeOf } from "../../run/execute-task.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import type { RunControl } from "../runs/run-control.ts";
import { colouringOf, runColours, runNamed } from "../runs/run-colours.ts";
import type { CellState, ReadSession } from "../session-state.ts";
import { planAnalysisCell } from "../../session/analysis-cell.ts";
import type { SessionCell } from "../../session/cell.ts";
import type { Suites } from "../../suite.ts";
import { escapedJson } from "../../text/json-text.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Outcome } from "../../types.ts";

/**
 * Returns a cell's file name without its extension: the cell's name, otherwise that of its analysis, with a number if an earlier
 * cell has the same name.
 */
function exportName(cell: SessionCell, cells: readonly SessionCell[]): string {
  const named = cells.filter(({ kind }) => kind === "analysis").map((each) => ({ id: each.id, name: plainName(each) }));
  const same = named.filter(({ name }) => name === plainName(cell));
  const index = same.findIndex(({ id }) => id === cell.id);
  return index < 1 ? plainName(cell) : `${plainName(cell)}.${index + 1}`;
}

function plainName({ name, source }: SessionCell): string {
  const named = name === "" ? planAnalysisCell(source, []).name : name;
  return fileName(named || "figure");
}

/**
 * Writes one file per figure, none for a cell with an error, and resolves to the written paths. Each file contains all warnings
 * of its cell in full, so titles contain no marks of warnings.
 */
export async function exportFigures(
  workbench: ReadSession,
  cell: SessionCell,
  shown: CellState,
  folder: string,
  format: ExportFormat,
  look: FigureLook,
): Promise<readonly string[]> {
  if (shown.kind !== "analysis") throw new Error("Expected an analysis cell to export");
  // Figures of a cell with a problem are not those requested, so they are shown with the problem but not exported.
  if (shown.problems.length > 0) return [];
  const { writeFigures } = await import("../../figures/export-files.ts");
  const colourOf = colouringOf(shown, runColours(workbench));
  const labels = (shown.labels ?? []).map(({ label }) => label);
  const runOf = (title: string) => runNamed(title, labels);
  const { figures, warnings } = shown;
  return writeFigures(
    { figures, warnings, colourOf, runOf, look },
    exportName(cell, workbench.cells()),
    folder,
    format,
  );
}

/** Writes one file per run whose suite knows the format, with every task of the run, including tasks without an answer. */
export async function writeAnswers(
  runs: readonly { readonly plainLabel: string; readonly control: RunControl }[],
  format: string,
  suites: Pick<Suites, "suite">,
  folder: string,
): Promise<readonly string[]> {
  const written: string[] = [];
  const yieldIfDue = eventLoopYielder();
  makeFolder(folder);
  for (const { plainLabel, control } of runs) {
    const exporter = suites.suite(control.spec.suite).exporters?.[format];
    if (exporter === undefined) continue;
    await control.store.catchUp();
    const tasks = await control.tasks();
    const outcomes = new Map<string, Outcome>();
    for (const [id, events] of control.store.eachTask(tasks.map(({ id }) => id))) {
      outcomes.set(id, outcomeOf({ events: lastAttempt(events) }, undefined));
      await yieldIfDue();
    }
    const rows = tasks.map((task) => {
      const { answer, steps } = outcomes.get(task.id) ?? outcomeOf({ events: [] }, undefined);
      return { task, answer, steps };
    });
    const path = join(folder, `${format}-${fileName(plainLabel)}-${control.fileId}.jsonl`);
    replaceFile(path, escapedJson(exporter(rows)));
    written.push(path);
  }
  return written;
}
