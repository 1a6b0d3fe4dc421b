/**
 * ToolEval's judgements, asked of the judge model of the run. The questions are the official ones in our own words; the
 * judge's replies are read leniently, and a reply that cannot be read is no judgement (never a guess).
 */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import type { Message } from "../../../source/engine/types.ts";
import { finishCalled, stepTexts, type ConvertedAnswer } from "./answer-conversion.ts";
import { finalAnswerCorrectness, type AnswerStatus } from "./tooleval.ts";

type Ask = NonNullable<ScoreContext["ask"]>;

/** Longest texts shown to a judge that compares two answers (the official settings), and to one that looks at one. */
const longestFinal = 1000;
const longestDetails = 3000;
const longestSteps = 12_000;

const chat = (system: string, user: string): readonly Message[] => [
  { role: "system", content: system },
  { role: "user", content: user },
];
const reply =
  'Reply with one JSON object: {"reason": "why, briefly", "answer_status": "Solved" or "Unsolved" or "Unsure"}.';

/** Solved, unsolved or unsure; undefined where the reply cannot be read. Answers that were never given are unsolved without asking. */
export async function solvedStatus(
  question: string,
  answer: ConvertedAnswer,
  given: string | undefined,
  ask: Ask,
): Promise<AnswerStatus | undefined> {
  if (given === undefined || given.trim() === "" || !finishCalled(answer)) return "Unsolved";
  const first = readStatus(
    await ask(
      "judge-answer",
      chat(
        `Judge whether an answer serves a request. An apology, or words that do not answer, are Unsolved. An answer that is clear and sufficient by itself is Solved, one that is clearly wrong or incomplete Unsolved. If the answer alone does not tell, it is Unsure. ${reply}`,
        `Request: ${question}\nAnswer: ${given}`,
      ),
    ),
  );
  if (first !== "Unsure") return first;
  return readStatus(
    await ask(
      "judge-steps",
      chat(
        `Judge from the steps taken whether a request was served. If every call failed it is Unsolved; so it is if the answer contradicts what the calls returned. If successful calls support the answer it is Solved. If it cannot be verified it is Unsure. ${reply}`,
        `Request: ${question}\nSteps:\n${stepTexts(answer).steps.slice(0, longestSteps)}\nAnswer: ${given}`,
      ),
    ),
  );
}

export function readStatus(text: string): AnswerStatus | undefined {
  const field = /"answer_status"\s{0,9}:\s{0,9}"(\w{1,20})"/i.exec(text)?.[1] ?? text;
  const lower = field.toLowerCase();
  if (lower.includes("unsolved")) return "Unsolved";
  if (lower.includes("unsure")) return "Unsure";
  return lower.includes("solved") ? "Solved" : undefined;
}

/** Final-answer correctness: only the question and the final answer are seen. Undefined where the reply cannot be read. */
export async function correctness(question: string, given: string | undefined, ask: Ask): Promise<0 | 1 | undefined> {
  if (given === undefined || given.trim() === "") return 0;
  const text = await ask(
    "judge-fac",
    chat(
      "Judge a final answer. It is Solved if every part of the request is genuinely attempted; do not check facts except gross errors. A refusal or a missing part is Unsolved. Reply with the verdict, Solved or Unsolved, and the reason.",
      `Request: ${question}\nFinal answer: ${given}`,
    ),
  );
  return /solved/i.test(text) ? finalAnswerCorrectness(text) : undefined;
}

/** An answer as a comparing judge sees it. */
export function comparable(answer: ConvertedAnswer, given: string | undefined): string {
  const details = stepTexts(answer).steps.slice(0, longestDetails);
  return `Final answer: ${(given ?? "(none)").slice(0, longestFinal)}\nSteps:\n${details}`;
}
