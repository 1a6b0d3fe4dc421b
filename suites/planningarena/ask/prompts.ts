/** Messages to Planner and Responder, in our own wording. */
import { systemAndUser } from "../../../source/engine/text/system-and-user.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import { type Api, type Offer, operations } from "../data/catalogue.ts";
import type { Profile } from "../data/folder.ts";
import type { TaskHead } from "../data/records.ts";
import { userInfo } from "../data/task.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

const apiStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": "ToolName({\'key\': \'value\'})"}}}';
const appStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": {"Tap": "..."}}}}';

const plannerRules = [
  "You plan how to carry out a person's request with the tools at hand, and you give the plan one step at a time.",
  "Every answer is one JSON object and nothing else: no Markdown, no comments, no text around it. Its form is:",
];
const plannerLimits = [
  "GlobalThought: the idea of the whole plan, at most 300 characters.",
  "TotalSteps: how many steps the plan has, 1 to 20. Decide it in your first answer and keep it.",
  "StepNumber: the number of this step, counted from 1 without gaps.",
  "Description: what this step does; begin with a verb, be specific, at most 100 characters.",
];
const apiRules = [
  "Action: one call, written ToolName({'key': 'value'}). Use only the tools listed, with the parameters they have.",
  "Fill parameters from the request, the user's information, the calendar or the results of earlier steps; invent nothing.",
  "Dates are written YYYY-MM-DD, times HH:MM.",
];
const appRules = [
  `Action: an object whose keys are operations and whose values say what is done. The operations are ${operations.join(", ")}; there are no others.`,
  "To start an app write: Tap on the NAME app icon to open it. Use only the apps listed or named in the request.",
  "Say the concrete values you use: names, amounts, and dates with day, month and year.",
];

/** Builds the Planner's system message and the request with everything it may use. */
export function plannerOpening(head: TaskHead, offer: Offer, profile: Profile | undefined): readonly Message[] {
  const app = head.operationalScenario === "APP";
  const rules = [...plannerRules, app ? appStep : apiStep, ...plannerLimits, ...(app ? appRules : apiRules)];
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
      return `${name}${required ? "*" : ""}: ${type}${note}`;
    });
    return `${api.tool}: ${parameters.length === 0 ? "no parameters" : parameters.join("; ")}`;
  }),
);

const shapeText = factOf((offer: Offer) =>
  linesOf(offer, (api) => `${api.tool}: ${JSON.stringify(api.response ?? {})}`),
);

const linesOf = ({ apis }: Offer, line: (api: Api) => string): string => [...apis.values()].map(line).join("\n");
