/** The request by which ToolChain* looks ahead: the model lists the calls that would still follow; nothing is executed. */
import type { Environment } from "../../protocol.ts";
import { listed } from "../../toolkits/plan.ts";
import type { Message } from "../../types.ts";
import { pathTo, type ActionNode, type Sampled } from "./action-node.ts";

/** Most characters of an observation that are shown again. */
const longestShown = 300;
/** Longer lists are cut: no published task needs nearly as many calls. */
const longestPlan = 20;

export function foresightMessages(
  question: string,
  { tools, finish }: Pick<Environment, "tools" | "finish">,
  parent: ActionNode,
  { call }: Sampled,
): readonly Message[] {
  const last = finish?.tool.name ?? "Finish";
  const system = `You look ahead while a request is served with functions. Given the calls made so far and the one that comes next, list the functions that would still have to be called after that one, in order, \`${last}\` as the last. Reply with a JSON list of their names and nothing else; call nothing.`;
  const made = pathTo(parent).map(
    ({ sampled, result }, index) =>
      `${index + 1}. ${sampled!.call.name}(${sampled!.call.text}): ${(result?.observation ?? "").slice(0, longestShown)}`,
  );
  const so = made.length === 0 ? "none" : `\n${made.join("\n")}`;
  const names = tools.map(({ name }) => name).join(", ");
  const content = `Request: ${question}\n\nFunctions: ${names}\n\nCalls so far: ${so}\n\nNext call: ${call.name}(${call.text})`;
  return [
    { role: "system", content: system },
    { role: "user", content },
  ];
}

/** How many calls a reply foresees, the last one, which ends the episode, always counted; undefined where it holds no list. */
export function readForesight(reply: string, { finish }: Pick<Environment, "finish">): number | undefined {
  if (!/\[[^]*\]/.test(reply)) return undefined;
  const names = listed(reply).filter((name) => typeof name === "string" && name !== finish?.tool.name);
  return Math.min(names.length, longestPlan) + 1;
}
