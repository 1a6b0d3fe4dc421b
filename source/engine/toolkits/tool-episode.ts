/** What an episode with functions can take at most, worked out from what is offered. */
import type { EpisodeLimits } from "../protocol.ts";
import { tokensOf } from "../text/tokens.ts";
import type { RunSpec, ToolSpec } from "../types.ts";

/** Requests of one chain of calls without an answer: the engine's own limit (`Environment.maxRequests`). */
const chain = 30;
/** Tokens, roughly: what the environment says around the request, one turn, one toolkit as the planner sees it. */
const around = 400;
const reply = 200;
const toolkit = 40;

export type Offered = {
  readonly question: string;
  /** Functions shown, or how many of them when they are found only later. */
  readonly tools: readonly ToolSpec[] | number;
  /** Toolkits there are at most; 0 where nothing plans over them. */
  readonly toolkits: number;
  /** Longest observation, in characters, and most turns of a branch. */
  readonly observation: number;
  readonly turns: number;
  /** Further requests a call can need, of a model that plays the tool. */
  readonly perCall: number;
};

/** A function whose document is not known beforehand is taken to have 250 tokens. */
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
