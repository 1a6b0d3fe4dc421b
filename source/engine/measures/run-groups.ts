/** Runs of the same set-up on several splits, taken together: one line of a table that has a column for each split. */
import type { RunRows } from "../analysis.ts";
import { endedRows } from "./measure-cell.ts";
import { isFields, type SettingValue, valueSettings } from "../run-settings.ts";
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

/** What a group's label can name: the model leads it already, and the splits are taken together. */
function settingsOf(spec: RunSpec): Map<string, string> {
  const named = valueSettings.filter(({ name }) => !["suite", "split", "model"].includes(name));
  const values = named.flatMap(({ name }) => (spec[name] === undefined ? [] : [[name, spec[name]] as const]));
  return new Map([...values, ...Object.entries(spec.options)].map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: SettingValue): string {
  if (isFields(value)) return JSON.stringify(value);
  return typeof value === "object" ? value.map((text) => JSON.stringify(text)).join(" ") : String(value);
}
