/** Returns the form that the official parser reads from a reply: a plan in words or in PDDL, a verdict, or a state. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { isUnsolvable, kindOf } from "../data/catalogue.ts";
import { readVerification, stateIn } from "./answers.ts";
import { extractOfficial } from "./extract-official.ts";

export function replyForm(text: string, { spec }: Pick<FormQuestion, "spec">): TextForm | undefined {
  const [config = "", task = ""] = spec.split.split("/");
  const kind = kindOf(task);
  if (kind === "verification") return readForm(readVerification(config, text), (read) => read.valid !== undefined);
  if (kind === "execution") return readForm(stateIn(config, text), (facts) => facts.length > 0);
  if (isUnsolvable(config) && text.toLowerCase().includes("no plan possible"))
    return { got: "no plan possible", extent: "open" };
  // The lenient extractor takes an answer out of nearly any wrapping by itself.
  if (spec.options["extractor"] === "lenient") return freeText;
  return task.endsWith("_pddl") ? stepsForm(text) : wordsForm(config, task, text);
}

export function replyFormName({ spec }: Pick<FormQuestion, "spec">): string {
  const [, task = ""] = spec.split.split("/");
  const kind = kindOf(task);
  if (kind === "verification") return "a sentence that states whether the plan is valid";
  if (kind === "execution") return "facts about the state";
  return task.endsWith("_pddl") ? "steps such as `(action a b)`, one per line" : "steps in words, one per line";
}

function readForm<T>(read: T, isRead: (read: T) => boolean): TextForm | undefined {
  return isRead(read) ? { got: JSON.stringify(read), extent: "open" } : undefined;
}

function wordsForm(config: string, task: string, text: string): TextForm | undefined {
  const plan = extractOfficial(config, task, text, "analysis");
  if (plan === null || plan === "") return undefined;
  if (isJoined(text)) return undefined;
  const isEnded = text.toLowerCase().includes("[plan end]");
  return { got: plan, extent: isEnded ? "closed" : "open", parts: plan.trim().split("\n").length };
}

const verbs = /\b(?:pick up|put down|stack|unstack|load|unload|drive|fly)\b/gi;

/** Reports whether steps share the only line of a text: the official reading takes one step from a line. */
const isJoined = (text: string) => !text.trim().includes("\n") && [...text.matchAll(verbs).take(3)].length === 3;

/** Returns the form of a reply in PDDL, which is validated unchanged, so that any other line makes it invalid. */
function stepsForm(text: string): TextForm | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const steps = lines.filter((line) => /^\((?!\d)[^:.!]*\)$/.test(line));
  if (steps.length === 0) return undefined;
  const got = lines.join("\n");
  if (steps.length === lines.length)
    return { got, extent: "open", parts: steps.length, isAll: steps.every((line) => /^\([\w\s-]+\)$/.test(line)) };
  return { got, extent: "part", parts: steps.length };
}
