/** Answer options in the text of a question: lines such as `A) Paris`, with labels in order. */
import type { VariantOrder } from "../../../source/engine/loaded-suite.ts";
import { taskFields } from "../../../source/engine/simple-suite/loaded-suite.ts";
import type { QuestionTask } from "./question.ts";

type AnswerOption = { readonly line: number; readonly head: string; readonly label: string; readonly text: string };

const optionLine = /^(\s{0,20}[([]?([A-Za-z]|\d{1,2})[).:\]]\s+)(\S.*)$/;

/** Returns the options of a question: two or more consecutive lines with labels from A, a or 1 on; empty if there are none. */
function optionsIn(lines: readonly string[]): readonly AnswerOption[] {
  let found: AnswerOption[] = [];
  for (const [line, written] of lines.entries()) {
    const [, head = "", label = "", text = ""] = optionLine.exec(written) ?? [];
    const last = found.at(-1);
    const follows = last !== undefined && last.line === line - 1 && label === nextLabel(last.label);
    if (follows) found.push({ line, head, label, text });
    else if (found.length >= 2) break;
    else found = ["A", "a", "1"].includes(label) ? [{ line, head, label, text }] : [];
  }
  return found.length < 2 ? [] : found;
}

const nextLabel = (label: string): string =>
  /\d/.test(label) ? String(Number(label) + 1) : String.fromCharCode(label.charCodeAt(0) + 1);

/**
 * Returns the task with its options in another order under the same labels, and the label of the same option as its answer. An
 * answer that is the text of an option stays. Undefined for a question without options, or whose answer is not one of them,
 * because its lines may be steps, whose order matters.
 */
export function reordered(task: QuestionTask, order: VariantOrder): QuestionTask | undefined {
  const lines = task.question.split("\n");
  const options = optionsIn(lines);
  if (options.length === 0) return undefined;
  const answers = task.answer.split("|");
  const isText = (answer: string) => options.some(({ text }) => text.trim() === answer.trim());
  const texts = order(options, ({ text, label }) => `${text} ${label}`);
  const moved = new Map(texts.map(({ label }, at) => [label, options[at]!.label]));
  for (const [at, { line, head }] of options.entries()) lines[line] = `${head}${texts[at]!.text}`;
  const question = lines.join("\n");
  const changed = answers.map((each) => (isText(each) ? each : relabelled(each, moved)));
  if (changed.every((each) => each === undefined)) return undefined;
  const answer = changed.map((each, at) => each ?? answers[at]!).join("|");
  return { ...taskFields(task), question, answer, input: { ...task.input, question, answer } };
}

/** Replaces the label at the start of an answer: `B`, `(b)` or `B) Rome`; undefined for an answer without a label. */
function relabelled(answer: string, moved: ReadonlyMap<string, string>): string | undefined {
  const [, before = "", label = "", behind = ""] = /^(\s*[([]?)([A-Za-z]|\d{1,2})([).:\]].*|\s*)$/s.exec(answer) ?? [];
  const known = [label, label.toUpperCase(), label.toLowerCase()].find((each) => moved.has(each));
  return known === undefined ? undefined : `${before}${moved.get(known)!}${behind}`;
}
