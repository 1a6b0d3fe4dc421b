/** The reference dialogue as a plan, and a conversation's progress in it. */
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import type { ArenaTask } from "../data/task.ts";
import { readPlannerReply } from "../score/transcript.ts";

export type ReferenceStep = {
  readonly thought: string;
  readonly description: string;
  readonly action: Json;
  readonly results: Json;
};

/** Returns the steps of the reference dialogue in order. */
export const referenceSteps = (task: ArenaTask): readonly ReferenceStep[] =>
  task.answer.reference.map((record) => {
    const detail = field(field(record, "OrderSteps"), "StepDetail");
    const text = (value: Json | undefined) => (typeof value === "string" ? value : "");
    return {
      thought: text(field(record, "GlobalThought")),
      description: text(field(detail, "Description")),
      action: field(detail, "Action") ?? null,
      results: field(detail, "Results") ?? null,
    };
  });

export type Progress = {
  /** Number of Planner replies so far. */
  readonly planned: number;
  /** Number of steps announced in the first reply; undefined before it. */
  readonly announced: number | undefined;
  /** Indexes of the remaining reference steps, in order. */
  readonly remaining: readonly number[];
};

/**
 * Reads the remaining reference steps from the Planner's side of a conversation. A plan that announced one step fewer omits the
 * step that is needed least; a plan that announced one step more and started with a known step repeats that step.
 */
export function progressOf(task: ArenaTask, messages: readonly Message[]): Progress {
  const steps = referenceSteps(task);
  const replies = messages.flatMap((message) =>
    message.role === "assistant" ? [readPlannerReply(message.content)] : [],
  );
  const announced = replies[0] === undefined ? undefined : Number(replies[0].totalSteps);
  const sequence = [...steps.keys()];
  if (announced === steps.length - 1) sequence.splice(sparedStep(task), 1);
  const titles = steps.map(({ description }) => description);
  if (announced === steps.length + 1 && titles.includes(String(replies[0]!.detail["Description"]))) sequence.unshift(0);
  for (const reply of replies) {
    const at = sequence.findIndex((index) => titles[index] === reply?.detail["Description"]);
    if (at >= 0) sequence.splice(at, 1);
  }
  return { planned: replies.length, announced, remaining: sequence };
}

/**
 * Returns the step whose omission causes the fewest other mistakes: without a date or a value unique to it, and with a tool or
 * app that no other step uses.
 */
export function sparedStep(task: ArenaTask): number {
  const { gold } = task.answer;
  const cost = gold.subtasks.map(({ id, tool, text = "", args = [] }) => {
    const uses = gold.edges.filter(({ from, to }) => from === id || to === id).length;
    const dated = args.some(({ check }) => check === "TR") || /\b\d{4}\b/.test(text) ? 20 : 0;
    const literal = (gold.literals ?? []).some((literal) => text.includes(literal)) ? 20 : 0;
    const alike = tool !== undefined && gold.subtasks.filter((other) => other.tool === tool).length > 1 ? 50 : 0;
    return uses + dated + literal + alike + (/^open /i.test(text) ? 50 : 0);
  });
  return cost.lastIndexOf(Math.min(...cost));
}

/** Writes a Planner reply. */
export function plannerReply(
  step: { readonly thought: string; readonly description: string; readonly action: Json },
  number: Json,
  total: number,
): string {
  const detail = { StepNumber: number, Description: step.description, Action: step.action };
  return JSON.stringify({ GlobalThought: step.thought, OrderSteps: { TotalSteps: total, StepDetail: detail } });
}
