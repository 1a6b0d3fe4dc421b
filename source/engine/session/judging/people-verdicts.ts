/** Reads people's verdicts on judged answers: from codes of a person, a column of a file, or corrections of scores. */
import type { RunRows, Codebook, JudgeCheck } from "../../analysis.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Row } from "../../types.ts";
import { factOf } from "../../work/fact.ts";
import { codesOfTask, isOfAttempt, rowCodes } from "../codes/task-codes.ts";
import { labelColumn } from "./judge-check.ts";
import type { JudgedItem } from "./judged-items.ts";

/** `isDrawn`: the task was drawn at random for labelling, so that its labels represent the other tasks. */
export type PeopleVerdict = { readonly verdict: boolean; readonly isDrawn: boolean };

/** The value of `positive` that refers to the usual words. */
const usualPositive = "usual";
/** The value of `people` for corrections of scores. */
const corrections = "corrections";

const successes = ["success", "1", "true", "yes", "right", "correct", "solved"];
const failures = ["failure", "0", "false", "no", "wrong", "incorrect", "failed"];

const codebookOf = (runs: readonly RunRows[]): Codebook | undefined =>
  runs.find(({ codes }) => codes !== undefined)?.codes;

const corrected = ({ score }: Row): PeopleVerdict | undefined => {
  const verdict = score?.override === undefined ? "unscored" : verdictOf(score);
  return verdict === "unscored" ? undefined : { verdict: verdict === "right", isDrawn: false };
};

/** Returns the choices of labels: first names in cells, then people and models of the codebook, then corrections. */
export function labellers(runs: readonly RunRows[], items: readonly JudgedItem[]): readonly string[] {
  const { checks = [], labels, runs: coded } = codebookOf(runs) ?? { runs: new Map() };
  const named = checks.map(({ people }) => people);
  const by = new Set([...coded.values()].flatMap((tasks) => [...tasks.values()]).flatMap(labellersOf));
  const known = named.filter((each) => by.has(each) || labels?.has(each) === true);
  const isModel = (name: string) => name.startsWith("model:");
  const others = [...by].toSorted((a, b) => Number(isModel(a)) - Number(isModel(b)) || a.localeCompare(b, "en"));
  const rest = items.some(({ rows }) => rows.some((row) => corrected(row) !== undefined)) ? [corrections] : [];
  return [...new Set([...known, ...others, ...rest])];
}

const labellersOf = ({ codes, labelled }: { readonly codes: readonly By[]; readonly labelled: readonly By[] }) =>
  [...codes, ...labelled].map(({ by }) => by);
type By = { readonly by: string };

/** Returns values that may mean success: kinds of the codebook, and the values of the named columns. */
export function positives(runs: readonly RunRows[]): readonly string[] {
  const { kinds, labels } = codebookOf(runs) ?? { kinds: [], labels: undefined };
  const values = [...(labels?.values() ?? [])].flatMap(({ lines }) => {
    const distinct = new Set(lines.map(({ value }) => value));
    return distinct.size > mostValues ? [] : [...distinct];
  });
  return [usualPositive, ...new Set([...kinds.map(({ name }) => name), ...values])];
}

/** A column with more values holds no verdicts. */
const mostValues = 20;

/** Returns the verdict of the people of a check on an answer, or why there cannot be any. */
export function peopleVerdicts(
  runs: readonly RunRows[],
  items: readonly JudgedItem[],
  { people, positive = usualPositive }: JudgeCheck,
): ((item: JudgedItem) => PeopleVerdict | undefined) | { readonly problem: string } {
  if (people === corrections) return ({ rows }) => rows.map(corrected).find((each) => each !== undefined);
  const codebook = codebookOf(runs);
  if (labelColumn(people) === undefined) return ofPerson(codebook, people, positive);
  const labels = codebook?.labels?.get(people);
  if (labels === undefined) return { problem: `No cell of the notebook names the labels \`${people}\`` };
  if (labels.problem !== undefined) return { problem: labels.problem };
  const isOfAnswers = labels.lines.every(({ run, model }) => run !== undefined || model !== undefined);
  const answered = Map.groupBy(items, ({ cluster }) => cluster);
  if (!isOfAnswers && [...answered.values()].some(({ length }) => length > 1))
    return {
      problem: `\`${people}\` has one verdict on a task, and these runs have several answers to it: add a column \`model\` or \`run\`, or choose runs with \`of\``,
    };
  const byTask = Map.groupBy(labels.lines, ({ task }) => task);
  return ({ rows, spec }) => {
    const line = (byTask.get(rows[0]!.task) ?? []).find(
      ({ run, model }) =>
        (run === undefined || rows.some((row) => row.run === run)) && (model === undefined || model === spec.model),
    );
    const verdict = line && valueVerdict(line.value, positive);
    return verdict === undefined ? undefined : { verdict, isDrawn: false };
  };
}

/**
 * Returns a verdict: any value but the positive value is a failure; without a positive value, only the usual words are verdicts.
 */
function valueVerdict(value: string, positive: string): boolean | undefined {
  if (positive !== usualPositive) return value === positive;
  const word = value.toLowerCase();
  return successes.includes(word) ? true : failures.includes(word) ? false : undefined;
}

function ofPerson(codebook: Codebook | undefined, by: string, positive: string) {
  const kind = codebook && positiveKind(codebook, positive);
  if (codebook === undefined || kind === undefined) {
    const kinds = codebook?.kinds.map(({ name }) => name).join(", ") ?? "";
    return {
      problem: `Expected \`positive\` to name the kind that means success (${kinds || "the codebook has no kinds"})`,
    };
  }
  return ({ rows }: JudgedItem): PeopleVerdict | undefined => {
    const found = rows.flatMap((row) => {
      const { codes, labelled } = codesOfTask(codebook, row);
      const own = labelled.filter((each) => each.by === by && isOfAttempt(each, row));
      if (own.length === 0 && !codes.some((each) => each.by === by && isOfAttempt(each, row))) return [];
      const verdict = (rowCodes(codebook, row, by).has[kind.name] === true) === kind.isSuccess;
      return [{ verdict, isDrawn: own.some(({ sample }) => sample !== undefined) }];
    });
    // An answer may be labelled in the runs of several judges; a label of a drawn task counts first.
    return found.find(({ isDrawn }) => isDrawn) ?? found[0];
  };
}

/** Returns the kind that means success; if none is chosen, the first kind with a usual word. */
function positiveKind({ kinds }: Codebook, positive: string) {
  if (positive !== usualPositive)
    return kinds.some(({ name }) => name === positive) ? { name: positive, isSuccess: true } : undefined;
  const named = (words: readonly string[]) => kinds.find(({ name }) => words.includes(name.toLowerCase()))?.name;
  const [success, failure] = [named(successes), named(failures)];
  if (success !== undefined) return { name: success, isSuccess: true };
  return failure === undefined ? undefined : { name: failure, isSuccess: false };
}

/**
 * Returns the codebook's labels that check judges: the first existing labels that a cell names, otherwise the labels of the first
 * person with a usual kind.
 */
export const usualCheck = factOf((codebook: Codebook): JudgeCheck | undefined => {
  const { checks = [], labels, runs } = codebook;
  const by = [...new Set([...runs.values()].flatMap((tasks) => [...tasks.values()]).flatMap(labellersOf))];
  const named = checks.find(({ people }) => by.includes(people) || (labels?.get(people)?.lines.length ?? 0) > 0);
  if (named !== undefined) return named;
  const people = by.filter((name) => !name.startsWith("model:")).toSorted()[0];
  return people === undefined || positiveKind(codebook, usualPositive) === undefined ? undefined : { people };
});
