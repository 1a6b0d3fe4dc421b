/** Shows a task's reference plan and an answer side by side, as steps with dependencies. */
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import { align } from "./align.ts";
import type { Catalogue } from "../data/catalogue.ts";
import type { Answer, AppTask } from "../data/gold.ts";
import type { PlanCall } from "./plan-call.ts";
import { planCalls, planOf, referenceOf } from "./scored-plan.ts";

/** Builds the view; `answer` is undefined before the task has an answer. */
export function viewOf(task: AppTask, answer: Answer | undefined, catalogue: Catalogue): TaskView {
  const names = catalogue.apps.map((app) => app.name);
  const reference = planCalls(referenceOf(task.answer));
  const plan = answer === undefined ? [] : planCalls(planOf(answer, names));
  return {
    reference: reference.map((call, index) => stepOf(call, reference.slice(0, index))),
    plan: plan.map((call, index) => stepOf(call, plan.slice(0, index))),
    matches: align(reference, plan).pairs,
    background: background(task, catalogue),
  };
}

/** Builds a step. For each name that it uses, it depends on the latest earlier call that returns the name. */
function stepOf(call: PlanCall, before: readonly PlanCall[]): PlanStep {
  const needs = new Set<number>();
  for (const { kind, text } of call.arguments.values()) {
    if (kind !== "reference") continue;
    const producer = before.findLastIndex((other) => other.returns.some((name) => name.toLowerCase() === text));
    if (producer !== -1) needs.add(producer);
  }
  const given = Array.from(call.arguments, ([key, { written }]) => `${key} = ${written}`);
  const name = call.api === "" ? call.text : call.api;
  return {
    title: call.app === "" ? name : `${call.app}: ${name}`,
    lines: call.returns.length === 0 ? given : [...given, `returns ${call.returns.join(", ")}`],
    needs: [...needs].toSorted((a, b) => a - b),
  };
}

const background = (task: AppTask, catalogue: Catalogue): { title: string; text: string }[] =>
  catalogue.apps
    .filter((app) => task.answer.used_app.includes(app.name))
    .map((app) => ({
      title: `App ${app.name}: ${app.description}`,
      text: app.apis
        .map((api) => {
          const required = api.required_arguments.map((item) => item.name);
          const optional = api.optional_arguments.map((item) => `${item.name}?`);
          const returned = api.result_arguments.map((item) => item.name).join(", ");
          return `${api.name}(${[...required, ...optional].join(", ")}): ${api.description}\n  returns ${returned}`;
        })
        .join("\n"),
    }));
