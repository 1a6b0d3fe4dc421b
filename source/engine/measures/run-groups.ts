/** Runs of the same set-up on several splits, taken together: one line of a table that has a column for each split. */
import type { RunRows } from "../analysis.ts";
import { endedRows } from "./measure-cell.ts";
import type { Row, RunSpec } from "../types.ts";

export type RunGroup = {
  /** The model, with what else tells it from the other groups. */
  readonly label: string;
  readonly runs: readonly RunRows[];
  /** Rows of all its runs that came to an end. */
  readonly rows: readonly Row[];
};

/** Groups in order of their first run. Runs without a model (answers of unknown origin) stay apart. */
export function groupsAcrossSplits(runs: readonly RunRows[]): readonly RunGroup[] {
  const groups = [...Map.groupBy(runs, ({ spec, label }) => keyOf(spec, label)).values()];
  const settings = groups.map(([first]) => settingsOf(first!.spec));
  const varied = [...new Set(settings.flatMap((each) => [...each.keys()]))].filter(
    (name) => new Set(settings.map((each) => each.get(name))).size > 1,
  );
  return groups.map((group, index) => {
    const [first] = group;
    const name = first!.spec.model === "none" ? first!.label : first!.spec.model;
    const same = groups.filter(([other]) => other!.spec.model === first!.spec.model).length > 1;
    const more = same ? varied.map((setting) => `${setting} ${settings[index]!.get(setting) ?? "none"}`) : [];
    return { label: [name, ...more].join(", "), runs: group, rows: endedRows(group.flatMap(({ rows }) => rows)) };
  });
}

function keyOf(spec: RunSpec, label: string): string {
  return JSON.stringify([{ ...spec, split: "" }, spec.model === "none" ? label : ""]);
}

function settingsOf({ strategy, shots, options, temperature, seed, trial, judge }: RunSpec): Map<string, string> {
  const fixed = { strategy, shots, temperature, seed, trial, judge: judge ?? "none" };
  return new Map(Object.entries({ ...fixed, ...options }).map(([name, value]) => [name, String(value)]));
}
