/** Returns what the check of a question reads from a reply. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { actingForm } from "../../../source/engine/toolkits/acting-form.ts";
import { checkNames, compare } from "./checks.ts";
import { runCheck } from "./score.ts";

export function questionForm(text: string, asked: FormQuestion): TextForm | undefined {
  const { stage, spec } = asked;
  // Text without a call is an answer only if calls are native and it may end the episode.
  const isAnswer = stage === "step" && spec.tools !== "text" && spec.options["end"] !== "finish";
  return isAnswer ? answerForm(text, asked) : actingForm(text, asked, answerForm);
}

/** Longer answers are an essay, not an answer in prose: no check compares them as a whole. */
const longest = 200;

function answerForm(text: string, { score, spec }: FormQuestion): TextForm | undefined {
  // The check of the task, or else of the run.
  const check = checkNames.find((name) => score?.checks.some((one) => one.name === name)) ?? runCheck(spec);
  if (check === "judge" || check === "none" || check === "contains") return freeText;
  const { read } = compare(check, text, "0");
  if (read === undefined) return undefined;
  if (check === "json") return { got: read, extent: "closed" };
  if (check === "number") return { got: read, extent: "open" };
  const isShort = read.length <= longest && !text.trim().includes("\n");
  return { got: read, extent: isShort ? "open" : "part" };
}
