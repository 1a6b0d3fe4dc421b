/** The user's questions, bound to their file. */
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import type { Asked, ToolSources } from "../../source/engine/protocol.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { stagedOutput } from "../../source/engine/strategies/direct.ts";
import { behindAnswerLine } from "../../source/engine/text/answer-line.ts";
import { drawnShots } from "../../source/engine/strategies/drawn-shots.ts";
import { openQuestion, questionLimits } from "./ask/environment.ts";
import { answering, handsIn } from "./ask/oracle.ts";
import { firstOf, stagesOf } from "./ask/stages.ts";
import { questionRecord, type QuestionFile, type QuestionTask } from "./data/question.ts";
import { judgeMessages } from "./score/judge.ts";
import { compare, type CheckName } from "./score/checks.ts";
import { checkOf, incomparable, rubricOf, scoreAnswer } from "./score/score.ts";

export function loadQuestions(
  suite: Suite,
  { tasks }: QuestionFile,
  sources: ToolSources,
): LoadedSuite<QuestionTask, "stages" | "environment"> {
  return {
    suite,
    warnings: [],
    tasks: () => Promise.resolve(tasks),
    shots: drawnShots,
    asks: {
      stages: stagesOf,
      environment: {
        open: (task, spec, signal) => openQuestion(task, spec, sources, signal),
        limits: (task, spec) => questionLimits(task, spec, sources),
      },
    },
    judging: (task, spec) => (checkOf(task, spec) === "judge" ? 1 : 0),
    lacking: incomparable,
    score: scoreAnswer,
    oracle: (task, asked) =>
      asked.role === "judge"
        ? { text: `Verdict: ${isPerfect(task, asked) ? "right" : "wrong"}` }
        : answering(perfectAnswer(task, checkOf(task, asked.spec)), asked),
    fault(task, asked) {
      if (asked.role === "judge") return { text: "Verdict: wrong" };
      return handsIn(asked) ? answering(wrongAnswer(task, checkOf(task, asked.spec)), asked) : undefined;
    },
    describe: ({ answer }, given) => ({
      reference: [{ title: "Expected", lines: answer.split("\n"), needs: [] }],
      plan:
        given === undefined
          ? []
          : [{ title: "Answer", lines: behindAnswerLine(stagedOutput(given)).split("\n"), needs: [] }],
      matches: given === undefined ? [] : [[0, 0]],
    }),
    record: questionRecord,
  };
}

/** Whether a judge that knows the answer is asked about just that. */
function isPerfect(task: QuestionTask, { messages, spec }: Asked): boolean {
  const answer = behindAnswerLine(perfectAnswer(task, "judge"));
  const [, about] = judgeMessages(task, answer, rubricOf(task, spec));
  return messages.at(-1)?.content === about!.content;
}

/** Where only a rubric says what is right, that itself. */
function perfectAnswer({ answer, input }: QuestionTask, check: CheckName): string {
  return answer === "" ? (input.rubric ?? "") : firstOf(answer, check);
}

/** Answers nobody expects; of one check or another, each may happen to be right. */
const wrongAnswers = ["987654321.5", "none of these", '["?"]'];

function wrongAnswer({ answer }: QuestionTask, check: CheckName): string {
  const isCompared = check !== "judge" && check !== "none";
  const wrong = !isCompared ? undefined : wrongAnswers.find((each) => !compare(check, each, answer).right);
  return wrong ?? wrongAnswers[0]!;
}
