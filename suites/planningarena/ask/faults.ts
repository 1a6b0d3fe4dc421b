/** Planner replies with one mistake, so that what analyses show can be checked against what was injected. */
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import type { Json } from "../../../source/engine/types.ts";
import { daysAfter } from "../data/calendar.ts";
import { plannerReply, progressOf, referenceSteps, sparedStep } from "./reference-plan.ts";
import type { ReferenceStep } from "./reference-plan.ts";
import {
  laterDate,
  otherApp,
  otherLiteral,
  otherOperation,
  otherValue,
  passedOn,
  unknownParameter,
} from "./fault-actions.ts";
import type { ArenaTask } from "../data/task.ts";

type At = {
  readonly task: ArenaTask;
  readonly steps: readonly ReferenceStep[];
  /** Index of the reference step that is due, which is also the number of steps already planned. */
  readonly due: number;
  readonly random: () => number;
};

/**
 * One mistake in a dialogue: of the steps where it can be made one is chosen, the same in every request of the task as
 * long as `random` is seeded alike. Undefined in all other requests, and where the task has no such step.
 */
export function fault(task: ArenaTask, asked: Asked, kind: string, random: () => number): Reply | undefined {
  if (asked.role !== "model") return undefined;
  const steps = referenceSteps(task);
  const { planned, announced } = progressOf(task, asked.messages);
  if (planned > 0 && announced !== steps.length) return undefined;
  const chosen = random();
  const at = (due: number): At => ({ task, steps, due, random: () => chosen });
  const possible = [...steps.keys()].filter((due) => mistake(at(due), kind) !== undefined);
  if (possible.length === 0 || possible[Math.floor(chosen * possible.length)] !== planned) return undefined;
  return { text: mistake(at(planned), kind)! };
}

function mistake(at: At, kind: string): string | undefined {
  const { task, steps, due, random } = at;
  const { action } = steps[due]!;
  const { gold } = task.answer;
  switch (kind) {
    case "missing-step":
      return missing(at);
    case "redundant-step":
      return due === 0 ? plannerReply(steps[0]!, 1, steps.length + 1) : undefined;
    case "fictitious-tool":
      return extraTool(at);
    case "dependency":
      return acting(at, passedOn(task, due, action)) ?? swapped(at);
    case "fictitious-app":
      return acting(at, otherApp(action));
    case "operation-space":
      return acting(at, otherOperation(action));
    case "fictitious-parameter":
      return acting(at, unknownParameter(action));
    case "wrong-value":
      return acting(at, otherValue(gold.subtasks[due], action) ?? otherLiteral(task, due));
    case "time-inference":
      return acting(at, laterDate(gold, due, action, daysAfter));
    case "step-number":
      return due > 0 && due < steps.length - 1 ? plannerReply(steps[due]!, due, steps.length) : undefined;
    case "garbled":
      return garbled(at, random());
    default:
      return undefined;
  }
}

/** The due step with another action. */
function acting({ steps, due }: At, action: Json | undefined): string | undefined {
  return action === undefined ? undefined : plannerReply({ ...steps[due]!, action }, due + 1, steps.length);
}

/** Announces one step less and leaves out the one whose loss breaks least; not one that another step could pass for. */
function missing({ task, steps, due }: At): string | undefined {
  if (due > 0 || steps.length < 2) return undefined;
  const { subtasks } = task.answer.gold;
  const { tool } = subtasks[sparedStep(task)]!;
  if (tool !== undefined && subtasks.filter((other) => other.tool === tool).length > 1) return undefined;
  return plannerReply(steps[sparedStep(task) === 0 ? 1 : 0]!, 1, steps.length - 1);
}

/** Begins with a call nobody asked for: the plan is whole otherwise. */
function extraTool({ task, steps, due, random }: At): string | undefined {
  if (due > 0 || task.input.head.operationalScenario !== "API") return undefined;
  const tool = pick(["CosmicConcierge", "WishResolver", "OmniHelperPro"], random);
  const action = `${tool}({'topic': 'this request'})`;
  return plannerReply(
    { thought: steps[0]!.thought, description: `Ask ${tool} for a hint`, action },
    1,
    steps.length + 1,
  );
}

/** Does the next step first, where the answer key asks for this order. */
function swapped({ task, steps, due }: At): string | undefined {
  const { edges, subtasks } = task.answer.gold;
  const [from, to] = [subtasks[due]?.id, subtasks[due + 1]?.id];
  const ordered = edges.some((edge) => edge.kind === "order" && edge.from === from && edge.to === to);
  return ordered ? plannerReply(steps[due + 1]!, due + 1, steps.length) : undefined;
}

function garbled({ steps, due }: At, chosen: number): string {
  const step = steps[due]!;
  if (chosen * 10 - Math.floor(chosen * 10) < 0.5)
    return plannerReply({ ...step, thought: `${step.thought} \ufffd\ufffd\u0007` }, due + 1, steps.length);
  const whole = plannerReply(step, due + 1, steps.length);
  return whole.slice(0, Math.floor(whole.length * 0.6));
}
