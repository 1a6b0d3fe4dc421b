/**
 * Tests that may be looked at after every task, on the right and wrong answers of 9 to 12 models to 500 tasks of four PlanBench
 * matrices: how often they raise an alarm if a coin decides every differing task, and how many of the pairs that McNemar's exact test
 * decides on all 500 tasks they decide, after how many tasks.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcnemarExact } from "../source/engine/statistics/paired.ts";
import { randomFrom, shuffled } from "../source/engine/statistics/random.ts";
import { SequentialSignTest, seededOrder } from "../source/engine/statistics/sequential-test.ts";
import type { Bench, Measurement } from "./measurement.ts";
import { conformanceFiles } from "./published.ts";

type Matrix = { readonly tasks: readonly string[]; readonly models: Readonly<Record<string, string>> };

/** Answers of a pair by task: 1 if the first model alone is right, -1 if the second is, otherwise 0. */
type Pair = readonly number[];

/** Draws of the coins for each pair. */
const trials = 100;
const orders = ["1", "2", "3"];
const level = 0.05;

export const bench: Bench = async function* () {
  const folder = conformanceFiles("sequential");
  if (folder === undefined) {
    yield { of: "sequential tests", leftOut: "no matrices of PlanBench" };
    return;
  }
  const { matrices } = JSON.parse(readFileSync(join(folder, "matrices.json"), "utf8")) as {
    readonly matrices: Readonly<Record<string, Matrix>>;
  };
  const sums = { alarms: 0, draws: 0, decided: 0, decidable: 0 };
  for (const [name, matrix] of Object.entries(matrices)) {
    const own = measured(name, matrix);
    for (const field of ["alarms", "draws", "decided", "decidable"] as const) sums[field] += own[field];
    yield share(`${name}, ${own.draws} trials: false alarms at any look`, own.alarms / own.draws, "at most", 5);
    yield share(`${name}: decided of what all 500 tasks decide`, own.decided / own.decidable, "all", 100);
    yield { what: `${name}: tasks until the decision, median`, ours: own.median, unit: "tasks" };
  }
  yield share("four matrices: false alarms at any look", sums.alarms / sums.draws, "at most", 5);
  yield share("four matrices: decided of what all 500 tasks decide", sums.decided / sums.decidable, "at least", 85);
};

function share(what: string, value: number, of: string, beside: number): Measurement {
  return { what, ours: value * 100, unit: "%", beside: { of, value: beside }, bound: { unknown: "a share, no time" } };
}

function measured(name: string, { tasks, models }: Matrix) {
  const names = Object.keys(models);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => pairOf(models[one]!, models[other]!)));
  const places = new Map(tasks.map((task, at) => [task, at]));
  const seeded = orders.map((seed) => seededOrder(tasks, seed).map((task) => places.get(task)!));
  let [alarms, decided] = [0, 0];
  const stops: number[] = [];
  const random = randomFrom(`sequential ${name}`);
  const decidable = pairs.filter((pair) => {
    const [wins, losses] = [1, -1].map((sign) => pair.filter((value) => value === sign).length);
    return mcnemarExact(wins!, losses!) < level;
  });
  for (const pair of decidable)
    for (const order of seeded) {
      const stop = stopOf(order.map((at) => pair[at]!));
      if (stop !== undefined) decided += 1;
      stops.push(stop ?? tasks.length);
    }
  for (const pair of pairs)
    for (let trial = 0; trial < trials; trial++) {
      const tossed = pair.map((value) => (value === 0 ? 0 : random() < 0.5 ? 1 : -1));
      if (stopOf(shuffled(tossed, random)) !== undefined) alarms += 1;
    }
  const sorted = stops.toSorted((one, other) => one - other);
  return {
    alarms,
    draws: pairs.length * trials,
    decided,
    decidable: decidable.length * orders.length,
    median: sorted[Math.floor(sorted.length / 2)]!,
  };
}

const pairOf = (one: string, other: string): Pair => [...one].map((right, at) => Number(right) - Number(other[at]));

function stopOf(differences: Pair): number | undefined {
  const test = new SequentialSignTest(level);
  for (const difference of differences) {
    const { stop } = test.take(difference, 0);
    if (stop !== undefined) return stop;
  }
  return undefined;
}
