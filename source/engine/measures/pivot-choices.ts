/** What analyses that lay out measures as a table let one choose: axes of its lines and columns, and measures. */
import type { ListChoice, RunRows } from "../analysis.ts";
import type { Measure } from "../suite.ts";
import { axisNamed, axisNames } from "./axis.ts";
import { isKnown, measuresOf } from "./measure-cell.ts";
import { fieldNames, fieldValue } from "./run-field.ts";

/** Measures shown where none are named: the first of a mode that have a number. */
const main = 6;

export function axisLists(runs: readonly RunRows[]): Readonly<Record<"rows" | "columns", ListChoice>> {
  const axes = { values: axisNames(runs), standard: [], most: 2 };
  return { rows: axes, columns: axes };
}

export function measureLists(runs: readonly RunRows[]): Readonly<Record<"measures", ListChoice>> {
  const names = measuresOf(runs).map(({ name }) => name);
  return { measures: { values: ["main", "all", ...names], standard: ["main"], alone: ["main", "all"] } };
}

/** The named measures in the order of their names; of `main` and `all` those of one mode. */
export function measuresNamed(runs: readonly RunRows[], names: readonly string[], mode: string): readonly Measure[] {
  const all = measuresOf(runs);
  const named = names.flatMap((name) => all.find((measure) => measure.name === name) ?? []);
  if (named.length > 0) return named;
  const ofMode = all.filter((measure) => measure.mode === mode);
  if (names.includes("all")) return ofMode;
  const known: Measure[] = [];
  for (const measure of ofMode) {
    if (known.length < main && isKnown(measure, runs)) known.push(measure);
  }
  return (known.length === 0 ? ofMode : known).slice(0, main);
}

/**
 * Settings in which runs differ, the model first; not their splits and trials, which say nothing of how they were set up. Left out
 * are those that some run does not have, as it would have no place among their values, and those called as a facet of the tasks,
 * for which the name stands.
 */
export function variedFields(runs: readonly RunRows[]): readonly string[] {
  const names = [...new Set(runs.flatMap(fieldNames))].filter((name) => !["split", "trial", "data"].includes(name));
  return names.filter((name) => {
    const values = new Set(runs.map((run) => fieldValue(run, name)));
    return values.size > 1 && !values.has(undefined) && !axisNamed(runs, name).isFacet;
  });
}

/** `Scores by level and prompting (official)`; a single measure is named. */
export function pivotTitle(
  runs: readonly RunRows[],
  measures: readonly Measure[],
  axes: readonly string[],
  mode: string,
): string {
  const modes = [...new Set(measures.map((measure) => measure.mode))];
  const what = measures.length === 1 ? measures[0]!.title : "Scores";
  const titles = axes.map((name) => axisNamed(runs, name).title.toLowerCase());
  const by = titles.length === 0 ? "" : ` by ${listed(titles)}`;
  return `${what}${by} (${modes.length === 0 ? mode : modes.join(", ")})`;
}

/** `level and days`: of these axes those that are facets of tasks, in words; empty where none is. */
export function facetTitles(runs: readonly RunRows[], axes: readonly string[]): string {
  const facets = axes.map((name) => axisNamed(runs, name)).filter(({ isFacet }) => isFacet);
  return listed(facets.map(({ title }) => title.toLowerCase()));
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}
