/** Groups runs that differ only in some settings, or only in their trial, into one line of a table. */
import { grouped, joinedParts, itemFields } from "../work/growing-list.ts";
import { separator } from "../../look/signs.ts";
import type { RunRows } from "../analysis.ts";
import { endedRows, endedRowsOf, taskKey } from "./measure-cell.ts";
import { joinedLabel } from "../settings/label.ts";
import { withoutRole } from "../settings/role-settings.ts";
import { type SettledRole } from "../run-settings.ts";
import { settingNamed, valueSettings } from "../run-settings.ts";
import type { Facets, Row, RunSpec } from "../types.ts";
import { fieldValue, isProse, modelTitle, proseText } from "./run-field.ts";
import type { Suite } from "../suite.ts";
import { rowContents } from "./row-contents.ts";

export type RunGroup = {
  /** The model, with the settings that distinguish the group from other groups. */
  readonly label: string;
  readonly runs: readonly RunRows[];
  /** Ended rows of all runs of the group. */
  readonly rows: readonly Row[];
};

/**
 * Joins runs on several splits, in the order of their first run. Runs without a model (answers of unknown origin) stay separate.
 */
export const groupsAcrossSplits = (runs: readonly RunRows[]): readonly RunGroup[] =>
  labelled([...Map.groupBy(runs, (run) => keyOf(run, ["split"])).values()], ["split"]);

/** Returns a group of a single run, with the run's label. */
export const groupOfOne = (run: RunRows): RunGroup => ({ label: run.label, runs: [run], rows: endedRows(run.rows) });

/**
 * Joins runs that differ only in `fields`. Also joins runs that differ in their split if the splits share no task, so that no
 * task counts twice in a column, unless the split is in `told`. Other runs stay separate. Labels omit the fields in `told`, which
 * have columns of their own, and a model that all runs share if `isModelShared`.
 */
export function groupsAcross(
  runs: readonly RunRows[],
  fields: readonly string[],
  told: readonly string[] = [],
  isModelShared = false,
): readonly RunGroup[] {
  const distinct = [...new Map(runs.map((run) => [run.run, run])).values()];
  const apart = (group: readonly RunRows[], across: readonly string[]) => [
    ...Map.groupBy(group, (run) => keyOf(run, across)).values(),
  ];
  const across = told.includes("split") ? fields : [...fields, "split"];
  const found = apart(distinct, across).map((wide) => {
    if (!hasTaskTwice(wide, fields)) return [wide];
    const narrow = apart(wide, fields).map((group) =>
      hasTaskTwice(group, fields) ? group.map((run) => [run]) : [group],
    );
    return narrow.flat();
  });
  const groups = found.flat();
  if (fields.length === 0 && groups.length === distinct.length) return distinct.map(groupOfOne);
  const all = labelled(groups, [...fields, "split"], told, isModelShared);
  return numberedLabels(all, ({ label, runs: [first] }) => `${label}\n${toldBeside(first!, told)}`);
}

/** Joins runs of one configuration on several splits into one run of all their tasks; its split lists all of them. */
export const joinedAcrossSplits = (runs: readonly RunRows[]): readonly RunRows[] =>
  groupsAcross(runs, []).map(({ label, runs: parts }) => {
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
      rows: joinedParts(parts.map(({ rows }) => rows)),
    };
  });

/** Adds a number to the labels of later items with an equal key. */
export function numberedLabels<Item extends { readonly label: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? item : { ...item, label: `${item.label} (${times})` };
  });
}

const toldBeside = (run: RunRows, told: readonly string[]): string =>
  JSON.stringify(told.map((name) => fieldValue(run, name) ?? null));

