/** Tests claims on runs that differ in one setting or on groups of tasks, and corrects all answers of a notebook together. */
import type { RunRows } from "../analysis.ts";
import { joinedLabel } from "../settings/label.ts";
import { writtenSetting } from "../settings/role-settings.ts";
import { counted } from "../text/counted.ts";
import { valueSettings } from "../run-settings.ts";
import { type DifferenceTest, pairedDifference, unpairedDifference } from "../statistics/difference-test.ts";
import type { Measure } from "../suite.ts";
import type { Row, TaskRef } from "../types.ts";
import type { Claim, ClaimSide } from "./claim.ts";
import { intervalCell, measuresOf, refs, taskKey, shownValue, textCell, withTasks } from "./measure-cell.ts";
import { evaluate, hasTaskValues, meanOf, measureCalled, type TaskMeasure } from "./measure.ts";
import { fieldNames, fieldValue, hasValue, modelTitle, optionsOfRun } from "./run-field.ts";
import { joinedAcrossSplits } from "./run-groups.ts";
import { pairedTasks, rowsOf, scoredPairs, type TaskRows, taskValue } from "./task-pairs.ts";
import { boundsColumn, type Cell, type TableFigure, tableColumns } from "../figure.ts";
import type { Interval } from "../statistics/interval.ts";
import { holm } from "../statistics/paired.ts";

export type ClaimTest = {
  readonly claim: Claim;
  /** Distinguishes tests of the same claim: the model, or the label of a run. */
  readonly label: string;
  readonly measure: Pick<Measure, "name" | "title" | "unit">;
  /** Undefined if there are no tasks to compare yet. */
  readonly test: DifferenceTest | undefined;
  readonly bound: number;
  /** Rows with a value, for each side. */
  readonly more: readonly Row[];
  readonly less: readonly Row[];
  /** Values of the measure, for each side. */
  readonly values: readonly [number | undefined, number | undefined];
  /** Number of tasks compared. */
  readonly n: number;
  /** Tasks that determine the test: tasks in which paired runs differ, or all tasks of both groups if unpaired. */
  readonly deciding: readonly TaskRef[];
};

type ClaimTests = readonly ClaimTest[] | { readonly problem: string };

/**
 * Returns one test per pair of runs, or per run if the claim compares groups of tasks; otherwise the problem with the claim. Runs
 * of one configuration on several splits count as one.
 */
export function claimTests(claim: Claim, all: readonly RunRows[]): ClaimTests {
  const runs = claim.more.field === "split" ? all : joinedAcrossSplits(all);
  if (runs.length === 0) return [];
  const measure = measureOf(claim, runs);
  if ("problem" in measure) return measure;
  const { field } = claim.more;
  const setting = settingOf(claim, runs);
  if (setting !== undefined) return pairedTests(claim, setting, measure, runs);
  const facets = [...new Set(runs.flatMap(({ suite }) => suite.facets.map(({ name }) => name)))];
  if (facets.includes(field)) return groupTests(claim, measure, runs);
  const names = [...new Set(runs.flatMap(fieldNames)), ...facets].join(", ");
  return refused(claim, `a setting of the runs or a facet of their tasks (${names})`, field);
}

function refused({ text }: Claim, expected: string, got: string): { readonly problem: string } {
  return { problem: `Expected \`claim: ${text}\` to name ${expected}, got \`${got}\`` };
}

function measureOf(claim: Claim, runs: readonly RunRows[]): TaskMeasure | { readonly problem: string } {
  const { metric } = claim;
  const all = measuresOf(runs);
  const testable = all.filter(hasTaskValues);
  const found = measureCalled(metric, testable);
  if (found !== undefined) return found;
  const names = testable.map(({ name }) => name).join(", ");
  const why = measureCalled(metric, all) === undefined ? "a measure" : "a measure that has a value for each task";
  return refused(claim, `${why} (${names})`, metric);
}

/** Two runs that a claim compares, and the tasks on which it compares them. */
export type ClaimPair = {
  readonly label: string;
  readonly more: RunRows;
  readonly less: RunRows;
  readonly measure: TaskMeasure;
};

