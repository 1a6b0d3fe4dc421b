/** Scores an answer to one of the user's questions. */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import type { SimpleScore } from "../../../source/engine/simple-suite/simple-task.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import type { Mistake, RunSpec } from "../../../source/engine/types.ts";
import type { Question } from "../data/question.ts";
import { compare, type CheckName, jsonIn } from "./checks.ts";
import { judgeMessages, verdictIn } from "./judge.ts";
import { numberIn } from "./read-reply.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "wrong-answer", title: "Wrong answer" },
  { name: "unreadable", title: "Nothing to compare", note: "no number, or no JSON, in the reply" },
  { name: "no-answer", title: "No answer" },
];

/** Returns the check of the task, or else of the run. */
export function checkOf({ check }: Pick<Question, "check">, spec: Pick<RunSpec, "options">): CheckName {
  return check ?? runCheck(spec);
}

/** Returns the rubric of the task, or else of the run; empty means none. */
export function rubricOf({ rubric }: Pick<Question, "rubric">, { options }: Pick<RunSpec, "options">): string {
  return rubric ?? String(options["rubric"] ?? "");
}

export function runCheck({ options }: Pick<RunSpec, "options">): CheckName {
  return (options["check"] as CheckName | undefined) ?? "exact";
}

/** Explains why no reply can be compared with the answer in the file; undefined if one can. */
export function incomparable(question: Question, spec: Pick<RunSpec, "options">): string | undefined {
  const { id, answer } = question;
  const check = checkOf(question, spec);
  const wanted = check === "number" ? "a number" : check === "json" ? "JSON" : undefined;
  const held = check === "number" ? numberIn(answer) : jsonIn(answer);
  return wanted === undefined || held !== undefined
    ? undefined
    : `Expected the answer of question \`${id}\` to hold ${wanted} for \`check: ${check}\`, got \`${answer}\``;
}

/**
 * Scores 1 if right and 0 if wrong. The score is undefined if a judge is needed but not named, if its verdict is
 * unreadable, or if no reply can be compared with the answer.
 */
export async function scoreReply(question: Question, reply: string, context: ScoreContext): Promise<SimpleScore> {
  const { spec } = context;
  const check = checkOf(question, spec);
  if (check === "none") return unscored({});
  const why = incomparable(question, spec);
  if (why !== undefined) return unscored({ answer: why });
  const expected = question.answer;
  if (reply.trim() === "") return scoreOf(check, { kind: "no-answer", expected });
  if (check !== "judge") {
    const { right, read } = compare(check, reply, expected);
    if (right) return scoreOf(check);
    return scoreOf(
      check,
      read === undefined ? { kind: "unreadable", expected } : { kind: "wrong-answer", expected, got: read },
    );
  }
  const got = behindAnswerLine(reply);
  const said = await context.ask?.("judge", judgeMessages(question, got, rubricOf(question, spec)));
  const verdict = said === undefined ? undefined : verdictIn(said);
  if (verdict === undefined) return unscored({ judge: said === undefined ? "no judge" : "unreadable verdict" });
  return scoreOf(check, verdict === "right" ? undefined : { kind: "wrong-answer", expected, got });
}

/** Scores 1 without a mistake, otherwise 0. */
function scoreOf(check: CheckName, mistake?: Mistake): SimpleScore {
  const right = mistake === undefined;
  return { value: right ? 1 : 0, checks: [{ name: check, kept: right }], errors: right ? [] : [mistake] };
}

const unscored = (labels: Readonly<Record<string, string>>): SimpleScore => ({ value: undefined, labels });
