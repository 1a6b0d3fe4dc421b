/** Shows a plan day by day with costs, and the whole trip with the constraints it breaks. */
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { CONSTRAINTS, asks } from "./constraints.ts";
import { type Evaluation, evaluate, hasRaised } from "./evaluate.ts";
import { dayCost } from "./hard.ts";
import { type Query, NotEvaluable, readDays } from "./plan.ts";
import type { Sandbox } from "../data/sandbox.ts";
import type { TripTask } from "../data/task.ts";

/** The title of the last step, which is about all days. */
const whole = "Whole trip";

/** Builds the view; `plan` is the plan read from the answer, `written` its text. */
export function viewOf(task: TripTask, plan: Json, written: string | undefined, sandbox: Sandbox): TaskView {
  const { query } = task.input;
  const reference = task.answer.plan === null ? [] : daySteps(query, task.answer.plan, sandbox);
  const steps = plan === null && written !== undefined ? [unread(written)] : daySteps(query, plan, sandbox);
  const hasBoth = reference.at(-1)?.title === whole && steps.at(-1)?.title === whole;
  const [ends, days] = [
    [reference.length - 1, steps.length - 1] as const,
    Math.min(reference.length, steps.length) - 1,
  ];
  return {
    reference,
    plan: steps,
    matches: hasBoth ? [...Array.from({ length: days }, (_, index) => [index, index] as const), ends] : [],
    background: [{ title: "Request", text: requestText(query) }],
  };
}

const unread = (written: string): PlanStep => ({
  title: "Not in the prescribed layout",
  lines: written.split("\n").slice(0, 200),
  needs: [],
});

function requestText(query: Query): string {
  const { local_constraint: wishes } = query;
  const asked = Object.entries(wishes).filter(([, value]) => value !== null);
  return [
    query.query,
    `${query.level}, ${query.days} days from ${query.date[0] ?? "?"}, ${query.people_number} people, $${query.budget}`,
    `from ${query.org} to ${query.dest}, cities to visit: ${query.visiting_city_number}`,
    ...asked.map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : value}`),
  ].join("\n");
}

function daySteps(query: Query, plan: Json, sandbox: Sandbox): readonly PlanStep[] {
  const evaluation = evaluate(query, plan, sandbox);
  if (!evaluation.delivered) return [];
  let days;
  try {
    days = readDays(plan, query.days);
  } catch (error) {
    if (error instanceof NotEvaluable) return [{ title: "Not a list of days", lines: [error.message], needs: [] }];
    throw error;
  }
  const steps = days.map((day, index): PlanStep => {
    const show = (field: string) => {
      const value = day.fields?.get(field);
      return typeof value === "string" ? value : value === undefined ? "(missing)" : JSON.stringify(value);
    };
    const fields = ["transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation"];
    const lines = fields.filter((field) => show(field) !== "-").map((field) => `${field}: ${show(field)}`);
    return {
      title: `Day ${index + 1}: ${show("current_city")}`,
      lines: [...lines, costLine(query, day, sandbox)],
      needs: [],
    };
  });
  return [...steps, summary(query, evaluation)];
}

function costLine(query: Query, day: Parameters<typeof dayCost>[1], sandbox: Sandbox): string {
  try {
    const { transport, meals, lodging, total } = dayCost(query.people_number, day, sandbox);
    return `cost: $${total} (transport ${transport}, meals ${meals}, lodging ${lodging})`;
  } catch (error) {
    if (error instanceof NotEvaluable) return `cost: unknown (${error.message})`;
    throw error;
  }
}

/** Summarizes the trip: its cost, and violated constraints that do not belong to one day. */
function summary(query: Query, evaluation: Evaluation): PlanStep {
  const { cost, raises, counted } = evaluation;
  const known = typeof cost === "number" ? `$${cost}` : "not known";
  const lines = [`cost: ${known} of $${query.budget}`];
  if (raises !== undefined) lines.push(`✗ cannot be evaluated: ${raises.message}`);
  else if (!counted) lines.push("hard constraints do not count: the plan is not both complete and within the sandbox");
  return {
    title: whole,
    lines: [...lines, ...brokenBy(query, evaluation).map((mark) => `✗ ${mark}`)],
    needs: [],
  };
}

/** Lists every broken constraint with its day; screens mark that day from the score's mistakes. */
function brokenBy(query: Query, evaluation: Evaluation): readonly string[] {
  const broken: string[] = [];
  for (const constraint of CONSTRAINTS) {
    const { check, title, group } = constraint;
    const verdict = evaluation[group].get(check);
    if (!asks(query, constraint) || verdict === undefined) continue;
    const detail = verdict.message !== undefined ? `: ${verdict.message}` : "";
    if (hasRaised(verdict)) {
      if (group === "commonsense") broken.push(`${title}${detail}`);
    } else if (!verdict.kept) {
      broken.push(`${title}${verdict.day === undefined ? "" : `, day ${verdict.day + 1}`}${detail}`);
    }
  }
  return broken;
}
