/** The ways a suite lets itself be asked: fixed stages, tools in an environment, a dialogue of two roles. */
import type { Json, Message, ToolCall, ToolResult, ToolSpec } from "./types.ts";

/** The world one task is played in. */
export type Environment = {
  readonly tools: readonly ToolSpec[];
  /** How actions are written when a model acts in text instead of function calls (`Name[arguments]`). */
  readonly dialect?: TextDialect;
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
};

export type TextDialect = {
  /** The prompt for the next thought or action, given everything said so far. */
  messages(
    part: "thought" | "action",
    step: number,
    scratchpad: string,
    lessons: readonly string[],
  ): readonly Message[];
  /** Reads an action line. Never throws: what cannot be read becomes a call whose name is empty. */
  parse(action: string): ToolCall;
  /** Rewrites the scratchpad before an observation is added (TravelPlanner hides long results once written down). */
  revise?(scratchpad: string, call: ToolCall, result: ToolResult): string;
  readonly maxSteps: number;
  /** Largest prompt in tokens; longer ends the episode. */
  readonly maxPromptTokens: number;
  readonly maxTokens: number;
  /** The prompt that asks for a lesson after a failure (reflexion). */
  reflect?(scratchpad: string, lessons: readonly string[]): readonly Message[];
};

/** One request of a strategy that asks in a fixed number of stages (`direct`, `cot`). */
export type Stage = {
  readonly name: string;
  /** `previous` holds the answers of the stages before, in order. `reasoning` is `steps` when a chain of thought is asked for. */
  messages(previous: readonly string[], reasoning: "none" | "steps"): readonly Message[];
  /** What to read out of the reply as this stage's answer; the whole reply when absent. */
  answer?(reply: string): string;
  /** False stops the task here (upstream drops such samples). */
  usable?(answer: string): boolean;
};

/** Planner and Responder in turns. `Plan` is what the suite reads out of one planner reply. */
export type Dialogue = {
  /** The Planner's opening messages. */
  readonly opening: readonly Message[];
  /** The Responder's system message. */
  readonly responderOpening: readonly Message[];
  /** Most rounds ever played. */
  readonly maxRounds: number;
  /** Reads a planner reply; undefined when it is unparsable (ends the dialogue as `planner-unparsable`). */
  readPlanner(reply: string): { readonly totalSteps: number; readonly step: Json; readonly action: string } | undefined;
  /** Reads a responder reply; undefined ends the dialogue as `responder-unparsable`. `stepNumber` keeps its written type. */
  readResponder(
    reply: string,
  ): { readonly stepNumber: Json; readonly results: Json; readonly record: Json } | undefined;
  /** What the Responder is asked in this round (1-based), given the planner reply. */
  askResponder(round: number, plannerReply: string): Message;
  /** What the Planner is told after a round. */
  askPlanner(round: number, responderReply: string): Message;
};
