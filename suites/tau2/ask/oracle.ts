/** Replies for both sides from the reference: the agent and the user each make their calls, in the plan's order. */
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import type { Played } from "../../../source/engine/loaded-suite.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Message } from "../../../source/engine/types.ts";
import { isWrite, type ServiceTask } from "../data/service-task.ts";
import { type Fields, pythonJson } from "../environment/value.ts";
import type { Side } from "../environment/world.ts";
import type { Tau2Task } from "../score/task.ts";

type Action = Tau2Task["criteria"]["actions"][number];
/** The oracle's moves; a fault changes them. */
type Plan = { readonly actions: readonly Action[]; readonly told: readonly string[] };

export const faultKinds: Suite["faultKinds"] = [
  { name: "left-out", title: "The agent leaves out its last change", errors: ["wrong-state", "missing-action"] },
  { name: "wrong-argument", title: "A wrong argument in it", errors: ["wrong-state", "missing-action"] },
  { name: "untold", title: "The agent does not report a fact", errors: ["not-told"] },
  { name: "unknown-tool", title: "The agent calls tools that do not exist", errors: ["error-limit"] },
  {
    name: "user-leaves",
    title: "The user leaves at once",
    errors: ["wrong-state", "not-told", "missing-action"],
  },
];

const handOver = "Please do the next step on your phone, and tell me when it is done.";
const handedBack = "I have done it.";
const done = "Done.";
/** A user who is not understood leaves after so many messages. */
const patience = 8;

export function perfectReply(task: ServiceTask, asked: Asked): Reply {
  return replyOf(task, planOf(task), asked);
}

/** Returns a reply with one mistake; undefined if the mistake is impossible in this task. */
export function faultyReply(task: ServiceTask, asked: Asked, kind: string): Reply | undefined {
  const { input } = task;
  const { actions, told } = planOf(task);
  const last = actions.findLastIndex((action) => action.side === "assistant" && isWrite(input, action));
  if (kind === "user-leaves") {
    const isLost = told.length > 0 || actions.some((action) => isWrite(input, action));
    return isLost && asked.role === "user" ? { text: "###STOP###" } : undefined;
  }
  if (kind === "untold") return told.length === 0 ? undefined : replyOf(task, { actions, told: [] }, asked);
  if (kind === "unknown-tool")
    return asked.role === "user" ? undefined : callOf({ name: "look_into_it", args: {} }, asked.messages);
  if (last < 0) return undefined;
  if (kind === "left-out") return replyOf(task, { actions: actions.toSpliced(last, 1), told }, asked);
  const wrong = withWrongArgument(actions[last]!);
  return wrong && replyOf(task, { actions: actions.with(last, wrong), told }, asked);
}

/** Returns whether the side that makes this mistake is played by the model, and the task allows the mistake. */
export function allowsFault(task: ServiceTask, { roles, spec }: Played, kind: string): boolean {
  const role = kind === "user-leaves" ? "user" : "model";
  return (
    roles.includes(role) && faultyReply(task, { role, spec, stage: "", messages: [], tools: [] }, kind) !== undefined
  );
}

function planOf({ input: { criteria } }: ServiceTask): Plan {
  return { actions: criteria.actions, told: criteria.communicate };
}

function withWrongArgument(action: Action): Action | undefined {
  const [name, value] = Object.entries(action.args).find(([, each]) => typeof each === "string") ?? [];
  return name === undefined ? undefined : { ...action, args: { ...action.args, [name]: `${String(value)}0` } };
}

function replyOf(task: ServiceTask, plan: Plan, asked: Asked): Reply {
  return asked.role === "user" ? userReply(task, plan, asked.messages) : agentReply(plan, asked.messages);
}

function agentReply({ actions, told }: Plan, messages: readonly Message[]): Reply {
  const handed = ownTexts(messages).filter((text) => text === handOver).length;
  const next = nextAction(actions, "assistant", madeCalls(messages), handed);
  if (next === "other") return { text: handOver };
  if (next !== undefined) return callOf(next, messages);
  return { text: told.length === 0 ? done : `${done} ${told.join("; ")}` };
}

function userReply({ input }: ServiceTask, { actions }: Plan, messages: readonly Message[]): Reply {
  const { instructions } = input.scenario;
  const heard = messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  const [said, last] = [ownTexts(messages).length, heard.at(-1) ?? ""];
  if (said === 0) return { text: typeof instructions === "string" ? instructions : instructions.reason };
  const handed = heard.filter((text) => text === handOver).length;
  // An agent that speaks otherwise does not hand over: the user reports what it knows and then performs all of its actions.
  const isOracle = handed > 0 || last.startsWith(done);
  if (!isOracle && said === 1 && typeof instructions !== "string")
    return { text: instructions.known ?? instructions.task };
  const next = nextAction(actions, "user", madeCalls(messages), isOracle ? handed : Infinity);
  if (next !== undefined && next !== "other") return callOf(next, messages);
  if (last === handOver) return { text: handedBack };
  if (last.startsWith(done) || said >= patience) return { text: "Thank you. ###STOP###" };
  return { text: "Yes, please go ahead." };
}

/**
 * Returns a side's next action after `made` actions; `other` if the other side must act first, undefined if none is left. Actions
 * come in groups of one side; `handed` is the number of the user's groups that have been passed to the user.
 */
function nextAction(
  actions: readonly Action[],
  side: Side,
  made: number,
  handed: number,
): Action | "other" | undefined {
  let [own, groups] = [0, 0];
  let before: Side | undefined;
  for (const action of actions) {
    if (action.side === "user" && before !== "user") groups += 1;
    before = action.side;
    if (action.side === "user" && groups > handed) return side === "user" ? undefined : "other";
    if (action.side !== side) continue;
    if (own === made) return action;
    own += 1;
  }
  return undefined;
}

function madeCalls(messages: readonly Message[]): number {
  return messages.reduce((sum, each) => sum + (each.role === "assistant" ? (each.calls?.length ?? 0) : 0), 0);
}

/** Returns a side's own messages without calls. */
function ownTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((each) => (each.role === "assistant" && each.calls === undefined ? [each.content] : []));
}

function callOf({ name, args }: { readonly name: string; readonly args: Fields }, messages: readonly Message[]): Reply {
  const id = `call-${madeCalls(messages)}`;
  const text = pythonJson(args);
  return { text: "", calls: [{ id, name, text, arguments: JSON.parse(text) }] };
}
