/** Messages to Planner and Responder, in our own wording: what the paper's prompts contain, the rest for `hints: on`. */
import { systemAndUser } from "../../../source/engine/text/system-and-user.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import { type Api, type Offer, operations, type ParameterType } from "../data/catalogue.ts";
import type { Profile } from "../data/folder.ts";
import type { TaskHead } from "../data/records.ts";
import { userInfo } from "../data/task.ts";
import { maxSteps } from "../score/evaluate.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

/** The limits of the paper's Listing 2: characters of texts, and steps. */
export const limits = { thought: 300, description: 100, steps: maxSteps };

const apiStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": "ToolName({\'key\': \'value\'})"}}}';
const appStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": {"Tap": "..."}}}}';

/** What the paper's Planner is told (Listing 2), for both interfaces. */
const plannerRules = [
  "You are a skilled planner. With the apps and APIs given you plan how to carry out a person's request, one step an answer.",
  "Every answer is one JSON object and nothing else: no Markdown, no comments, no text around it. Its form is:",
];
const plannerLimits = [
  `GlobalThought: an overview of your approach and its aims, at most ${limits.thought} characters.`,
  `TotalSteps: how many steps the plan has, 1 to ${limits.steps}.`,
  `StepNumber: the number of this step, 1 to ${limits.steps}.`,
  `Description: what this step does and what for; begin with a verb, be specific, not vague, at most ${limits.description} characters.`,
];
const apiRules = [
  "Action: one call, written ToolName({'key': 'value'}), with the necessary parameters. Name the tool and its parameters precisely.",
];
/** The paper's actions are calls. The operations, and how an app is started, are the form that replies are read in. */
const appRules = [
  `Action: an object whose keys are operations and whose values say what is done. The operations are ${operations.join(", ")}.`,
  "To start an app write: Tap on the NAME app icon to open it. Name the app and what you use in it precisely.",
];

/** For `hints: on`: what plans are checked for, which the paper's prompt does not name. */
const hints = ["Decide the number of steps in your first answer and keep it. Number the steps from 1 without gaps."];
const apiHints = [
  "Use only the tools listed, with the parameters they have.",
  "Fill parameters from the request, the user's information, the calendar or the results of earlier steps; invent nothing.",
];
const appHints = [
  "Use only the apps listed or named in the request, and no other operations than these.",
  "Say the concrete values you use: names, amounts, and dates with day, month and year; invent nothing.",
];

/** Builds the Planner's system message and the request with everything it may use. `hinted` is true for `hints: on`. */
export function plannerOpening(
  head: TaskHead,
  offer: Offer,
  profile: Profile | undefined,
  hinted: boolean,
): readonly Message[] {
  const app = head.operationalScenario === "APP";
  const rules = [...plannerRules, app ? appStep : apiStep, ...plannerLimits, ...(app ? appRules : apiRules)];
  if (hinted) rules.push(...hints, ...(app ? appHints : apiHints));
  const user = profile === undefined ? [] : ["User information:", JSON.stringify(userInfo(profile)), ""];
  const tools = app ? ["Apps:", offer.apps.join(", ")] : ["Tools (* marks required parameters):", apiText(offer)];
  return systemAndUser(
    rules.join("\n"),
    [...user, ...tools, "", `The task is: ${head.query}`, "Give step 1."].join("\n"),
  );
}

/** Builds the Responder's system message. */
export function responderOpening(head: TaskHead): readonly Message[] {
  const app = head.operationalScenario === "APP";
  const results = app
    ? 'Results is an object {"Status": "Success" or "Failure", "Response": {...}} that says what the screen shows afterwards.'
    : "Results is text of the form ToolName({...}) and follows the response shape of the tool.";
  const rules = [
    "You stand in for the tools a planner calls. You get one step and answer with what the tool would return.",
    "Results must be logical, realistic and consistent with everything returned before; repeat names and numbers exactly.",
    "Every answer is one JSON object and nothing else, the step as you got it with Results added:",
    '{"OrderSteps": {"StepDetail": {"StepNumber": 1, "Description": "...", "Action": "as given", "Results": "..."}}}',
    results,
  ];
  return [{ role: "system", content: rules.join("\n") }];
}

/**
 * Asks the Responder for the results of the Planner's `step`. The first question includes the shapes of all responses.
 */
export function responderQuestion(round: number, step: Json, offer: Offer): Message {
  const shapes = round === 1 && offer.apis.size > 0 ? ["Response shapes:", shapeText(offer), ""] : [];
  return { role: "user", content: [...shapes, `Return the results of this step:`, JSON.stringify(step)].join("\n") };
}

/** Builds the message to the Planner after a step. */
export function plannerFollowUp(step: Json, results: Json, next: number): Message {
  const shown = typeof results === "string" ? results : JSON.stringify(results);
  const number = typeof step === "number" || typeof step === "string" ? step : "?";
  return { role: "user", content: `Step ${number} returned:\n${shown}\nGo on with step ${next}.` };
}

/** Lists the tools, one per line. Cached, because a catalogue serves thousands of tasks. */
const apiText = factOf((offer: Offer) =>
  linesOf(offer, (api) => {
    const parameters = api.parameters.map(({ name, type, required, description }) => {
      const note = description === undefined || description === "" ? "" : ` (${description})`;
      return `${name}${required ? "*" : ""}: ${typeText(type, note)}${note}`;
    });
    return `${api.tool}: ${parameters.length === 0 ? "no parameters" : parameters.join("; ")}`;
  }),
);

const layouts: Partial<Record<ParameterType, string>> = { date: "YYYY-MM-DD", time: "HH:MM" };

/** Names a type, with the layout of dates and times if the parameter's note does not have it. */
function typeText(type: ParameterType, note: string): string {
  const layout = layouts[type];
  return layout === undefined || note.includes(layout) ? type : `${type} ${layout}`;
}

const shapeText = factOf((offer: Offer) =>
  linesOf(offer, (api) => `${api.tool}: ${JSON.stringify(api.response ?? {})}`),
);

const linesOf = ({ apis }: Offer, line: (api: Api) => string): string => [...apis.values()].map(line).join("\n");
