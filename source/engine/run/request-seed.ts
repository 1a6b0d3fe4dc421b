/** Which seed a request sends. A server that honours seeds would otherwise give every trial, and every retry, the same reply. */
import { createHash } from "node:crypto";
import { randomFrom } from "../statistics/random.ts";

/** Servers take seeds of 31 bits without a sign. */
const seeds = 2 ** 31;

/**
 * The seed of the request that repeats an equal one for the `repetition`-th time (0: asked for the first time) in one task of
 * a trial. The first one of trial 1 sends the run's own seed, so that single runs send what they always sent; every other
 * one a seed derived from all three numbers, the same on every machine.
 */
export function requestSeed(seed: number, trial: number, repetition: number): number {
  if (trial === 1 && repetition === 0) return seed;
  return Math.floor(randomFrom(`seed ${seed}, trial ${trial}, repetition ${repetition}`)() * seeds);
}

/** Counts equal requests within one task: how often exactly this was asked before. They must not be changed afterwards. */
export function requestRepetitions(): (request: unknown) => number {
  const counts = new Map<string, number>();
  let first: { readonly request: unknown } | undefined;
  return (request) => {
    // Most tasks ask once, and prompts are long: there is nothing to compare the first one with.
    if (first === undefined) {
      first = { request };
      return 0;
    }
    if (counts.size === 0) counts.set(keyOf(first.request), 1);
    const key = keyOf(request);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
}

/** Short, as a task can ask hundreds of long prompts. */
const keyOf = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("base64");