/** Returns the pairs of runs that a claim compares, before they have rows; otherwise why it compares no pairs. */
export function claimPairs(
  claim: Claim,
  runs: readonly RunRows[],
): readonly ClaimPair[] | { readonly problem: string } {
  const measure = measureOf(claim, runs);
  if ("problem" in measure) return measure;
  const setting = settingOf(claim, runs);
  if (setting === undefined) return refused(claim, "a setting of the runs, so that tasks are paired", claim.more.field);
  const pairs = pairsOf(claim, setting, runs);
  return "problem" in pairs ? pairs : pairs.map((pair) => ({ ...pair, measure }));
}

function settingOf({ more: { field } }: Claim, runs: readonly RunRows[]): string | undefined {
  const settings = new Set(runs.flatMap(fieldNames));
  return settings.has(field) ? field : [...settings].find((name) => name.endsWith(`.${field}`));
}

function pairsOf(
  claim: Claim,
  setting: string,
  runs: readonly RunRows[],
): readonly Omit<ClaimPair, "measure">[] | { readonly problem: string } {
  const of = ({ value }: ClaimSide) => runs.filter((run) => hasValue(run, setting, value));
  for (const side of [claim.more, claim.less]) {
    if (of(side).length > 0) continue;
    const known = [...new Set(runs.map((run) => String(fieldValue(run, setting))))].join(", ");
    return refused(claim, `a value of \`${setting}\` that a run has (${known})`, side.value);
  }
  const pairs = of(claim.more).flatMap((more) =>
    of(claim.less).flatMap((less) => (isSameBut(setting, more, less) ? [[more, less] as const] : [])),
  );
  if (pairs.length === 0)
    return {
      problem: `Expected \`claim: ${claim.text}\` to be about runs that differ in \`${setting}\` only, found none`,
    };
  const labels = labelsOf(
    pairs.map(([more]) => more),
    setting,
  );
  return pairs.map(([more, less], index) => ({ label: labels[index]!, more, less }));
}

function pairedTests(claim: Claim, setting: string, measure: TaskMeasure, runs: readonly RunRows[]): ClaimTests {
  const pairs = pairsOf(claim, setting, runs);
  if ("problem" in pairs) return pairs;
  const bound = boundOf(claim, measure);
  return pairs.map(({ label, more, less }): ClaimTest => {
    const { before, after } = scoredPairs(pairedTasks(less, more), measure);
    const values = (tasks: readonly TaskRows[]) => tasks.map((rows) => taskValue(rows, measure.each)!);
    const rows = (tasks: readonly TaskRows[]) => tasks.flatMap(rowsOf);
    const [one, other] = [values(after), values(before)];
    return {
      claim,
      label,
      measure,
      bound,
      test: pairedDifference(one, other, bound, measure.name),
      ...sidesOf(measure, rows(after), rows(before)),
      n: before.length,
      deciding: after.flatMap((own, at) =>
        one[at] === other[at] ? [] : refs([...rowsOf(own), ...rowsOf(before[at]!)]),
      ),
    };
  });
}

function groupTests(claim: Claim, measure: TaskMeasure, runs: readonly RunRows[]): ClaimTests {
  const { field } = claim.more;
  const known = new Set<string>();
  for (const { suite, rows } of runs) {
    for (const value of suite.facets.find(({ name }) => name === field)?.order ?? []) known.add(String(value));
    for (const { facets } of rows) known.add(String(facets[field]));
  }
  const unknown = [claim.more, claim.less].find(({ value }) => !known.has(value));
  // The values of an unordered facet are unknown until rows exist.
  if (unknown !== undefined && runs.some(({ rows }) => rows.length > 0))
    return refused(claim, `a value of \`${field}\` (${[...known].join(", ")})`, unknown.value);
  const bound = boundOf(claim, measure);
  return runs.map(({ label, rows }): ClaimTest => {
    const group = ({ value }: ClaimSide) =>
      rows.filter(
        (row) => String(row.facets[field]) === value && row.score !== undefined && measure.each(row) !== undefined,
      );
    const [more, less] = [group(claim.more), group(claim.less)];
    const [one, other] = [taskMeans(more, measure.each), taskMeans(less, measure.each)];
    return {
      claim,
      label,
      measure,
      bound,
      test: unpairedDifference(one, other, bound),
      ...sidesOf(measure, more, less),
      n: one.length + other.length,
      deciding: refs([...more, ...less]),
    };
  });
}

