/**
 * Prompts in Planwright's words, with the content of the paper's prompts (appendix B.4) and no more. Commonsense is measured
 * "without explicit instructions", so the checks are described only in `HINTS`, which a run must request.
 */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { prompted, promptMessages, promptPair, type Slots } from "../../../source/engine/settings/prompt-template.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";

const LAYOUT = `The example, whose layout the plan is written in:

Day 1:
Current City: from Alder Bay to Fernhill
Transportation: Flight Number: F9000001, from Alder Bay to Fernhill, Departure Time: 08:10, Arrival Time: 09:40
Breakfast: -
Attraction: Glasshouse Museum, Fernhill;
Lunch: The Copper Pan, Fernhill
Dinner: Two Rivers, Fernhill
Accommodation: Loft by the mill, Fernhill

Day 2:
Current City: Fernhill
Transportation: -
Breakfast: Morning Bread, Fernhill
Attraction: Old Harbour, Fernhill;Botanic Steps, Fernhill;
Lunch: Noodle Yard, Fernhill
Dinner: Casa Verde, Fernhill
Accommodation: Loft by the mill, Fernhill

Day 3:
Current City: from Fernhill to Alder Bay
Transportation: Flight Number: F9000002, from Fernhill to Alder Bay, Departure Time: 18:30, Arrival Time: 20:00
Breakfast: Corner Oven, Fernhill
Attraction: City Gallery, Fernhill;
Lunch: Lantern House, Fernhill
Dinner: -
Accommodation: -

Driving is written \`Self-driving, from A to B\`, a taxi \`Taxi, from A to B\`.`;

const RULES = `You plan trips. From the information given and the request, write a detailed plan, with flight numbers and the names of restaurants and lodgings. All details come from the information given, and the plan keeps to the layout of the example. All details align with commonsense. \`-\` stands where nothing is needed: as in the example, nothing is planned after the return to the city of departure. A day in two cities is noted as current city \`from A to B\`, as in the example.`;

/** Additional instruction for sole-planning agents (B.4.3). */
const DIVERSE = "Attractions visited and meals are expected to be diverse.";

const STEPWISE = "Think step by step before you write the plan.";

/** For `hints: on`: the constraints themselves, which the paper's prompts do not reveal. */
const HINTS =
  "Begin and end in the city of departure. Choose what a sensible traveller would: no restaurant and no attraction twice, no needless change between flying and driving, lodging for every night but the last day, and everything the request asks for, the budget included.";

const LEARNT = "You have tried before and failed. What you learnt from it:\n{{list}}";

/** The two messages of a request for a written plan. */
const planned = (name: string, used: Pick<PromptTemplate, "protocol" | "when">) =>
  promptPair(name, {
    role: "model",
    ...used,
    system: `${RULES}\n\n${LAYOUT}{{hints}}{{reasoning}}`,
    user: "Information:\n{{information}}\n\nRequest: {{request}}\n\nTravel plan:",
  });

/** Direct and step-by-step planning. */
const direct = planned("plan", { protocol: "stages" });
/** The Planner tool, which sees only the notebook. */
const planner = planned("planner", { protocol: "environment", when: { mode: ["two-stage"] } });
/** Agents that call functions, with the information given, or yet to be gathered. */
const calling = {
  given: planned("agent", { protocol: "environment", when: { strategy: ["agent"], mode: ["sole-planning"] } }),
  gathered: promptPair("agent", {
    role: "model",
    protocol: "environment",
    when: { strategy: ["agent"], mode: ["two-stage"] },
    system: `Gather the information with the tools first: nothing else is given. ${RULES}\n\n${LAYOUT}{{hints}}`,
    user: "Request: {{request}}",
  }),
};

