/** From whatever a strategy delivered to a plan as a list of days (the paper's key-component extraction). */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { readJsonPlan, readLayout } from "./layout.ts";
import { extractionPrompt } from "../ask/prompts.ts";

/** How a plan was read: it came as a list, in the prescribed layout, as JSON, by the judge, or nobody could read it. */
export type Reader = "given" | "layout" | "json" | "judge" | "unread" | "nothing delivered";
export type Extracted = { readonly plan: Json; readonly reader: Reader };

/** What a model wrote as its plan; undefined for answers that are lists of days already. */
export function writtenPlan(answer: Json | undefined): string | undefined {
  if (typeof answer === "string") return answer;
  const output = field(answer, "output");
  return typeof output === "string" ? output : undefined;
}

/** Reads a plan without a model; the plan is null where nothing was delivered or nothing could be read. */
export function readPlan(answer: Json | undefined): Extracted {
  const text = writtenPlan(answer);
  if (text === undefined) {
    const given = answer === undefined || answer === null || (Array.isArray(answer) && answer.length === 0);
    return given ? { plan: null, reader: "nothing delivered" } : { plan: answer, reader: "given" };
  }
  if (text.trim() === "") return { plan: null, reader: "nothing delivered" };
  const days = readLayout(text);
  if (days !== undefined) return { plan: days, reader: "layout" };
  const json = readJsonPlan(text);
  return json === undefined ? { plan: null, reader: "unread" } : { plan: json, reader: "json" };
}

/** The same, with the judge model for texts that are not in the prescribed layout. */
export async function extractPlan(
  answer: Json | undefined,
  days: number,
  ask: ScoreContext["ask"],
): Promise<Extracted> {
  const read = readPlan(answer);
  if (read.reader !== "unread" || ask === undefined) return read;
  const plan = readJsonPlan(await ask("extract", extractionPrompt(writtenPlan(answer)!, days)));
  return plan === undefined ? read : { plan, reader: "judge" };
}
