/** The dialogue between Planner and Responder. */
import type { Dialogue, OutlineNode, ReplyForm } from "../../../source/engine/protocol.ts";
import type { Json, RunSpec } from "../../../source/engine/types.ts";
import { dependenciesOf } from "../score/dependencies.ts";
import { maxSteps } from "../score/evaluate.ts";
import { givenBy } from "../score/given.ts";
import { matchSubtasks } from "../score/matching.ts";
import { limits, plannerFollowUp, plannerOpening, responderOpening, responderQuestion } from "./prompts.ts";
import { asAsked, type ArenaTask } from "../data/task.ts";
import { readPlannerReply, readResponderReply, recordOf, transcriptOfRecords } from "../score/transcript.ts";
import { operations } from "../data/catalogue.ts";

/** Builds the dialogue of one task for the run's options (profile, language, hints). */
export function dialogueOf(task: ArenaTask, spec: Pick<RunSpec, "options" | "prompts" | "vary" | "seed">): Dialogue {
  const { offer } = task.input;
  const { head, profile } = asAsked(task, spec);
  return {
    opening: plannerOpening(head, offer, profile, spec),
    responderOpening: responderOpening(head, spec),
    maxRounds: maxSteps,
    forms: head.operationalScenario === "APP" ? appForms : apiForms,
    heading: { MessageNumber: String(head.id), Query: head.query },
    readPlanner(reply) {
      const read = readPlannerReply(reply);
      if (read === undefined || typeof read.totalSteps !== "number" || !Number.isInteger(read.totalSteps))
        return undefined;
      const title = read.detail["Description"];
      return { totalSteps: read.totalSteps, title: typeof title === "string" ? title : "(no description)" };
    },
    readResponder(plannerReply, reply) {
      const record = recordOf(plannerReply, reply);
      return record === undefined ? undefined : { record, stepNumber: readResponderReply(reply)!.stepNumber ?? null };
    },
    askResponder: (round, plannerReply) =>
      responderQuestion(round, readPlannerReply(plannerReply)!.detail, { offer, head }, spec),
    askPlanner(round, responderReply) {
      const { stepNumber = null, results } = readResponderReply(responderReply)!;
      return plannerFollowUp(stepNumber, results, typeof stepNumber === "number" ? stepNumber + 1 : round + 1, spec);
    },
    outline: (records) => outlineOf(task, head.query, profile?.sections, records),
  };
}

/** Outlines the steps with the values that they use, and the dependencies of the answer key that they satisfied or missed. */
export function outlineOf(
  task: ArenaTask,
  query: string,
  profile: Json | undefined,
  records: readonly Json[],
): OutlineNode[] {
  const { gold } = task.answer;
  const api = task.input.head.operationalScenario === "API";
  const { steps } = transcriptOfRecords(records, api);
  const matches = matchSubtasks(gold.subtasks, steps);
  const dependencies = dependenciesOf(steps, gold, matches, givenBy(query, profile));
  return steps.map((step, index) => {
    const at = matches.indexOf(index);
    const subtask = at < 0 ? undefined : gold.subtasks[at]!.id;
    const uses = dependencies.found.filter((edge) => edge.toStep === index && edge.inOrder);
    const missed = dependencies.missed.filter(({ to }) => to === subtask).map(({ from, to }) => `${from} → ${to}`);
    const extra = dependencies.extra.filter(({ toStep }) => toStep === index).map(({ from, to }) => `${from} → ${to}`);
    const found = uses.map(({ from, to }) => `${from} → ${to}`).filter((edge) => !extra.includes(edge));
    return {
      label: step.description,
      needs: uses.map(({ fromStep }) => fromStep),
      state: missed.length + extra.length > 0 || subtask === undefined ? "failed" : "done",
      detail: { subtask: subtask ?? null, found, missed, extra },
    };
  });
}

type Fields = { readonly [name: string]: Json };

const text = { type: "string" };
const atMost = (maxLength: number) => ({ ...text, maxLength });
const count = { type: "integer", minimum: 1, maximum: limits.steps };
/** Builds an object schema; fields are written in this order. */
const object = (properties: Fields): Fields => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Operations with their actions. */
const operating = {
  type: "object",
  properties: Object.fromEntries(operations.map((name) => [name, text])),
  minProperties: 1,
  additionalProperties: false,
};
const screen = object({ Status: { type: "string", enum: ["Success", "Failure"] }, Response: { type: "object" } });

function formsOf(action: Json, results: Json, strict: boolean): NonNullable<Dialogue["forms"]> {
  const step = { StepNumber: count, Description: atMost(limits.description), Action: action };
  const planner = object({
    GlobalThought: atMost(limits.thought),
    OrderSteps: object({ TotalSteps: count, StepDetail: object(step) }),
  });
  const responder = object({ OrderSteps: object({ StepDetail: object({ ...step, Results: results }) }) });
  return { planner: form("planner_step", planner, strict), responder: form("tool_results", responder, strict) };
}

const form = (name: string, schema: Json, strict: boolean): ReplyForm => ({ name, schema, strict });

/** API calls and their results are text. */
const apiForms = formsOf(text, text, true);
/** The forms of app actions: any operations, each at most once. */
const appForms = formsOf(operating, screen, false);
