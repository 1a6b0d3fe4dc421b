/**
 * Planner and Responder alternate (PlanningArena, section 4 and appendix A.6): the Planner gives one step of its plan, the
 * Responder simulates the tool, until the Responder's step number is the number of steps that the Planner first announced. Each
 * side has a separate full history. An incomplete dialogue is not lost: the answer so far is yielded after each round.
 */
import { ask } from "../run/ask.ts";
import { Problem } from "../problem.ts";
import { ContextProblem } from "../models/problem.ts";
import { perfectReply } from "../loaded-suite.ts";
import type { Dialogue, DialogueAnswer, DialogueEnd } from "../protocol.ts";
import type { Estimate, TaskContext, Strategy } from "../strategy.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Json, Message, Step } from "../types.ts";

/** Maximum number of characters of an unparsable reply in the answer; the log contains the whole reply. */
const longestUnread = 2000;

type SideRequest = { readonly role: "model" | "responder"; readonly messages: readonly Message[] };
type State = {
  readonly records: Json[];
  readonly nodes: Map<string, string>;
  end: DialogueEnd;
  unread?: DialogueAnswer["unread"];
};

async function* run(context: TaskContext<"dialogue">): AsyncGenerator<Step> {
  const dialogue = context.loaded.asks.dialogue(context.task, context.spec);
  const state: State = { records: [], nodes: new Map(), end: "playing" };
  try {
    yield* rounds(context, dialogue, state);
  } catch (thrown) {
    if (!(thrown instanceof ContextProblem)) throw thrown;
    state.end = "context";
    yield* ending(dialogue, state, thrown.message);
    throw thrown;
  }
  yield* ending(dialogue, state, "");
  // The Planner is not scored for what another model has written; its rounds stay in the log.
  if (state.end === "responder-unparsable")
    throw new Problem("tool", `The Responder's reply in round ${state.records.length + 1} cannot be read`);
}

async function* rounds(context: TaskContext, dialogue: Dialogue, state: State): AsyncGenerator<Step> {
  const planner: Message[] = [...dialogue.opening];
  const responder: Message[] = [...dialogue.responderOpening];
  const { forms } = dialogue;
  let announced: number | undefined;
  for (let round = 1; ; round++) {
    const plan = yield* ask(context, { role: "model", stage: "plan", messages: [...planner], form: forms?.planner });
    const read = dialogue.readPlanner(plan.text);
    if (read === undefined) return unreadable(state, "planner", plan.text);
    announced ??= read.totalSteps;
    if (round > limitOf(dialogue, announced)) return void (state.end = "step-limit");
    yield { type: "node", id: `step-${round}`, kind: "step", label: read.title, state: "open" };
    responder.push(dialogue.askResponder(round, plan.text));
    const asked = { role: "responder", stage: "respond", messages: [...responder], form: forms?.responder } as const;
    const response = yield* ask(context, asked);
    const answered = dialogue.readResponder(plan.text, response.text);
    if (answered === undefined) return unreadable(state, "responder", response.text);
    state.records.push(answered.record);
    yield* outlined(dialogue, state);
    if (answered.stepNumber === announced) return void (state.end = "complete");
    if (round >= limitOf(dialogue, announced)) return void (state.end = "step-limit");
    yield answerOf(dialogue, state);
    responder.push({ role: "assistant", content: response.text });
    planner.push({ role: "assistant", content: plan.text }, dialogue.askPlanner(round, response.text));
  }
}

const limitOf = (dialogue: Dialogue, announced: number): number => Math.min(announced, dialogue.maxRounds);

function unreadable(state: State, role: "planner" | "responder", content: string): void {
  state.end = `${role}-unparsable`;
  state.unread = { role, content: content.slice(0, longestUnread) };
}

/** Yields nodes of the plan graph that the last record added or changed. */
function* outlined(dialogue: Dialogue, state: State): Generator<Step> {
  for (const [index, node] of (dialogue.outline?.(state.records) ?? []).entries()) {
    const id = `step-${index + 1}`;
    const { needs, ...rest } = node;
    const step: Step = { type: "node", id, kind: "step", ...rest, needs: needs.map((need) => `step-${need + 1}`) };
    const written = JSON.stringify(step);
    if (state.nodes.get(id) === written) continue;
    state.nodes.set(id, written);
    yield step;
  }
}

function answerOf(dialogue: Dialogue, { records, end, unread }: State): Step {
  const heading = dialogue.heading === undefined ? [] : [dialogue.heading];
  const answer = { end, dialogue: [...heading, ...records], ...(unread === undefined ? {} : { unread }) };
  return { type: "answer", answer: answer satisfies DialogueAnswer };
}

function* ending(dialogue: Dialogue, state: State, message: string): Generator<Step> {
  yield answerOf(dialogue, state);
  const data = { end: state.end, rounds: state.records.length };
  yield { type: "note", kind: "end", text: message === "" ? state.end : `${state.end}: ${message}`, data };
}

/** Simulates the dialogue with the oracle's replies for both sides and counts what would be sent. */
function estimate(context: Pick<TaskContext<"dialogue">, "task" | "loaded" | "spec">): Estimate {
  const dialogue = context.loaded.asks.dialogue(context.task, context.spec);
  const counted = { calls: 0, input: 0, output: 0 };
  const reply = ({ role, messages }: SideRequest) => {
    const stage = role === "model" ? "plan" : "respond";
    const { text } = perfectReply(context.loaded, context.task, {
      role,
      stage,
      messages,
      tools: [],
      spec: context.spec,
    });
    counted.calls += 1;
    counted.output += tokensOf(text);
    for (const message of messages) counted.input += tokensOf(message.content) + 4;
    return text;
  };
  const planner = [...dialogue.opening];
  const responder = [...dialogue.responderOpening];
  let first = 0;
  for (let round = 1; round <= dialogue.maxRounds; round++) {
    const plan = reply({ role: "model", messages: planner });
    if (round === 1) first = counted.input;
    // The oracle's plans can be read.
    const announced = dialogue.readPlanner(plan)!.totalSteps;
    responder.push(dialogue.askResponder(round, plan));
    const response = reply({ role: "responder", messages: responder });
    if (round >= announced) break;
    responder.push({ role: "assistant", content: response });
    planner.push({ role: "assistant", content: plan }, dialogue.askPlanner(round, response));
  }
  return { ...counted, first };
}

export const dialogue: Strategy<"dialogue"> = {
  name: "dialogue",
  title: "Planner and Responder",
  needs: "dialogue",
  revision: 1,
  roles: ["model", "responder"],
  roleNames: { model: "Planner" },
  run,
  estimate,
};
