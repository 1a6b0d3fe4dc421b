/** Reads, from the steps of a task, the calls with the functions offered for them, the plans, and the path taken. */
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json, Outcome, Step, ToolCall, ToolResult, ToolSpec } from "../../../source/engine/types.ts";
import type { AnswerStep } from "./answer-conversion.ts";
import { finishTool } from "../ask/finish.ts";

export type ExecutedCall = {
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** Functions offered with the request that the call answers. */
  readonly offered: readonly ToolSpec[];
};

type Request = { readonly tools: readonly ToolSpec[]; calls: ToolCall[] };

/** Returns every executed call in order, with the functions its request offered. */
export function executedCalls(steps: readonly Step[]): readonly ExecutedCall[] {
  const executed: ExecutedCall[] = [];
  const requests = new Map<number, Request>();
  let last: Request | undefined;
  let taken = 0;
  for (const step of steps) {
    if (step.type === "prompt" && step.role !== "responder" && step.role !== "judge") {
      last = { tools: step.tools ?? [], calls: [] };
      requests.set(step.request, last);
      taken = 0;
    } else if (step.type === "retry") {
      if (last !== undefined) last.calls = [];
    } else if (step.type === "call") last?.calls.push(step.call);
    else if (step.type === "result" && step.asked !== undefined) {
      const { tools, calls } = requests.get(step.asked) ?? { tools: [], calls: [] };
      const call = calls.find(({ id }) => id === step.callId) ?? unknownCall(step);
      executed.push({ call, result: step.result, offered: tools });
    } else if (step.type === "result") {
      const call = last?.calls.slice(taken).find(({ id }) => id === step.callId) ?? last?.calls[taken];
      taken += 1;
      executed.push({ call: call ?? unknownCall(step), result: step.result, offered: last?.tools ?? [] });
    }
  }
  return executed;
}

/** Represents a call that the strategy itself made. */
function unknownCall({ callId, name }: Extract<Step, { readonly type: "result" }>): ToolCall {
  return { id: callId, name, text: "{}", arguments: undefined };
}

/**
 * Returns the steps ToolEval judges: for a tree search, the branch that ended it (its `end` note names the leaf);
 * otherwise every call in order, because judges do not see thoughts.
 */
export function answerSteps({ steps }: Pick<Outcome, "steps">): readonly AnswerStep[] {
  const end = steps.findLast((step) => step.type === "note" && step.kind === "end");
  const leaf = end?.type === "note" ? field(end.data, "leaf") : undefined;
  return typeof leaf === "string" ? branchSteps(steps, leaf) : spokenSteps(steps);
}

function branchSteps(steps: readonly Step[], leaf: string): readonly AnswerStep[] {
  const nodes = new Map(steps.flatMap((step) => (step.type === "node" ? [[step.id, step] as const] : [])));
  const path: Extract<Step, { type: "node" }>[] = [];
  for (
    let at = nodes.get(leaf);
    at !== undefined && path.length < nodes.size;
    at = at.parent === undefined ? undefined : nodes.get(at.parent)
  )
    path.unshift(at);
  return path.flatMap((node, index): readonly AnswerStep[] => {
    if (node.kind === "call") return callSteps(node);
    if (node.kind === "Thought") return [{ role: "assistant", message: node.label }];
    const input = path[index + 1];
    if (node.kind !== "Action" || input === undefined) return [];
    const response = node.label === finishTool.name ? "" : textOf(field(input.detail, "observation"));
    return [{ role: "tool", message: { name: node.label, arguments: input.label, response } }];
  });
}

/** Reads a node that is a whole call, with its thought. */
function callSteps({ detail }: Extract<Step, { type: "node" }>): readonly AnswerStep[] {
  const [name, thought] = [textOf(field(detail, "name")), textOf(field(detail, "thought"))];
  const response = name === finishTool.name ? "" : textOf(field(detail, "observation"));
  const message = { name, arguments: textOf(field(detail, "arguments")), response };
  return [...(thought === "" ? [] : [{ role: "assistant", message: thought } as const]), { role: "tool", message }];
}

function spokenSteps(steps: readonly Step[]): readonly AnswerStep[] {
  return executedCalls(steps).map(({ call, result }) => {
    const response = call.name === finishTool.name ? "" : result.observation;
    return { role: "tool", message: { name: call.name, arguments: call.text, response } };
  });
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Counts the notes of a kind. */
export const noted = (steps: readonly Step[], kind: string): number =>
  steps.filter((step) => step.type === "note" && step.kind === kind).length;

/** Returns the toolkits of all plans, in order of first appearance. */
export function plannedToolkits(steps: readonly Step[]): readonly number[] {
  const ids = steps.flatMap((step) => {
    const id = step.type === "node" && step.kind === "toolkit" ? field(step.detail, "toolkit") : undefined;
    return typeof id === "number" ? [id] : [];
  });
  return [...new Set(ids)];
}

/** Counts the toolkits of the first plan and the APIs tried per executed step; empty without a plan tree. */
export function planned(steps: readonly Step[]): Record<string, number> {
  const toolkits = new Set<string>();
  const tried = new Map<string, Set<string>>();
  for (const step of steps) {
    if (step.type !== "node") continue;
    if (step.kind === "toolkit" && field(step.detail, "plan") === 1) toolkits.add(step.id);
    if (step.kind === "api" && step.parent !== undefined)
      tried.set(step.parent, (tried.get(step.parent) ?? new Set()).add(step.id));
  }
  if (toolkits.size === 0) return {};
  const apis = [...tried.values()].reduce((sum, ids) => sum + ids.size, 0);
  return { plan_length: toolkits.size, ...(tried.size > 0 && { apis_per_step: apis / tried.size }) };
}

/**
 * Returns the seconds from the first step to the first tool result; empty if steps have no times, no tool was called,
 * or an earlier reply was reused.
 */
export function firstCall(steps: readonly Step[]): Record<string, number> {
  const timeOf = (step: Step | undefined) => (step !== undefined && "at" in step ? step.at : undefined);
  const first = steps.findIndex(({ type }) => type === "result");
  if (steps.slice(0, first).some((step) => step.type === "prompt" && step.saved !== undefined)) return {};
  const from = timeOf(steps[0]);
  const to = timeOf(steps[first]);
  return typeof from === "number" && typeof to === "number" ? { first_call: Math.max(0, to - from) / 1000 } : {};
}
