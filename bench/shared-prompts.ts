/**
 * Prompts in a file for programs that are measured: each text once, as a program has it in memory that makes its prompts itself.
 * Reading every copy of a catalogue would count as the time of the requests.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Message } from "../source/engine/types.ts";

type Prompt = readonly Pick<Message, "role" | "content">[];
type Written = {
  readonly texts: readonly string[];
  readonly prompts: readonly (readonly (readonly [role: Message["role"], text: number])[])[];
};

export function writePrompts(file: string, prompts: readonly Prompt[]): void {
  const texts = new Map<string, number>();
  const place = (text: string) => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text)!;
  };
  const placed = prompts.map((prompt) => prompt.map(({ role, content }) => [role, place(content)] as const));
  writeFileSync(file, JSON.stringify({ texts: [...texts.keys()], prompts: placed } satisfies Written));
}

export function readPrompts(file: string): readonly Prompt[] {
  const { texts, prompts } = JSON.parse(readFileSync(file, "utf8")) as Written;
  return prompts.map((prompt) => prompt.map(([role, text]) => ({ role, content: texts[text]! })));
}
