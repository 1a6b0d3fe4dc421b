/** Task sizes by level (Table 6 of the paper), and task counts by kind (Table 1). */
import { pick } from "../../../../source/engine/statistics/random.ts";
import { tokensOf } from "../../../../source/engine/text/tokens.ts";
import type { Level, Relation } from "../records.ts";

type Range = { readonly median: number; readonly range: readonly [number, number] };
const levelSizes: Readonly<Record<Level, { readonly tokens: Range; readonly tools: Range; readonly subtasks: Range }>> =
  {
    easy: {
      tokens: { median: 84, range: [33, 203] },
      tools: { median: 3, range: [1, 5] },
      subtasks: { median: 5, range: [4, 7] },
    },
    middle: {
      tokens: { median: 125, range: [63, 258] },
      tools: { median: 5, range: [3, 7] },
      subtasks: { median: 7, range: [6, 11] },
    },
    hard: {
      tokens: { median: 186, range: [93, 310] },
      tools: { median: 6, range: [5, 9] },
      subtasks: { median: 9, range: [7, 13] },
    },
  };

/** Number of tasks by relation and level. */
export const publishedCounts: Readonly<Record<Relation, Readonly<Record<Level, number>>>> = {
  SAPP: { easy: 730, middle: 371, hard: 99 },
  CAPP: { easy: 313, middle: 333, hard: 554 },
  PAPI: { easy: 280, middle: 162, hard: 158 },
  CAPI: { easy: 80, middle: 320, hard: 200 },
  DAPI: { easy: 300, middle: 300, hard: 300 },
};

const usual: Readonly<Record<Level, readonly number[]>> = {
  easy: [4, 5, 5, 5, 6, 6, 7],
  middle: [6, 7, 7, 7, 8, 8, 9, 10, 11],
  hard: [7, 8, 9, 9, 9, 10, 10, 11, 12, 13],
};

/** Draws a number of subtasks for a level, most often near the median. */
export const pickSize = (level: Level, random: () => number): number => pick(usual[level], random);

export type Size = { readonly tools: number; readonly subtasks: number; readonly query: string };

/** Returns the sizes of a task that are outside its level's range. Numbers of tokens are the usual rough estimate. */
export function sizeProblems(level: Level, { tools, subtasks, query }: Size): string[] {
  const sizes = levelSizes[level];
  const found = { tools, subtasks, tokens: tokensOf(query) };
  return (["tools", "subtasks", "tokens"] as const)
    .filter((name) => found[name] < sizes[name].range[0] || found[name] > sizes[name].range[1])
    .map(
      (name) => `Expected ${sizes[name].range.join(" to ")} ${name} in a task of level ${level}, got ${found[name]}`,
    );
}

/**
 * Returns the level with the nearest medians. It is a suggestion: the paper gives no formula, and the ranges overlap.
 */
export function suggestLevel(tools: number, subtasks: number): Level {
  const distance = (level: Level) => {
    const { tools: t, subtasks: k } = levelSizes[level];
    return (
      Math.abs(tools - t.median) / (t.range[1] - t.range[0]) + Math.abs(subtasks - k.median) / (k.range[1] - k.range[0])
    );
  };
  return (["middle", "hard"] as const).reduce<Level>(
    (nearest, level) => (distance(level) < distance(nearest) ? level : nearest),
    "easy",
  );
}