function sidesOf(measure: TaskMeasure, more: readonly Row[], less: readonly Row[]) {
  const values = [evaluate(measure, more).value, evaluate(measure, less).value] as const;
  return { more, less, values };
}

/** Averages trials, because trials of one task are not independent tasks. */
function taskMeans(rows: readonly Row[], each: TaskMeasure["each"]): readonly number[] {
  const tasks = [...Map.groupBy(rows, taskKey).values()];
  return tasks.map((trials) => meanOf(trials, each).value!);
}

/** Returns the claimed difference in the unit of the measure's values. */
const boundOf = ({ least }: Claim, { unit }: Measure): number => (unit === "percent" ? least / 100 : least);

/** True if two runs have equal values in every other setting that both have; strategies have settings of their own. */
function isSameBut(setting: string, one: RunRows, other: RunRows): boolean {
  const apart = valueSettings.some(({ name, strategyRole }) => {
    const [a, b] = [writtenSetting(one.spec, name), writtenSetting(other.spec, name)];
    const isOfStrategy = strategyRole === true && (a === undefined || b === undefined);
    return name !== setting && !isOfStrategy && JSON.stringify(a) !== JSON.stringify(b);
  });
  const judged = ({ spec }: RunRows) => (setting === "prompts" ? "" : JSON.stringify(spec.judgePrompts ?? {}));
  if (judged(one) !== judged(other)) return false;
  const rest = ({ spec: { filter, dataset = "" } }: RunRows) => JSON.stringify([filter, dataset]);
  if (apart || rest(one) !== rest(other)) return false;
  const [a, b] = [optionValues(one), optionValues(other)];
  return [...a].every(([name, value]) => name === setting || !b.has(name) || b.get(name) === value);
}

