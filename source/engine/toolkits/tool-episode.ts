/** Upper bounds for an episode by function calls, computed from the offered tools. */
import type { EpisodeLimits } from "../protocol.ts";
import { tokensOf } from "../text/tokens.ts";
import type { RunSpec, ToolSpec } from "../types.ts";

/** Maximum number of requests of one chain of calls without an answer: the default of `Environment.maxRequests`. */
const chain = 30;
/** Estimated tokens of the environment's texts around the request, of one reply, and of one toolkit in the planner's prompt. */
const around = 400;
const reply = 200;
const toolkit = 40;

export type Offered = {
  readonly question: string;
  /** Functions in the first request, or their number if they are retrieved only later. */
  readonly tools: readonly ToolSpec[] | number;
  /** The largest number of toolkits; 0 without a plan over toolkits. */
  readonly toolkits: number;
  /** The largest number of characters of an observation; `turns` is the largest number of calls of a branch. */
  readonly observation: number;
  readonly turns: number;
  /** Further requests per call, to a model that simulates the tool. */
  readonly perCall: number;
};

/** Returns upper bounds for an episode, with 250 tokens for each function that is retrieved during it. */
export function toolEpisode(offered: Offered, spec: Pick<RunSpec, "options">): EpisodeLimits {
  const { tools, turns } = offered;
  const documents = typeof tools === "number" ? tools * 250 : tokensOf(JSON.stringify(tools));
  const acting = documents + turns * (reply + Math.ceil(offered.observation / 4));
  const shown = Number(spec.options["planner.prefilter"] ?? 50);
  const planning = Math.min(offered.toolkits, shown > 0 ? shown : Infinity) * toolkit;
  return {
    requests: chain * (1 + offered.perCall),
    prompt: tokensOf(offered.question) + around + Math.max(acting, planning),
    reply,
  };
}
