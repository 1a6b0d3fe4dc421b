/** The score of one conversation: the official reward, its parts, and the checks that failed. */
import type { ConversationAnswer } from "../../../source/engine/protocol.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import type { Mistake, Outcome, Score, Step } from "../../../source/engine/types.ts";
import { pythonJson } from "../environment/value.ts";
import { countedSteps, officialEnd, turnsOf } from "./answer.ts";
import { play, type Played, type Reward, rewardOf } from "./evaluate.ts";
import { faultOf } from "./fault.ts";
import type { Tau2Task } from "./task.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "wrong-state", title: "Wrong state at the end", note: "DB or ENV_ASSERTION" },
  { name: "not-told", title: "A fact was not reported", note: "COMMUNICATE" },
  { name: "missing-action", title: "An action is missing", note: "ACTION" },
  { name: "step-limit", title: "Too many steps", note: "Officially max_steps" },
  { name: "error-limit", title: "Too many failed calls", note: "Officially too_many_errors; calls of agent and user" },
  { name: "agent-error", title: "The agent's message cannot be read" },
  { name: "user-error", title: "The user's message contains both text and calls" },
  { name: "unfinished", title: "Not finished", note: "A limit of the run or the context was reached" },
];

const endKinds = new Map([
  ["max_steps", "step-limit"],
  ["too_many_errors", "error-limit"],
  ["agent_error", "agent-error"],
  ["user_error", "user-error"],
]);

/**
 * Returns the score of an answer. Without an answer, `failure` ended the conversation early, and the parts are counted in
 * `steps`.
 */
export function scoreConversation(
  task: Tau2Task,
  { answer, failure, steps = [] }: Partial<Pick<Outcome, "answer" | "failure" | "steps">>,
): Score {
  const given = answer as ConversationAnswer | undefined;
  const turns = given === undefined ? [] : turnsOf(given);
  const end = given === undefined ? (failure?.kind ?? "no answer") : officialEnd(given.end);
  const played = play(task, turns);
  const reward = rewardOf(task, turns, end, played);
  const fault = faultOf(task, { turns, end, results: played.results }, reward);
  const { parts, db } = reward;
  return {
    value: reward.reward,
    metrics: {
      reward: reward.reward,
      ...Object.fromEntries(Object.entries(parts).map(([part, value]) => [`part.${part}`, value])),
      ...(db !== null && { db: Number(db) }),
      ...(given === undefined ? countsInSteps(steps) : countsOf(given, played)),
    },
    checks: task.criteria.basis.map((name) => ({
      name,
      kept: parts[name] === undefined ? undefined : parts[name] === 1,
    })),
    errors: mistakesOf(task, reward, end),
    ...(fault !== null && { fault }),
    labels: { end },
  };
}

function countsOf(answer: ConversationAnswer, { results }: Played): Score["metrics"] {
  const calls = (side: string) =>
    answer.turns.reduce((sum, turn) => sum + (turn.by === side ? (turn.calls?.length ?? 0) : 0), 0);
  return {
    steps: answer.steps,
    failedCalls: results.filter(({ failed }) => failed).length,
    agentCalls: calls("model"),
    userCalls: calls("user"),
  };
}

function countsInSteps(steps: readonly Step[]): Score["metrics"] {
  const count = { agentCalls: 0, userCalls: 0, failedCalls: 0 };
  let side: keyof typeof count = "agentCalls";
  for (const step of steps) {
    if (step.type === "prompt") side = step.role === "user" ? "userCalls" : "agentCalls";
    else if (step.type === "call") count[side] += 1;
    else if (step.type === "result" && !step.result.ok) count.failedCalls += 1;
  }
  return { steps: countedSteps(steps), ...count };
}

function mistakesOf({ criteria }: Tau2Task, reward: Reward, end: string): readonly Mistake[] {
  if (end !== "user_stop") return [{ kind: endKinds.get(end) ?? "unfinished", got: end }];
  const { parts, assertions = [], communicate = [], actions = [] } = reward;
  const shown = ({
    name,
    args,
  }: {
    readonly name: string;
    readonly args: Tau2Task["criteria"]["actions"][number]["args"];
  }) => `${name}(${pythonJson(args)})`;
  const missed = <Wanted>(marks: readonly number[], wanted: readonly Wanted[]) =>
    wanted.filter((_, index) => marks[index] === 0);
  return [
    ...(parts.DB === 0 ? [{ kind: "wrong-state", note: "The database differs from the reference's" }] : []),
    ...(parts.ENV_ASSERTION === 0
      ? missed(assertions, criteria.assertions).map((each) => ({ kind: "wrong-state", expected: shown(each) }))
      : []),
    ...(parts.COMMUNICATE === 0
      ? missed(communicate, criteria.communicate).map((expected) => ({ kind: "not-told", expected }))
      : []),
    ...(parts.ACTION === 0
      ? missed(actions, criteria.actions).map((each) => ({ kind: "missing-action", expected: shown(each) }))
      : []),
  ];
}
