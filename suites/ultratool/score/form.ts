/** Returns the form that the official parser reads from an answer: a list, or a plan as numbered lines. */
import type { FormQuestion, TextForm } from "../../../source/engine/benchmark.ts";
import { NotALiteral } from "../../../source/engine/python/cursor.ts";
import { parsePython } from "../../../source/engine/python/literal.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { entryOf, isDict, isList } from "../../../source/engine/python/value.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import { afterMark } from "../ask/prompts.ts";
import { words } from "../ask/prompt-words.ts";
import { aspects, ladderOf } from "../data/aspects.ts";
import { cleanPlan } from "./judge.ts";
import { readOfficial } from "./reading.ts";
import { planSteps, stepNumber } from "./steps.ts";

export function answerForm(reply: string, { facets, spec }: FormQuestion): TextForm | undefined {
  const { output } = words[facets["language"] === "zh" ? "zh" : "en"];
  const text = spec.strategy === "cot" ? afterMark(reply, output) : reply;
  const aspect = aspects.find((one) => one === facets["aspect"]);
  if (aspect === undefined || aspect === "planning") return planForm(text);
  const { value } = readOfficial(text, ladderOf[aspect], spec.options["parser"] === "other" ? "other" : "gpt");
  if (!isList(value) || value.length === 0) return undefined;
  const got = pythonRepr(value);
  const steps = value.filter((entry) => isDict(entry) && entryOf(entry, "step") !== undefined);
  const isWhole = steps.length * 2 > value.length && isClosed(text);
  // Values may have tags such as `<number>`, which are no wrapping.
  const isAll = isWhole && /^\s*\[[^]*\]\s*$/.test(text);
  return { got, extent: isWhole ? "closed" : "part", ...(isAll && { isAll }) };
}

export const answerFormName = ({ facets: { aspect } }: Pick<FormQuestion, "facets">) =>
  aspect === undefined || aspect === "planning"
    ? "numbered steps, one per line"
    : "a list in JSON of objects with `step`";

/** A step behind another one on its line. */
const joined = /\S\s\d{1,2}\.\d{1,2}\.?\s\p{L}/u;

function planForm(text: string): TextForm | undefined {
  const plan = cleanPlan(text).trim();
  const steps = planSteps(plan);
  if (steps.length === 0) return undefined;
  const lines = plan.split("\n").filter((line) => line.trim() !== "");
  const isWhole = steps.length === lines.length && !lines.some((line) => joined.test(line));
  // Numbered headings before a plan have numbers of its steps.
  const parts = new Set(steps.map((step) => stepNumber(step).replace(/\.$/, ""))).size;
  return { got: plan, extent: isWhole ? "open" : "part", parts };
}

/** Reports whether the list ends: the official reading repairs one that does not. */
function isClosed(text: string): boolean {
  const list = text.slice(text.indexOf("["), text.lastIndexOf("]") + 1);
  if (Array.isArray(parseJson(list))) return true;
  try {
    return isList(parsePython(list));
  } catch (error) {
    if (error instanceof NotALiteral) return false;
    throw error;
  }
}
