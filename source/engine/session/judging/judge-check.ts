/** Determines whose labels check a notebook's judges: `people` and `positive` of its cells `pane: judge-agreement`. */
import type { JudgeCheck } from "../../analysis.ts";
import { factOf } from "../../work/fact.ts";
import { readCellText } from "../cell-text.ts";
import type { SessionCell } from "../cell.ts";

/** The analysis that compares judges with people. */
export const judgePane = "judge-agreement";

const none: readonly JudgeCheck[] = [];

/** Returns the checks of these cells in their order; the same array for cells without checks. */
export const judgeChecks = factOf((cells: readonly SessionCell[]): readonly JudgeCheck[] => {
  const found = cells.flatMap(({ kind, source }) =>
    kind === "analysis" && source.includes(judgePane) ? checkOf(source) : [],
  );
  return found.length === 0 ? none : found;
});

function checkOf(source: string): readonly JudgeCheck[] {
  return readCellText(
    source,
    ({ fields }): readonly JudgeCheck[] => {
      const { pane, analysis = pane, people, positive } = fields ?? {};
      if (analysis !== judgePane || typeof people !== "string") return [];
      const isNamed = typeof positive === "string" || typeof positive === "number";
      return [{ people, ...(isNamed && { positive: String(positive) }) }];
    },
    () => [],
  );
}

/** Returns the file and the column of `FILE:COLUMN`; undefined for the name of a person. */
export function labelColumn(people: string): { readonly file: string; readonly column: string } | undefined {
  const [, file, column] = /^(.+\.(?:csv|jsonl)):(.+)$/i.exec(people) ?? [];
  return file === undefined || column === undefined ? undefined : { file, column };
}
