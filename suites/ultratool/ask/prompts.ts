/** Prompts: one user message with instruction, worked example and sample, in the order of the published set-up. */
import type { Stage } from "../../../source/engine/protocol.ts";
import { prompted } from "../../../source/engine/settings/prompt-template.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { Split } from "../data/aspects.ts";
import { type ListForm, shownList, formOf, inObject, withoutObject } from "./lists.ts";
import { type Words, words } from "./prompt-words.ts";
import { templatesOf } from "./templates.ts";
import type { Reference, TestRow } from "../data/task.ts";

/** `json` is true if the answer must be a JSON object that contains the list. */
export type Wording = { readonly lists: ListForm; readonly json: boolean };

/** Builds the only request of a task. */
export function stageOf(
  row: Omit<TestRow, "reference">,
  example: TestRow,
  split: Split,
  wording: Wording,
  spec: Pick<RunSpec, "prompts">,
): Stage {
  const form = formOf(split.aspect);
  return {
    name: split.aspect,
    messages: (_, reasoning) => messagesOf(row, example, split, wording, { spec, reasoned: reasoning === "steps" }),
    ...(form !== undefined && { form }),
    // Without reasoning the whole reply is scored, as officially; text around the list is part of the answer.
    answer(reply, reasoning) {
      if (reasoning === "steps") return afterMark(reply, words[split.language].output);
      return wording.json ? withoutObject(reply, wording.lists) : reply;
    },
  };
}

function messagesOf(
  row: Omit<TestRow, "reference">,
  example: TestRow,
  { language, aspect }: Split,
  wording: Wording,
  { spec, reasoned }: { readonly spec: Pick<RunSpec, "prompts">; readonly reasoned: boolean },
): readonly Message[] {
  const text = words[language];
  const { lists } = wording;
  const [told, asked, reason] = templatesOf(language, aspect);
  const content = prompted(spec, asked, {
    object: wording.json && aspect !== "planning" ? ` ${text.object}` : "",
    reasoning: reasoned ? ` ${prompted(spec, reason, {})}` : "",
    example: `${sections(example, aspect, lists, text)}\n${text.output}\n${shownAnswer(example.reference, wording)}`,
    task: `${sections(row, aspect, lists, text)}\n${text.output}`,
  });
  return [
    { role: "system", content: prompted(spec, told, {}) },
    { role: "user", content },
  ];
}

/**
 * Returns the sections of a prompt: question, plan and toolset for usage; plan and toolset for other tasks with a toolset; one
 * section for all others.
 */
function sections(row: Omit<TestRow, "reference">, aspect: Split["aspect"], lists: ListForm, text: Words): string {
  if (aspect === "planning") return `${text.question}\n${row.question.trim()}`;
  const parts: string[] = [];
  if (aspect === "tool_usage") parts.push(`${text.question}\n${row.question.trim()}`);
  parts.push(`${text.plan}\n${shownList(row.steps, lists)}`);
  if (row.toolset !== undefined) parts.push(`${text.toolset}\n${shownList(row.toolset, lists)}`);
  return parts.join("\n");
}

export const shownReference = (reference: Reference, lists: ListForm): string =>
  reference.aspect === "planning" ? reference.plan : shownList(reference.steps, lists);

/** Writes the perfect answer in the requested form. */
export const shownAnswer = (reference: Reference, { lists, json }: Wording): string =>
  json && reference.aspect !== "planning" ? inObject(reference.steps) : shownReference(reference, lists);

/** Returns the text after the last such mark, or the whole reply if it does not contain the mark. */
export function afterMark(reply: string, mark: string): string {
  const at = reply.lastIndexOf(mark);
  return at === -1 ? reply : reply.slice(at + mark.length).trim();
}
