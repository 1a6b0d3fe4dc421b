/** Runs of the same set-up but for some settings, or but for their trial, taken together as one line of a table. */
import type { RunRows } from "../analysis.ts";
import { endedRows, endedRowsOf, taskKey } from "./measure-cell.ts";
import { valueSettings } from "../run-settings.ts";
import type { Facets, Row, RunSpec } from "../types.ts";
import { fieldValue, plainValue } from "./run-field.ts";
import type { Suite } from "../suite.ts";
import { rowContents } from "./row-contents.ts";

export type RunGroup = {
  /** The model, with what else tells it from the other groups. */
  readonly label: string;
  readonly runs: readonly RunRows[];
  /** Rows of all its runs that came to an end. */
  readonly rows: readonly Row[];
};

/** Runs on several splits, in order of their first run. Runs without a model (answers of unknown origin) stay apart. */
export function groupsAcrossSplits(runs: readonly RunRows[]): readonly RunGroup[] {
  return labelled([...Map.groupBy(runs, (run) => keyOf(run, ["split"])).values()], ["split"]);
}

/** A run by itself, under its own label. */
export function groupOfOne(run: RunRows): RunGroup {
  return { label: run.label, runs: [run], rows: endedRows(run.rows) };
}

/**
 * Runs that differ in `fields` alone, and in their split where no task of theirs is in two of them: no task is ever counted
 * twice in one column. The others stand by themselves. Labels need not tell apart what the fields in `told` do, which are shown
 * beside them.
 */
export function groupsAcross(
  runs: readonly RunRows[],
  fields: readonly string[],
  told: readonly string[] = [],
): readonly RunGroup[] {
  const distinct = [...new Map(runs.map((run) => [run.run, run])).values()];
  const apart = (group: readonly RunRows[], across: readonly string[]) => [
    ...Map.groupBy(group, (run) => keyOf(run, across)).values(),
  ];
  const found = apart(distinct, [...fields, "split"]).map((wide) => {
    if (!hasTaskTwice(wide, fields)) return [wide];
    const narrow = apart(wide, fields).map((group) =>
      hasTaskTwice(group, fields) ? group.map((run) => [run]) : [group],
    );
    return narrow.flat();
  });
  const groups = found.flat();
  if (fields.length === 0 && groups.length === distinct.length) return distinct.map(groupOfOne);
  return withDistinctLabels(labelled(groups, [...fields, "split"], told), told);
}

/** Runs of one set-up on several splits as one run of all their tasks; its split names them all. */
export function joinedAcrossSplits(runs: readonly RunRows[]): readonly RunRows[] {
  return groupsAcross(runs, []).map(({ label, runs: parts }) => {
    const [first] = parts;
    if (parts.length === 1) return first!;
    const split = parts
      .map(({ spec }) => spec.split)
      .toSorted()
      .join();
    return {
      ...first!,
      label,
      spec: { ...first!.spec, split },
      rows: ([] as Row[]).concat(...parts.map(({ rows }) => rows)),
    };
  });
}

