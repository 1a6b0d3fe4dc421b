/**
 * Identifies a run by the settings that change an answer. Other settings only choose which of its tasks are executed and counted
 * (`limit`, `filter`, limits of the whole run), or score the answers (the judge, the check).
 */
import { hash } from "node:crypto";
import { formerValue } from "../migration/run-options.ts";
import { appliedOptions } from "../measures/effective-settings.ts";
import { optionsFor } from "../option.ts";
import { withoutRole } from "../settings/role-settings.ts";
import type { Suite } from "../suite.ts";
import { canonicalJson } from "../text/json-record.ts";
import type { Json, RunSpec } from "../types.ts";
import { hashesOf, runId } from "./run-spec.ts";

export type AskedSuite = Pick<Suite, "options" | "strategies">;

/** The place of a run cell's answers under its scoring. */
export type StoredRun = {
  /** The name of the folder in `runs`. */
  readonly folder: string;
  /** The settings at the start of the run's log. */
  readonly spec: RunSpec;
};

/**
 * Returns the folder of a run: its id, followed by that of its scoring unless that is the default scoring. Runs with the same
 * folder differ only in their choice of tasks.
 */
export function storedRun(spec: RunSpec, suite: AskedSuite): StoredRun {
  const whole = withoutChoice(spec, suite);
  const bare = withoutScoring(whole, suite);
  const scoring = scoringId(whole, suite);
  const suffix = scoring === scoringId(bare, suite) ? "" : `.${scoring}`;
  return { folder: `${runId(bare)}${suffix}`, spec: whole };
}

/** Returns the id of the run in a folder, without that of its scoring. */
export const runOfFolder = (folder: string): string => folder.split(".", 1)[0]!;

/**
 * Returns whether a folder contains a run with these settings, which its log contains. False for answers made by other programs.
 */
export function isFolderOf(folder: string, spec: RunSpec, suite: AskedSuite | undefined): boolean {
  return runId(spec) === folder || (suite !== undefined && storedRun(spec, suite).folder === folder);
}

/** Returns 16 hexadecimal digits that are equal for runs whose answers are scored alike. */
export function scoringId(spec: RunSpec, { options }: AskedSuite): string {
  const { judge = null, judges, roles, options: values, judgePrompts } = spec;
  const own = options.flatMap(({ name, scoring }) =>
    scoring === true && values[name] !== undefined ? [[name, values[name]]] : [],
  );
  const more = [
    ...(judges === undefined ? [] : [judges]),
    ...(judgePrompts === undefined ? [] : [hashesOf(judgePrompts)]),
  ];
  const identity = [judge, (roles?.judge ?? {}) as Json, Object.fromEntries(own) as Json, ...more];
  return hash("sha256", canonicalJson(identity)).slice(0, 16);
}

/**
 * Returns the same id for runs that send the same requests to their models, whichever tasks they choose and however the answers
 * are scored.
 */
export function idOfAnswers(spec: RunSpec, suite: AskedSuite): string {
  const bare = withoutJudge(withoutChoice(spec, suite), suite);
  const isFree = bare.judge === undefined && bare.shots === 0 && !isPickedByScore(bare);
  return runId(isFree ? { ...bare, options: unscoringOptions(bare, suite) } : bare);
}

/** Returns the same id for runs that differ only in their choice of tasks. */
export const idWithoutChoice = (spec: RunSpec, suite: AskedSuite): string => runId(withoutChoice(spec, suite));

/** Returns the settings without a choice of tasks, unless answers depend on the answers to earlier tasks. */
function withoutChoice(spec: RunSpec, suite: AskedSuite): RunSpec {
  const { task } = spec.budget;
  const budget = task === undefined ? {} : { task };
  const forks = spec.forks && { forks: { of: spec.forks.of } };
  return buildsOnTasks(spec, suite)
    ? { ...spec, ...forks, budget }
    : { ...spec, ...forks, budget, limit: 0, filter: {} };
}

/** True if answers depend on earlier tasks and on their scores; assumed of strategies that no longer exist. */
function buildsOnTasks(spec: RunSpec, { strategies }: AskedSuite): boolean {
  const strategy = strategies.find(({ name }) => name === spec.strategy);
  return strategy === undefined || strategy.sequential?.(spec) === true;
}

/** True if the answer is a sample that was picked by its score, or by the judge. */
const isPickedByScore = ({ pick }: RunSpec): boolean => pick === "judge" || pick === "oracle";

function withoutJudge(spec: RunSpec, suite: AskedSuite): RunSpec {
  const strategy = suite.strategies.find(({ name }) => name === spec.strategy);
  if (buildsOnTasks(spec, suite) || strategy?.asksJudge === true || isPickedByScore(spec)) return spec;
  const { judge: _, judging: __, judges: ___, judgePrompts: ____, ...rest } = withoutRole(spec, "judge");
  return rest;
}

/**
 * Returns the settings without those that only affect scoring. A run with demonstrations keeps some of them, because
 * demonstrations show answers in the form that the check expects.
 */
function withoutScoring(spec: RunSpec, suite: AskedSuite): RunSpec {
  if (buildsOnTasks(spec, suite) || isPickedByScore(spec)) return spec;
  const bare = withoutJudge(spec, suite);
  if (bare.shots > 0) return bare;
  const strategy = suite.strategies.find(({ name }) => name === bare.strategy)!;
  const own = unscoringOptions(bare, suite);
  const offered = optionsFor(suite, strategy);
  const defaults = appliedOptions((name) => own[name] ?? formerValue(offered, name), suite, strategy).flatMap(
    ({ option: { name, scoring, former, quiet, default: standard }, value }) =>
      scoring !== true || value === (former ?? (quiet === true ? standard : undefined)) ? [] : [[name, value] as const],
  );
  return { ...bare, options: { ...own, ...Object.fromEntries(defaults) } };
}

function unscoringOptions({ options }: RunSpec, suite: AskedSuite): RunSpec["options"] {
  const scoring = new Set(suite.options.flatMap(({ name, scoring: only }) => (only === true ? [name] : [])));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !scoring.has(name)));
}
