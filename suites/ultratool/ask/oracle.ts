/** Builds the perfect reply from the answer key, and plays a judge that compares an answer with its reference. */
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import { asksForJson } from "../../../source/engine/run/reply-format.ts";
import { planDimensions, toolDimensions } from "../score/dimensions.ts";
import { judgedIn } from "../score/judge.ts";
import { listForm } from "./lists.ts";
import { shownAnswer } from "./prompts.ts";
import type { UltraTask } from "../data/task.ts";

export function oracleReply(task: UltraTask, asked: Asked): Reply {
  if (asked.role === "judge") return { text: judgeReply(task, asked, shareAlike(task, asked)) };
  return { text: shownAnswer(task.answer, { lists: listForm(asked.spec.options), json: asksForJson(asked.spec) }) };
}

/**
 * Scores 8 for the reference itself, as judges are instructed, and less for fewer common lines or words; at least 1.
 */
function judgeReply(task: UltraTask, asked: Asked, share: number): string {
  const kind = asked.stage === "judge-tool" ? toolDimensions : planDimensions;
  const { language } = task.input;
  const score = Math.max(1, Math.round(8 * share));
  const reason = `Shares ${Math.round(share * 100)} % with the reference (a built-in judge that only compares text)`;
  return JSON.stringify(
    kind.dimensions.map(({ key }) => ({ [kind.reason[language]]: reason, [key[language]]: score })),
  );
}

function shareAlike(task: UltraTask, asked: Asked): number {
  const content = asked.messages.at(-1)?.content ?? "";
  const judged = judgedIn(content, task.input.language);
  if (judged === undefined || judged.answer === "") return 0;
  if (judged.answer === judged.reference) return 1;
  const separator = asked.stage === "judge-tool" ? " " : "\n";
  const expected = new Set(judged.reference.split(separator));
  const got = new Set(judged.answer.split(separator));
  return expected.intersection(got).size / expected.union(got).size;
}
