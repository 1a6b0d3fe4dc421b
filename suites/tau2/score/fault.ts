/**
 * Guesses the party at fault by simple rules (tau2 issue 392: up to 30 % of failed retail conversations failed by the
 * simulated user). The result names the rule.
 */
import type { Tau2Task } from "./task.ts";
import { equal } from "../environment/value.ts";
import type { ToolResult } from "../environment/world.ts";
import type { Reward, Turn } from "./evaluate.ts";

export type Fault = { readonly by: "agent" | "user" | "limit"; readonly rule: string };

/** Endings caused by a limit: the official limits, and limits of a run or a model. */
const limitEnds = new Set(["max_steps", "too_many_errors", "context", "budget", "timeout"]);

/** Returns the fault of a conversation with this ending; null if the conversation passed. */
export function faultOf(
  task: Tau2Task,
  {
    turns,
    end,
    results,
  }: { readonly turns: readonly Turn[]; readonly end: string; readonly results: readonly ToolResult[] },
  reward: Reward,
): Fault | null {
  if (reward.reward === 1) return null;
  const userRule = userFault(task, turns, end, results);
  if (userRule !== undefined) return { by: "user", rule: userRule };
  if (limitEnds.has(end)) return { by: "limit", rule: end };
  if (end !== "user_stop" && end !== "agent_stop") return { by: "agent", rule: end };
  const { parts } = reward;
  if (parts.DB === 0 || parts.ENV_ASSERTION === 0) return { by: "agent", rule: "wrong state" };
  return { by: "agent", rule: parts.COMMUNICATE === 0 ? "text missing" : "missing action" };
}

function userFault(
  { criteria }: Tau2Task,
  turns: readonly Turn[],
  end: string,
  results: readonly ToolResult[],
): string | undefined {
  if (end === "user_error") return "user_error";
  const calls = turns.flatMap(({ by, calls: own = [] }) => own.map((call) => ({ by, ...call })));
  if (calls.some(({ by }, index) => by === "user" && results[index]?.failed === true))
    return "a call of the user failed";
  const said = turns
    .filter(({ by, calls: own = [] }) => by === "user" && own.length === 0)
    .map(({ text }) => text ?? "");
  if (end === "max_steps" && said.length > 2 && said.slice(-3).every((text) => text === said.at(-1)))
    return "the user repeats itself until the limit";
  if (end !== "user_stop") return undefined;
  const last = said.at(-1) ?? "";
  if (last.includes("###OUT-OF-SCOPE###")) return "###OUT-OF-SCOPE###";
  if (last.includes("###TRANSFER###") && !calls.some(({ name }) => name === "transfer_to_human_agents"))
    return "###TRANSFER### without a transfer";
  const isMissing = (action: (typeof criteria.actions)[number]) =>
    action.side === "user" && !calls.some((call) => call.name === action.name && equal(call.args, action.args));
  if (criteria.actions.some(isMissing)) return "stopped although the user has calls to make";
  return turns.length <= 2 ? "stopped within the first two messages" : undefined;
}
