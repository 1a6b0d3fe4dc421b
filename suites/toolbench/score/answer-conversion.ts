/** ToolEval's common answer form. */
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";

export type ToolStep = { readonly name: string; readonly arguments: string; readonly response: string };
export type AnswerStep =
  | { readonly role: "tool"; readonly message: ToolStep }
  | { readonly role: "assistant"; readonly message: string };
export type AnswerNode = {
  readonly role: "system" | "user" | "tool" | "assistant";
  readonly message: ToolStep | string;
  readonly next: readonly AnswerNode[];
};
export type ConvertedAnswer = {
  readonly method: string;
  /** Number of nodes, including the system and user message. */
  readonly total_steps: number;
  readonly final_answer: string;
  readonly answer_details: readonly AnswerNode[];
};

/** Nests a path of steps as in the converted files, below an empty system and user message. */
export function answerOf(method: string, steps: readonly AnswerStep[], finalAnswer: string): ConvertedAnswer {
  let next: AnswerNode[] = [];
  for (const step of steps.toReversed()) next = [{ ...step, next }];
  const details: AnswerNode[] = [{ role: "system", message: "", next: [{ role: "user", message: "", next }] }];
  return { method, total_steps: steps.length + 2, final_answer: finalAnswer, answer_details: details };
}

/**
 * Returns the text for judges: every tool call on a line as its Python `repr`, and the last call again as the final step, without
 * thoughts.
 */
export function stepTexts(answer: ConvertedAnswer): { readonly steps: string; readonly final: string } {
  const lines = toolSteps(answer).map((step) => pythonReprOfJson(step));
  return {
    steps: lines.map((line, index) => `Step ${index + 1}: ${line}`).join("\n"),
    final: `Final step: ${lines.at(-1) ?? ""}`,
  };
}

function toolSteps(answer: ConvertedAnswer): readonly ToolStep[] {
  const steps: ToolStep[] = [];
  for (let node = answer.answer_details[0]?.next[0]?.next[0]; node !== undefined; node = node.next[0])
    if (typeof node.message !== "string") steps.push(node.message);
  return steps;
}

/** Reports whether the last step names the `Finish` function, ToolEval's test for an answer. */
export function finishCalled(answer: ConvertedAnswer): boolean {
  const last = toolSteps(answer).at(-1);
  return last !== undefined && pythonReprOfJson(last).includes("'name': 'Finish'");
}
