/** Returns the form of a reply: an action, or a plan in the prescribed layout or in JSON. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { parseAction } from "../ask/action.ts";
import { readPlan } from "./extract.ts";

export function tripForm(text: string, { stage, spec }: Pick<FormQuestion, "stage" | "spec">): TextForm | undefined {
  if (stage === "thought" || stage === "reflect") return freeText;
  if (stage === "action") return actionForm(text, spec.options["mode"] === "two-stage");
  const { plan, reader } = readPlan(text);
  if (plan === null) return undefined;
  const got = JSON.stringify(plan);
  // Other lists of objects are no days.
  if (reader === "json") return { got, extent: got.includes('"current_city":') ? "closed" : "part" };
  return { got, extent: "open", isAll: text.split("\n").every((line) => planLine.test(line)) };
}

/** A blank line, or one of the layout with nothing around its value. */
const planLine =
  /^(?:Day \d{1,2}:|(?:Current City|Transportation|Breakfast|Attraction|Lunch|Dinner|Accommodation): (?:[\p{Script=Latin}\p{M}\p{N} ,;:'&$@+-]|\.(?=.))*)?\s*$/u;

export function tripFormName({ stage }: Pick<FormQuestion, "stage">): string | undefined {
  if (stage === "thought" || stage === "reflect") return undefined;
  return stage === "action" ? "an action such as `Name[...]`" : "days with their labels, or a list of days in JSON";
}

/** An action is on one line, after the label with which it was requested. The two-stage agent reads the first line. */
function actionForm(text: string, isOneLine: boolean): TextForm | undefined {
  const bare = text.trim().replace(/^Action \d{1,3}:\s*/, "");
  const line = isOneLine ? bare.split("\n")[0]! : bare.split(/\n(?:Action|Thought|Observation)/)[0]!;
  const { name, text: action } = parseAction(line.replaceAll(/[\r\n]/g, "").trim());
  return name === "" ? undefined : { got: action, extent: "closed" };
}
