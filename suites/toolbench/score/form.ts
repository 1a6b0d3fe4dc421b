/** Says what is read out of a reply: plans and lists on the way; an answer is free text. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { actingForm } from "../../../source/engine/toolkits/acting-form.ts";

export const queryForm = (text: string, asked: FormQuestion): TextForm | undefined =>
  actingForm(text, asked, () => freeText);
