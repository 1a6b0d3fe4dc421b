/** Selects the created tools for the judge and aggregates its judgements. */
import type { Json } from "../../../source/engine/types.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { entryOf, isDict, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldTool = { readonly step: string; readonly tool: Json };

export type CreatedTool = {
  readonly step: string;
  /** The empty string if the answer has none. */
  readonly tool: PythonValue;
};

/** Returns, for each reference step, the first predicted entry with its number. Nested lists are not unwrapped. */
export function createdTools(value: PythonValue, reference: readonly GoldTool[]): CreatedTool[] {
  const entries = entriesByNumber(value);
  return reference.map((gold) => {
    const entry = entries.get(stepNumber(gold.step))?.find((candidate) => entryOf(candidate, "tool") !== undefined);
    if (entry === undefined) return { step: gold.step, tool: "" };
    return { step: entryOf(entry, "step") as string, tool: entryOf(entry, "tool")! };
  });
}

/**
 * Returns the content of the request to the judge; undefined for tools that are empty or not an object, because they are not
 * judged.
 */
export function judgeRequest(
  gold: string,
  tool: PythonValue,
): { readonly question: string; readonly created: string } | undefined {
  const question = gold.split(" ")[1];
  if (!isFilledDict(tool) || question === undefined || question === "") return undefined;
  return { question, created: pythonRepr(tool) };
}

const isFilledDict = (tool: PythonValue): tool is PythonDict => isDict(tool) && tool.entries.size > 0;

/** `key` identifies samples. Samples with the same key share their judgements, which therefore count twice. */
export type JudgedSample = { readonly key: string; readonly steps: readonly string[] };
export type ToolJudgement = { readonly key: string; readonly step: string; readonly scores: readonly number[] };

/**
 * Returns the official aggregate, from 0 to 1 per dimension. A sample without judgements adds zeros, one set per reference step;
 * a sample with some judgements adds exactly these and drops its other steps; a judgement of an unknown step adds zeros. Returns
 * undefined for no samples.
 */
export function aggregateCreation(
  samples: readonly JudgedSample[],
  judgements: readonly ToolJudgement[],
  dimensions: number,
): readonly number[] | undefined {
  const byKey = Map.groupBy(judgements, (judgement) => judgement.key);
  const sums = Array.from({ length: dimensions }, () => 0);
  let count = 0;
  for (const { key, steps } of samples) {
    const given = byKey.get(key) ?? [];
    const numbers = new Set(steps.map(stepNumber));
    count += given.length === 0 ? steps.length : given.length;
    for (const { step, scores } of given) {
      if (numbers.has(stepNumber(step)))
        for (let index = 0; index < dimensions; index++) sums[index]! += scores[index]!;
    }
  }
  return count === 0 ? undefined : sums.map((sum) => sum / count / 10);
}
