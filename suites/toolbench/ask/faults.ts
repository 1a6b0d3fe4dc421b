/** Injects faults: a reply either contains its mistake or equals the oracle's reply. */
import type { Played } from "../../../source/engine/loaded-suite.ts";
import { type Asked, callReply, type Reply } from "../../../source/engine/protocol.ts";
import { pick } from "../../../source/engine/statistics/random.ts";
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { listed, listedIn } from "../../../source/engine/toolkits/plan.ts";
import { usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import { finishTool } from "./finish.ts";
import { callsIn, givingUp, oracleReply, type Known, servingToolkit } from "./oracle.ts";

export const faultKinds = [
  { name: "gives-up", title: "Gives up after the first error", errors: ["decision-failure"] },
  { name: "invalid-parameter", title: "Sends a value the API does not know, at the first try" },
  { name: "missing-parameter", title: "Leaves out a required parameter, at the first try" },
  { name: "false-format", title: "Writes arguments that are not JSON, at the first try" },
  { name: "api-hallucinated", title: "Calls a function that does not exist, at the first try" },
  { name: "wrong-toolkit", title: "Plans with a toolkit that does not serve", errors: [] },
  { name: "no-plan", title: "Answers the request for a plan with prose, at the first try", errors: [] },
  { name: "incomplete-answer", title: "Answers before everything is found out", errors: ["decision-failure"] },
] as const;

/** Builds a reply with exactly one mistake; returns undefined if the mistake is impossible in this request. */
export function faultyReply(known: Known, asked: Asked, kind: string, random: () => number): Reply | undefined {
  const right = oracleReply(known, asked);
  const call = right.calls?.[0];
  const done = callsIn(asked.messages);
  switch (kind) {
    case "gives-up":
      return asked.messages.at(-1)?.role === "tool" && done.at(-1)?.ok === false && canFinish(asked)
        ? givingUp()
        : undefined;
    case "incomplete-answer":
      return canFinish(asked) && call?.name !== finishTool.name && done.some(({ ok }) => ok) ? early(done) : undefined;
    case "no-plan":
      return isPlan(asked) && asked.messages.length <= 2
        ? { text: "First I would look around, then decide." }
        : undefined;
    case "wrong-toolkit":
      return asked.stage === "plan" ? misplanned(right, known, asked, random) : undefined;
    default:
      return call === undefined || call.name === finishTool.name || !isFirstTry(asked, done.length)
        ? undefined
        : spoilt(call.name, call.arguments, kind);
  }
}

export type OwnCalls = {
  /** Names of the functions in the task's own list. */
  readonly names: readonly string[];
  /** Returns whether a call fails; undefined if the run may offer other functions, so that nobody knows which calls are made. */
  readonly fails: ((name: string, input: Json) => boolean) | undefined;
};

/**
 * Returns whether a model with these roles makes this mistake in this task. Two mistakes are possible, not certain: those in
 * calls of Tool-Planner, which may first offer a function that does not serve, and giving up if nobody knows which calls fail.
 */
export function allowsFault(
  { wants, toolkits = [] }: Known,
  { roles, spec }: Played,
  kind: string,
  { names, fails }: OwnCalls,
): boolean {
  const plansCalls = spec.strategy === "tool-planner" || spec.strategy === "adaplanner";
  const calls = wants.flatMap(({ serves }) => {
    const name = names.find((each) => serves(each) !== undefined);
    return name === undefined ? [] : [{ name, input: serves(name)! }];
  });
  const isModel = roles.includes("model");
  switch (kind) {
    case "gives-up":
      return isModel && !plansCalls && (fails === undefined || calls.some(({ name, input }) => fails(name, input)));
    case "incomplete-answer":
      return isModel && !plansCalls && wants.length > 1;
    case "no-plan":
      return isModel && (plansCalls || usesToolkits(spec));
    case "wrong-toolkit": {
      const used = new Set(wants.map((want) => servingToolkit(want, toolkits)));
      return isModel && usesToolkits(spec) && toolkits.length > used.size;
    }
    default: {
      const [first] = calls;
      const isCaller = plansCalls ? roles.includes("actor") : isModel;
      return isCaller && first !== undefined && spoilt(first.name, first.input, kind) !== undefined;
    }
  }
}

const canFinish = (asked: Asked): boolean =>
  asked.tools.some(({ name }) => name === finishTool.name) && asked.stage === "step";
const isPlan = ({ stage }: Asked): boolean => stage === "plan" || stage === "replan";

/** Returns whether no call was made before, in this conversation or for this step of a plan. */
function isFirstTry(asked: Asked, done: number): boolean {
  const prompt = asked.messages.at(-1)?.content ?? "";
  return canFinish(asked)
    ? done === 0 && !prompt.includes('"name": "')
    : !prompt.includes("This is not the first attempt") && !prompt.includes("Failed before");
}

function early(done: ReturnType<typeof callsIn>): Reply {
  const found = done.find(({ ok }) => ok)!.observation;
  return callReply(finishTool.name, { return_type: "give_answer", final_answer: found });
}

function misplanned(right: Reply, { toolkits = [] }: Known, asked: Asked, random: () => number): Reply | undefined {
  const steps = listed(right.text);
  const used = new Set(steps.flatMap((step) => (isRecord(step) ? Object.keys(step) : [])));
  const prompt = asked.messages.map(({ content }) => content).join("\n");
  const others = listedIn(prompt, toolkits).filter(({ id }) => !used.has(`Toolkit ${id}`));
  if (others.length === 0) return undefined;
  const [first, ...rest] = steps;
  if (!isRecord(first)) return undefined;
  return { text: JSON.stringify([{ [`Toolkit ${pick(others, random).id}`]: Object.values(first)[0]! }, ...rest]) };
}

function spoilt(name: string, value: Json | undefined, kind: string): Reply | undefined {
  if (kind === "api-hallucinated") return callReply(`no_such_${name}`.slice(0, 64), value ?? {});
  if (kind === "false-format") return callReply(name, value ?? {}, `{${JSON.stringify(value ?? {}).slice(2, -1)}`);
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined;
  const [first, ...rest] = Object.entries(value);
  if (kind === "missing-parameter") return callReply(name, Object.fromEntries(rest));
  return kind === "invalid-parameter"
    ? callReply(name, Object.fromEntries([[first![0], "nowhere in particular"], ...rest]))
    : undefined;
}
