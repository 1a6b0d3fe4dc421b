/** Parses the texts of Planner and Responder into steps, or returns why they are unreadable. Repairs only Markdown fences. */
import { field, isRecord, parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { parseCall } from "../data/literal.ts";
import type { PlanStepRecord, RawAnswer } from "../data/records.ts";

/**
 * Maximum depth of an object; deeper objects are rejected, because no plan needs them and logging them would exhaust the stack.
 */
const maxDepth = 64;

export type GarbledReason = "json" | "type" | "characters" | "action" | "empty";
export type Transcript =
  | { readonly garbled: false; readonly steps: readonly PlanStepRecord[] }
  | { readonly garbled: true; readonly reason: GarbledReason; readonly steps: readonly [] };

/** Parses a reply that is one JSON object, ignoring code fences; returns undefined otherwise. */
export function readObject(reply: string): { readonly [key: string]: Json } | undefined {
  const value = parseJson(reply.replace(/```(?:json)?\s*/g, ""));
  return isRecord(value) && withinDepth(value) ? value : undefined;
}

function withinDepth(value: Json): boolean {
  let layer: Json[] = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > maxDepth) return false;
    const below: Json[] = [];
    for (const item of layer)
      if (item !== null && typeof item === "object") for (const inner of Object.values(item)) below.push(inner);
    layer = below;
  }
  return true;
}

/** Parses a Planner's reply; returns undefined if a required field is missing. */
export function readPlannerReply(
  reply: string,
):
  | { readonly thought: Json; readonly totalSteps: Json; readonly detail: { readonly [key: string]: Json } }
  | undefined {
  const value = readObject(reply);
  const steps = field(value, "OrderSteps");
  const detail = field(steps, "StepDetail");
  const thought = field(value, "GlobalThought");
  const totalSteps = field(steps, "TotalSteps");
  if (thought === undefined || totalSteps === undefined || !isRecord(detail)) return undefined;
  for (const key of ["StepNumber", "Description", "Action"]) if (field(detail, key) === undefined) return undefined;
  return { thought, totalSteps, detail };
}

/** Parses a Responder's reply; returns undefined if it has no results. */
export function readResponderReply(
  reply: string,
): { readonly stepNumber: Json | undefined; readonly results: Json } | undefined {
  const detail = field(field(readObject(reply), "OrderSteps"), "StepDetail");
  const results = field(detail, "Results");
  return results === undefined ? undefined : { stepNumber: field(detail, "StepNumber"), results };
}

/** Builds one record of a dialogue: the Planner's step with the Responder's results. */
export function recordOf(plannerReply: string, responderReply: string): Json | undefined {
  const plan = readPlannerReply(plannerReply);
  const response = readResponderReply(responderReply);
  if (plan === undefined || response === undefined) return undefined;
  const { StepNumber, Description, Action } = plan.detail as { readonly [key: string]: Json };
  const detail = { StepNumber: StepNumber!, Description: Description!, Action: Action!, Results: response.results };
  return { GlobalThought: plan.thought, OrderSteps: { TotalSteps: plan.totalSteps, StepDetail: detail } };
}

/** Reads raw answers in order. A final Planner answer without a Responder answer is dropped. */
export function transcriptOfRaw(raw: readonly RawAnswer[], api: boolean): Transcript {
  const records: Json[] = [];
  let planner: string | undefined;
  for (const { role, content } of raw) {
    if (role === "planner") {
      if (readPlannerReply(content) === undefined) return garbled("json");
      planner = content;
      continue;
    }
    const record = planner === undefined ? undefined : recordOf(planner, content);
    if (record === undefined) return garbled("json");
    records.push(record);
    planner = undefined;
  }
  return transcriptOfRecords(records, api);
}

/** Reads records in the publisher's format; items without `OrderSteps`, such as the heading, are ignored. */
export function transcriptOfRecords(dialogue: readonly Json[], api: boolean): Transcript {
  const steps: PlanStepRecord[] = [];
  for (const record of dialogue) {
    if (field(record, "OrderSteps") === undefined) continue;
    const step = readStep(record, api);
    if (typeof step === "string") return garbled(step);
    steps.push(step);
  }
  return steps.length === 0 ? garbled("empty") : { garbled: false, steps };
}

const garbled = (reason: GarbledReason): Transcript => ({ garbled: true, reason, steps: [] });

function readStep(record: Json, api: boolean): PlanStepRecord | GarbledReason {
  const order = field(record, "OrderSteps");
  const detail = field(order, "StepDetail");
  const thought = field(record, "GlobalThought");
  const totalSteps = field(order, "TotalSteps");
  const stepNumber = field(detail, "StepNumber");
  const description = field(detail, "Description");
  const action = field(detail, "Action");
  const results = field(detail, "Results");
  for (const part of [thought, totalSteps, stepNumber, description, action, results])
    if (part === undefined) return "json";
  if (typeof thought !== "string" || typeof description !== "string") return "type";
  if (!isWhole(totalSteps) || !isWhole(stepNumber)) return "type";
  const texts = [thought, description, ...actionTexts(action!)];
  if (texts.some(hasBrokenCharacters)) return "characters";
  const call = api && typeof action === "string" ? parseCall(action) : undefined;
  if (api && call === undefined) return "action";
  return { thought, totalSteps, stepNumber, description, action: action!, call, results: results! };
}

const isWhole = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value);

/** Returns the texts of an action: the action itself, or one text per operation. */
export function actionTexts(action: Json): string[] {
  if (typeof action === "string") return [action];
  return isRecord(action) ? Object.values(action).filter((text) => typeof text === "string") : [];
}

/** Detects replacement characters, and control characters other than tab, line feed and carriage return. */
const hasBrokenCharacters = (text: string): boolean => /\ufffd|(?![\t\n\r])\p{Cc}/u.test(text);
