/** Collects the judged answers, with the verdict of each judge and of people. */
import type { RunRows } from "../../analysis.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import { endedRows, taskKey } from "../../measures/measure-cell.ts";
import { rowContents } from "../../measures/row-contents.ts";
import { modelTitle } from "../../measures/run-field.ts";
import { roleText, writtenSetting } from "../../settings/role-settings.ts";
import { isFields } from "../../run-settings.ts";
import type { Row, RunSpec } from "../../types.ts";
import { type JudgeVerdict, keptVerdicts } from "../../run/judges.ts";
import { keyByName, flatMapped } from "../../work/growing-list.ts";
import { idOfAnswers } from "../run-identity.ts";

/** One answer to one task. */
export type JudgedItem = {
  /** The rows of the item: one row, with a judge, for each run that scored this answer. */
  readonly rows: readonly Row[];
  /** The task, whose repeats and answers of other models form one cluster. */
  readonly cluster: string;
  /** Identifies the settings of the run that gave the answer; also its label and its spec. */
  readonly answers: string;
  readonly label: string;
  readonly spec: RunSpec;
  /** The judge's model as figures name it. */
  readonly model: string;
  /** Judges whose verdict is the score of a row; for several judges, their majority. */
  readonly decides: ReadonlySet<string>;
  readonly verdicts: ReadonlyMap<string, { readonly verdict: boolean | undefined; readonly row: Row }>;
};

/** Returns the verdicts of a row's judges: each judge of a majority, then the majority. Empty if no judge was asked. */
function judgeVerdicts(row: Row, spec: RunSpec): readonly JudgeVerdict[] {
  const { score, judging, failure } = row;
  // A judge that picks says which answer is the best, not whether it is right; the runs it picks from have its verdicts, if any.
  if (row.state === "running" || spec.judge === undefined || spec.pick === "judge") return [];
  if (judging === undefined || (score === undefined && failure?.kind !== "judge")) return [];
  // A person's correction is not the judge's verdict.
  const said = score?.override === undefined ? score : { ...score, value: score.override.was };
  const verdict = verdictOf(said);
  const decided = { judge: judgeName(spec), verdict: verdict === "unscored" ? undefined : verdict === "right" };
  const each = score === undefined ? [] : keptVerdicts(score);
  const unread = each.length > 0 || score !== undefined ? [] : (spec.judges ?? []);
  return [...each, ...unread.map((judge) => ({ judge, verdict: undefined })), decided];
}

/** Returns the name of a run's judge, including the judge's own settings. */
function judgeName(spec: RunSpec): string {
  const judge = writtenSetting(spec, "judge");
  return judge !== undefined && isFields(judge) ? roleText(judge) : String(judge);
}

/** A row with the verdicts of its judges. */
type JudgedRow = Pick<Row, "run" | "task" | "question"> & { readonly row: Row; readonly said: readonly JudgeVerdict[] };

const judgedRow = keyByName((spec: RunSpec) => (row: Row): readonly JudgedRow[] => {
  const said = judgeVerdicts(row, spec);
  const { run, task, question } = row;
  return said.length === 0 ? [] : [{ run, task, question, row, said }];
});

/** True if a judge was asked for any of these rows. */
export const isJudged = ({ rows, spec }: Pick<RunRows, "rows" | "spec">): boolean =>
  spec.judge !== undefined && flatMapped(judgedRow(spec), rows).length > 0;

/**
 * Returns the judged answers of these runs. Runs that differ only in their judges have the same answers. A judge that gives two
 * verdicts on the same answer, for example with another rubric, counts as two judges.
 */
export function judgedItems(runs: readonly RunRows[]): readonly JudgedItem[] {
  const items = new Map<
    string,
    Omit<JudgedItem, "rows" | "decides" | "verdicts"> & {
      rows: Row[];
      decides: Set<string>;
      verdicts: Map<string, Said>;
    }
  >();
  const names = distinctJudges(runs);
  for (const run of runs) {
    const { rows, spec, suite, label } = run;
    const answers = idOfAnswers({ ...spec, trial: 1 }, suite);
    const trials = [...rowContents(rows).runs];
    for (const judged of flatMapped(judgedRow(spec), endedRows(rows))) {
      const { row, said } = judged;
      const cluster = taskKey(judged);
      const trial = trials.length > 1 ? trials.indexOf(judged.run) + 1 : spec.trial;
      const key = `${answers} ${trial} ${cluster}`;
      const fresh = { rows: [], decides: new Set<string>(), verdicts: new Map<string, Said>() };
      const item = items.get(key) ?? { cluster, answers, label, spec, model: modelTitle(run), ...fresh };
      items.set(key, item);
      item.rows.push(row);
      item.decides.add(names(run, said.at(-1)!.judge));
      for (const { judge, verdict } of said) item.verdicts.set(names(run, judge), { verdict, row });
    }
  }
  return [...items.values()];
}

type Said = { readonly verdict: boolean | undefined; readonly row: Row };

/**
 * Names judges by their names in the notebook, otherwise by their models, and by the labels of their runs if runs with the same
 * answers have equal names.
 */
function distinctJudges(runs: readonly RunRows[]): (run: RunRows, judge: string) => string {
  const asked = Map.groupBy(runs, ({ spec, suite }) =>
    JSON.stringify([judgeName(spec), spec.trial, idOfAnswers(spec, suite)]),
  );
  const shared = new Set([...asked.values()].filter(({ length }) => length > 1).flat());
  return (run, judge) => {
    const name = judge === judgeName(run.spec) ? (run.named?.["judge"] ?? judge) : judge;
    return shared.has(run) ? `${name} (${run.label})` : name;
  };
}

/** Returns judges in order of first appearance; the majority of several judges counts as one of them. */
export const judgesOf = (items: readonly JudgedItem[]): readonly string[] => [
  ...new Set(items.flatMap(({ verdicts }) => [...verdicts.keys()])),
];

/** Returns the judges without the majorities of several. */
export function singleJudges(runs: readonly RunRows[], items: readonly JudgedItem[]): readonly string[] {
  const names = distinctJudges(runs);
  const majorities = runs.flatMap((run) => (run.spec.judges === undefined ? [] : names(run, judgeName(run.spec))));
  return judgesOf(items).filter((judge) => !majorities.includes(judge));
}