const TOOL_AGENT = `You gather information for a trip with tools, one step at a time, and then have it planned. Each step is a thought, an action and an observation, each on one line. Take as many steps as needed to collect enough information and put it into the notebook. Tool calls must not be nested: an action is one call. Actions:

FlightSearch[origin city, destination city, date]: finds the flights between two cities.
  origin city: of departure; destination city: of arrival; date: of the flight, YYYY-MM-DD.
  For example: FlightSearch[Alder Bay, Fernhill, 2031-04-09] finds the flights from Alder Bay to Fernhill on 9 April 2031.
GoogleDistanceMatrix[origin, destination, mode]: finds distance, time and cost between two cities.
  origin and destination: cities; mode: self-driving or taxi.
  For example: GoogleDistanceMatrix[Fernhill, Lowmere, taxi] finds these for a taxi from Fernhill to Lowmere.
AccommodationSearch[city]: finds the accommodations in a city.
  city: to stay in.
  For example: AccommodationSearch[Lowmere] finds the accommodations in Lowmere.
RestaurantSearch[city]: finds the restaurants in a city.
  city: to eat in.
  For example: RestaurantSearch[Fernhill] finds the restaurants in Fernhill.
AttractionSearch[city]: finds the attractions in a city.
  city: to visit.
  For example: AttractionSearch[Alder Bay] finds the attractions in Alder Bay.
CitySearch[state]: finds the cities of a state.
  state: whose cities are searched.
  For example: CitySearch[Northmark] finds the cities of Northmark.
NotebookWrite[short description]: writes the result of the last search into the notebook. Use it right after each search: results are not kept otherwise, and only what is in the notebook reaches the planner.
  short description: of what is written down.
  For example: NotebookWrite[Restaurants in Fernhill] writes down what RestaurantSearch[Fernhill] found.
Planner[the request]: has a planner write the plan from the notebook, which ends the work.
  the request: what the traveller asks for.
  For example: Planner[Plan a trip of 3 days from Alder Bay to Fernhill for one person.] has this trip planned.

An action is one of these names with its arguments in square brackets, arguments parted by a comma and a space, and nothing else on the line.`;

/** For `hints: on`: the information the planner requires. */
const GATHERING =
  "Call Planner when flights or drives, lodging, restaurants and sights of every stop are in the notebook.";

const COST_AGENT = `${RULES} ${DIVERSE}

Work in steps of a thought, an action and an observation. Actions:

CostEnquiry[day]: what one day costs. The day is a JSON object on one line: {"people_number": 2, "day": 1, "current_city": "...", "transportation": "...", "breakfast": "...", "attraction": "...", "lunch": "...", "dinner": "...", "accommodation": "..."}.
Finish[plan]: hands in the whole plan, all days, and ends the work.

${LAYOUT}`;

/** Strategies that act in text. */
const inText = ["react", "reflexion"];

/** The messages of agents that act in text, for a thought or an action. */
const acting = (part: "thought" | "action") => ({
  tools: promptPair(part, {
    role: "model",
    protocol: "environment",
    when: { strategy: inText, mode: ["two-stage"] },
    system: `${TOOL_AGENT}{{hints}}`,
    user: "Request: {{request}}{{scratchpad}}",
  }),
  costs: promptPair(part, {
    role: "model",
    protocol: "environment",
    when: { strategy: inText, mode: ["sole-planning"] },
    system: `${COST_AGENT}{{hints}}`,
    user: "Information:\n{{information}}\n\nRequest: {{request}}{{lessons}}{{scratchpad}}",
  }),
});
const parts = { thought: acting("thought"), action: acting("action") };

const learning = promptPair("reflect", {
  role: "model",
  protocol: "environment",
  when: { strategy: ["reflexion"] },
  system:
    "You look back on an attempt to plan a trip in which several cost enquiries in a row failed. Say in a few sentences what went wrong and how to write the enquiries and the plan so that it does not happen again. Reply with these sentences only.",
  user: "Information:\n{{information}}\n\nRequest: {{request}}\n\nAttempt:{{scratchpad}}\n\nLesson:",
});

/** Asks for a written plan as JSON (key-component extraction). */
const extracting = promptPair("extract", {
  role: "judge",
  system: `You turn a written travel plan into JSON. Reply with a JSON list of {{days}} objects in a fenced code block and nothing else. Each object has "days" (number of the day), "current_city", "transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation", all texts but the first. Write \`from A to B\` as current city on travel days. Write meals and lodging as \`Name, City\`, put a semicolon after each attraction (\`Name, City;Name, City;\`), keep flights as \`Flight Number: F1234567, from A to B, Departure Time: 10:00, Arrival Time: 11:00\`, driving as \`Self-driving, from A to B\`, taxis as \`Taxi, from A to B\`. Write \`-\` for whatever a day does not have. Drop dollar signs. Add nothing that the plan does not say.`,
  user: "{{plan}}",
});

