/** How a question is asked: as it stands, in one request. */
import type { Stage } from "../../../source/engine/protocol.ts";
import { answerLine } from "../../../source/engine/text/answer-line.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import type { CheckName } from "../score/checks.ts";
import { checkOf } from "../score/score.ts";

/** `system:` first, then the demonstrations as earlier turns; a chain of thought is asked for in the question's own message. */
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

/** Of several answers that are right, the first. */
export function firstOf(answer: string, check: CheckName): string {
  return check === "one-of" ? answer.split("|")[0]!.trim() : answer;
}
