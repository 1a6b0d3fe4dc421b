/** Finds the mistakes in a list answer, step by step, for error analysis and the trajectory view. */
import type { Mistake } from "../../../source/engine/types.ts";
import type { Judged } from "./awareness.ts";
import type { CreatedTool } from "./creation.ts";
import { pythonStr } from "../../../source/engine/python/text.ts";
import {
  entryOf,
  isDict,
  isList,
  kindOf,
  type PythonTuple,
  type PythonValue,
} from "../../../source/engine/python/value.ts";
import type { Reading } from "./reading.ts";
import { entriesByNumber, stepNumber } from "./steps.ts";
import type { ToolDescription } from "../data/task.ts";
import type { GoldCall, StepUsage } from "./usage.ts";

/** Maximum length of answer text in a mistake. */
const longest = 300;
/** Maximum number of mistakes of one kind per answer. */
const most = 50;

export function shown(value: PythonValue): string {
  const text = pythonStr(value);
  const plain = typeof text === "string" ? text : String.fromCodePoint(...text.codes.slice(0, longest));
  return plain.length > longest ? `${plain.slice(0, longest)}...` : plain;
}

export function readingMistakes(reading: Reading, reference: readonly { readonly step: string }[]): Mistake[] {
  if (!reading.ok) return [{ kind: "unreadable" }];
  const mistakes: Mistake[] = [];
  if (reading.attempts > 1) mistakes.push({ kind: "repaired", got: reading.repair });
  const list = listOf(reading.value);
  if (list === undefined) return [...mistakes, { kind: "not-a-list", got: shown(reading.value) }];
  const asked = new Set(reference.map(({ step }) => stepNumber(step)));
  for (const number of entriesByNumber(list).keys()) {
    if (!asked.has(number) && mistakes.length < most)
      mistakes.push({ kind: "extra-step", got: number.slice(0, longest) });
  }
  return mistakes;
}

/** Returns the list that the scorers read; unwraps tuples and nested lists as at least one of them does. */
function listOf(value: PythonValue): PythonValue | undefined {
  const inner = kindOf(value) === "tuple" ? (value as PythonTuple).items[0] : value;
  if (!isList(inner)) return undefined;
  return isList(inner[0]) ? inner[0] : inner;
}

export function awarenessMistakes(score: Judged<number>): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [step, got] of score.predicted.entries()) {
    const expected = score.gold[step]!;
    if (got === expected) continue;
    const found = { step, expected: String(expected), got: String(got) };
    if (score.found[step] !== true) mistakes.push({ kind: "missing-step", step, expected: String(expected) });
    else if (got !== 0 && got !== 1) mistakes.push({ kind: "no-flag", ...found });
    else mistakes.push({ kind: expected === 1 ? "missed-need" : "needless", ...found });
  }
  return mistakes;
}

export function selectionMistakes(score: Judged<PythonValue>, toolset: readonly ToolDescription[]): Mistake[] {
  const names = new Set(toolset.map(({ name }) => name));
  const mistakes: Mistake[] = [];
  for (const [step, got] of score.predicted.entries()) {
    const expected = score.gold[step]!;
    if (got === expected) continue;
    if (score.found[step] !== true) mistakes.push({ kind: "missing-step", step, expected: shown(expected) });
    else {
      const kind = typeof got === "string" && names.has(got) ? "wrong-tool" : "invented-tool";
      mistakes.push({ kind, step, expected: shown(expected), got: shown(got) });
    }
  }
  return mistakes;
}

export function usageMistakes(
  scores: readonly StepUsage[],
  reference: readonly GoldCall[],
  value: PythonValue,
): Mistake[] {
  const first = isList(value) ? value[0] : undefined;
  const entries = entriesByNumber(isList(first) ? first : value);
  return scores.flatMap((score, step) => {
    const gold = reference[step]!;
    if (!score.found) return [{ kind: "missing-step", step, expected: gold.tool }];
    const mistakes: Mistake[] = score.keys.flatMap((key) => argumentMistake(key, gold.param[key.key]!, step));
    const entry = entries.get(stepNumber(gold.step))?.find((each) => entryOf(each, "param") !== undefined);
    const param = entry === undefined ? undefined : entryOf(entry, "param");
    if (!isDict(param)) return mistakes;
    for (const { key } of param.entries.values()) {
      const name = shown(key).replaceAll("\\_", "_");
      if (!Object.hasOwn(gold.param, name) && mistakes.length < most)
        mistakes.push({ kind: "extra-argument", step, key: name });
    }
    return mistakes;
  });
}

function argumentMistake(key: StepUsage["keys"][number], gold: string, step: number): Mistake[] {
  if (key.value === undefined) return [{ kind: "missing-argument", step, key: key.key, expected: gold }];
  if (key.score === 1) return [];
  const got = shown(key.value);
  const unmarked = gold.startsWith("<") && gold.endsWith(">") && !got.includes("<");
  return [{ kind: unmarked ? "unmarked-result" : "changed-value", step, key: key.key, expected: gold, got }];
}

export function creationMistakes(tools: readonly CreatedTool[]): Mistake[] {
  return tools.flatMap(({ tool }, step): Mistake[] => {
    if (!isDict(tool) || tool.entries.size === 0) return [{ kind: "no-tool", step, got: shown(tool) }];
    const lacking = ["name", "description", "arguments", "results"].filter((key) => entryOf(tool, key) === undefined);
    return lacking.length === 0 ? [] : [{ kind: "malformed-tool", step, expected: lacking.join(", ") }];
  });
}
