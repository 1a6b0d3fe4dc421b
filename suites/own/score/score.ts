/** Scores an answer to one of the user's questions. */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { stagedOutput } from "../../../source/engine/strategies/direct.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import type { Mistake, Outcome, RunSpec, Score } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import { compare, type CheckName } from "./checks.ts";
import { judgeMessages, verdictIn } from "./judge.ts";
import { jsonIn, lastNumber } from "./read-answer.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "wrong-answer", title: "Wrong answer" },
  { name: "unreadable", title: "Nothing to compare", note: "no number, or no JSON, in the reply" },
  { name: "no-answer", title: "No answer" },
];

/** That of the task, else that of the run. */
export function checkOf({ input }: Pick<QuestionTask, "input">, spec: Pick<RunSpec, "options">): CheckName {
  return input.check ?? runCheck(spec);
}

/** That of the task, else that of the run; empty: none. */
export function rubricOf({ input }: Pick<QuestionTask, "input">, { options }: Pick<RunSpec, "options">): string {
  return input.rubric ?? String(options["rubric"] ?? "");
}

export function runCheck({ options }: Pick<RunSpec, "options">): CheckName {
  return (options["check"] as CheckName | undefined) ?? "exact";
}

/** Why no reply can be compared with the answer in the file; undefined where one can. */
export function incomparable(
  { id, answer, input }: Pick<QuestionTask, "id" | "answer" | "input">,
  spec: Pick<RunSpec, "options">,
): string | undefined {
  const check = checkOf({ input }, spec);
  const wanted = check === "number" ? "a number" : check === "json" ? "JSON" : undefined;
  const held = check === "number" ? lastNumber(answer) : jsonIn(answer);
  return wanted === undefined || held !== undefined
    ? undefined
    : `Expected the answer of question \`${id}\` to hold ${wanted} for \`check: ${check}\`, got \`${answer}\``;
}

/**
 * Right is 1, wrong is 0; undefined where a judge is needed and none is named, or its verdict cannot be read, and where no reply can be
 * compared with the answer.
 */
export async function scoreAnswer(task: QuestionTask, outcome: Outcome, context: ScoreContext): Promise<Score> {
  const check = checkOf(task, context.spec);
  if (check === "none") return unscored({});
  const why = incomparable(task, context.spec);
  if (why !== undefined) return unscored({ answer: why });
  const reply = stagedOutput(outcome.answer);
  if (reply.trim() === "") return scoreOf(check, false, { kind: "no-answer", expected: task.answer });
  if (check !== "judge") {
    const { right, read } = compare(check, reply, task.answer);
    if (right) return scoreOf(check, true);
    const got = read === undefined ? {} : { got: read };
    return scoreOf(check, false, {
      kind: read === undefined ? "unreadable" : "wrong-answer",
      expected: task.answer,
      ...got,
    });
  }
  const given = behindAnswerLine(reply);
  const said = await context.ask?.("judge", judgeMessages(task, given, rubricOf(task, context.spec)));
  const verdict = said === undefined ? undefined : verdictIn(said);
  if (verdict === undefined) return unscored({ judge: said === undefined ? "no judge" : "unreadable verdict" });
  const wrong = { kind: "wrong-answer", expected: task.answer, got: given };
  return verdict === "right" ? scoreOf(check, true) : scoreOf(check, false, wrong);
}

function scoreOf(check: CheckName, right: boolean, error?: Mistake): Score {
  const value = right ? 1 : 0;
  return {
    value,
    metrics: { accuracy: value },
    checks: [{ name: check, kept: right }],
    errors: error === undefined ? [] : [error],
  };
}

function unscored(labels: Readonly<Record<string, string>>): Score {
  return { value: undefined, metrics: {}, checks: [], errors: [], labels };
}
