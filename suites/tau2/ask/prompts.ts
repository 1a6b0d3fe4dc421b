/** System messages of agent and user as the official program composes them. */
import type { Scenario } from "../score/task.ts";

/** Returns the agent's system message. */
export function agentPrompt(instruction: string, policy: string): string {
  return `<instructions>\n${instruction}\n</instructions>\n<policy>\n${policy}\n</policy>`;
}

/** Returns the policy of telecom: the main policy, and the manual or the workflow of technical support. */
export function telecomPolicy(main: string, support: string): string {
  return `<main_policy>\n${main}\n</main_policy>\n<tech_support_policy>\n${support}\n</tech_support_policy>`;
}

/** Returns the user's system message. */
export function userPrompt(guidelines: string, scenario: Scenario): string {
  return `${guidelines}\n\n<scenario>\n${scenarioText(scenario)}\n</scenario>`;
}

/** Returns the scenario as the user is told it. */
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

/** Returns what Python's `textwrap.indent` does with a tab: blank lines get none. */
const indented = (text: string) =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `\t${line}`))
    .join("\n");
