/** Scores an answer to one of the user's questions. */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { stagedOutput } from "../../../source/engine/strategies/direct.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import type { Mistake, Outcome, RunSpec, Score } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import { compare, type CheckName } from "./checks.ts";
import { judgeMessages, verdictIn } from "./judge.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "wrong-answer", title: "Wrong answer" },
  { name: "unreadable", title: "Nothing to compare", note: "no number, or no JSON, in the reply" },
  { name: "no-answer", title: "No answer" },
];

export function checkOf({ options }: Pick<RunSpec, "options">): CheckName {
  return (options["check"] as CheckName | undefined) ?? "exact";
}

/** Right is 1, wrong is 0; undefined where a judge is needed and none is named, or its verdict cannot be read. */
export async function scoreAnswer(task: QuestionTask, outcome: Outcome, context: ScoreContext): Promise<Score> {
  const check = checkOf(context.spec);
  if (check === "none") return unscored({});
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
  const rubric = String(context.spec.options["rubric"] ?? "");
  const said = await context.ask?.("judge", judgeMessages(task, given, rubric));
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
