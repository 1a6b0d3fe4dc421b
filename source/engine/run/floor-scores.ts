/** Scores the trivial answers of a suite: they go directly to its scorer, without a strategy, a model or a judge. */
import type { RunFloors } from "../analysis.ts";
import { type Floor, type LoadedSuite, usualFloors } from "../loaded-suite.ts";
import type { Outcome, RunSpec, Score, Task } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

/**
 * Scores each floor on these tasks, which are all tasks of a split. Keeps only what measures read: values, metrics, checks, kinds
 * of errors and labels. Rejects with the signal's reason if it is aborted.
 */
export async function scoreFloors(
  loaded: LoadedSuite,
  tasks: readonly Task[],
  spec: RunSpec,
  signal: AbortSignal,
): Promise<RunFloors> {
  const yieldIfDue = eventLoopYielder(signal);
  const all = (loaded.floors?.(tasks, spec) ?? usualFloors) as readonly Floor[];
  const floors: RunFloors["floors"][number][] = [];
  const unscored: string[] = [];
  for (const { name, readsAnswerKey, answer } of all) {
    const scores = new Map<string, Score>();
    const distinct = new Map<string, Score>();
    for (const task of tasks) {
      const score = bare(await loaded.score(task, outcomeOf(answer(task)), { spec, signal }));
      const text = JSON.stringify(score);
      const same = distinct.get(text) ?? score;
      distinct.set(text, same);
      scores.set(task.id, same);
      await yieldIfDue();
    }
    const isScored = [...distinct.values()].some(({ value, metrics }) => value !== undefined || hasAny(metrics));
    if (isScored) floors.push({ name, ...(readsAnswerKey && { readsAnswerKey }), scores });
    else if (tasks.length > 0) unscored.push(name);
  }
  return { floors, unscored };
}

function outcomeOf(answer: Outcome["answer"]): Outcome {
  return { answer, steps: answer === undefined ? [] : [{ type: "answer", answer }], failure: undefined };
}

function bare({ value, rightFrom, metrics, checks, errors, labels }: Score): Score {
  return {
    value,
    ...(rightFrom !== undefined && { rightFrom }),
    metrics,
    checks: checks.map(({ name, kept }) => ({ name, kept })),
    errors: errors.map(({ kind }) => ({ kind })),
    ...(labels && { labels }),
  };
}

const hasAny = (metrics: Score["metrics"]) => Object.keys(metrics).length > 0;

/**
 * Returns the settings that affect the scores of trivial answers: no models and judges, and only options that the suite's scorer
 * reads.
 */
export function floorSpec(spec: RunSpec, { scoredBy, options }: LoadedSuite["suite"]): RunSpec {
  const read = new Set([...(scoredBy ?? []), ...options.flatMap(({ name, scoring }) => (scoring ? [name] : []))]);
  const isRead = ([name]: readonly [string, unknown]) => scoredBy === undefined || read.has(name);
  const { suite, split, data, dataset, code, strategy, suiteRevision } = spec;
  return {
    suite,
    split,
    data,
    ...(dataset !== undefined && { dataset }),
    ...(code !== undefined && { code }),
    strategy: scoredBy === undefined || read.has("strategy") ? strategy : "none",
    suiteRevision,
    strategyRevision: 0,
    options: Object.fromEntries(Object.entries(spec.options).filter(isRead)),
    filter: {},
    budget: {},
    model: "none",
    shots: 0,
    temperature: 0,
    seed: 0,
    trial: 0,
    limit: 0,
  };
}
