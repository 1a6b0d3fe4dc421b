/** Prompts: one user message with instruction, worked example and sample, in the order of the published set-up. */
import type { Stage } from "../../../source/engine/protocol.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import type { Split } from "../data/aspects.ts";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { type Words, words } from "./prompt-words.ts";
import type { Reference, TestRow } from "../data/task.ts";

/** How lists are put into the prompt: `python`, as published, with single quotes; or `json`. It changes what models answer. */
export type ListForm = "python" | "json";

/** The one request of a task. */
export function stageOf(row: Omit<TestRow, "reference">, example: TestRow, split: Split, lists: ListForm): Stage {
  let reasoned = false;
  return {
    name: split.aspect,
    messages(_, reasoning) {
      reasoned = reasoning === "steps";
      return messagesOf(row, example, split, lists, reasoned);
    },
    // Without reasoning the whole reply is scored, as officially: what a model writes around its list is part of its answer.
    answer: (reply) => (reasoned ? afterMark(reply, words[split.language].output) : reply),
  };
}

function messagesOf(
  row: Omit<TestRow, "reference">,
  example: TestRow,
  { language, aspect }: Split,
  lists: ListForm,
  reasoned: boolean,
): readonly Message[] {
  const text = words[language];
  const rules = reasoned ? `${text.strict} ${text.reason}` : text.strict;
  const content = [
    text.tasks[aspect],
    rules,
    `${text.example}\n${sections(example, aspect, lists, text)}\n${text.output}\n${shownReference(example.reference, lists)}`,
    `${text.begin}\n${sections(row, aspect, lists, text)}\n${text.output}`,
  ].join("\n\n");
  return [
    { role: "system", content: text.system },
    { role: "user", content },
  ];
}

/** Usage shows question, plan and toolset; tasks with a toolset plan and toolset; the rest one section. */
function sections(row: Omit<TestRow, "reference">, aspect: Split["aspect"], lists: ListForm, text: Words): string {
  if (aspect === "planning") return `${text.question}\n${row.question.trim()}`;
  const parts: string[] = [];
  if (aspect === "tool_usage") parts.push(`${text.question}\n${row.question.trim()}`);
  parts.push(`${text.plan}\n${shownList(row.steps, lists)}`);
  if (row.toolset !== undefined) parts.push(`${text.toolset}\n${shownList(row.toolset, lists)}`);
  return parts.join("\n");
}

/** A list as models are shown it, and as the perfect answer writes it. */
export function shownList(value: Json, lists: ListForm): string {
  const json = JSON.stringify(value);
  return lists === "json" ? json : pythonRepr(parseJsonAsPython(json));
}

export function shownReference(reference: Reference, lists: ListForm): string {
  return reference.aspect === "planning" ? reference.plan : shownList(reference.steps, lists);
}

function afterMark(reply: string, mark: string): string {
  const at = reply.lastIndexOf(mark);
  return at === -1 ? reply : reply.slice(at + mark.length).trim();
}
