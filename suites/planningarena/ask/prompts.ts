/**
 * Messages to Planner and Responder, in Planwright's own wording: the contents of the paper's prompts, and more with `hints: on`.
 */
import { toolOrder } from "../../../source/engine/settings/varied.ts";
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { prompted, promptMessages, promptPair } from "../../../source/engine/settings/prompt-template.ts";
import type { Json, Message, RunSpec } from "../../../source/engine/types.ts";
import { type Api, type Offer, operations, type ParameterType } from "../data/catalogue.ts";
import type { Profile } from "../data/folder.ts";
import type { TaskHead } from "../data/records.ts";
import { userInfo } from "../data/task.ts";
import { maxSteps } from "../score/evaluate.ts";
import { judgePrompts } from "../score/judge.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

/** The limits of the paper's Listing 2: characters of texts, and steps. */
export const limits = { thought: 300, description: 100, steps: maxSteps };

const apiStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": "ToolName({\'key\': \'value\'})"}}}';
const appStep =
  '{"GlobalThought": "...", "OrderSteps": {"TotalSteps": 4, "StepDetail": {"StepNumber": 1, "Description": "...", "Action": {"Tap": "..."}}}}';

/** Builds the paper's prompt of the Planner (Listing 2). Replies are read by the operations and the way to start an app. */
const ruled = (form: string, ...rules: readonly string[]): string =>
  [
    "You are a skilled planner. With the apps and APIs given you plan how to carry out a person's request, one step an answer.",
    "Every answer is one JSON object and nothing else: no Markdown, no comments, no text around it. Its form is:",
    form,
    `GlobalThought: an overview of your approach and its aims, at most ${limits.thought} characters.`,
    `TotalSteps: how many steps the plan has, 1 to ${limits.steps}.`,
    `StepNumber: the number of this step, 1 to ${limits.steps}.`,
    `Description: what this step does and what for; begin with a verb, be specific, not vague, at most ${limits.description} characters.`,
    ...rules,
  ].join("\n");

const counting = "Decide the number of steps in your first answer and keep it. Number the steps from 1 without gaps.";

const slots = ["hints", "profile", "tools", "apps", "request"];

/** The Planner's messages, and for `hints: on` the criteria of the checks, which the paper's prompt does not state. */
const planning = {
  API: [
    ...promptPair("plan", {
      role: "model",
      tasks: "API",
      slots,
      system: `${ruled(
        apiStep,
        "Action: one call, written ToolName({'key': 'value'}), with the necessary parameters. Name the tool and its parameters precisely.",
      )}{{hints}}`,
      user: "{{profile}}Tools (* marks required parameters):\n{{tools}}\n\nThe task is: {{request}}\nGive step 1.",
    }),
    {
      name: "plan.hints",
      role: "model",
      tasks: "API",
      when: { hints: ["on"] },
      text: `${counting}
Use only the tools listed, with the parameters they have.
Fill parameters from the request, the user's information, the calendar or the results of earlier steps; invent nothing.`,
    },
  ],
  APP: [
    ...promptPair("plan", {
      role: "model",
      tasks: "APP",
      slots,
      system: `${ruled(
        appStep,
        `Action: an object whose keys are operations and whose values say what is done. The operations are ${operations.join(", ")}.`,
        "To start an app write: Tap on the NAME app icon to open it. Name the app and what you use in it precisely.",
      )}{{hints}}`,
      user: "{{profile}}Apps:\n{{apps}}\n\nThe task is: {{request}}\nGive step 1.",
    }),
    {
      name: "plan.hints",
      role: "model",
      tasks: "APP",
      when: { hints: ["on"] },
      text: `${counting}
Use only the apps listed or named in the request, and no other operations than these.
Say the concrete values you use: names, amounts, and dates with day, month and year; invent nothing.`,
    },
  ],
} as const satisfies { readonly [scenario: string]: readonly PromptTemplate[] };

const profiled: PromptTemplate = {
  name: "plan.profile",
  role: "model",
  when: { profile: ["on"] },
  text: "User information:\n{{information}}",
};

const going: PromptTemplate = {
  name: "plan.next",
  role: "model",
  message: "user",
  text: "Step {{number}} returned:\n{{results}}\nGo on with step {{next}}.",
};

const responding = (tasks: "API" | "APP", results: string) =>
  promptPair("respond", {
    role: "responder",
    tasks,
    system: [
      "You stand in for the tools a planner calls. You get one step and answer with what the tool would return.",
      "Results must be logical, realistic and consistent with everything returned before; repeat names and numbers exactly.",
      "Every answer is one JSON object and nothing else, the step as you got it with Results added:",
      '{"OrderSteps": {"StepDetail": {"StepNumber": 1, "Description": "...", "Action": "as given", "Results": "..."}}}',
      results,
    ].join("\n"),
    user: "{{shapes}}Return the results of this step:\n{{step}}",
  });

const responder = {
  API: responding("API", "Results is text of the form ToolName({...}) and follows the response shape of the tool."),
  APP: responding(
    "APP",
    'Results is an object {"Status": "Success" or "Failure", "Response": {...}} that says what the screen shows afterwards.',
  ),
};

const shaped: PromptTemplate = {
  name: "respond.shapes",
  role: "responder",
  tasks: "API",
  text: "Response shapes:\n{{list}}",
};

export const prompts: readonly PromptTemplate[] = [
  ...planning.API,
  ...planning.APP,
  profiled,
  going,
  ...responder.API,
  ...responder.APP,
  shaped,
  ...judgePrompts,
];

type Spec = Pick<RunSpec, "prompts" | "options" | "vary" | "seed">;

/** Builds the Planner's system message and the request with everything it may use. */
export function plannerOpening(
  { operationalScenario, query }: TaskHead,
  offer: Offer,
  profile: Profile | undefined,
  spec: Spec,
): readonly Message[] {
  const templates = planning[operationalScenario];
  const hints = spec.options["hints"] === "on" ? `\n${prompted(spec, templates[2], {})}` : "";
  const information = profile === undefined ? undefined : JSON.stringify(userInfo(profile));
  return promptMessages(spec, templates, {
    hints,
    profile: information === undefined ? "" : `${prompted(spec, profiled, { information })}\n\n`,
    tools: spec.vary?.tools === undefined ? apiText(offer) : apiTextOf(orderedOffer(offer, spec)),
    apps: orderedOffer(offer, spec).apps.join(", "),
    request: query,
  });
}

/** Builds the Responder's system message. */
export const responderOpening = ({ operationalScenario }: TaskHead, spec: Spec): readonly Message[] =>
  promptMessages(spec, responder[operationalScenario].slice(0, 1), {});

/**
 * Asks the Responder for the results of the Planner's `step`. The first question includes the shapes of all responses.
 */
export function responderQuestion(
  round: number,
  step: Json,
  { offer, head }: { readonly offer: Offer; readonly head: TaskHead },
  spec: Spec,
): Message {
  const isShown = round === 1 && offer.apis.size > 0;
  const shapes = isShown ? `${prompted(spec, shaped, { list: shapeText(offer) })}\n\n` : "";
  const asking = responder[head.operationalScenario][1];
  return { role: "user", content: prompted(spec, asking, { shapes, step: JSON.stringify(step) }) };
}

/** Builds the message to the Planner after a step. */
export function plannerFollowUp(step: Json, given: Json, next: number, spec: Spec): Message {
  const results = typeof given === "string" ? given : JSON.stringify(given);
  const number = typeof step === "number" || typeof step === "string" ? String(step) : "?";
  return { role: "user", content: prompted(spec, going, { number, results, next: String(next) }) };
}

/** Returns what is offered in the order of the run's variant. */
function orderedOffer(offer: Offer, spec: Spec): Offer {
  if (spec.vary?.tools === undefined) return offer;
  const order = toolOrder(spec);
  const apis = order([...offer.apis], ([name]) => name);
  return { ...offer, apps: order(offer.apps, (name) => name), apis: new Map(apis) };
}

/** Lists the tools, one per line. */
const apiTextOf = (offer: Offer): string =>
  linesOf(offer, (api) => {
    const parameters = api.parameters.map(({ name, type, required, description }) => {
      const note = description === undefined || description === "" ? "" : ` (${description})`;
      return `${name}${required ? "*" : ""}: ${typeText(type, note)}${note}`;
    });
    return `${api.tool}: ${parameters.length === 0 ? "no parameters" : parameters.join("; ")}`;
  });

/** Cached, because a catalogue serves thousands of tasks. */
const apiText = factOf(apiTextOf);

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