/** A part of the messages of a stage. */
const partOf = (stage: string, part: string, text: string, more: Partial<PromptTemplate>): PromptTemplate => ({
  name: `${stage}.${part}`,
  role: "model",
  text,
  ...more,
});
const whenHinted = (strategies: readonly string[]) => ({ when: { hints: ["on"], strategy: strategies } });
const hints = {
  plan: partOf("plan", "hints", HINTS, { protocol: "stages", ...whenHinted(["direct", "cot"]) }),
  planner: partOf("planner", "hints", HINTS, { protocol: "environment", ...whenHinted([...inText, "agent"]) }),
  agent: partOf("agent", "hints", HINTS, { protocol: "environment", ...whenHinted(["agent"]) }),
};
const reasoning = partOf("plan", "reasoning", STEPWISE, { when: { strategy: ["cot"] }, protocol: "stages" });
const actingHints = (part: "thought" | "action", mode: string, text: string) =>
  partOf(part, "hints", text, { when: { hints: ["on"], strategy: inText, mode: [mode] }, protocol: "environment" });
const learnt = (part: "thought" | "action") =>
  partOf(part, "lessons", LEARNT, { when: { strategy: ["reflexion"] }, protocol: "environment" });

export const prompts: readonly PromptTemplate[] = [
  ...direct,
  reasoning,
  ...planner,
  ...calling.given,
  ...calling.gathered,
  ...Object.values(hints),
  ...(["thought", "action"] as const).flatMap((part) => [
    ...parts[part].tools,
    ...parts[part].costs,
    actingHints(part, "two-stage", GATHERING),
    actingHints(part, "sole-planning", HINTS),
    learnt(part),
  ]),
  ...learning,
  ...extracting,
];

type Spec = Pick<RunSpec, "prompts" | "options">;

const more = (spec: Spec, isThere: boolean, part: PromptTemplate, slots: Slots = {}): string =>
  isThere ? `\n\n${prompted(spec, part, slots)}` : "";
const hintsIn = (spec: Spec, part: PromptTemplate): string => more(spec, spec.options["hints"] === "on", part);

/** Builds the request of Direct and step-by-step planning: information, request, layout. */
export const planPrompt = (information: string, request: string, stepwise: boolean, spec: Spec): readonly Message[] =>
  promptMessages(spec, direct, {
    information,
    request,
    hints: hintsIn(spec, hints.plan),
    reasoning: more(spec, stepwise, reasoning),
  });

/** Builds the Planner tool's request, which contains only the notebook. */
export const plannerPrompt = (notebook: string, request: string, spec: Spec): readonly Message[] =>
  promptMessages(spec, planner, {
    information: notebook,
    request,
    hints: hintsIn(spec, hints.planner),
    reasoning: "",
  });

/** Builds the first messages of a conversation with function calls; without information, the model must gather it. */
export const openingPrompt = (request: string, information: string | undefined, spec: Spec): readonly Message[] =>
  promptMessages(spec, information === undefined ? calling.gathered : calling.given, {
    request,
    information: information ?? "",
    hints: hintsIn(spec, hints.agent),
    reasoning: "",
  });

/** The point of an episode that asks for a thought or an action. */
export type Turn = { readonly part: "thought" | "action"; readonly step: number; readonly scratchpad: string };

export const toolAgentPrompt = (request: string, turn: Turn, spec: Spec): readonly Message[] =>
  promptMessages(spec, parts[turn.part].tools, {
    request,
    hints: hintsIn(spec, actingHints(turn.part, "two-stage", GATHERING)),
    scratchpad: `${turn.scratchpad}${tail(turn)}`,
  });

export const costAgentPrompt = (
  information: string,
  request: string,
  lessons: readonly string[],
  turn: Turn,
  spec: Spec,
): readonly Message[] =>
  promptMessages(spec, parts[turn.part].costs, {
    information,
    request,
    hints: hintsIn(spec, actingHints(turn.part, "sole-planning", HINTS)),
    lessons: more(spec, lessons.length > 0, learnt(turn.part), {
      list: lessons.map((lesson) => `- ${lesson}`).join("\n"),
    }),
    scratchpad: `${turn.scratchpad}${tail(turn)}`,
  });

export const lessonPrompt = (
  information: string,
  request: string,
  scratchpad: string,
  spec: Spec,
): readonly Message[] => promptMessages(spec, learning, { information, request, scratchpad });

/** Requests one line by its label from chat models, unless the scratchpad already ends in `Thought n:` or `Action n:`. */
function tail({ scratchpad, part, step }: Turn): string {
  const waiting = part === "thought" ? `\nThought ${step}:` : `\nAction ${step}:`;
  return scratchpad.endsWith(waiting.trimStart()) ? "" : waiting;
}

export const extractionPrompt = (plan: string, days: number, spec: Pick<RunSpec, "judgePrompts">): readonly Message[] =>
  promptMessages(spec, extracting, { plan, days: String(days) });
