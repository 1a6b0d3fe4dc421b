/**
 * Prompts of an episode by function calls that suites with toolkits share. `protocol` is for suites that have other protocols,
 * too.
 */
import type { PromptTemplate } from "../protocol.ts";

type Shared = Pick<PromptTemplate, "protocol">;

export const lessonPrompt = (only: Shared = {}): PromptTemplate => ({
  name: "step.lesson",
  role: "model",
  ...only,
  when: { strategy: ["reflexion"] },
  text: "Lesson from an earlier attempt: {{lesson}}",
});

export const idlePrompt = (only: Shared = {}): PromptTemplate => ({
  name: "step.idle",
  role: "model",
  message: "user",
  ...only,
  when: { strategy: ["react", "reflexion"] },
  text: "Call a function, or call Finish to end.",
});
