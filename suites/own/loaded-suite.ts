/** Adds to a simple suite: tools, a judge and replies of built-in models. */
import { reordered } from "./data/answer-options.ts";
import { type Floor, type LoadedSuite, mostFrequent, usualFloors } from "../../source/engine/loaded-suite.ts";
import type { Asked, ToolSources } from "../../source/engine/protocol.ts";
import { stagedOutput } from "../../source/engine/strategies/direct.ts";
import { behindAnswerLine } from "../../source/engine/text/answer-line.ts";
import { openQuestion, questionLimits } from "./ask/environment.ts";
import { answering, handsIn } from "./ask/oracle.ts";
import { firstOf } from "./ask/stages.ts";
import { questionRecord, type Question, type QuestionTask } from "./data/question.ts";
import { judgeMessages } from "./score/judge.ts";
import { compare, type CheckName } from "./score/checks.ts";
import { checkOf, incomparable, rubricOf } from "./score/score.ts";

export const withTools = (
  simple: LoadedSuite<QuestionTask, "stages">,
  sources: ToolSources,
): LoadedSuite<QuestionTask, "stages" | "environment"> => ({
  ...simple,
  asks: {
    ...simple.asks,
    environment: {
      open: (task, spec, signal) => openQuestion(task, spec, sources, signal),
      limits: (task, spec) => questionLimits(task, spec, sources),
    },
  },
  variants: { ...simple.variants, options: reordered },
  judging: ({ input }, spec) => (checkOf(input, spec) === "judge" ? 1 : 0),
  lacking: ({ input }, spec) => incomparable(input, spec),
  floors: (tasks, spec) => floorsOf(tasks, (question) => perfectAnswer(question, checkOf(question, spec))),
  oracle: ({ input }, asked) =>
    asked.role === "judge"
      ? { text: `Verdict: ${isPerfect(input, asked) ? "right" : "wrong"}` }
      : answering(perfectAnswer(input, checkOf(input, asked.spec)), asked),
  fault({ input }, asked) {
    if (asked.role === "judge") return { text: "Verdict: wrong" };
    return handsIn(asked) ? answering(wrongAnswer(input, checkOf(input, asked.spec)), asked) : undefined;
  },
  describe: (task, given) =>
    simple.describe!(task, given === undefined ? undefined : behindAnswerLine(stagedOutput(given))),
  record: questionRecord,
});

/** `answerOf` returns a right answer to a question. */
function floorsOf(
  tasks: readonly QuestionTask[],
  answerOf: (question: Question) => string,
): readonly Floor<QuestionTask>[] {
  const common = mostFrequent(tasks, ({ input }) => [answerOf(input)]);
  return [
    ...usualFloors,
    { name: "the most frequent answer", readsAnswerKey: true, answer: (task) => common(task) ?? "" },
  ];
}

/** Reports whether a judge that knows the answer is being asked about exactly that answer. */
function isPerfect(question: Question, { messages, spec }: Asked): boolean {
  const answer = behindAnswerLine(perfectAnswer(question, "judge"));
  const [, about] = judgeMessages(question, answer, rubricOf(question, spec), spec);
  return messages.at(-1)?.content === about!.content;
}

/** Returns the answer, or the rubric if only the rubric defines what is right. */
const perfectAnswer = ({ answer, rubric = "" }: Question, check: CheckName): string =>
  answer === "" ? rubric : firstOf(answer, check);

/** Unlikely answers. For a given check, one of them may be right by chance. */
const wrongAnswers = ["987654321.5", "none of these", '["?"]'];

function wrongAnswer({ answer }: Question, check: CheckName): string {
  const isCompared = check !== "judge" && check !== "none";
  const wrong = !isCompared ? undefined : wrongAnswers.find((each) => !compare(check, each, answer).right);
  return wrong ?? wrongAnswers[0]!;
}
