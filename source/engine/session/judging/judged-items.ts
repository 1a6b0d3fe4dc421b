/** Answers that judges judged: what each judge said of each, and what people said. */
import type { RunRows } from "../../analysis.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import { endedRows, taskKey } from "../../measures/measure-cell.ts";
import { rowContents } from "../../measures/row-contents.ts";
import { roleText, writtenSetting } from "../../settings/role-settings.ts";
import { isFields } from "../../run-settings.ts";
import type { Row, RunSpec } from "../../types.ts";
import { idOfAnswers } from "../run-identity.ts";

/** Undefined: the judge was asked, and gave no verdict that can be read. */
export type JudgeVerdict = { readonly judge: string; readonly verdict: boolean | undefined };

/** One answer to one task. */
export type JudgedItem = {
  /** Its rows: one for each run that scored this answer, by its judge. */
  readonly rows: readonly Row[];
  /** The task; its repeats and the answers of other models are one cluster. */
  readonly cluster: string;
  /** Identifies the settings of the run that answered; its label and its spec. */
  readonly answers: string;
  readonly label: string;
  readonly spec: RunSpec;
  readonly verdicts: ReadonlyMap<string, { readonly verdict: boolean | undefined; readonly row: Row }>;
};

const prefix = "verdict ";

/** Returns the label under which a score keeps what one judge of several said. */
export const verdictLabel = (judge: string): string => prefix + judge;

/** Returns what the judges of a row said: those of a majority one by one. None if no judge was asked. */
export function judgeVerdicts(row: Row, spec: RunSpec): readonly JudgeVerdict[] {
  const { score, judging, failure } = row;
  if (row.state === "running" || spec.judge === undefined) return [];
  const each = Object.entries(score?.labels ?? {}).flatMap(([name, said]): JudgeVerdict[] =>
    name.startsWith(prefix)
      ? [{ judge: name.slice(prefix.length), verdict: said === "none" ? undefined : said === "success" }]
      : [],
  );
  if (each.length > 0) return each;
  if (judging === undefined || (score === undefined && failure?.kind !== "judge")) return [];
  // A person's correction is not the judge's verdict.
  const said = score?.override === undefined ? score : { ...score, value: score.override.was };
  const verdict = verdictOf(said);
  return [{ judge: judgeName(spec), verdict: verdict === "unscored" ? undefined : verdict === "right" }];
}

/** Names the judge of a run, with the settings of its own. */
export function judgeName(spec: RunSpec): string {
  const judge = writtenSetting(spec, "judge");
  return judge !== undefined && isFields(judge) ? roleText(judge) : String(judge);
}

/** Whether a judge was asked for any of these rows. */
export const isJudged = ({ rows, spec }: Pick<RunRows, "rows" | "spec">): boolean =>
  spec.judge !== undefined && rows.some((row) => judgeVerdicts(row, spec).length > 0);

/**
 * Returns the judged answers of these runs. Runs that differ only in their judges have the same answers. A judge that is asked twice
 * of the same answer, as with another rubric, is another one.
 */
export function judgedItems(runs: readonly RunRows[]): readonly JudgedItem[] {
  const items = new Map<string, Omit<JudgedItem, "rows" | "verdicts"> & { rows: Row[]; verdicts: Map<string, Said> }>();
  const names = distinctJudges(runs);
  for (const run of runs) {
    const { rows, spec, suite, label } = run;
    const answers = idOfAnswers({ ...spec, trial: 1 }, suite);
    const trials = [...rowContents(rows).runs];
    for (const row of endedRows(rows)) {
      const said = judgeVerdicts(row, spec);
      if (said.length === 0) continue;
      const cluster = taskKey(row);
      const trial = trials.length > 1 ? trials.indexOf(row.run) + 1 : spec.trial;
      const key = `${answers} ${trial} ${cluster}`;
      const item = items.get(key) ?? { rows: [], cluster, answers, label, spec, verdicts: new Map<string, Said>() };
      items.set(key, item);
      item.rows.push(row);
      for (const { judge, verdict } of said) item.verdicts.set(names(run, judge), { verdict, row });
    }
  }
  return [...items.values()];
}

type Said = { readonly verdict: boolean | undefined; readonly row: Row };

/** Names judges by their models, and by the labels of their runs where runs with the same answers share one. */
function distinctJudges(runs: readonly RunRows[]): (run: RunRows, judge: string) => string {
  const asked = Map.groupBy(runs, ({ spec, suite }) =>
    JSON.stringify([judgeName(spec), spec.trial, idOfAnswers(spec, suite)]),
  );
  const shared = new Set([...asked.values()].filter(({ length }) => length > 1).flat());
  return (run, judge) => (shared.has(run) ? `${judge} (${run.label})` : judge);
}

/** Judges in order of first appearance. */
export const judgesOf = (items: readonly JudgedItem[]): readonly string[] => [
  ...new Set(items.flatMap(({ verdicts }) => [...verdicts.keys()])),
];
