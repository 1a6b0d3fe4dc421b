/** The forms of replies that strategies with tools read themselves, for suites that serve them. */
import { freeText, type FormQuestion, type TextForm } from "../benchmark.ts";
import { isRecord, parseJson, textAt } from "../text/json-record.ts";
import type { Json } from "../types.ts";
import { listed } from "./plan.ts";

const lists = new Set(["plan", "replan", "refine", "foresee"]);
/** Plans without steps: the list alone, or in the form that is sent to servers. */
const emptyPlans = new Set(["[]", '{"plan":[]}']);
const free = new Set(["check", "state", "reflect"]);

/**
 * Returns the form of a reply before the answer; undefined if the strategy reads no form from it. `answer` reads the answers
 * themselves.
 */
export function actingForm(
  text: string,
  asked: FormQuestion,
  answer: (text: string, asked: FormQuestion) => TextForm | undefined,
): TextForm | undefined {
  const { stage } = asked;
  if (free.has(stage)) return freeText;
  // A step is a function call: text alone is a thought.
  if (stage === "step") return undefined;
  if (lists.has(stage)) {
    // AdaPlanner reads objects with `api` alone.
    const list = listed(text).filter((item) => asked.spec.strategy !== "adaplanner" || textAt(item, "api") !== "");
    // A plan without steps is one: no toolkit that is shown may serve.
    const isRead = list.some(isStep) || emptyPlans.has(text.replace(/\s+/g, ""));
    return isRead ? { got: JSON.stringify(list), extent: "closed" } : undefined;
  }
  if (stage !== "extract") return answer(text, asked);
  const value = parseJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  return value === undefined ? undefined : { got: JSON.stringify(value), extent: "closed" };
}

/** Returns false for other lists, such as the choices in a server's reply: a goal is text, unless a number names its toolkit. */
const isStep = (item: Json): boolean =>
  isRecord(item)
    ? Object.entries(item).some(([name, goal]) => typeof goal === "string" || /\d$/.test(name.trim()))
    : typeof item === "string" || typeof item === "number";

/** Names the form that `actingForm` looks for; `answer` names that of answers. */
export function actingFormName(
  asked: FormQuestion,
  answer: (asked: FormQuestion) => string | undefined = () => undefined,
): string | undefined {
  const { stage } = asked;
  if (free.has(stage)) return undefined;
  if (stage === "step") return "a function call";
  if (lists.has(stage)) return "a list of steps in JSON";
  return stage === "extract" ? "an object in JSON" : answer(asked);
}
