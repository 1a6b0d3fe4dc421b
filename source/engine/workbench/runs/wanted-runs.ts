/**
 * Finds the runs that an analysis cell reads: the runs above it or of the run cells that it names, selected by settings, with
 * trials pooled.
 */
import type { Suite } from "../../suite.ts";
import type { RunSpec } from "../../types.ts";
import { joinedParts } from "../../work/growing-list.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { PlannedCell, PlannedRun } from "../../session/run-cell.ts";
import type { RunControl } from "./run-control.ts";
import type { CellProblem, SessionCell } from "../session-state.ts";
import type { RunRows } from "../../analysis.ts";
import { isCodeFacet } from "../../measures/code-facets.ts";
import { numberedLabels } from "../../measures/run-groups.ts";
import { fieldNames, fieldValue, hasValue } from "../../measures/run-field.ts";

/** A run of an analysis, with a unique name among its runs. */
export type WantedRun = {
  readonly control: RunControl;
  readonly spec: RunSpec;
  readonly suite: Suite;
  readonly label: string;
  readonly named?: NonNullable<PlannedRun["named"]>;
  readonly pool: PoolableRun["pool"];
};

/** A key that changes with the rows, but not while these are being added. Runs differ too. */
export function restingKey({ control, label, named }: WantedRun): string {
  const names = named === undefined ? "" : JSON.stringify(named);
  const rows = control.isExecuted ? "executed" : control.store.table.version;
  return `${control.planned.run} ${rows} ${label}${names}`;
}

/** A key that changes with the rows. */
export const rowsKey = (wanted: WantedRun): string => `${restingKey(wanted)} ${wanted.control.store.table.version}`;

/** Returns the number of rows of the runs. */
export const countOf = (wanted: readonly WantedRun[]): number =>
  wanted.reduce((sum, { control }) => sum + control.store.table.sums().rows, 0);

/** Returns the number of tasks of the runs that have a score or failed. */
export function endedOf(wanted: readonly WantedRun[]): number {
  return wanted.reduce((sum, { control }) => {
    const { right, wrong, unscored, failed } = control.store.table.sums();
    return sum + right + wrong + unscored + failed;
  }, 0);
}

/** Returns the available runs, errors in the names, and the reason if there are no runs. */
export function wantedRuns(
  names: readonly string[] | undefined,
  {
    cell,
    cells,
    runs: all,
  }: { readonly cell: SessionCell; readonly cells: readonly SessionCell[]; readonly runs: CellRuns },
): { wanted: WantedRun[]; problems: CellProblem[]; none: string } {
  const at = cells.findIndex(({ id }) => id === cell.id);
  const above = cells.slice(0, at).filter(({ kind }) => kind === "run");
  const runCells = cells.filter(({ kind }) => kind === "run");
  const problems: CellProblem[] = [];
  const from =
    names === undefined
      ? above
      : names.flatMap((name) => {
          const matching = runCells.filter((each) => each.name === name);
          if (matching.length === 0) {
            const known = runCells
              .map((each) => each.name)
              .filter((each) => each !== "")
              .join(", ");
            problems.push({
              message: `Expected \`of\` to name run cells of this session (${known || "no run cell has a name"}), got \`${name}\``,
            });
          }
          return matching;
        });
  const wanted = from.flatMap((runCell) => {
    const runs = all.of(runCell);
    const whole = (label: string, siblings: number) => {
      if (from.length === 1 || runCell.name === "") return label;
      return siblings === 1 ? runCell.name : `${runCell.name}: ${label}`;
    };
    const pools = new Set(runs.map(({ pool, label }) => pool ?? label)).size;
    return runs.map(({ label, pool, named, control }) => ({
      control,
      ...(named && { named }),
      spec: control.spec,
      suite: all.suite(control.spec.suite),
      label: whole(label, runs.length),
      pool: pool === undefined ? undefined : { key: `${runCell.id} ${pool}`, label: whole(pool, pools) },
    }));
  });
  // Computes the reason only without runs, because cells are read with every frame.
  const none = wanted.length > 0 ? "" : whyNoRuns(from, (runCell) => all.plan(runCell));
  return { wanted, problems, none };
}

