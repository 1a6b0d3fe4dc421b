/** Many requests to a model with replies cached on disk, so that no request is repeated and a stopped run can resume. */
import { hash } from "node:crypto";
import type { Asking } from "../../clusters.ts";
import type { Message } from "../../types.ts";
import { readReplies, appendToCache } from "./reply-file.ts";

/** Longer replies are truncated, because they are used in prompts and tables. */
const longestReply = 2000;

/** Returns the number of requests for these prompts, without cached and repeated prompts. */
export async function requestCount(
  prompts: readonly (readonly Message[])[],
  { model, cache }: Pick<Asking, "model" | "cache">,
): Promise<number> {
  const known = await readReplies(cache);
  return new Set(prompts.map((prompt) => keyOf(model, prompt)).filter((key) => !known.has(key))).size;
}

/**
 * Returns the replies in the order of the prompts, each on one line. Empty replies are not cached; all other replies are written
 * as soon as they arrive, if the cache can be written. The first request that fails aborts the others, and its error is thrown.
 */
export async function askAll(prompts: readonly (readonly Message[])[], asking: Asking): Promise<string[]> {
  const { model, ask, cache, concurrency = 4, progress } = asking;
  const known = await readReplies(cache);
  const answered = new Map<string, string>();
  const uncached = new Map<string, readonly Message[]>();
  for (const prompt of prompts) {
    const key = keyOf(model, prompt);
    if (!known.has(key)) uncached.set(key, prompt);
  }
  const queue = [...uncached];
  const failed = new AbortController();
  const signal = AbortSignal.any([asking.signal, failed.signal]);
  let next = 0;
  let done = 0;
  const sendNext = async () => {
    while (next < queue.length) {
      signal.throwIfAborted();
      const [key, prompt] = queue[next++]!;
      const text = (await ask(prompt, signal)).slice(0, longestReply).replace(/\s+/g, " ").trim();
      answered.set(key, text);
      if (text !== "") await appendToCache(cache, `${JSON.stringify({ key, text })}\n`);
      progress?.(++done, queue.length);
    }
  };
  const senders = Array.from({ length: Math.max(1, concurrency) }, sendNext);
  try {
    await Promise.all(senders);
  } catch (error) {
    failed.abort(error);
    // Wait for the replies being written now.
    await Promise.allSettled(senders);
    throw error;
  }
  return prompts.map((prompt) => {
    const key = keyOf(model, prompt);
    return answered.get(key) ?? known.get(key) ?? "";
  });
}

const keyOf = (model: string, messages: readonly Message[]): string => hashOf(JSON.stringify([model, messages]));

export const hashOf = (text: string): string => hash("sha256", text);
