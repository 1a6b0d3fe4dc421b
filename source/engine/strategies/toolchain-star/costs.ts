/**
 * The cost of a plan's step in ToolChain* (Zhuang et al., ICLR 2024), and the remaining cost after it: f = g + h, each part
 * between 0 and 1 a step. Plans are lists of API names; stored plans are those of demonstrations and of solved tasks.
 */
import { promptMessages, promptPair } from "../../settings/prompt-template.ts";
import type { Environment } from "../../protocol.ts";
import { listed } from "../../toolkits/plan.ts";
import type { Message, RunSpec, Task } from "../../types.ts";
import { pathTo, type ActionNode, type Sampled } from "./action-node.ts";

export type Plan = readonly string[];

/**
 * Returns the cost of a plan's last step: low if the plan resembles a stored plan, and if many samples were this action. `share`
 * is the action's share of the samples; `alpha` weighs the two.
 */
export function stepCost(plan: Plan, share: number, stored: readonly Plan[], alpha: number): number {
  const alike = stored.map((other) => {
    const shorter = Math.min(plan.length, other.length);
    return shorter === 0 ? 0 : commonSubsequence(plan, other) / shorter;
  });
  return (1 - Math.max(0, ...alike)) ** alpha * (1 - share) ** (1 - alpha);
}

/**
 * Returns the remaining cost after a call of this API: low if stored plans have it near their end, and if most of the calls that
 * the model expects are done. `behind` is the number of ancestors of the call divided by that of the plan's end; `beta` weighs
 * the two.
 */
export const remainingCost = (api: string, behind: number, stored: readonly Plan[], beta: number): number =>
  (1 - meanPosition(api, stored)) ** beta * (1 - behind) ** (1 - beta);

/**
 * Returns the mean position of this API in stored plans, from 0 to 1 for the last call. An API that occurs in none of them gets
 * the position of the API with the most similar name; 0 without stored plans.
 */
function meanPosition(api: string, stored: readonly Plan[]): number {
  const names = new Set(stored.flat());
  const known = names.has(api) ? api : likest(api, names);
  const positions = stored.flatMap((plan) =>
    plan.flatMap((name, index) => (name === known ? [(index + 1) / plan.length] : [])),
  );
  return positions.length === 0 ? 0 : positions.reduce((sum, each) => sum + each, 0) / positions.length;
}

/**
 * Returns the name that shares most letters with this name in the same order, relative to their lengths; the first of equally
 * similar names.
 */
function likest(name: string, others: Iterable<string>): string | undefined {
  let best: { readonly other: string; readonly likeness: number } | undefined;
  for (const other of others) {
    const likeness = commonSubsequence(name, other) / (name.length + other.length);
    if (best === undefined || likeness > best.likeness) best = { other, likeness };
  }
  return best?.other;
}

/** Returns the length of the longest common subsequence, in time proportional to the product of the lengths. */
export function commonSubsequence(one: ArrayLike<string>, other: ArrayLike<string>): number {
  let above = new Uint32Array(other.length + 1);
  for (let row = 0; row < one.length; row++) {
    const current = new Uint32Array(other.length + 1);
    for (let column = 0; column < other.length; column++)
      current[column + 1] =
        one[row] === other[column] ? above[column]! + 1 : Math.max(above[column + 1]!, current[column]!);
    above = current;
  }
  return above[other.length]!;
}

export const foresightPrompts = promptPair("foresee", {
  role: "model",
  system:
    "You look ahead while a request is served with functions. Given the calls made so far and the one that comes next, list the functions that would still have to be called after that one, in order, `{{last}}` as the last. Reply with a JSON list of their names and nothing else; call nothing.",
  user: "Request: {{request}}\n\nFunctions: {{functions}}\n\nCalls so far: {{calls}}\n\nNext call: {{call}}",
});

/** Most characters of an observation that are shown again. */
const longestShown = 300;
/** Maximum number of calls in a list; longer lists are truncated, because no published task needs nearly as many. */
const longestPlan = 20;

export function foresightMessages(
  { task, spec }: { readonly task: Pick<Task, "question">; readonly spec: Pick<RunSpec, "prompts"> },
  { tools, finish }: Pick<Environment, "tools" | "finish">,
  parent: ActionNode,
  { call }: Sampled,
): readonly Message[] {
  const made = pathTo(parent).map(
    ({ sampled, result }, index) =>
      `${index + 1}. ${sampled!.call.name}(${sampled!.call.text}): ${(result?.observation ?? "").slice(0, longestShown)}`,
  );
  return promptMessages(spec, foresightPrompts, {
    last: finish?.tool.name ?? "Finish",
    request: task.question,
    functions: tools.map(({ name }) => name).join(", "),
    calls: made.length === 0 ? "none" : `\n${made.join("\n")}`,
    call: `${call.name}(${call.text})`,
  });
}

/**
 * Returns how many calls a reply lists, always counting the last call, which ends the episode; undefined if it contains no list.
 */
export function readForesight(reply: string, { finish }: Pick<Environment, "finish">): number | undefined {
  if (!/\[[^]*\]/.test(reply)) return undefined;
  const names = listed(reply).filter((name) => typeof name === "string" && name !== finish?.tool.name);
  return Math.min(names.length, longestPlan) + 1;
}
