/** What replies of Planner and Responder are read as. The schemas say what `prompts.ts` says in words, and no more. */
import type { Dialogue, ReplyForm } from "../../../source/engine/protocol.ts";
import type { Json } from "../../../source/engine/types.ts";
import { operations } from "../data/catalogue.ts";

type Fields = { readonly [name: string]: Json };

const text = { type: "string" };
const count = { type: "integer" };
/** All fields, in the order they are to be written. */
const object = (properties: Fields): Fields => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Operations and what is done. */
const operating = {
  type: "object",
  properties: Object.fromEntries(operations.map((name) => [name, text])),
  minProperties: 1,
  additionalProperties: false,
};
const screen = object({ Status: { type: "string", enum: ["Success", "Failure"] }, Response: { type: "object" } });

function formsOf(action: Json, results: Json, strict: boolean): NonNullable<Dialogue["forms"]> {
  const step = { StepNumber: count, Description: text, Action: action };
  const planner = object({ GlobalThought: text, OrderSteps: object({ TotalSteps: count, StepDetail: object(step) }) });
  const responder = object({ OrderSteps: object({ StepDetail: object({ ...step, Results: results }) }) });
  return { planner: form("planner_step", planner, strict), responder: form("tool_results", responder, strict) };
}

const form = (name: string, schema: Json, strict: boolean): ReplyForm => ({ name, schema, strict });

/** Calls and their results are text. */
export const apiForms = formsOf(text, text, true);
/** Any of the operations, each at most once. */
export const appForms = formsOf(operating, screen, false);
