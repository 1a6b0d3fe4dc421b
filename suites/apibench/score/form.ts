/** Says which call the official reading gets out of a reply. */
import type { FormQuestion, TextForm } from "../../../source/engine/benchmark.ts";
import { actingForm, actingFormName } from "../../../source/engine/toolkits/acting-form.ts";
import { extractCall, hubs, listNodesSimply } from "./extraction.ts";

export const hubForm = (text: string, asked: FormQuestion): TextForm | undefined => actingForm(text, asked, callForm);

export const hubFormName = (asked: FormQuestion) => actingFormName(asked, () => "a call after `<<<api_call>>>`");

/** Approximates the form by brackets and names, at once; the scorer finds the call by a grammar in another thread. */
function callForm(text: string, { facets }: FormQuestion): TextForm | undefined {
  const hub = hubs.find((one) => one === facets["hub"]) ?? "huggingface";
  const call = extractCall(text, hub);
  const node = call === undefined ? undefined : listNodesSimply(call).at(-1);
  if (node === undefined) return undefined;
  // The official reading ends at the provider or at the last bracket: text of later lines without one no longer counts.
  const isEnded = text.includes("api_call") && text.slice(text.lastIndexOf(")")).includes("\n");
  const isClosed = isEnded || text.includes("api_provider");
  return { got: node.text, extent: isClosed ? "closed" : "open" };
}
