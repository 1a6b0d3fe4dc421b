/** The texts of UltraTool's prompts in both languages, in the order of the published set-up. */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { aspects, type Aspect, languages, splitName } from "../data/aspects.ts";
import { judgePrompts } from "../score/judge.ts";
import type { Language } from "../score/dimensions.ts";
import { words } from "./prompt-words.ts";

/** Returns the system message of an ability, its request, and the instruction for a chain of thought. */
export function templatesOf(
  language: Language,
  aspect: Aspect,
): readonly [PromptTemplate, PromptTemplate, PromptTemplate] {
  const { system, tasks, strict, reason, example, begin } = words[language];
  const common = {
    role: "model",
    language,
    protocol: "stages",
    when: { split: [splitName({ language, aspect })] },
  } as const;
  return [
    { ...common, name: `${aspect}.system`, message: "system", text: system },
    {
      ...common,
      name: aspect,
      message: "user",
      text: `${tasks[aspect]}\n\n${strict}{{object}}{{reasoning}}\n\n${example}\n{{example}}\n\n${begin}\n{{task}}`,
    },
    { ...common, name: `${aspect}.reasoning`, when: { ...common.when, strategy: ["cot"] }, text: reason },
  ];
}

export const prompts: readonly PromptTemplate[] = [
  ...aspects.flatMap((aspect) => languages.flatMap((language) => templatesOf(language, aspect))),
  ...judgePrompts,
];
