/**
 * A plan beside its reference, for the trajectory screen: each step with the state after it, and the failing step with its
 * unmet conditions.
 */
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { PlanTask } from "../data/tasks.ts";
import { factText } from "./pddl.ts";
import { readPlan } from "./plan-steps.ts";
import { planOf, type Asked } from "./record.ts";
import { executed, validate } from "./validate.ts";

const lenientToo = "Plan read by the lenient extractor";
const lenientAlone = `${lenientToo}; the official extractor finds none`;

/** Maximum number of steps shown, because each contains a whole state. */
const most = 200;

/**
 * Returns plans as steps, read by the official extractor, followed by those of the lenient extractor if they differ. Returns
 * answers about a plan as text.
 */
export function viewOf({ input: { asked } }: PlanTask, reply: string): TaskView {
  const { answer, reference } = asked;
  if (answer !== undefined) {
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    const step = (title: string, of: string): PlanStep => ({ title, lines: of.split("\n"), needs: [] });
    const plan = reply === "" ? [] : [step("Answer", reply)];
    return { reference: [step("Answer", text)], plan, matches: plan.length === 0 ? [] : [[0, 0]] };
  }
  const [official, lenient] = [planOf(asked, reply, "official") ?? "", planOf(asked, reply, "lenient") ?? ""];
  const background = [
    { title: "Initial state", text: asked.scored.problem.init.map(factText).join(" ") },
    { title: "Goal", text: asked.scored.problem.goal.map(factText).join(" ") },
    ...(sameSteps(official, lenient) ? [] : [{ title: official === "" ? lenientAlone : lenientToo, text: lenient }]),
  ];
  const [wanted, plan] = [stepsOf(asked, reference ?? ""), reply === "" ? [] : stepsOf(asked, official)];
  const matches = plan.flatMap(({ title }, index) => {
    return wanted[index]?.title === title ? [[index, index] as const] : [];
  });
  return { reference: wanted, plan, matches, background };
}

/** Returns the steps of a plan with the state after each; a last step lists the unmet goal facts. */
function stepsOf({ scored: { domain, problem } }: Asked, plan: string): readonly PlanStep[] {
  const { kind, step: failing, unmet } = validate(domain, problem, plan);
  if (kind === "unreadable")
    return [{ title: "unreadable plan", lines: plan.slice(0, 2000).split("\n").slice(0, most), needs: [] }];
  const steps = executed(domain, problem, plan).slice(0, most);
  const shown = steps.map(({ step, state }, index): PlanStep => {
    const wrong = index + 1 === failing ? [`✗ ${kind}${unmet.length > 0 ? `: ${unmet.join(" ")} not met` : ""}`] : [];
    const after = state === undefined ? [] : [`→ ${state.join(" ")}`];
    return { title: factText(step), lines: [...wrong, ...after], needs: index === 0 ? [] : [index - 1] };
  });
  if (kind !== "goal" || plan === "") return shown;
  return [...shown, { title: "✗ goal", lines: [`${unmet.join(" ")} not met`], needs: [] }];
}

function sameSteps(one: string, other: string): boolean {
  return JSON.stringify(readPlan(one)) === JSON.stringify(readPlan(other));
}
