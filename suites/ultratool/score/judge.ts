/** What goes to the judge and what comes back. */
import type { Json } from "../../../source/engine/types.ts";

const chatMarks = ["<|im_end|>", "<|im_end|", "<|im_start|>", "<|im_start|"];

/**
 * A plan as the judge is shown it. Chat marks go. A plan that does not begin with `1. ` loses what stands before its first
 * `1. `, and a last paragraph that begins with no digit. Chatter after a plan that begins properly stays.
 */
export function cleanPlan(answer: string): string {
  let text = answer;
  for (const mark of chatMarks) text = text.replaceAll(mark, "");
  if (text.trim().startsWith("1. ")) return text;
  const from = text.indexOf("1. ");
  if (from !== -1) text = text.slice(from);
  const gap = text.lastIndexOf("\n\n");
  if (gap === -1) return text;
  const last = text.slice(gap + 2);
  return last === "" || /^[0-9]/.test(last) ? text : text.slice(0, gap);
}

/**
 * A judge's reply as strictly as it is read officially: every `json` deleted, backticks stripped from both ends, then plain
 * JSON. Undefined for anything else, a newline after the closing fence included: such a judgement is unknown, never a score.
 */
export function parseJudgeReply(reply: string): Json | undefined {
  const text = reply.replaceAll("json", "");
  let from = 0;
  let to = text.length;
  while (from < to && text[from] === "`") from += 1;
  while (to > from && text[to - 1] === "`") to -= 1;
  try {
    return JSON.parse(text.slice(from, to)) as Json;
  } catch {
    return undefined;
  }
}
