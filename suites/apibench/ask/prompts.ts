/** Prompts: ask which API of a hub serves a request, in the fields the scorer reads. */
import type { Message } from "../../../source/engine/types.ts";
import type { HubApi, Question } from "../data/catalogue.ts";
import type { Hub } from "../score/extraction.ts";

const titles: Readonly<Record<Hub, string>> = {
  torchhub: "Torch Hub",
  huggingface: "Hugging Face",
  tensorflowhub: "TensorFlow Hub",
};
const layout =
  "Reply with these fields, one after another: <<<domain>>>: the domain of the model, <<<api_call>>>: one line with the call that loads it, <<<api_provider>>>: who provides it, <<<explanation>>>: how to use it step by step, <<<code>>>: the code.";

/**
 * Builds the messages for one question. `apis` are retrieved documents, `shots` demonstrations, `lessons` come from
 * earlier trials.
 */
export function directMessages(
  question: string,
  hub: Hub,
  apis: readonly HubApi[],
  shots: readonly Question[],
  lessons: readonly string[],
  way: "text" | "functions",
): readonly Message[] {
  const system = [
    `You know the models of ${titles[hub]} and the API calls that load them. Choose the one model that serves the request.`,
    way === "text"
      ? layout
      : "The functions are APIs of the hub. Try a call by calling its function with the whole call as `api_call`; then end with Finish and the call you chose.",
    ...lessons.map((lesson) => `Lesson from an earlier attempt: ${lesson}`),
  ].join("\n");
  const documents = apis.map(
    ({ domain, api_call, description }) => `- ${domain}: ${api_call} (${description.slice(0, 200)})`,
  );
  const found = documents.length === 0 ? "" : `APIs that may serve:\n${documents.join("\n")}\n\n`;
  return [
    { role: "system", content: system },
    ...shots.flatMap((shot): Message[] => [
      { role: "user", content: shot.question },
      { role: "assistant", content: answerText(shot.gold_api_call, shot.gold_domain) },
    ]),
    { role: "user", content: `${found}${question}` },
  ];
}

/** Formats a reply in the requested layout. */
export const answerText = (call: string, domain: string): string =>
  `<<<domain>>>: ${domain}\n<<<api_call>>>: ${call}\n<<<api_provider>>>: the hub`;