/** Where two have the same label and the same values of what is told beside it, the later get a number. */
function withDistinctLabels(groups: readonly RunGroup[], told: readonly string[]): readonly RunGroup[] {
  const seen = new Map<string, number>();
  return groups.map((group) => {
    const key = `${group.label}\n${toldBeside(group.runs[0]!, told)}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? group : { ...group, label: `${group.label} (${times})` };
  });
}

function toldBeside(run: RunRows, told: readonly string[]): string {
  return JSON.stringify(told.map((name) => fieldValue(run, name) ?? null));
}

/** Whether runs with the same values of these fields share a task. Splits may ask other things about the same question. */
function hasTaskTwice(runs: readonly RunRows[], fields: readonly string[]): boolean {
  const columnOf = (run: RunRows) => JSON.stringify(fields.map((name) => fieldValue(run, name) ?? null));
  for (const column of Map.groupBy(runs, columnOf).values()) {
    if (column.length < 2) continue;
    const known = new Map<string, { readonly run: string; readonly facets: Facets }[]>();
    for (const { run, rows } of column) {
      const isNew = (row: Row) => {
        const key = taskKey(row);
        const others = known.get(key) ?? [];
        if (others.length === 0) known.set(key, others);
        const same = others.find(({ facets }) => areSameFacets(facets, row.facets));
        if (same === undefined) others.push({ run, facets: row.facets });
        return same === undefined || same.run === run;
      };
      if (!rows.every(isNew)) return true;
    }
  }
  return false;
}

function areSameFacets(one: Facets, other: Facets): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function labelled(
  groups: readonly (readonly RunRows[])[],
  across: readonly string[],
  told: readonly string[] = [],
): readonly RunGroup[] {
  // The model leads a label already.
  const settings = groups.map(([first]) => settingTexts(first!.spec, [...across, "suite", "model"]));
  const alike = Map.groupBy(settings.keys(), (index) => toldBeside(groups[index]![0]!, told));
  const varied = [...new Set(settings.flatMap((each) => [...each.keys()]))].filter((name) =>
    [...alike.values()].some((indexes) => new Set(indexes.map((index) => settings[index]!.get(name))).size > 1),
  );
  return groups.map((group, index) => {
    const [first] = group;
    const isModelLed = !across.includes("model");
    const lead = isModelLed ? [first!.spec.model === "none" ? first!.label : first!.spec.model] : [];
    const same = !isModelLed || groups.filter(([other]) => other!.spec.model === first!.spec.model).length > 1;
    const more = same ? varied.map((setting) => `${setting} ${settings[index]!.get(setting) ?? "none"}`) : [];
    const label = [...lead, ...more].join(", ");
    return {
      label: label === "" ? first!.label : label,
      runs: group,
      rows: endedRowsOf(group),
    };
  });
}

/** Equal for runs that differ in these fields alone. A strategy brings its own options and revision. */
function keyOf({ spec, suite, label }: RunRows, across: readonly string[]): string {
  const { strategyRevision, ...rest } = spec;
  const anyStrategy = across.includes("strategy");
  const own = new Set(suite.options.map(({ name }) => name));
  const options = Object.entries(spec.options).filter(
    ([name]) => !across.includes(name) && (!anyStrategy || own.has(name)),
  );
  const fields = Object.entries(rest).filter(([name]) => name !== "options" && !across.includes(name));
  return JSON.stringify([
    fields.toSorted(),
    options.toSorted(),
    anyStrategy ? 0 : strategyRevision,
    spec.model === "none" ? label : "",
  ]);
}

/** A run's settings and options by name, as they are shown; `without` names those that are left out. */
export function settingTexts(spec: RunSpec, without: readonly string[]): ReadonlyMap<string, string> {
  const values = valueSettings.flatMap(({ name }) => (spec[name] === undefined ? [] : [[name, spec[name]] as const]));
  const kept = [...values, ...Object.entries(spec.options)].filter(([name]) => !without.includes(name));
  return new Map(kept.map(([name, value]) => [name, String(plainValue(value))]));
}

export type TrialPool = {
  readonly label: string;
  readonly suite: Suite;
  readonly spec: RunSpec;
  /** Rows that came to an end, of all trials. */
  readonly rows: readonly Row[];
  /** The same by trial: each run is one. */
  readonly trials: readonly (readonly Row[])[];
};

/** Pools in the order of their first runs. Runs without a model, of answers made elsewhere, stay apart. */
export function trialPools(runs: readonly RunRows[]): readonly TrialPool[] {
  return pooled(runs).map((pool) => {
    const { label, suite, spec } = pool[0]!;
    const rows = endedRowsOf(pool);
    const trials = [...Map.groupBy(rows, ({ run }) => run).values()];
    return { label: pool.length === 1 ? label : withoutTrial(label, spec), suite, spec, rows, trials };
  });
}

/** Whether any pool has several trials that came to an end. */
export function hasRepeats(runs: readonly RunRows[]): boolean {
  const ended = (pool: readonly RunRows[]) => new Set(pool.flatMap(({ rows }) => [...rowContents(rows).endedRuns]));
  return pooled(runs).some((pool) => ended(pool).size > 1);
}

function pooled(runs: readonly RunRows[]): readonly (readonly RunRows[])[] {
  const keyOf = ({ spec, label }: RunRows) =>
    JSON.stringify([{ ...spec, trial: 0 }, spec.model === "none" ? label : cellOf(label)]);
  return [...Map.groupBy(runs, keyOf).values()];
}

/** Labels of runs of several cells start with the cell's name. */
const cellOf = (label: string) => (label.includes(": ") ? label.slice(0, label.indexOf(": ")) : "");

function withoutTrial(label: string, { model, trial }: RunSpec): string {
  const cell = cellOf(label);
  const rest = (cell === "" ? label : label.slice(cell.length + 2))
    .split(", ")
    .filter((part) => part !== `trial ${trial}`)
    .join(", ");
  if (rest === "") return cell === "" ? model : cell;
  return cell === "" ? rest : `${cell}: ${rest}`;
}
