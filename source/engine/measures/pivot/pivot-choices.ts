/** Options of analyses that tabulate measures: the axes of lines and columns, and the measures. */
import type { ListChoice, RunRows } from "../../analysis.ts";
import type { Measure } from "../../suite.ts";
import { axisNamed, axisNames } from "./axis.ts";
import { effortMeasures } from "../effort.ts";
import { isKnown, measuresOf } from "../measure-cell.ts";
import { unwrappedMeasure } from "../unwrapped.ts";
import { fieldNames, fieldValue } from "../run-field.ts";

/** Number of measures shown if none are named: the first measures of a mode that have a number. */
const main = 6;

export function axisLists(runs: readonly RunRows[]): Readonly<Record<"rows" | "columns", ListChoice>> {
  const axes = { values: axisNames(runs), standard: [], most: 2 };
  return { rows: axes, columns: axes };
}

export function measureLists(runs: readonly RunRows[]): Readonly<Record<"measures", ListChoice>> {
  const names = nameable(runs).map(({ name }) => name);
  return { measures: { values: ["main", "all", ...names], standard: ["main"], alone: ["main", "all"] } };
}

/** Returns the names that `measures` accepts: measures of the suites, `unwrapped`, and effort by its name without a prefix. */
function nameable(runs: readonly RunRows[]): readonly { readonly name: string; readonly measure: Measure }[] {
  const effort = effortMeasures(runs).map((measure) => ({ name: measure.name.replace("effort.", ""), measure }));
  // A notebook may name it before any answer came in a wrapping.
  const all = [...new Set([...measuresOf(runs), unwrappedMeasure])];
  return [...all.map((measure) => ({ name: measure.name, measure })), ...effort];
}

/** Returns the named measures in the order of the names, including effort; for `main` and `all`, the measures of one mode. */
export function measuresNamed(runs: readonly RunRows[], names: readonly string[], mode: string): readonly Measure[] {
  const all = measuresOf(runs);
  const named = names.flatMap((name) => nameable(runs).find((each) => each.name === name)?.measure ?? []);
  if (named.length > 0) return named;
  const ofMode = all.filter((measure) => measure.mode === mode);
  if (names.includes("all")) return ofMode;
  const known: Measure[] = [];
  for (const measure of ofMode) {
    if (known.length < main && isKnown(measure, runs)) known.push(measure);
  }
  return known.length === 0 ? ofMode.slice(0, main) : known;
}

/**
 * Returns the settings in which runs differ, the model first. Omits splits, trials and limits (not part of a configuration),
 * settings that some run lacks (it would have no value on the axis), and settings with the name of a task facet, which takes
 * precedence.
 */
export function variedFields(runs: readonly RunRows[]): readonly string[] {
  const names = [...new Set(runs.flatMap(fieldNames))].filter(
    (name) => !["split", "trial", "data", "limit"].includes(name),
  );
  return names.filter((name) => {
    const values = new Set(runs.map((run) => fieldValue(run, name)));
    return values.size > 1 && !values.has(undefined) && !axisNamed(runs, name).isFacet;
  });
}

/**
 * Returns a title such as `Scores by level and prompting (official)`; if there is a single measure, the title contains its name.
 */
export function pivotTitle(
  runs: readonly RunRows[],
  measures: readonly Measure[],
  axes: readonly string[],
  mode: string,
): string {
  const modes = [...new Set(measures.map((measure) => measure.mode))];
  const [first] = measures;
  const what = measures.length === 1 ? first!.title : "Scores";
  const titles = axes.map((name) => axisNamed(runs, name).title.toLowerCase());
  const by = titles.length === 0 ? "" : ` by ${listed(titles)}`;
  return `${what}${by} (${modes.length === 0 ? mode : modes.join(", ")})`;
}

/** Returns the titles of the axes that are task facets, such as `level and days`; empty if no axis is a facet. */
export function facetTitles(runs: readonly RunRows[], axes: readonly string[]): string {
  const facets = axes.map((name) => axisNamed(runs, name)).filter(({ isFacet }) => isFacet);
  return listed(facets.map(({ title }) => title.toLowerCase()));
}

const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
