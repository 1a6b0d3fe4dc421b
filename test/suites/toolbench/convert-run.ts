/** Converts raw files of ReAct (CoT) and DFSDT runs to ToolEval's common answer form, as the publisher does. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { type AnswerStep, answerOf, type ConvertedAnswer } from "../../../suites/toolbench/score/answer-conversion.ts";

/**
 * Converts a raw run file. Valid runs follow the last list of training messages; others take a random walk from the
 * root to a leaf, drawn with `random` (the official walk uses Python's generator and is not reproducible elsewhere).
 */
export function convertRun(raw: Json, method: string, random: () => number): ConvertedAnswer {
  const generated = field(raw, "answer_generation");
  const finalAnswer = textOf(field(generated, "final_answer"));
  const steps =
    field(generated, "valid_data") === true
      ? stepsOfMessages(listOf(listOf(field(generated, "train_messages")).at(-1)))
      : /cot/i.test(method)
        ? stepsOfChain(listOf(field(choose(listOf(field(raw, "trys")), random), "chain")))
        : stepsOfTree(field(field(raw, "tree"), "tree"), random);
  return answerOf(method, steps, finalAnswer);
}

/** Reads the steps of a conversation after its first two messages, in `function_call` or `tool_calls` form. */
function stepsOfMessages(conversation: readonly Json[]): AnswerStep[] {
  const steps: AnswerStep[] = [];
  for (let index = 2; index < conversation.length; index++) {
    const message = conversation[index]!;
    if (field(message, "role") !== "assistant") continue;
    const called = field(message, "function_call");
    const calls = field(message, "tool_calls");
    if (called !== undefined) {
      steps.push(toolStep(called, textOf(field(conversation[index + 1], "content"))));
      index += 1;
    } else if (calls !== undefined && calls !== null) steps.push(...stepsOfCalls(listOf(calls), conversation, index));
    else steps.push({ role: "assistant", message: textOf(field(message, "content")) });
  }
  return steps;
}

/** Reads the calls of one message up to a `Finish`; a call without an answer leaves no step. */
function stepsOfCalls(calls: readonly Json[], conversation: readonly Json[], index: number): AnswerStep[] {
  const steps: AnswerStep[] = [];
  for (const call of calls) {
    const called = field(call, "function");
    if (field(called, "name") === "Finish") return [...steps, toolStep(called, "")];
    const id = field(call, "id");
    const answer = conversation
      .slice(index + 1)
      .find((message) => field(message, "role") === "tool" && field(message, "tool_call_id") === id);
    if (answer !== undefined) steps.push(toolStep(called, textOf(field(answer, "content"))));
  }
  return steps;
}

function toolStep(called: Json | undefined, response: string): AnswerStep {
  const name = textOf(field(called, "name"));
  const message = { name, arguments: textOf(field(called, "arguments")), response: name === "Finish" ? "" : response };
  return { role: "tool", message };
}

/** Reads a chain of nodes of a run file: thoughts, and actions with the following input. */
function stepsOfChain(chain: readonly Json[]): AnswerStep[] {
  const steps: AnswerStep[] = [];
  for (let index = 0; index < chain.length; index++) {
    const node = chain[index]!;
    if (field(node, "node_type") === "Action") {
      steps.push(actionStep(node, chain[index + 1]));
      index += 1;
    } else if (field(node, "node_type") === "Thought")
      steps.push({ role: "assistant", message: textOf(field(node, "description")) });
  }
  return steps;
}

function actionStep(action: Json, input: Json | undefined): AnswerStep {
  const message = {
    name: textOf(field(action, "description")),
    arguments: textOf(field(input, "description")),
    response: textOf(field(input, "observation")),
  };
  return { role: "tool", message };
}

function stepsOfTree(root: Json | undefined, random: () => number): AnswerStep[] {
  const chain: Json[] = [];
  let node = choose(listOf(field(root, "children")), random);
  while (node !== undefined) {
    chain.push(node);
    node = choose(listOf(field(node, "children")), random);
  }
  return stepsOfChain(chain);
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : String(value);
}

function choose(items: readonly Json[], random: () => number): Json | undefined {
  return items[Math.min(items.length - 1, Math.floor(random() * items.length))];
}
