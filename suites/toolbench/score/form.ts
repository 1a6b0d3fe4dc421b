/** Returns the form of a reply: plans and lists before the answer, which is free text. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { actingForm, actingFormName } from "../../../source/engine/toolkits/acting-form.ts";
import { isReadable, simulateStage } from "../ask/simulated-reply.ts";

export function queryForm(text: string, asked: FormQuestion): TextForm | undefined {
  if (asked.stage === simulateStage) return isReadable(text) ? freeText : undefined;
  return actingForm(text, asked, () => freeText);
}

export const queryFormName = (asked: FormQuestion) =>
  asked.stage === simulateStage ? "an object in JSON with `response`" : actingFormName(asked);
