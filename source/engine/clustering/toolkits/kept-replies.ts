/** Asking a model many things whose replies are kept on disk, so that nothing is asked twice and a stopped run goes on. */
import { createHash } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Message } from "../../types.ts";
import { keptReplies } from "./reply-file.ts";

/** Asks a model; gives its whole reply. */
export type AskModel = (messages: readonly Message[], signal: AbortSignal) => Promise<string>;

export type Asking = {
  /** The model's name: replies of different models are kept apart. */
  readonly model: string;
  readonly ask: AskModel;
  /** JSON Lines file of replies by content hash; made when absent, only ever added to. */
  readonly cache: string;
  readonly signal: AbortSignal;
  /** Requests at a time, 4 by default. */
  readonly width?: number;
  /** Of the requests that have to be sent. */
  readonly progress?: (done: number, total: number) => void;
};

/** Longer replies are cut: they go into prompts and tables. */
const longestReply = 2000;

/** How many requests these prompts take: those kept, and the same one twice, take none. */
export async function unanswered(
  prompts: readonly (readonly Message[])[],
  { model, cache }: Pick<Asking, "model" | "cache">,
): Promise<number> {
  const known = await keptReplies(cache);
  return new Set(prompts.map((prompt) => keyOf(model, prompt)).filter((key) => !known.has(key))).size;
}

/**
 * The replies in the order of the prompts, each on one line; empty where the model said nothing, which is not kept. Every
 * reply is written as soon as it is there. The first request that fails ends the others, and is thrown.
 */
export async function askAll(prompts: readonly (readonly Message[])[], asking: Asking): Promise<string[]> {
  const { model, ask, cache, width = 4, progress } = asking;
  const known = await keptReplies(cache);
  const answered = new Map<string, string>();
  const wanted = new Map<string, readonly Message[]>();
  for (const prompt of prompts) {
    const key = keyOf(model, prompt);
    if (!known.has(key)) wanted.set(key, prompt);
  }
  const waiting = [...wanted];
  await mkdir(dirname(cache), { recursive: true });
  const ending = new AbortController();
  const signal = AbortSignal.any([asking.signal, ending.signal]);
  let next = 0;
  let done = 0;
  const take = async () => {
    while (next < waiting.length) {
      signal.throwIfAborted();
      const [key, prompt] = waiting[next++]!;
      const text = (await ask(prompt, signal)).slice(0, longestReply).replace(/\s+/g, " ").trim();
      answered.set(key, text);
      if (text !== "") await appendFile(cache, `${JSON.stringify({ key, text })}\n`);
      progress?.(++done, waiting.length);
    }
  };
  const taking = Array.from({ length: Math.max(1, width) }, take);
  try {
    await Promise.all(taking);
  } catch (error) {
    ending.abort(error);
    // What is being written now is kept too.
    await Promise.allSettled(taking);
    throw error;
  }
  return prompts.map((prompt) => {
    const key = keyOf(model, prompt);
    return answered.get(key) ?? known.get(key) ?? "";
  });
}

function keyOf(model: string, messages: readonly Message[]): string {
  return hashOf(JSON.stringify([model, messages]));
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
