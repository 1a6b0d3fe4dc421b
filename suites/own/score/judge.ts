/** Asks a model whether an answer is right. */
import { prompted, promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import { expecting, judging } from "../ask/templates.ts";
import type { Question } from "../data/question.ts";

const usualRubric = "The answer means the same as the expected answer. Wording and length do not matter.";

export function judgeMessages(
  { question, answer: reference }: Question,
  answer: string,
  rubric: string,
  spec: Pick<RunSpec, "judgePrompts">,
): readonly Message[] {
  const expected = reference === "" ? "" : `\n\n${prompted(spec, expecting, { reference })}`;
  return promptMessages(spec, judging, { question, expected, answer, rubric: rubric === "" ? usualRubric : rubric });
}

/** Returns the last verdict in a judge's reply; undefined if there is none. */
export function verdictIn(reply: string): "right" | "wrong" | undefined {
  const found = [...reply.matchAll(/verdict\s{0,8}:[\s*_`]{0,8}(right|wrong)/gi)].at(-1)?.[1]?.toLowerCase();
  return found === "right" || found === "wrong" ? found : undefined;
}
