/** Which run the answers of another are taken from, as rows count it and as a run says it. */
import { counted } from "../../text/counted.ts";

export type AnswerSource = { readonly run: string; readonly judge: string | undefined };

const prefix = "answer-from:";

/** The kind of the note with which an answer that was taken over begins. */
export const sourceKind = ({ run, judge = "none" }: AnswerSource): string => `${prefix}${run} ${judge}`;

/** The run that such a kind names; undefined for other kinds. */
export function sourceOf(kind: string): AnswerSource | undefined {
  if (!kind.startsWith(prefix)) return undefined;
  const [run = "", ...judge] = kind.slice(prefix.length).split(" ");
  const name = judge.join(" ");
  return { run, judge: name === "none" ? undefined : name };
}

/** The run in words: its id, and the judge that tells it from the one that takes its answers over. */
export const sourceText = ({ run, judge }: AnswerSource): string =>
  `run ${run} (${judge === undefined ? "no judge" : `judge ${judge}`})`;

/** Answers of one run among those of another. */
export type TakenAnswers = { readonly source: AnswerSource; readonly answers: number };

/** What is said beside the results. */
export const takenText = ({ source, answers }: TakenAnswers): string =>
  `${counted(answers, "answer")} taken from ${sourceText(source)}, not asked for again`;
