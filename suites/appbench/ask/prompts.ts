/** System messages of the planner in our own wording, with every instruction of the benchmark's prompts. */
import type { Reasoning } from "../../../source/engine/protocol.ts";
import { type App, describeApis, describeApps } from "../data/catalogue.ts";

/** Line between the chain of thought and the answer. */
const marker = "Final answer:";

/** Builds the system message of the first stage, which selects the apps. */
export function appsPrompt(apps: readonly App[], reasoning: Reasoning): string {
  return [
    "A person will tell you what they want done. Decide which of the apps below are needed for it.",
    "Choose at least one app, and only apps from this list. Be concise.",
    `Apps:\n\n${describeApps(apps)}`,
    "Answer with nothing but a list of app names in this form:\n[app1, app2, ...]",
    ...thinking(reasoning),
  ].join("\n\n");
}

/** Builds the system message of the planning stage with the catalogue of `apps`. Relative dates count from `today`. */
export function planPrompt(apps: readonly App[], today: string, reasoning: Reasoning): string {
  return [
    "You carry out requests by calling the APIs of apps. A person will tell you what they want done; write down the calls that do it.",
    "Write one line for each call, in this form, and nothing else:\napp: [returned_name_1, returned_name_2, ... = app_api(#argument_1=value_1, #argument_2=value_2, ...)]",
    `Rules:
- Join the names of app and API with an underscore, as in app_api. Keep names and order of arguments and of returned names exactly as the description of the API has them.
- Give every required argument. Give an optional argument only if the person said what it should be. Never fill in default values.
- Put a value that comes from the person between single quotes. When a value is what another call returns, write the returned name instead, without quotes.
- Today is "${today}". Work out every date from it and write it as the description asks.
- Order the lines so that a call that returns a name comes before the calls that use it.
- Use only the apps and APIs described below.`,
    "Three examples of chaining, with made-up apps; in the last, one call needs what two apps returned:",
    "app1: [place, price = app1_search(#area='north')]\napp1: [place, ticket = app1_book(#place=place, #persons='2')]",
    "app1: [day, place = app1_find(#topic='chess')]\napp2: [fare, car = app2_ride(#to=place, #on=day)]",
    "app1: [place, hall = app1_search(#area='north')]\napp2: [car, price = app2_rent(#seats='4')]\napp3: [total, code = app3_insure(#to=place, #vehicle=car)]",
    `Apps and their APIs:\n\n${describeApis(apps)}`,
    ...thinking(reasoning),
  ].join("\n\n");
}

function thinking(reasoning: Reasoning): string[] {
  if (reasoning === "none") return [];
  return [
    `Before you answer, think step by step: what is asked for, which calls give it, what each needs and where that comes from. Use no square brackets while thinking. Then write a line that reads\n${marker}\nand below it the answer in the form asked for above, with nothing after it.`,
  ];
}

/**
 * Returns the text after the last line that contains only `Final answer:`, or the whole reply if there is no such line
 * or no text after it.
 */
export function afterMarker(reply: string): string {
  const lines = reply.split("\n");
  const at = lines.findLastIndex(isMarker);
  const rest = lines.slice(at + 1).join("\n");
  return at === -1 || rest.trim() === "" ? reply : rest;
}

/** Accepts the marker in any case, with Markdown around it or without its colon. */
function isMarker(line: string): boolean {
  if (line.length > 60) return false;
  return line.replaceAll(/[*#_:`\s]/g, "").toLowerCase() === "finalanswer";
}
