/** The runs an analysis cell is of: those above it, or of the run cells it names. */
import type { Suite } from "../../suite.ts";
import type { RunSpec } from "../../types.ts";
import type { CellRuns } from "./cell-runs.ts";
import { whyNoRuns } from "./no-runs.ts";
import type { PoolableRun } from "./pooled-runs.ts";
import type { RunControl } from "./run-control.ts";
import type { CellProblem, SessionCell } from "../workbench.ts";

/** A run an analysis is of, under the name that tells it from the others there. */
export type WantedRun = {
  readonly control: RunControl;
  readonly spec: RunSpec;
  readonly suite: Suite;
  readonly label: string;
  readonly pool: PoolableRun["pool"];
};

/** Other rows have another one: those of another run as well. */
export function rowsKey({ control, label }: WantedRun): string {
  return `${control.planned.run} ${control.store.table.version} ${control.isExecuted} ${label}`;
}

/** How many rows they have. */
export function countOf(wanted: readonly WantedRun[]): number {
  return wanted.reduce((sum, { control }) => sum + control.store.table.sums().rows, 0);
}

/** Those there are, what is wrong with the names, and why there is none. */
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
              message: `Expected \`of\` to name run cells of this session (${known || "none has a name"}), got \`${name}\``,
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
    return runs.map(({ label, pool, control }) => ({
      control,
      spec: control.spec,
      suite: all.suite(control.spec.suite),
      label: whole(label, runs.length),
      pool: pool === undefined ? undefined : { key: `${runCell.id} ${pool}`, label: whole(pool, pools) },
    }));
  });
  // Cells are looked at with every frame: where there are runs nobody asks why there are none.
  const none = wanted.length > 0 ? "" : whyNoRuns(from, (runCell) => all.plan(runCell).problems);
  return { wanted, problems, none };
}
