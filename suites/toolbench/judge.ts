/**
 * ToolEval's judgements, asked of whatever model plays the judge. The questions are the official ones in our own words; the
 * judge's replies are read leniently, and one that says nothing readable is no judgement (never a guess).
 */
import type { ScoreContext } from "../../source/engine/suite.ts";
import type { Message } from "../../source/engine/types.ts";
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

/** Solved, unsolved or unsure; undefined where the judge said nothing readable. Answers that were never given are unsolved without asking. */
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

/** Final-answer correctness: only the question and the final answer are seen. Undefined where the judge said nothing readable. */
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

export type Vote = "candidate" | "reference" | "none";

/**
 * Which of two answers is better, asked in both orders, so that a judge's liking for the first place cancels out. Both votes
 * are kept; a reply that names neither is no vote.
 */
export async function preference(
  question: string,
  candidate: string,
  reference: string,
  ask: Ask,
): Promise<readonly [Vote, Vote]> {
  const compare = async (one: string, two: string): Promise<0 | 1 | undefined> => {
    const system =
      'Two answers to one request are shown. Choose the better one: more informative, more faithful to what the calls returned, better reasoned; then the one with more milestones reached, more exploration, and fewer repeated calls. Reply with one JSON object: {"reason": "why, briefly", "better": 1 or 2}.';
    return readChoice(
      await ask("judge-preference", chat(system, `Request: ${question}\n\nAnswer 1:\n${one}\n\nAnswer 2:\n${two}`)),
    );
  };
  const ahead = await compare(candidate, reference);
  const behind = await compare(reference, candidate);
  return [vote(ahead, "candidate", "reference"), vote(behind, "reference", "candidate")];
}

const vote = (choice: 0 | 1 | undefined, first: Vote, second: Vote): Vote =>
  choice === undefined ? "none" : choice === 0 ? first : second;

export function readChoice(text: string): 0 | 1 | undefined {
  const named = /"better"\s{0,9}:\s{0,9}"?([12])\b/.exec(text)?.[1];
  return named === "1" ? 0 : named === "2" ? 1 : undefined;
}

/** An answer as a comparing judge sees it. */
export function comparable(answer: ConvertedAnswer, given: string | undefined): string {
  const details = stepTexts(answer).steps.slice(0, longestDetails);
  return `Final answer: ${(given ?? "(none)").slice(0, longestFinal)}\nSteps:\n${details}`;
}
