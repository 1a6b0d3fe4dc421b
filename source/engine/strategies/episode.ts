/** How one episode in an environment ended, and the two numbers both ways of acting need. */
import type { Environment } from "../protocol.ts";
import type { Play } from "../strategy.ts";
import type { Json, Message } from "../types.ts";

export type Ending = {
  /** The environment's word, or `step limit`, `depth limit`, `prompt too long`. */
  readonly reason: string;
  readonly answer: Json | undefined;
  /** Everything said, as text: what a lesson is drawn from. */
  readonly transcript: string;
};

/** The environment of this task. Throws where the benchmark has none. */
export async function enter(play: Play): Promise<Environment> {
  const environment = await play.bench.environment?.(play.task, play.spec);
  if (environment === undefined) {
    throw new TypeError(
      `Expected \`${play.spec.suite}\` to offer an environment to act in, which \`${play.spec.strategy}\` needs; it has none`,
    );
  }
  return environment;
}

/**
 * About how many tokens these messages take: a quarter of their UTF-8 bytes, the usual rule of thumb for English. Only
 * used for limits on prompts, where the published code counts with one vendor's tokenizer.
 */
export function tokensIn(messages: readonly Message[]): number {
  let bytes = 0;
  for (const message of messages) bytes += Buffer.byteLength(message.content, "utf8");
  return Math.ceil(bytes / 4);
}
