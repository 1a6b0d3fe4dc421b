/** Reads a plan, as a list of days, from any answer (the paper's key-component extraction). */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json, Task, RunSpec } from "../../../source/engine/types.ts";
import { readJsonPlan, readLayout } from "./layout.ts";
import { extractionPrompt } from "../ask/prompts.ts";
import type { TripTask } from "../data/task.ts";

/** How a plan was read: given as a list, from the prescribed layout, from JSON, by the judge, or not at all. */
export type Reader = "given" | "layout" | "json" | "judge" | "unread" | "nothing delivered";
export type Extracted = { readonly plan: Json; readonly reader: Reader };

/** Returns the plan text of a model; undefined if the answer is already a list of days. */
export function writtenPlan(answer: Json | undefined): string | undefined {
  if (typeof answer === "string") return answer;
  const output = field(answer, "output");
  return typeof output === "string" ? output : undefined;
}

/** Matches a text that may be a plan: plans name places, so a text without a letter, such as `[]`, is not a plan. */
const hasWords = /\p{L}/u;

/** Reads a plan without a model; the plan is null if it was not delivered or not readable. */
export function readPlan(answer: Json | undefined): Extracted {
  const text = writtenPlan(answer);
  if (text === undefined) {
    const given = answer === undefined || answer === null || (Array.isArray(answer) && answer.length === 0);
    return given ? { plan: null, reader: "nothing delivered" } : { plan: answer, reader: "given" };
  }
  if (!hasWords.test(text)) return { plan: null, reader: "nothing delivered" };
  const days = readLayout(text);
  if (days !== undefined) return { plan: days, reader: "layout" };
  const json = readJsonPlan(text);
  return json === undefined ? { plan: null, reader: "unread" } : { plan: json, reader: "json" };
}

/** A judge's reply about a text without a plan. */
const emptyList = /^\s*(?:```\w*\s)?\s*\[\s*\]\s*(?:```)?\s*$/;

/**
 * Reads a plan, asking the judge model for texts outside the prescribed layout. The plan is an empty list if the judge finds
 * none in the text.
 */
export async function extractPlan(
  answer: Json | undefined,
  days: number,
  ask: ScoreContext["ask"],
  spec: Pick<RunSpec, "judgePrompts"> = {},
): Promise<Extracted> {
  const read = readPlan(answer);
  if (read.reader !== "unread" || ask === undefined) return read;
  const said = await ask("extract", extractionPrompt(writtenPlan(answer)!, days, spec), {
    isReadable: (reply) => readJsonPlan(reply) !== undefined || emptyList.test(reply),
  });
  const plan = readJsonPlan(said) ?? (emptyList.test(said) ? [] : undefined);
  return plan === undefined ? read : { plan, reader: "judge" };
}

/**
 * Writes the publisher's submission format: JSON Lines of `{idx, query, plan}` in the order of the requests. The plan
 * is null if undelivered, unreadable, or read only by a judge, whose readings are not in the answers.
 */
export function writeSubmission(rows: readonly { readonly task: Task; readonly answer: Json | undefined }[]): string {
  const lines = rows
    // Exporters receive the tasks that this suite loaded.
    .map(({ task, answer }) => ({ query: (task as TripTask).input.query, plan: readPlan(answer).plan }))
    .toSorted((a, b) => a.query.idx - b.query.idx)
    .map(({ query, plan }) => JSON.stringify({ idx: query.idx, query: query.query, plan }));
  return lines.map((line) => `${line}\n`).join("");
}
