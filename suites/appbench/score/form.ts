/** Returns the parts of a reply that the official parser reads: app names and calls, line by line. */
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { afterMarker } from "../ask/prompts.ts";
import { readCall } from "./call-text.ts";
import { readPlan } from "./plan-text.ts";

/** Two apps on one line. */
const joined = /\][ \t]{0,9}[\p{L}\p{N}_]{1,60}:[ \t]{0,9}\[/u;

/** A name in the form of catalogues: decoration before it would become a part of it. */
const plainName = /^[\p{L}\p{N}_]+$/u;

/** A blank line, or an app's call with nothing around it. */
const planLine = /^\s*$|^[\p{L}\p{N}_]{1,80}:[ \t]?\[(?![\p{L}\p{N}_]{1,80}:)[^\r\n]*\]$/u;

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
  // The official reading takes several plans on one line for one call.
  const plain = joined.test(text) ? 0 : apps.filter((app) => plainName.test(app)).length;
  const got = JSON.stringify([apps, read]);
  if (plain === calls.length)
    return { got, extent: "open", parts: plain, isAll: text.split("\n").every((line) => planLine.test(line)) };
  return { got, extent: "part", parts: plain };
}

export const planFormName = ({ stage }: Pick<FormQuestion, "stage">) =>
  stage === "apps" ? "names of apps" : "lines such as `App: [call(...)]`";
