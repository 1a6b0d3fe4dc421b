/** The prompts, in our own words. Rules are those the requests are scored by; answers and hints are not in them. */
import type { Message } from "../../../source/engine/types.ts";

const LAYOUT = `Write the plan day by day in exactly this layout, with \`-\` where a day needs nothing:

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

const RULES = `You plan trips. Use only flights, restaurants, attractions and lodgings that stand in the information given, with their full names. Begin and end in the city of departure. Choose what a sensible traveller would: nothing twice, no needless change between flying and driving, lodging for every night but the last day, and everything the request asks for, the budget included.`;

const STEPWISE = `\n\nTake care that restaurants and attractions are all different. Think step by step before you write the plan: route, transport, lodging, meals, cost.`;

/** The request of Direct and step-by-step planning: information, request, layout. */
export function planPrompt(information: string, query: string, stepwise: boolean): readonly Message[] {
  return [
    { role: "system", content: `${RULES}\n\n${LAYOUT}${stepwise ? STEPWISE : ""}` },
    { role: "user", content: `Information:\n${information}\n\nRequest: ${query}\n\nTravel plan:` },
  ];
}

/** What the Planner tool puts to a model: only what the notebook holds. */
export function plannerPrompt(notebook: string, query: string): readonly Message[] {
  return planPrompt(notebook, query, false);
}

const TOOL_AGENT = `You gather what a trip needs with tools, one step at a time, and finally have it planned. Each step is a thought, an action and an observation, each on one line. Actions:

FlightSearch[origin city, destination city, YYYY-MM-DD]: flights of that day.
GoogleDistanceMatrix[origin, destination, mode]: time, distance and cost by self-driving or taxi.
AccommodationSearch[city]: lodgings with price, kind, house rules, least nights, most guests.
RestaurantSearch[city]: restaurants with cost and cuisines.
AttractionSearch[city]: sights.
CitySearch[state]: the cities of a state.
NotebookWrite[short description]: writes the result of the last search down. Only what stands in the notebook reaches the planner, and older results are taken off this page.
Planner[the request]: writes the plan from the notebook and ends the work. Use it when flights or drives, lodging, restaurants and sights of every stop are in the notebook.

An action is one of these names with its arguments in square brackets, arguments parted by a comma and a space, and nothing else on the line.`;

export function toolAgentPrompt(
  query: string,
  scratchpad: string,
  part: "thought" | "action",
  step: number,
): readonly Message[] {
  return [
    { role: "system", content: TOOL_AGENT },
    { role: "user", content: `Request: ${query}${scratchpad}${tail(scratchpad, part, step)}` },
  ];
}

const COST_AGENT = `${RULES}

Work in steps of a thought, an action and an observation. Actions:

CostEnquiry[day]: what one day costs. The day is a JSON object on one line: {"people_number": 2, "day": 1, "current_city": "...", "transportation": "...", "breakfast": "...", "attraction": "...", "lunch": "...", "dinner": "...", "accommodation": "..."}.
Finish[plan]: hands in the whole plan, all days, and ends the work.

${LAYOUT}`;

const LEARNT = "\n\nYou have tried before and failed. What you learnt from it:\n- ";

export function costAgentPrompt(
  information: string,
  query: string,
  scratchpad: string,
  lessons: readonly string[],
  part: "thought" | "action",
  step: number,
): readonly Message[] {
  const learnt = lessons.length === 0 ? "" : LEARNT + lessons.join("\n- ");
  const request = `Information:\n${information}\n\nRequest: ${query}`;
  return [
    { role: "system", content: COST_AGENT },
    { role: "user", content: `${request}${learnt}${scratchpad}${tail(scratchpad, part, step)}` },
  ];
}

export function lessonPrompt(information: string, query: string, scratchpad: string): readonly Message[] {
  const system =
    "You look back on an attempt to plan a trip in which several cost enquiries in a row failed. Say in a few sentences what went wrong and how to write the enquiries and the plan so that it does not happen again. Reply with these sentences only.";
  return [
    { role: "system", content: system },
    { role: "user", content: `Information:\n${information}\n\nRequest: ${query}\n\nAttempt:${scratchpad}\n\nLesson:` },
  ];
}

/** Chat models are asked for one line by its label; the scratchpad itself ends in `Thought n:` or `Action n:`. */
function tail(scratchpad: string, part: "thought" | "action", step: number): string {
  const waiting = part === "thought" ? `\nThought ${step}:` : `\nAction ${step}:`;
  return scratchpad.endsWith(waiting.trimStart()) ? "" : waiting;
}

/** Asks for a written plan as JSON (key-component extraction). */
export function extractionPrompt(plan: string, days: number): readonly Message[] {
  const system = `You turn a written travel plan into JSON. Reply with a JSON list of ${days} objects in a fenced code block and nothing else. Each object has "days" (number of the day), "current_city", "transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation", all texts but the first. Write \`from A to B\` as current city on travel days. Write meals and lodging as \`Name, City\`, put a semicolon after each attraction (\`Name, City;Name, City;\`), keep flights as \`Flight Number: F1234567, from A to B, Departure Time: 10:00, Arrival Time: 11:00\`, driving as \`Self-driving, from A to B\`, taxis as \`Taxi, from A to B\`. Write \`-\` for whatever a day does not have. Drop dollar signs. Add nothing that the plan does not say.`;
  return [
    { role: "system", content: system },
    { role: "user", content: plan },
  ];
}
