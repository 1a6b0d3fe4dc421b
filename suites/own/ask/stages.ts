/** Asks a question verbatim in one request. */
import type { Stage } from "../../../source/engine/protocol.ts";
import { answerLine } from "../../../source/engine/text/answer-line.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import type { CheckName } from "../score/checks.ts";
import { checkOf } from "../score/score.ts";

/**
 * Puts `system:` first, then the demonstrations as earlier turns. A chain of thought is requested in the question's own
 * message.
 */
export function stagesOf(
  task: QuestionTask,
  { options }: Pick<RunSpec, "options">,
  shots: readonly QuestionTask[],
): readonly Stage[] {
  const system = String(options["system"] ?? "");
  return [
    {
      name: "answer",
      messages: (_, reasoning) => {
        const asked = (text: string): Message => ({
          role: "user",
          content: reasoning === "steps" ? `${text}\n\n${answerLine}` : text,
        });
        const answered = (text: string): Message => ({
          role: "assistant",
          content: reasoning === "steps" ? `Answer: ${text}` : text,
        });
        return [
          ...(system === "" ? [] : [{ role: "system", content: system } as const]),
          ...shots.flatMap((shot) => [
            asked(shot.question),
            answered(firstOf(shot.answer, checkOf(shot.input, { options }))),
          ]),
          asked(task.question),
        ];
      },
    },
  ];
}

/** Returns the first of several correct answers. */
export const firstOf = (answer: string, check: CheckName): string =>
  check === "one-of" ? answer.split("|")[0]!.trim() : answer;
