/**
 * Builds the perfect reply to every request from the reference plan: gathers the information that the plan uses, then submits the
 * plan.
 */
import type { Asked } from "../../../source/engine/protocol.ts";
import { readJsonPlan, readLayout, writeLayout } from "../score/layout.ts";
import type { Day, Query } from "../score/plan.ts";
import { legsOf, stopsOf } from "./reference.ts";

/** Builds a reply; `plan` is the reference plan or a variant with an injected fault. */
export function replyWith(query: Query, plan: readonly Day[], asked: Asked): string {
  switch (asked.stage) {
    case "thought":
      return "I take the next step of the trip.";
    case "action":
      return asked.spec.options["mode"] === "two-stage"
        ? searchStep(query, plan, asked)
        : enquiryStep(query, plan, asked);
    case "reflect":
      return "Names and routes must be written exactly as the information has them.";
    case "extract":
      return extracted(asked);
    default:
      return writeLayout(plan);
  }
}

/**
 * Returns whether the reply ends the episode or answers its only request, because faults can be injected only into such a reply.
 */
export function handsIn(query: Query, plan: readonly Day[], asked: Asked): boolean {
  if (asked.stage === "plan" || asked.stage === "planner") return true;
  return (
    asked.stage === "action" &&
    asked.spec.options["mode"] !== "two-stage" &&
    stepOf(asked) > plan.length &&
    query.days > 0
  );
}

/** Returns the number of the requested action; the prompt ends in `Action n:`. */
function stepOf(asked: Asked): number {
  const prompt = asked.messages.at(-1)?.content ?? "";
  const mark = prompt.lastIndexOf("\nAction ");
  return Number.parseInt(prompt.slice(mark + 8, prompt.lastIndexOf(":")), 10) || 1;
}

function searchStep(query: Query, plan: readonly Day[], asked: Asked): string {
  const legs = legsOf(plan);
  const actions = legs.flatMap(({ from, to, day }) => {
    const flies = plan[day]!.transportation.startsWith("Flight");
    const mode = plan[day]!.transportation.startsWith("Taxi") ? "taxi" : "self-driving";
    const search = flies
      ? `FlightSearch[${from}, ${to}, ${query.date[day]}]`
      : `GoogleDistanceMatrix[${from}, ${to}, ${mode}]`;
    return [search, `NotebookWrite[Transport from ${from} to ${to}]`];
  });
  for (const city of stopsOf(query, legs)) {
    for (const what of ["Accommodation", "Restaurant", "Attraction"]) {
      actions.push(`${what}Search[${city}]`, `NotebookWrite[${what}s in ${city}]`);
    }
  }
  return actions[stepOf(asked) - 1] ?? `Planner[${query.query.replaceAll("\n", " ")}]`;
}

function enquiryStep(query: Query, plan: readonly Day[], asked: Asked): string {
  const day = plan[stepOf(asked) - 1];
  if (day === undefined) return `Finish[${writeLayout(plan).replaceAll("\n", " ")}]`;
  const { days: number, ...fields } = day;
  return `CostEnquiry[${JSON.stringify({ people_number: query.people_number, day: number, ...fields })}]`;
}

/** Extracts the written plan as the judge, if it is readable in any form. */
function extracted(asked: Asked): string {
  const text = asked.messages.at(-1)?.content ?? "";
  return JSON.stringify(readLayout(text) ?? readJsonPlan(text) ?? []);
}
