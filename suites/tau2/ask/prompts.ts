/** System messages of agent and user as the official program composes them. */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import type { Scenario } from "../score/task.ts";

/** The agent's system message. */
export const agentPrompt = {
  name: "talk",
  role: "model",
  message: "system",
  text: "<instructions>\n{{instruction}}\n</instructions>\n<policy>\n{{policy}}\n</policy>",
} as const satisfies PromptTemplate;

/** The user's system message. */
export const userPrompt = {
  name: "talk.person",
  role: "user",
  message: "system",
  text: "{{guidelines}}\n\n<scenario>\n{{scenario}}\n</scenario>",
} as const satisfies PromptTemplate;

export const prompts: readonly PromptTemplate[] = [agentPrompt, userPrompt];

/** Returns the policy of telecom: the main policy, and the manual or the workflow of technical support. */
export function telecomPolicy(main: string, support: string): string {
  return `<main_policy>\n${main}\n</main_policy>\n<tech_support_policy>\n${support}\n</tech_support_policy>`;
}

/** Returns the text of the scenario for the user. */
export function scenarioText({ persona, instructions }: Scenario): string {
  const about = persona === undefined ? "" : `Persona:\n${indented(persona)}\n`;
  return `${about}Instructions:\n${indented(instructionsText(instructions))}`;
}

function instructionsText(instructions: Scenario["instructions"]): string {
  if (typeof instructions === "string") return instructions;
  const { domain, reason, known, unknown, task } = instructions;
  const parts = [
    ["Reason for call", reason],
    ["Known info", known],
    ["Unknown info", unknown],
    ["Task instructions", task],
  ] as const;
  const given = parts.flatMap(([title, text]) => (text === undefined ? [] : [`${title}:\n${indented(text)}`]));
  return [`Domain: ${domain}`, ...given].join("\n");
}

/** Returns the result of Python's `textwrap.indent` with a tab: blank lines are not indented. */
const indented = (text: string) =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `\t${line}`))
    .join("\n");