/** True if runs with the same values of these fields share a task. The same name in two splits may have different questions. */
function hasTaskTwice(runs: readonly RunRows[], fields: readonly string[]): boolean {
  const columnOf = (run: RunRows) => JSON.stringify(fields.map((name) => fieldValue(run, name) ?? null));
  for (const column of Map.groupBy(runs, columnOf).values()) {
    if (column.length < 2) continue;
    const known = new Map<string, { readonly run: string; readonly facets: Facets }[]>();
    for (const { run, rows } of column) {
      const isNew = (task: FacetedTask) => {
        const key = taskKey(task);
        const others = known.get(key) ?? [];
        if (others.length === 0) known.set(key, others);
        const same = others.find(({ facets }) => areSameFacets(facets, task.facets));
        if (same === undefined) others.push({ run, facets: task.facets });
        return same === undefined || same.run === run;
      };
      if (!itemFields(facetedTask, rows).every(isNew)) return true;
    }
  }
  return false;
}

type FacetedTask = Pick<Row, "task" | "question" | "facets">;
const facetedTask = ({ task, question, facets }: Row): FacetedTask => ({ task, question, facets });

function areSameFacets(one: Facets, other: Facets): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function labelled(
  groups: readonly (readonly RunRows[])[],
  across: readonly string[],
  told: readonly string[] = [],
  isModelShared = false,
): readonly RunGroup[] {
  // Labels already begin with the model.
  const settings = groups.map(([first]) => settingTexts(first!, [...across, "suite", "model"]));
  const beside = groups.map(([first]) => toldBeside(first!, told));
  const cellNames = groups.map((group) => new Set(group.map(({ label }) => cellOf(label))));
  const nameOf = (index: number) => (cellNames[index]!.size === 1 ? [...cellNames[index]!].join() : "");
  const variedIn = (among: readonly number[]) => {
    const alike = Map.groupBy(among, (index) => beside[index]!);
    return [...new Set(among.flatMap((index) => [...settings[index]!.keys()]))].filter((name) =>
      [...alike.values()].some((indexes) => new Set(indexes.map((index) => settings[index]!.get(name))).size > 1),
    );
  };
  const all = [...groups.keys()];
  const varied = variedIn(all);
  // Benchmarks have other settings: "none" would be wrong for a run whose benchmark lacks the setting.
  const isMixed = new Set(groups.map(([first]) => first!.spec.suite)).size > 1;
  const textOf = (index: number, setting: string) => {
    const value = settings[index]!.get(setting);
    return value === undefined && isMixed ? [] : [`${setting} ${value ?? "none"}`];
  };
  return groups.map((group, index) => {
    const [first] = group;
    if (isMixed && isModelShared && group.length === 1) return groupOfOne(first!);
    const own = nameOf(index);
    if (isMixed && isModelShared && own !== "") {
      const apart = variedIn(all.filter((other) => nameOf(other) === own)).flatMap((name) => textOf(index, name));
      return { label: joinedLabel([own, ...apart]), runs: group, rows: endedRowsOf(group) };
    }
    const isModelLed = !across.includes("model");
    const lead = isModelLed ? [first!.spec.model === "none" ? first!.label : modelTitle(first!)] : [];
    const same = !isModelLed || groups.filter(([other]) => other!.spec.model === first!.spec.model).length > 1;
    const more = same ? varied.flatMap((setting) => textOf(index, setting)) : [];
    const label = joinedLabel([...(isModelShared && more.length > 0 ? [] : lead), ...more]);
    return {
      label: label === "" ? first!.label : label,
      runs: group,
      rows: endedRowsOf(group),
    };
  });
}

/** Settings that a suite implies: its data and its judge. */
const ofSuite: ReadonlySet<string> = new Set(["suiteRevision", "data", "dataset", "judge", "judging"]);

/**
 * Returns a key that is equal for runs that differ only in these fields. A strategy implies its own options and revision, a
 * suite its own options, data and judge.
 */
