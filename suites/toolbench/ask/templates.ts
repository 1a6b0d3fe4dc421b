/**
 * The prompts with which ToolBench's queries are executed, served and judged: the contents of the official prompts in
 * Planwright's words.
 */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { promptPair } from "../../../source/engine/settings/prompt-template.ts";
import { idlePrompt, lessonPrompt } from "../../../source/engine/toolkits/acting-prompts.ts";
import { preferencePrompts } from "../../../source/engine/toolkits/preference.ts";
import { simulateStage } from "./simulated-reply.ts";

export const opening = promptPair("step", {
  role: "model",
  system: `You serve a user's request with functions. In every turn think briefly (five sentences at most) and call one function; you then see its result and go on from there. What was done cannot be undone, but you may try several times, one set of conditions at a time.
Always end by calling Finish. The user sees nothing but its final answer, so it must hold enough information. If the request cannot be served, or the functions keep failing, call Finish to give up and restart.
Use the names of the functions, not those of the tools they belong to.{{tools}}{{lessons}}`,
  user: "{{question}}\nBegin!",
});

/** With toolkits, the functions are those of the chosen toolkits, which are unknown when a conversation starts. */
export const described: PromptTemplate = {
  name: "step.tools",
  role: "model",
  when: { toolkits: ["off"] },
  text: "The tools:\n{{list}}",
};

export const learnt = lessonPrompt();
export const idling = idlePrompt();

export const simulating = promptPair(simulateStage, {
  role: "responder",
  when: { server: ["simulate"] },
  system:
    'You are the server of an API. You are shown its documentation, some of its earlier answers, and one call. Answer as the server would, with useful content of 100 to 200 words that fits the call, also when its arguments are not quite right. Reply with one JSON object and nothing else: {"error": "", "response": ...}.',
  user: "API: {{api}} of {{tool}} ({{category}})\nWhat it does: {{description}}\nEarlier answers:\n{{examples}}\nCall: {{call}}",
});

const verdict =
  'Reply with one JSON object: {"reason": "why, briefly", "answer_status": "Solved" or "Unsolved" or "Unsure"}.';

export const judgingAnswer = promptPair("judge-answer", {
  role: "judge",
  system: `Judge whether an answer serves a request. An apology, or words that do not answer, are Unsolved. An answer that is clear and sufficient by itself is Solved, one that is clearly wrong or incomplete Unsolved. If the answer alone does not tell, it is Unsure. ${verdict}`,
  user: "Request: {{request}}\nAnswer: {{answer}}",
});

export const judgingSteps = promptPair("judge-steps", {
  role: "judge",
  system: `Judge from the steps taken whether a request was served. If every call failed it is Unsolved; so it is if the answer contradicts what the calls returned. If successful calls support the answer it is Solved. If it cannot be verified it is Unsure. ${verdict}`,
  user: "Request: {{request}}\nSteps:\n{{steps}}\nAnswer: {{answer}}",
});

export const judgingCorrectness = promptPair("judge-fac", {
  role: "judge",
  system:
    "Judge a final answer. It is Solved if every part of the request is genuinely attempted; do not check facts except gross errors. A refusal or a missing part is Unsolved. Reply with the verdict, Solved or Unsolved, and the reason.",
  user: "Request: {{request}}\nFinal answer: {{answer}}",
});

export const judgingErrors = promptPair("judge-error", {
  role: "judge",
  when: { errors: ["judge"] },
  system:
    'Name the kind of an error that was made while a request was served with tools. The kinds:\n{{kinds}}\nReply with one JSON object: {"kind": "one of the names"}.',
  user: "Request: {{request}}\nWhat happened: {{error}}",
});

export const prompts: readonly PromptTemplate[] = [
  ...opening,
  described,
  learnt,
  idling,
  ...simulating,
  ...judgingAnswer,
  ...judgingSteps,
  ...judgingCorrectness,
  ...preferencePrompts,
  ...judgingErrors,
];
