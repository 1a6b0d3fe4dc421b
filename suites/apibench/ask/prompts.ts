/** Prompts: ask which API of a hub serves a request, in the fields the scorer reads. */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { prompted, promptMessages, promptPair } from "../../../source/engine/settings/prompt-template.ts";
import { idlePrompt, lessonPrompt } from "../../../source/engine/toolkits/acting-prompts.ts";
import { preferencePrompts } from "../../../source/engine/toolkits/preference.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import type { HubApi, Question } from "../data/catalogue.ts";
import type { Hub } from "../score/extraction.ts";

const titles: Readonly<Record<Hub, string>> = {
  torchhub: "Torch Hub",
  huggingface: "Hugging Face",
  tensorflowhub: "TensorFlow Hub",
};

const knowing =
  "You know the models of {{hub}} and the API calls that load them. Choose the one model that serves the request.";

const inText = promptPair("answer", {
  role: "model",
  protocol: "stages",
  system: `${knowing}
Reply with these fields, one after another: <<<domain>>>: the domain of the model, <<<api_call>>>: one line with the call that loads it, <<<api_provider>>>: who provides it, <<<explanation>>>: how to use it step by step, <<<code>>>: the code.`,
  user: "{{documents}}{{question}}",
});

const retrieved: PromptTemplate = {
  name: "answer.documents",
  role: "model",
  protocol: "stages",
  text: "APIs that may serve:\n{{list}}",
};

const byFunctions = promptPair("step", {
  role: "model",
  protocol: "environment",
  system: `${knowing}
The functions are APIs of the hub. Try a call by calling its function with the whole call as \`api_call\`; then end with Finish and the call you chose.{{lessons}}`,
  user: "{{question}}",
});

const learnt = lessonPrompt({ protocol: "environment" });
export const idling = idlePrompt({ protocol: "environment" });

export const prompts: readonly PromptTemplate[] = [
  ...inText,
  retrieved,
  ...byFunctions,
  learnt,
  idling,
  ...preferencePrompts,
];

type Spec = Pick<RunSpec, "prompts">;

/** Builds the messages for one question. `apis` are retrieved documents, `shots` demonstrations. */
export function directMessages(
  spec: Spec,
  question: string,
  hub: Hub,
  apis: readonly HubApi[],
  shots: readonly Question[],
): readonly Message[] {
  const list = apis.map(
    ({ domain, api_call, description }) => `- ${domain}: ${api_call} (${description.slice(0, 200)})`,
  );
  const documents = list.length === 0 ? "" : `${prompted(spec, retrieved, { list: list.join("\n") })}\n\n`;
  const [system, asked] = promptMessages(spec, inText, { hub: titles[hub], documents, question }) as [Message, Message];
  return [
    system,
    ...shots.flatMap((shot): Message[] => [
      {
        role: "user",
        content: prompted(spec, inText[1], { hub: titles[hub], documents: "", question: shot.question }),
      },
      { role: "assistant", content: answerText(shot.gold_api_call, shot.gold_domain) },
    ]),
    asked,
  ];
}

/** Builds the first messages of a conversation by function calls. `lessons` come from earlier trials. */
export function functionMessages(
  spec: Spec,
  question: string,
  hub: Hub,
  lessons: readonly string[],
): readonly Message[] {
  const told = lessons.map((lesson) => `\n${prompted(spec, learnt, { lesson })}`).join("");
  return promptMessages(spec, byFunctions, { hub: titles[hub], question, lessons: told });
}

/** Formats a reply in the requested layout. */
export const answerText = (call: string, domain: string): string =>
  `<<<domain>>>: ${domain}\n<<<api_call>>>: ${call}\n<<<api_provider>>>: the hub`;
