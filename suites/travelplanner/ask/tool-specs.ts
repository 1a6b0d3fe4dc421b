/**
 * The tools of the two-stage mode and of cost enquiries, which agents write as text, and the statuses that end an
 * episode.
 */
import type { ToolSpec } from "../../../source/engine/types.ts";

const spec = (name: string, description: string, ...names: readonly string[]): ToolSpec => ({
  name,
  description,
  parameters: {
    type: "object",
    properties: Object.fromEntries(names.map((argument) => [argument, { type: "string" }])),
    required: names,
  },
});

export const TOOL_SPECS: readonly ToolSpec[] = [
  spec("FlightSearch", "Flights from one city to another on a day.", "origin", "destination", "date"),
  spec("GoogleDistanceMatrix", "Time, distance and cost of driving or a taxi.", "origin", "destination", "mode"),
  spec("AccommodationSearch", "Lodgings in a city.", "city"),
  spec("RestaurantSearch", "Restaurants in a city.", "city"),
  spec("AttractionSearch", "Attractions in a city.", "city"),
  spec("CitySearch", "Cities of a state.", "state"),
  spec("NotebookWrite", "Writes the last search result down, with a short description.", "description"),
  spec("Planner", "Writes the plan from the notebook. Ends the run.", "query"),
];

export const SOLE_TOOL_SPECS: readonly ToolSpec[] = [
  spec("CostEnquiry", "What one day of the plan costs.", "day"),
  spec("Finish", "Hands in the plan. Ends the run.", "plan"),
];

/** Spelling of the published logs for the end of a two-stage run. */
export const REPEATED = "same action 3 times repeated";
export const OVERFLOW = "Max Token Length of Planner Exceeded.";
