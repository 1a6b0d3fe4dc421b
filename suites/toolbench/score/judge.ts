/**
 * Requests ToolEval's judgements and kinds of errors from the run's judge. The prompts have the contents of the official prompts
 * in Planwright's words. Replies are read leniently, and an unreadable reply is not a judgement.
 */
import { promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import type { ScoreContext, VerdictReading } from "../../../source/engine/loaded-suite.ts";
import { objectForm } from "../../../source/engine/protocol.ts";
import type { Message, Mistake, RunSpec } from "../../../source/engine/types.ts";
import { judgingAnswer, judgingCorrectness, judgingErrors, judgingSteps } from "../ask/templates.ts";
import { finishCalled, stepTexts, type ConvertedAnswer } from "./answer-conversion.ts";
import { finalAnswerCorrectness, type AnswerStatus } from "./tooleval.ts";
import {
  errorClasses,
  agreedClass,
  type Classified,
  type ErrorClass,
} from "../../../source/engine/toolkits/error-classes.ts";

type Ask = NonNullable<ScoreContext["ask"]>;

/**
 * Maximum lengths of texts, for a judge that compares two answers (the official settings) and for a judge that sees one answer.
 */
const longestFinal = 1000;
const longestDetails = 3000;
const longestSteps = 12_000;

type Spec = Pick<RunSpec, "judgePrompts">;

/**
 * Requests whether an answer solves the question; returns undefined if the reply is unreadable. A missing answer is unsolved
 * without a request.
 */
export async function solvedStatus(
  question: string,
  answer: ConvertedAnswer,
  given: string | undefined,
  ask: Ask,
  spec: Spec = {},
): Promise<AnswerStatus | undefined> {
  if (given === undefined || given.trim() === "" || !finishCalled(answer)) return "Unsolved";
  const first = readStatus(
    await ask("judge-answer", promptMessages(spec, judgingAnswer, { request: question, answer: given }), status),
  );
  if (first !== "Unsure") return first;
  const steps = stepTexts(answer).steps.slice(0, longestSteps);
  const messages = promptMessages(spec, judgingSteps, { request: question, steps, answer: given });
  return readStatus(await ask("judge-steps", messages, status));
}

const status: VerdictReading = {
  isReadable: (text) => readStatus(text) !== undefined,
  form: objectForm("answer_status", {
    reason: { type: "string" },
    answer_status: { type: "string", enum: ["Solved", "Unsolved", "Unsure"] },
  }),
};

export function readStatus(text: string): AnswerStatus | undefined {
  const field = /"answer_status"\s{0,9}:\s{0,9}"(\w{1,20})"/i.exec(text)?.[1] ?? text;
  const lower = field.toLowerCase();
  if (lower.includes("unsolved")) return "Unsolved";
  if (lower.includes("unsure")) return "Unsure";
  return lower.includes("solved") ? "Solved" : undefined;
}

/**
 * Requests final-answer correctness; the judge sees only question and final answer. Returns undefined if the reply is unreadable.
 */
export async function correctness(
  question: string,
  given: string | undefined,
  ask: Ask,
  spec: Spec = {},
): Promise<0 | 1 | undefined> {
  if (given === undefined || given.trim() === "") return 0;
  const text = await ask("judge-fac", promptMessages(spec, judgingCorrectness, { request: question, answer: given }), {
    isReadable: saysSolved,
  });
  return saysSolved(text) ? finalAnswerCorrectness(text) : undefined;
}

const saysSolved = (text: string): boolean => /solved/i.test(text);

/** Formats an answer for a judge that compares two. */
export function comparable(answer: ConvertedAnswer, given: string | undefined): string {
  const details = stepTexts(answer).steps.slice(0, longestDetails);
  return `Final answer: ${(given ?? "(none)").slice(0, longestFinal)}\nSteps:\n${details}`;
}

/** Maximum number of errors per task shown to the judge; the others keep the kind given by the rules. */
export const mostJudged = 8;

export type Judged = {
  readonly errors: readonly Mistake[];
  /** Number of errors judged, and of those judged like the rules. */
  readonly metrics: Readonly<Record<"errors.judged" | "errors.agreed", number>>;
};

/** Requests the kind of each error. Metrics count both opinions; the judge's kind replaces the kind found by the rules. */
export async function judgeErrors(
  question: string,
  errors: readonly Mistake[],
  ask: NonNullable<ScoreContext["ask"]>,
  spec: Spec = {},
): Promise<Judged> {
  let [judged, agreed] = [0, 0];
  const kept: Mistake[] = [];
  for (const error of errors) {
    const read =
      judged < mostJudged ? readKind(await ask("judge-error", messages(question, error, spec), kind)) : undefined;
    const opinions: Classified[] = [{ kind: error.kind as ErrorClass, source: "rules" }];
    if (read !== undefined) {
      opinions.push({ kind: read, source: "judge" });
      judged += 1;
      if (read === error.kind) agreed += 1;
    }
    kept.push({ ...error, kind: agreedClass(opinions)!.kind });
  }
  return { errors: kept, metrics: { "errors.judged": judged, "errors.agreed": agreed } };
}

function messages(request: string, { got = "" }: Mistake, spec: Spec): readonly Message[] {
  const kinds = errorClasses.map(({ name, note }) => `${name}: ${note}`).join("\n");
  return promptMessages(spec, judgingErrors, { kinds, request, error: got });
}

const kind: VerdictReading = {
  isReadable: (reply) => readKind(reply) !== undefined,
  form: objectForm("error_kind", { kind: { type: "string", enum: errorClasses.map(({ name }) => name) } }),
};

/** Returns the kind in a reply; undefined if the reply names none, or several outside the requested field. */
function readKind(reply: string): ErrorClass | undefined {
  const given = /"kind"\s{0,9}:\s{0,9}"([a-z-]{1,40})"/.exec(reply)?.[1];
  const [only, ...others] = errorClasses.filter(({ name }) =>
    given === undefined ? reply.includes(name) : given === name,
  );
  return others.length === 0 ? only?.name : undefined;
}
