/** How one episode in an environment ended, and the two numbers both ways of acting need. */
import type { Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Json, Message } from "../types.ts";

export type Ending = {
  /** The environment's word, or `step limit`, `depth limit`, `prompt too long`. */
  readonly reason: string;
  readonly answer: Json | undefined;
  /** Everything said, as text: what a lesson is drawn from. */
  readonly transcript: string;
};

/** A new environment for an episode of this task. */
export function openEnvironment({ loaded, task, spec }: TaskContext<"environment">): Promise<Environment> {
  return loaded.asks.environment.open(task, spec);
}

/**
 * About how many tokens these messages take, a run of spaces (tables are full of them) counting as one character. Only used for
 * limits on prompts, which published code counts with one vendor's tokenizer.
 */
export function tokensIn(messages: readonly Message[]): number {
  let sum = 0;
  for (const { content } of messages) sum += tokensOf(content.replaceAll(/ {2,}/g, " "));
  return sum;
}
