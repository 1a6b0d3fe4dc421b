/** Tool creation before and after the judge: which tools are judged, and what the judgements add up to. */
import type { Json } from "../../../source/engine/types.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { entryOf, isDict, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldTool = { readonly step: string; readonly tool: Json };

export type CreatedTool = {
  readonly step: string;
  /** The empty string where the answer has none. */
  readonly tool: PythonValue;
};

/** For each reference step the first predicted entry with its number. Nested lists are not unwrapped. */
export function createdTools(value: PythonValue, reference: readonly GoldTool[]): CreatedTool[] {
  const entries = entriesByNumber(value);
  return reference.map((gold) => {
    const entry = entries.get(stepNumber(gold.step))?.find((candidate) => entryOf(candidate, "tool") !== undefined);
    if (entry === undefined) return { step: gold.step, tool: "" };
    return { step: entryOf(entry, "step") as string, tool: entryOf(entry, "tool")! };
  });
}

/** What the judge is asked about, or undefined where it is not asked: only objects that are not empty are judged. */
export function judgeRequest(
  gold: string,
  tool: PythonValue,
): { readonly question: string; readonly created: string } | undefined {
  const question = gold.split(" ")[1];
  if (!isFilledDict(tool) || question === undefined || question === "") return undefined;
  return { question, created: pythonRepr(tool) };
}

function isFilledDict(tool: PythonValue): tool is PythonDict {
  return isDict(tool) && tool.entries.size > 0;
}