/** Returns the options that apply to a run; an option that its id lacks has its default. */
function optionValues(run: RunRows): ReadonlyMap<string, string | number> {
  return new Map(
    optionsOfRun(run).flatMap(({ name, quiet, default: standard }) => {
      const value = run.spec.options[name] ?? (quiet === true ? standard : undefined);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Labels runs by model, with the other settings that distinguish them. */
function labelsOf(runs: readonly RunRows[], setting: string): readonly string[] {
  const names = [...new Set(runs.flatMap(fieldNames))].filter((name) => name !== "model" && name !== setting);
  const text = (run: RunRows, name: string) => String(fieldValue(run, name) ?? "none");
  const varied = names.filter((name) => new Set(runs.map((run) => text(run, name))).size > 1);
  return runs.map((run) => {
    const first = run.spec.model === "none" || setting === "model" ? run.label : modelTitle(run);
    return joinedLabel([first, ...varied.map((name) => `${name} ${text(run, name)}`)]);
  });
}

export type ClaimAnswer = Omit<ClaimTest, "test"> & {
  readonly answer: "yes" | "no" | "not decided";
  readonly difference: number | undefined;
  /** Holm-corrected. */
  readonly p: number | undefined;
  /** Is entirely above or below the bound if and only if the answer is yes or no. */
  readonly interval: Interval | undefined;
  /**
   * If the claim is not decided, the smallest distance from the bound that such a comparison detects with 80 % power at the 5 %
   * level.
   */
  readonly detectable?: number | undefined;
  readonly test: string | undefined;
};

const level = 0.05;

/**
 * Answers yes if the interval of the difference is above the bound, and no if it is below. The chance that any yes or no is an
 * accident is at most 5 % over all claims together, by Holm's correction (1979, Scandinavian Journal of Statistics 6: 65-70). The
 * k-th smallest of m p values, and its interval, has the level 5 % / (m - k + 1), up to the first p value that is not
 * significant; later p values have the level of that one.
 */
export function claimAnswers(claims: readonly ClaimTest[]): readonly ClaimAnswer[] {
  const tests = claims.flatMap(({ test }) => test ?? []);
  const adjusted = new Map(holm(tests.map(({ p }) => p)).map((p, index) => [tests[index]!, p]));
  const levels = new Map<(typeof tests)[number], number>();
  let rank = 0;
  for (const test of tests.toSorted((one, other) => one.p - other.p)) {
    const own = level / (tests.length - rank);
    levels.set(test, own);
    if (test.p < own) rank += 1;
  }
  return claims.map(({ test, ...claim }): ClaimAnswer => {
    const p = test && adjusted.get(test)!;
    const isDecided = test !== undefined && test.p < levels.get(test)!;
    const side = test !== undefined && test.difference > claim.bound ? "yes" : "no";
    return {
      ...claim,
      answer: isDecided ? side : "not decided",
      difference: test?.difference,
      p,
      interval: test && test.interval(levels.get(test)!),
      test: test?.test,
      ...(test !== undefined && !isDecided && { detectable: test.detectable() }),
    };
  });
}

/** Returns one table per claim of a cell, with a row per answer; `all` is the number of answers in the notebook. */
export function claimTables(answers: readonly ClaimAnswer[], all: number): readonly TableFigure[] {
  const byClaim = Map.groupBy(answers, ({ claim }) => claim);
  return [...byClaim].map(([claim, own]) => claimTable(claim, own, all));
}

function claimTable(claim: Claim, answers: readonly ClaimAnswer[], all: number): TableFigure {
  const tests = [...new Set(answers.flatMap(({ test }) => test ?? []))];
  return {
    kind: "table",
    title: `Claim: ${claim.text}`,
    columns: tableColumns(
      ["Of", "Answer"],
      ["more", "less", "difference", boundsColumn("difference"), "p", "tasks that decide", "n"],
    ),
    rows: answers.map(line),
    notes: [
      `Yes: the interval of the difference is above the claimed difference; no: the interval is below it${tests.length === 0 ? "" : `. Test: ${tests.join("; ")}`}`,
      `Interval and p are corrected by Holm's method for ${all === 1 ? "the only claim test" : `all ${all} claim tests`} of this notebook`,
      ...undecidedNotes(claim, answers),
      ...writtenNotes(claim),
    ],
  };
}

/** Tells how many tasks had a result when the claim was written. */
function writtenNotes({ written }: Claim): readonly string[] {
  if (written === undefined) return [];
  const { at, known, of } = written;
  const when = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
  return [
    known === 0
      ? `Claim written before any result, ${when}`
      : `Claim written after results of ${known} of ${counted(of, "task")}, ${when}`,
  ];
}

/** Names for each answer that is not decided the difference that could have been seen. */
function undecidedNotes({ least }: Claim, answers: readonly ClaimAnswer[]): readonly string[] {
  const open = answers.filter((each) => "detectable" in each);
  if (open.length === 0) return [];
  const of = ({ label, measure, detectable }: ClaimAnswer) =>
    `${answers.length === 1 ? "" : `${label}: `}${detectable === undefined ? "none" : `at least ${shownValue(detectable, measure.unit)}`}`;
  const from = least === 0 ? "Detectable difference" : "Detectable distance from the claimed difference";
  return [`${from} (80 % power, p < 0.05 before Holm's correction): ${open.map(of).join("; ")}`];
}

function line({ label, measure, answer, more, less, values, difference, interval, p, n, deciding }: ClaimAnswer) {
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const side = (value: number | undefined, rows: typeof more): Cell =>
    withTasks({ text: show(value), ...(value === undefined ? {} : { value }), n: rows.length }, rows);
  const tasks = new Set<string>();
  for (const { task } of deciding) tasks.add(task);
  const sign = difference !== undefined && difference > 0 ? "+" : "";
  return [
    textCell(label),
    textCell(answer, { tasks: deciding }),
    side(values[0], more),
    side(values[1], less),
    textCell(`${sign}${show(difference)}`, { ...(difference !== undefined && { value: difference }), tasks: deciding }),
    intervalCell(interval, measure.unit),
    textCell(p === undefined ? "-" : p < 0.0001 ? "<0.0001" : p.toFixed(4), p === undefined ? {} : { value: p }),
    textCell(String(tasks.size), { tasks: deciding }),
    withTasks(textCell(String(n), { value: n }), [...more, ...less]),
  ];
}
