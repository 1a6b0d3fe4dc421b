/** Scores an answer to one of the user's questions. */
import { unrecordedAnswer } from "../../../source/engine/session/file-suite.ts";
import type { ReplyContext, SimpleScore } from "../../../source/engine/simple-suite/simple-task.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import type { Mistake, Row, RunSpec } from "../../../source/engine/types.ts";
import { flatMapped } from "../../../source/engine/work/growing-list.ts";
import type { Question } from "../data/question.ts";
import { type Checked, checkNames, compare, type CheckName, jsonIn, type RuleCheck } from "./checks.ts";
import { judgeMessages, verdictIn } from "./judge.ts";
import { numberIn } from "./read-reply.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "wrong-answer", title: "Wrong answer" },
  {
    name: "unreadable",
    title: "Nothing to compare",
    note: "the reply has no number or no JSON, or was cut before its answer",
  },
  { name: "no-answer", title: "No answer" },
];

/** Returns the check of the task, or else of the run. */
export const checkOf = ({ check }: Pick<Question, "check">, spec: Pick<RunSpec, "options">): CheckName =>
  check ?? runCheck(spec);

/** Returns the rubric of the task, or of the run if the task has none; empty means none. */
export const rubricOf = ({ rubric }: Pick<Question, "rubric">, { options }: Pick<RunSpec, "options">): string =>
  rubric ?? String(options["rubric"] ?? "");

export const runCheck = ({ options }: Pick<RunSpec, "options">): CheckName =>
  (options["check"] as CheckName | undefined) ?? "exact";

/** Explains why no reply can be compared with the answer in the file; undefined if a reply can be. */
export function incomparable(question: Question, spec: Pick<RunSpec, "options">): string | undefined {
  const { id, answer } = question;
  const check = checkOf(question, spec);
  const wanted = check === "number" ? "a number" : check === "json" ? "JSON" : undefined;
  return wanted === undefined || holds(check, answer)
    ? undefined
    : `Expected the answer of question \`${id}\` to contain ${wanted} for \`check: ${check}\`, got \`${answer}\``;
}

function holds(check: CheckName, answer: string): boolean {
  if (check === "number") return numberIn(answer) !== undefined;
  return check !== "json" || jsonIn(answer) !== undefined;
}

export const ruleChecks = checkNames.filter((name) => name !== "judge" && name !== "none");

/** Returns the name of the metric that records whether a reply is right by this check. */
export const metricOf = (check: RuleCheck): string => `check.${check}`;

/**
 * Returns true if a check that does not determine the score is meaningful: several answers need `one-of`, and a number alone is
 * not compared as JSON.
 */
function isMeant(check: RuleCheck, answer: string): boolean {
  if (answer.includes("|")) return check === "one-of";
  return check !== "one-of" && (check !== "json" || typeof jsonIn(answer) === "object");
}

/** Rules that do not decide skip replies of more characters, because each comparison copies the reply several times. */
const longestCompared = 1_000_000;

/** Compares a reply by every rule that its answer allows, whichever check determines the score. */
function byRules(
  check: CheckName,
  reply: string,
  { answer }: Question,
  isCut: boolean,
): ReadonlyMap<CheckName, Checked> {
  // A recording that is read without a check may have no answer to compare with.
  const isThere = answer !== "" && !(check === "none" && answer === unrecordedAnswer);
  const allowed = ruleChecks.filter(
    (each) =>
      isThere && holds(each, answer) && (each === check || (reply.length <= longestCompared && isMeant(each, answer))),
  );
  return new Map(allowed.map((each) => [each, compare(each, reply, answer, isCut)]));
}

/**
 * Scores 1 if right and 0 if wrong. The score is undefined if a judge is needed but missing, if its verdict is unreadable, or if
 * no reply can be compared with the answer. A truncated chain of thought has no answer before its answer line.
 */
export async function scoreReply(question: Question, reply: string, context: ReplyContext): Promise<SimpleScore> {
  const { spec, isCut = false } = context;
  const check = checkOf(question, spec);
  const got = behindAnswerLine(reply);
  const isUnfinished = isCut && spec.strategy === "cot" && got === reply.trim();
  const checked = byRules(check, isUnfinished ? "" : reply, question, isCut);
  const metrics = Object.fromEntries(
    [...checked].map(([name, { right }]) => [metricOf(name as RuleCheck), right ? 1 : 0]),
  );
  return { ...(await decided(question, reply, context, checked.get(check))), metrics };
}

/** Scores by the check that decides: a rule or a judge. */
async function decided(
  question: Question,
  reply: string,
  context: ReplyContext,
  checked: Checked | undefined,
): Promise<SimpleScore> {
  const check = checkOf(question, context.spec);
  if (check === "none") return { value: undefined };
  const why = incomparable(question, context.spec);
  if (why !== undefined) return { value: undefined, labels: { answer: why } };
  const expected = question.answer;
  if (reply.trim() === "") return scoreOf(check, { kind: "no-answer", expected });
  if (checked !== undefined) {
    const { right, read } = checked;
    if (right) return scoreOf(check);
    return scoreOf(
      check,
      read === undefined ? { kind: "unreadable", expected } : { kind: "wrong-answer", expected, got: read },
    );
  }
  const got = behindAnswerLine(reply);
  const asking = judgeMessages(question, got, rubricOf(question, context.spec), context.spec);
  const said = await context.ask?.("judge", asking, {
    isReadable: (text) => verdictIn(text) !== undefined,
  });
  const verdict = said === undefined ? undefined : verdictIn(said);
  if (verdict === undefined)
    return { value: undefined, labels: { judge: said === undefined ? "no judge" : "unreadable verdict" } };
  return scoreOf(check, verdict === "right" ? undefined : { kind: "wrong-answer", expected, got });
}

/** Whether an answer is wrong only by its check, or its score lacks the other rules. */
function checkedRow({ score }: Row) {
  const check = ruleChecks.find((name) => name === score?.checks[0]?.name);
  if (score === undefined || check === undefined) return [];
  const isOlder = score.metrics[metricOf(check)] === undefined;
  const isRejected = score.value === 0 && check !== "contains";
  const containing = score.metrics[metricOf("contains")] ?? 0;
  return isOlder || isRejected ? { check, isOlder, isRejected, containing } : [];
}

/** Reports how many answers are wrong only by their check, and how many scores lack the other rules. */
export function findings(rows: readonly Row[]): readonly string[] {
  const found = flatMapped(checkedRow, rows);
  const { length: older } = found.filter(({ isOlder }) => isOlder);
  const rejected = found.filter(({ isRejected }) => isRejected);
  const contained = [...Map.groupBy(rejected, ({ check }) => check)].flatMap(([check, of]) => {
    const count = of.reduce((sum, { containing }) => sum + containing, 0);
    const contain = count === 1 ? "contains" : "contain";
    return count === 0
      ? []
      : `${count} of the ${of.length} answers that \`${check}\` rejects ${contain} the expected answer`;
  });
  if (older === 0) return contained;
  const scores = older === 1 ? "1 score was" : `${older} scores were`;
  return [...contained, `${scores} computed by an older parser of replies: \`--rescore\` computes all scores again`];
}

/** Scores 1 without a mistake, otherwise 0. */
function scoreOf(check: CheckName, mistake?: Mistake): SimpleScore {
  const right = mistake === undefined;
  return { value: right ? 1 : 0, checks: [{ name: check, kept: right }], errors: right ? [] : [mistake] };
}
