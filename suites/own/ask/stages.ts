/** Sends a question verbatim in one request. */
import type { Stage } from "../../../source/engine/protocol.ts";
import { prompted } from "../../../source/engine/settings/prompt-template.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import type { CheckName } from "../score/checks.ts";
import { checkOf } from "../score/score.ts";
import { answering, reasoned } from "./templates.ts";

/**
 * Returns the stages of a question: demonstrations come first, as earlier turns, and a chain of thought is requested in the
 * question's own message.
 */
export function stagesOf(
  task: QuestionTask,
  spec: Pick<RunSpec, "options" | "prompts">,
  shots: readonly QuestionTask[],
): readonly Stage[] {
  return [
    {
      name: "answer",
      messages: (_, reasoning) => {
        const inSteps = reasoning === "steps";
        const asked = (question: string): Message => {
          const more = inSteps ? `\n\n${prompted(spec, reasoned, {})}` : "";
          return { role: "user", content: prompted(spec, answering, { question, reasoning: more }) };
        };
        const answered = (text: string): Message => ({
          role: "assistant",
          content: inSteps ? `Answer: ${text}` : text,
        });
        return [
          ...shots.flatMap((shot) => [asked(shot.question), answered(firstOf(shot.answer, checkOf(shot.input, spec)))]),
          asked(task.question),
        ];
      },
    },
  ];
}

/** Returns the first of several correct answers. */
export const firstOf = (answer: string, check: CheckName): string =>
  check === "one-of" ? answer.split("|")[0]!.trim() : answer;
