/** Adds to rows the codes of their tasks: as a field for lists and exports, and as facets for analyses. */
import { codeFacets } from "../../measures/code-facets.ts";
import type { Row } from "../../types.ts";
import type { Codebook } from "../../analysis.ts";
import { factOf } from "../../work/fact.ts";
import { flatMapped } from "../../work/growing-list.ts";
import { wholeOf } from "../../work/whole-of.ts";
import { rowCodes } from "./task-codes.ts";

/** Returns rows with `codes`; the same array if the codebook is empty. */
export function codedRows(rows: readonly Row[], codebook: Codebook): readonly Row[] {
  return codebook.kinds.length === 0 ? rows : withCodes(codebook)(rows);
}

/** Returns rows whose facets also contain their codes; the same array if the codebook is empty. */
export function rowsByCode(rows: readonly Row[], codebook: Codebook | undefined): readonly Row[] {
  return codebook === undefined || codebook.kinds.length === 0 ? rows : withFacets(codebook)(rows);
}

/** Returns the tasks of a run; rows of tasks with codes have `codes`. The same array if the run has none. */
export function codedTasks<Task extends { readonly row: Row | undefined }>(
  run: string,
  tasks: readonly Task[],
  codebook: Codebook,
): readonly Task[] {
  if (!codebook.runs.has(run)) return tasks;
  return withRowCodes(codebook)(tasks) as readonly { readonly row: Row | undefined }[] as readonly Task[];
}

/**
 * Returns rows with their codes. Rows that have not changed stay the same objects, because figures are computed again whenever a
 * row changes.
 */
const withCodes = factOf((codebook: Codebook) => {
  const coded = codedRow(codebook);
  return factOf((rows: readonly Row[]): readonly Row[] => rows.map(coded));
});

const withFacets = factOf((codebook: Codebook) => {
  const facetsOf = factOf(codeFacets);
  const faceted = factOf((row: Row): Row => {
    const codes = rowCodes(codebook, row);
    return { ...wholeOf(row), codes, facets: { ...row.facets, ...facetsOf(codes) } };
  });
  return factOf((rows: readonly Row[]): readonly Row[] => flatMapped(faceted, rows));
});

const withRowCodes = factOf((codebook: Codebook) => {
  const coded = codedRow(codebook);
  return factOf((tasks: readonly { readonly row: Row | undefined }[]) =>
    tasks.map((task) =>
      task.row !== undefined && codebook.runs.get(task.row.run)?.has(task.row.task) === true
        ? { ...task, row: coded(task.row) }
        : task,
    ),
  );
});

const codedRow = factOf((codebook: Codebook) =>
  factOf((row: Row): Row => ({ ...wholeOf(row), codes: rowCodes(codebook, row) })),
);