/** `of` are the run cells that it reads, which have no runs. */
function whyNoRuns(of: readonly SessionCell[], planOf: (cell: SessionCell) => PlannedCell): string {
  const file = of.map((cell) => planOf(cell).reading?.file).find((name) => name !== undefined);
  if (file !== undefined) return `Reading ${file}`;
  const [wrong, ...others] = of.filter((cell) => planOf(cell).problems.length > 0);
  if (wrong === undefined) return "There is no run cell above this one";
  if (others.length > 0) return `${others.length + 1} run cells have errors; correct them first`;
  return `The run cell${wrong.name === "" ? "" : ` ${wrong.name}`} has an error; correct it first`;
}

/**
 * Selects runs by their settings: for each setting, a run must have one of the given values. A setting or value that no run has
 * is an error.
 */
export function pickedRuns<Run extends Pick<RunRows, "spec" | "suite" | "named">>(
  runs: readonly Run[],
  only: Readonly<Record<string, readonly string[]>>,
): { readonly picked: readonly Run[]; readonly problems: readonly CellProblem[] } {
  const wanted = Object.entries(only).filter(([name]) => !isCodeFacet(name));
  if (wanted.length === 0 || runs.length === 0) return { picked: runs, problems: [] };
  const problems: CellProblem[] = [];
  const names = [...new Set(runs.flatMap(fieldNames))];
  for (const [name, values] of wanted) {
    const known = [...new Set(runs.map((run) => String(fieldValue(run, name))))];
    const unknown = values.find((value) => !runs.some((run) => hasValue(run, name, value)));
    if (!names.includes(name))
      problems.push({
        message: `Expected \`only\` to name settings of the runs (${names.join(", ")}), got \`${name}\``,
      });
    else if (unknown !== undefined)
      problems.push({ message: `Expected \`only\` to pick \`${name}\` among ${known.join(", ")}, got \`${unknown}\`` });
  }
  const picked = runs.filter((run) =>
    wanted.every(([name, values]) => values.some((value) => hasValue(run, name, value))),
  );
  if (problems.length === 0 && picked.length === 0)
    problems.push({ message: "Expected `only` to pick runs of this session, but none has all these values" });
  return { picked, problems };
}

/** A run with its pool: runs with the same `key` become one run. */
export type PoolableRun = RunRows & { readonly pool?: { readonly key: string; readonly label: string } };

/** Combines runs of one pool into one run with the rows of all, in place of the first. Its id and spec are those of the first. */
export function pooledRuns(runs: readonly PoolableRun[]): readonly RunRows[] {
  // The same run may be in several cells, so a run in no pool is kept once.
  const pools = Map.groupBy(runs, ({ pool }, index) => pool?.key ?? index);
  return [...pools.values()].map((pooled) => {
    const { pool, unfinished: _, ...first } = pooled[0]!;
    const open = pooled.flatMap(({ unfinished }) => unfinished ?? []);
    if (pool === undefined) return pooled[0]!;
    const order = open.every((each) => each.order === "seeded") ? ("seeded" as const) : ("file" as const);
    return {
      ...first,
      ...(open.length > 0 && { unfinished: { of: open[0]!.of, order } }),
      label: pool.label,
      rows: joinedParts(pooled.map(({ rows }) => rows)),
      notes: [...new Set(pooled.flatMap(({ notes = [] }) => notes))],
      warnings: [...new Set(pooled.flatMap(({ warnings }) => warnings))],
      isAtRest: pooled.every(({ isAtRest }) => isAtRest === true),
      ...(pooled.every(({ answers }) => answers !== undefined) && {
        answers: new Map(pooled.flatMap(({ answers }) => [...answers!])),
        answerLengths: new Map(pooled.flatMap(({ answerLengths = [] }) => [...answerLengths])),
        calls: new Map(pooled.flatMap(({ calls = [] }) => [...calls])),
      }),
      readsAnswerKey: pooled.some(({ readsAnswerKey }) => readsAnswerKey),
    };
  });
}

/** Returns the runs with distinct labels: analyses select runs by label, so a repeated label gets a number. */
export const withDistinctLabels = (runs: readonly RunRows[]) => numberedLabels(runs, ({ label }) => label);
