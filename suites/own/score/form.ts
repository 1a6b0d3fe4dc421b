/** Returns what the check of a question reads from a reply. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { actingForm, actingFormName } from "../../../source/engine/toolkits/acting-form.ts";
import { checkNames, compare } from "./checks.ts";
import { runCheck } from "./score.ts";

export function questionForm(text: string, asked: FormQuestion): TextForm | undefined {
  return takesText(asked) ? answerForm(text, asked) : actingForm(text, asked, answerForm);
}

/** Text without a call is an answer only if calls are native and it may end the episode. */
const takesText = ({ stage, spec }: FormQuestion) =>
  stage === "step" && spec.tools !== "text" && spec.options["end"] !== "finish";

/** Returns the check of the task, or else of the run. */
const checkOf = ({ score, spec }: FormQuestion) =>
  checkNames.find((name) => score?.checks.some((one) => one.name === name)) ?? runCheck(spec);

export function questionFormName(asked: FormQuestion): string | undefined {
  return takesText(asked) ? answerFormName(asked) : actingFormName(asked, answerFormName);
}

function answerFormName(asked: FormQuestion): string | undefined {
  const check = checkOf(asked);
  if (check === "json") return "JSON";
  if (check === "number") return "a number";
  return check === "exact" || check === "one-of" ? "a short answer" : undefined;
}

/** Maximum characters of an answer in prose; longer answers are not compared as a whole by any check. */
const longest = 200;

function answerForm(text: string, asked: FormQuestion): TextForm | undefined {
  const check = checkOf(asked);
  if (check === "judge" || check === "none" || check === "contains") return freeText;
  const { read } = compare(check, text, "0");
  if (read === undefined) return undefined;
  if (check === "json") return { got: read, extent: "closed" };
  if (check === "number") return { got: read, extent: "open" };
  const isLine = !text.trim().includes("\n");
  return { got: read, extent: isLine && read.length <= longest ? "open" : "part" };
}
