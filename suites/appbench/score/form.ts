/** Returns what the official parser reads from a reply: app names and calls, line by line. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { afterMarker } from "../ask/prompts.ts";
import { readCall } from "./call-text.ts";
import { readPlan } from "./plan-text.ts";

/** A name as catalogues have it: decoration before it would be a part of it. */
const plainName = /^[\p{L}\p{N}_]+$/u;

export function planForm(reply: string, { stage, spec }: Pick<FormQuestion, "stage" | "spec">): TextForm | undefined {
  const text = spec.strategy === "cot" ? afterMarker(reply) : reply;
  // The first stage is searched for names, and one letter is enough.
  if (stage === "apps") return /\p{L}/u.test(text) ? freeText : undefined;
  const { apps, calls } = readPlan(text);
  if (calls.length === 0) return undefined;
  const read = calls.map((call) => {
    const { name, returns, arguments: given } = readCall(call) ?? { name: call, returns: [], arguments: [] };
    return [name, returns, [...given]];
  });
  const isPlain = apps.length === calls.length && apps.every((app) => plainName.test(app));
  return { got: JSON.stringify([apps, read]), extent: isPlain ? "open" : "part" };
}
