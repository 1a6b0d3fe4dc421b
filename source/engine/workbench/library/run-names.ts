/** The names that a notebook's run cells give to the values of its runs: ids and logs contain none. */
import { forkedCellIn } from "../../session/forked-cell.ts";
import type { SessionCell } from "../../session/cell.ts";
import { aliasOf } from "../../session/fields/aliases.ts";
import { CellTexts } from "../../session/fields/text-file.ts";
import { NotebookFields } from "../../session/document/notebook-fields.ts";
import { readSession } from "../../session/document/session-document.ts";
import type { OriginalRun } from "../../session/forked-cell.ts";
import { type PlannedCell, type PlannedRun, planRunCell } from "../../session/run-cell.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { RunSpec } from "../../types.ts";
import { fallback } from "../../work/fallback.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";

/** Names of a run's values by field. */
export type RunNames = NonNullable<PlannedRun["named"]>;

/**
 * Returns a function that returns the names of a run's values; the name of its folder identifies the run. Plans the run cells
 * without opening the notebook. A cell with a mistake gives no names. If several cells contain a run, the first names its values;
 * if none does, the notebook's aliases name its model and its strategy.
 */
export function namesOfRuns(folder: SessionFolder, loaded: LoadedSuites): (run: string, spec: RunSpec) => RunNames {
  const cells = readSession(fallback(() => folder.read(), "")).segments;
  const notebook = new NotebookFields(loaded.suites, () => cells);
  const text = new CellTexts(folder.path).read;
  const originals = (name: string): readonly OriginalRun[] | undefined => {
    const cell = notebook.runCells(name)[0];
    if (cell === undefined || forkedCellIn(cell.source)) return undefined;
    return plan(cell).runs.map((planned) => ({ planned, run: planned.stored.folder }));
  };
  const plan = ({ name, source }: SessionCell): PlannedCell =>
    planRunCell(source, { ...loaded.cellContext(), originals, text, given: notebook.given(name) });
  const names = new Map<string, RunNames>();
  for (const cell of cells.filter(({ kind }) => kind === "run"))
    for (const { run, stored, named } of plan(cell).runs)
      for (const each of named === undefined ? [] : [stored.folder, run]) if (!names.has(each)) names.set(each, named!);
  const { aliases = new Map<string, string>() } = notebook.given("");
  return (run, { model, strategy }) => {
    const ofAliases = Object.entries({ model, strategy }).flatMap(([field, value]) => {
      const alias = aliasOf(aliases, field, value);
      return alias === undefined ? [] : [[field, alias] as const];
    });
    return names.get(run) ?? Object.fromEntries(ofAliases);
  };
}
