/** Key-value accuracy of tool selection: the right name for each step. */
import { type Judged, judged } from "./awareness.ts";
import { entryOf, isList, kindOf, type PythonTuple, type PythonValue } from "../../../source/engine/python/value.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";

export type GoldName = { readonly step: string; readonly tool: string };

/** What a step without an answer counts as having chosen. */
const noTool = "no_good";

/**
 * Scores a read answer. A tuple stands for its first item, a list of one list for that list. Names are compared exactly,
 * after `\_` has become `_`. Where the official scorer crashes on a tool that is no string, the step is wrong.
 */
export function scoreSelection(value: PythonValue, reference: readonly GoldName[]): Judged<PythonValue> {
  const entries = entriesByNumber(unwrapped(value));
  const gold: PythonValue[] = reference.map((step) => step.tool);
  const found: boolean[] = [];
  const predicted = reference.map((step): PythonValue => {
    const entry = (entries.get(stepNumber(step.step)) ?? []).find(
      (candidate) => entryOf(candidate, "tool") !== undefined,
    );
    const tool = entry === undefined ? undefined : entryOf(entry, "tool");
    found.push(tool !== undefined);
    return typeof tool === "string" ? tool.replaceAll("\\_", "_") : (tool ?? noTool);
  });
  return judged(predicted, gold, found);
}

function unwrapped(value: PythonValue): PythonValue {
  const list = kindOf(value) === "tuple" ? ((value as PythonTuple).items[0] ?? []) : value;
  const only = isList(list) && list.length === 1 ? list[0] : undefined;
  return isList(only) ? only : list;
}
