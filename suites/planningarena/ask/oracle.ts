/** The perfect Planner and the built-in Responder. Both read the answer key. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import type { Json } from "../../../source/engine/types.ts";
import { canon } from "../data/canonical.ts";
import { imitate } from "./imitation.ts";
import { readJudgeQuestion } from "../score/judge.ts";
import { parseCall, writtenCall } from "../data/literal.ts";
import { plannerReply, progressOf, referenceSteps, type ReferenceStep } from "./reference-plan.ts";
import { evaluateAnswer } from "../score/score.ts";
import type { ArenaTask } from "../data/task.ts";
import { readObject } from "../score/transcript.ts";

/**
 * Replies with the next step of the reference plan, the result of a step's tool, or, as a judge, the verdict of the
 * rules.
 */
export function oracle(task: ArenaTask, asked: Asked): Reply {
  if (asked.role === "judge") return { text: judged(task, asked) };
  return { text: asked.role === "responder" ? respond(task, asked) : plan(task, asked) };
}

function judged(task: ArenaTask, { stage, messages, spec }: Asked): string {
  const question = readJudgeQuestion(stage, messages);
  if (question === undefined) return "{}";
  const { checks } = evaluateAnswer(task, { dialogue: question.dialogue }, spec);
  const problem = checks?.[question.check] === false;
  return JSON.stringify({ problem, reason: `By the rules ${question.check} is ${problem ? "broken" : "kept"}.` });
}

function plan(task: ArenaTask, asked: Asked): string {
  const steps = referenceSteps(task);
  const { planned, announced, remaining } = progressOf(task, asked.messages);
  const step = steps[remaining[0] ?? steps.length - 1]!;
  return plannerReply(step, planned + 1, announced ?? steps.length);
}

/**
 * Answers the step in the last message with the reference results if it is a reference step, otherwise in the tool's
 * shape.
 */
function respond(task: ArenaTask, asked: Asked): string {
  const step = askedStep(asked);
  const action = field(step, "Action") ?? null;
  const detail = {
    ...(isRecord(step) ? step : {}),
    Results: resultsOf(task, action, field(step, "Description") ?? "", asked.spec.seed),
  };
  return JSON.stringify({ OrderSteps: { StepDetail: detail } });
}

/** Reads the JSON object that ends the Responder's question. */
function askedStep({ messages }: Pick<Asked, "messages">): Json | undefined {
  const last = messages.findLast(({ role }) => role === "user")?.content ?? "";
  return readObject(last.slice(last.lastIndexOf("\n") + 1));
}

function resultsOf(task: ArenaTask, action: Json, description: Json, seed: number): Json {
  const { offer, head } = task.input;
  if (head.operationalScenario === "APP") {
    const known = referenceSteps(task).find((step) => step.description === description);
    return known?.results ?? { Status: "Success", Response: { Screen: `Done: ${String(description).toLowerCase()}.` } };
  }
  const call = typeof action === "string" ? parseCall(action) : undefined;
  if (call === undefined) return "Error({'message': 'This is not a call.'})";
  const api = offer.apis.get(call.tool);
  if (api === undefined) return writtenCall(call.tool, { message: "There is no such tool." });
  const reference = bestReference(task, call.tool, call.args, description);
  if (reference !== undefined) return repeating(reference.results, call.args);
  const random = randomFrom(`${seed} ${task.id} ${writtenCall(call.tool, call.args)}`);
  return writtenCall(call.tool, imitate(api.response, call.args, random) as { readonly [name: string]: Json });
}

/** Returns the reference results, with this call's own arguments in repeated fields. */
function repeating(results: Json, args: { readonly [name: string]: Json }): Json {
  const read = typeof results === "string" ? parseCall(results) : undefined;
  if (read === undefined) return results;
  const repeated = Object.entries(args).filter(([name]) => Object.hasOwn(read.args, name));
  return writtenCall(read.tool, { ...read.args, ...Object.fromEntries(repeated) });
}

/**
 * Returns the most similar reference step for this call: a step with the same tool and description, or with at least half of the
 * bound arguments.
 */
function bestReference(
  task: ArenaTask,
  tool: string,
  args: { readonly [name: string]: Json },
  description: Json,
): ReferenceStep | undefined {
  const { gold } = task.answer;
  const steps = referenceSteps(task);
  const same = (name: string, value: Json) => Object.hasOwn(args, name) && canon(args[name]!) === canon(value);
  let best: { step: ReferenceStep; alike: number } | undefined;
  for (const [index, { tool: wanted, args: bound = [] }] of gold.subtasks.entries()) {
    const step = steps[index];
    if (wanted !== tool || step === undefined) continue;
    const right = bound.filter(({ name, value }) => same(name, value)).length;
    if (step.description === description) return step;
    if (right * 2 < bound.length) continue;
    const written = typeof step.action === "string" ? (parseCall(step.action)?.args ?? {}) : {};
    const alike = right + Object.entries(written).filter(([name, value]) => same(name, value)).length;
    if (best === undefined || alike > best.alike) best = { step, alike };
  }
  return best?.step;
}
