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

/** Counts equal requests within one task: how often exactly this was asked before. */
export function requestRepetitions(): (request: unknown) => number {
  const counts = new Map<string, number>();
  return (request) => {
    // Prompts can be long, and a task can ask hundreds of them.
    const key = createHash("sha256").update(JSON.stringify(request)).digest("base64");
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
}