function keyOf({ spec, suite, label }: RunRows, across: readonly string[]): string {
  const roles = across.filter((name) => settingNamed(name)?.ofRole === true) as readonly SettledRole[];
  const { strategyRevision, judging, ...others } = roles.reduce(withoutRole, spec);
  const { judgePrompts, ...told } = others;
  const judged = across.includes("judge") || judging === undefined ? told : { ...told, judging };
  const rest = across.includes("prompts") ? judged : { ...judged, judgePrompts };
  const anyStrategy = across.includes("strategy");
  const own = new Set(suite.options.map(({ name }) => name));
  const anySuite = across.includes("suite");
  const options = Object.entries(spec.options).filter(
    ([name]) => !covers(across, name) && (!anyStrategy || own.has(name)) && (!anySuite || !own.has(name)),
  );
  const fields = Object.entries(rest).filter(
    ([name]) => name !== "options" && !covers(across, name) && (!anySuite || !ofSuite.has(name)),
  );
  return JSON.stringify([
    fields.toSorted(),
    options.toSorted(),
    anyStrategy ? "" : strategyRevision,
    spec.model === "none" ? label : "",
  ]);
}

/** Named values of `tools` also set the tool servers; named values of `clusters` set all options of this group. */
const covers = (fields: readonly string[], name: string): boolean =>
  fields.includes(name) ||
  (name === "toolServers" && fields.includes("tools")) ||
  fields.some((field) => name.startsWith(`${field}.`));

/** Returns a run's settings and options as shown, without the fields in `without`. */
export function settingTexts(
  run: Pick<RunRows, "spec" | "suite" | "named">,
  without: readonly string[],
): ReadonlyMap<string, string> {
  const values = valueSettings.flatMap(({ name }) => {
    const value = fieldValue(run, name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const options = Object.entries(run.spec.options).map(([name, value]) => {
    const own = run.named?.[name] ?? (isProse(name) ? proseText(name, value) : String(value));
    return [name, own] as const;
  });
  return new Map(
    [...values, ...options, ...Object.entries(run.named ?? {})].filter(([name]) => !without.includes(name)),
  );
}

export type TrialPool = {
  readonly label: string;
  readonly suite: Suite;
  readonly spec: RunSpec;
  /** Ended rows of all trials. */
  readonly rows: readonly Row[];
  /** Ended rows by trial; each run is one trial. */
  readonly trials: readonly (readonly Row[])[];
};

const runOf = ({ run }: Row) => run;

/** Pools trials in the order of their first runs. Runs without a model (imported answers) stay separate. */
export const trialPools = (runs: readonly RunRows[]): readonly TrialPool[] =>
  pooled(runs).map((pool) => {
    const { label, suite, spec } = pool[0]!;
    const rows = endedRowsOf(pool);
    const trials = [...grouped(runOf, rows).values()];
    return { label: pool.length === 1 ? label : withoutTrial(label, spec), suite, spec, rows, trials };
  });

/** True if any pool has several ended trials. */
export function hasRepeats(runs: readonly RunRows[]): boolean {
  const ended = (pool: readonly RunRows[]) => new Set(pool.flatMap(({ rows }) => [...rowContents(rows).endedRuns]));
  return pooled(runs).some((pool) => ended(pool).size > 1);
}

function pooled(runs: readonly RunRows[]): readonly (readonly RunRows[])[] {
  const keyOf = ({ spec, label }: RunRows) =>
    JSON.stringify([{ ...spec, trial: undefined }, spec.model === "none" ? label : cellOf(label)]);
  return [...Map.groupBy(runs, keyOf).values()];
}

/** Labels of runs from several cells begin with the cell name. */
const cellOf = (label: string) => (label.includes(": ") ? label.slice(0, label.indexOf(": ")) : "");

function withoutTrial(label: string, { model, trial }: RunSpec): string {
  const cell = cellOf(label);
  const rest = (cell === "" ? label : label.slice(cell.length + 2))
    .split(label.includes(separator) ? separator : ", ")
    .filter((part) => part !== `trial ${trial}`);
  if (rest.length === 0) return cell === "" ? model : cell;
  return cell === "" ? joinedLabel(rest) : `${cell}: ${joinedLabel(rest)}`;
}
