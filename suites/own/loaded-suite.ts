/** The user's questions, bound to their file. */
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { stagedOutput } from "../../source/engine/strategies/direct.ts";
import { behindAnswerLine } from "../../source/engine/text/answer-line.ts";
import { shuffled } from "../../source/engine/statistics/random.ts";
import { firstOf, stagesOf } from "./ask/stages.ts";
import type { QuestionFile, QuestionTask } from "./data/question.ts";
import { compare, type CheckName } from "./score/checks.ts";
import { checkOf, scoreAnswer } from "./score/score.ts";

export function loadQuestions(suite: Suite, { tasks }: QuestionFile): LoadedSuite<QuestionTask, "stages"> {
  return {
    suite,
    warnings: [],
    tasks: () => Promise.resolve(tasks),
    shots: (task, count, pool, random) => {
      const others = pool.filter(({ id }) => id !== task.id);
      return shuffled(others, random).slice(0, count);
    },
    asks: { stages: stagesOf },
    judging: (_, spec) => (checkOf(spec) === "judge" ? 1 : 0),
    score: scoreAnswer,
    oracle: ({ answer }, { role, spec }) => ({
      text: role === "judge" ? "Verdict: right" : firstOf(answer, spec.options["check"]),
    }),
    fault: (task, { role, spec }) => ({
      text: role === "judge" ? "Verdict: wrong" : wrongAnswer(task, checkOf(spec)),
    }),
    describe: ({ answer }, given) => ({
      reference: [{ title: "Expected", lines: answer.split("\n"), needs: [] }],
      plan:
        given === undefined
          ? []
          : [{ title: "Answer", lines: behindAnswerLine(stagedOutput(given)).split("\n"), needs: [] }],
      matches: given === undefined ? [] : [[0, 0]],
    }),
  };
}

/** Answers nobody expects; of one check or another, each may happen to be right. */
const wrongAnswers = ["987654321.5", "none of these", '["?"]'];

function wrongAnswer({ answer }: QuestionTask, check: CheckName): string {
  const isCompared = check !== "judge" && check !== "none";
  const wrong = !isCompared ? undefined : wrongAnswers.find((each) => !compare(check, each, answer).right);
  return wrong ?? wrongAnswers[0]!;
}
