/**
 * Schemas of events and log lines. Unknown fields and kinds are accepted, because a later version may have written them. Values
 * are checked only as far as the code that reads them requires.
 */
import { z } from "zod";
import { anyJson, checkedValue, misfitText, recordOf } from "../../text/checked-record.ts";
import { nestsDeeper } from "../../text/json-record.ts";
import { Problem } from "../../problem.ts";
import { type Event, type FailureKind, parties, type Role, type RunEvent, type TaskEvent } from "../../types.ts";
import { roleKeys } from "../../run-settings.ts";
import { settingNamed, valueSettings } from "../../run-settings.ts";
import type { Setting } from "../../run-settings-rows.ts";

const [string, number, boolean] = [z.string(), z.number(), z.boolean()];
const strings = z.array(string);

const settingKinds: Readonly<Record<Setting["kind"], z.ZodType>> = {
  name: string,
  text: string,
  model: string,
  whole: number,
  number: number,
  texts: strings,
  fields: recordOf(anyJson),
  prompts: recordOf(string),
  vary: z.object({
    tools: number.optional(),
    names: number.optional(),
    options: number.optional(),
    questions: recordOf(string).optional(),
  }),
  facets: z.never(),
  limits: z.never(),
  fork: z.never(),
};

/** Required settings, which every log contains, at least with their default. */
const settings = Object.fromEntries(
  valueSettings.map(({ name, kind, default: standard, quiet }): [string, z.ZodType] => {
    const isGiven = quiet !== true && (kind === "name" || standard !== undefined);
    return [name, isGiven ? settingKinds[kind] : settingKinds[kind].optional()];
  }),
);

const limits = z
  .object({ steps: number.optional(), tokens: number.optional(), seconds: number.optional(), cost: number.optional() })
  .optional();
const values = z.union([string, number]);
const texts = recordOf(string).optional();

const roleSettings = z.object(
  Object.fromEntries(roleKeys.map((name) => [name, settingKinds[settingNamed(name)!.kind].optional()])),
);

export const specSchema = z.object({
  ...settings,
  dataset: string.optional(),
  code: texts,
  filter: recordOf(z.array(values)),
  options: recordOf(values),
  budget: z.object({ task: limits, run: limits }),
  toolServers: texts,
  agent: string.optional(),
  roles: recordOf(roleSettings).optional(),
  judging: roleSettings.optional(),
  judges: strings.optional(),
  judgePrompts: texts,
  set: strings.optional(),
  fork: z
    .object({
      run: string,
      task: string,
      request: number,
      attempt: string.optional(),
      message: string.optional(),
      result: string.optional(),
      reply: string.optional(),
      index: number.optional(),
    })
    .optional(),
  forks: z.object({ of: string, tasks: z.union([string, strings]).optional(), at: string.optional() }).optional(),
  suiteRevision: number,
  strategyRevision: number,
});

/** Deeper nesting is rejected, because it would overflow the stack of recursive code. */
export const deepestEvent = 1000;
/** Shorter lines cannot nest deeper than that. */
const shortest = 2 * deepestEvent;
/** Limit for counters and summands, which keeps sums exact. */
const largest = 1e15;
/** Largest distance from 1970 in milliseconds that a date can represent. */
const farthest = 8.64e15;

export const timeSchema = z.custom<number>(
  (value) => Number.isFinite(value) && Math.abs(value as number) <= farthest,
  "a time in milliseconds since 1970",
);
export const wholeSchema = z.custom<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= largest,
  `a whole number from 0 to ${largest}`,
);
const amount = z.custom<number>(
  (value) => Number.isFinite(value) && Math.abs(value as number) <= largest,
  `a number of at most ${largest}`,
);

/** Facets of user-defined suites may also be booleans. */
export const facetsSchema = recordOf(z.union([string, number, boolean, z.null()]));
const json = anyJson.optional();
const roles = { model: true, actor: true, responder: true, user: true, judge: true } satisfies Record<Role, true>;
const failureKinds = {
  model: true,
  tool: true,
  parse: true,
  judge: true,
  timeout: true,
  budget: true,
  context: true,
  stopped: true,
  bug: true,
} satisfies Record<FailureKind, true>;

export const failureSchema = z.object({ kind: z.enum(Object.keys(failureKinds)), message: string });

const toolCall = z.object({ id: string, name: string, text: string, arguments: json, extra: json });
const thinking = z.object({ text: string, field: string.optional(), items: z.array(anyJson).optional() });
const message = z.union([
  z.object({ role: z.enum(["system", "user"]), content: string }),
  z.object({
    role: z.literal("assistant"),
    content: string,
    calls: z.array(toolCall).optional(),
    thinking: thinking.optional(),
  }),
  z.object({ role: z.literal("tool"), callId: string, content: string }),
]);

/** A message in a line: in full, or as a reference to an earlier message. */
const briefMessage = z.union([
  message,
  z.object({ ref: string }),
  z.object({ role: z.enum(["assistant", "user", "system"]), reply: wholeSchema, thinking: z.literal(true).optional() }),
  z.object({ role: z.literal("tool"), result: string }),
  z.object({ role: z.enum(["user", "system"]), more: string }),
]);

const tokens = {
  input: amount,
  output: amount,
  estimated: boolean,
  cached: amount.optional(),
  reasoning: amount.optional(),
  cost: amount.optional(),
};

const stamp = { seq: wholeSchema, at: timeSchema };
const ofTask = { ...stamp, task: string };
const ofRequest = { ...ofTask, request: wholeSchema };

const text = { request: wholeSchema, text: string };
const thought = { ...text, field: string.optional(), textBefore: z.literal(true).optional(), item: json };

const prompt = {
  ...ofRequest,
  role: z.enum(Object.keys(roles)),
  agent: string.optional(),
  model: string,
  stage: string,
  tools: z.array(z.object({ name: string, description: string, parameters: json })).optional(),
  saved: z.union([amount, z.literal("cache")]).optional(),
};

/** A number or null. A scorer may return NaN, which JSON writes as null; readers do not count null. */
const figure = z.custom<number | null>((value) => value === null || typeof value === "number", "a number");

export const scoreSchema = z.object({
  value: figure.optional(),
  rightFrom: number.optional(),
  metrics: recordOf(figure),
  checks: z.array(z.object({ name: string, kept: boolean.optional(), message: string.optional() })),
  errors: z.array(
    z.object({
      kind: string,
      step: number.optional(),
      key: string.optional(),
      expected: string.optional(),
      got: string.optional(),
      note: string.optional(),
      override: z.object({ was: string, source: string, reason: string }).optional(),
    }),
  ),
  override: z.object({ was: number.optional(), metrics: recordOf(figure), source: string, reason: string }).optional(),
  fault: z.object({ by: z.enum(parties), rule: string }).optional(),
  labels: facetsSchema.optional(),
});

const taskEvents = {
  started: z.object({
    ...ofTask,
    facets: facetsSchema,
    question: string,
    unset: strings.optional(),
    worker: z.object({ name: string, attempt: string }).optional(),
  }),
  prompt: z.object({ ...prompt, messages: z.array(message) }),
  text: z.object({ ...ofTask, ...text }),
  thinking: z.object({ ...ofTask, ...thought }),
  call: z.object({ ...ofRequest, call: toolCall }),
  usage: z.object({ ...ofRequest, ...tokens }),
  retry: z.object({
    ...ofRequest,
    attempt: amount,
    status: number.optional(),
    error: string,
    wait: amount,
    usage: z.object(tokens).optional(),
  }),
  finish: z.object({
    ...ofRequest,
    reason: string,
    model: string.optional(),
    fingerprint: string.optional(),
    adjusted: strings.optional(),
    without: strings.optional(),
  }),
  result: z.object({
    ...ofTask,
    callId: string,
    name: string,
    result: z.object({
      ok: boolean,
      observation: string,
      status: z.union([string, number]),
      value: json,
      end: z.object({ reason: string, answer: json }).optional(),
    }),
    asked: wholeSchema.optional(),
    saved: amount.optional(),
  }),
  node: z.object({
    ...ofTask,
    id: string,
    parent: string.optional(),
    needs: strings.optional(),
    kind: string,
    label: string,
    state: z.enum(["open", "done", "failed", "pruned"]),
    detail: json,
  }),
  note: z.object({ ...ofTask, kind: string, text: string, data: json }),
  answer: z.object({ ...ofTask, answer: json }),
  scored: z.object({ ...ofTask, score: scoreSchema, suiteRevision: number, by: string.optional() }),
  failed: z.object({ ...ofTask, failure: failureSchema, refused: z.literal(true).optional() }),
} satisfies Record<TaskEvent["type"], z.ZodType>;
export const taskEventTypes = Object.keys(taskEvents);

const runEvents = {
  "run-started": z.object({
    ...stamp,
    format: number.optional(),
    planwright: string.optional(),
    run: string,
    spec: specSchema,
    total: amount,
    // Logs of other programs may lack them.
    warnings: strings.optional(),
    choice: z.object({ id: string, tasks: strings.optional() }).optional(),
    joins: z.literal(true).optional(),
  }),
  "run-ended": z.object({
    ...stamp,
    reason: z.enum(["done", "stopped", "failed"]),
    message: string.optional(),
    rule: string.optional(),
    choice: string.optional(),
  }),
  "shipment-refused": z.object({
    ...stamp,
    message: string,
    of: z.object({ task: string.optional(), attempt: string.optional(), worker: string.optional() }).optional(),
  }),
} satisfies Record<RunEvent["type"], z.ZodType>;

type Schemas = ReadonlyMap<unknown, z.ZodType>;
const events: Schemas = new Map<unknown, z.ZodType>(Object.entries({ ...taskEvents, ...runEvents }));
/** Schemas of kinds whose lines differ from their events, and of kinds that are not events. */
const lines: Schemas = new Map<unknown, z.ZodType>([
  ...events,
  [
    "prompt",
    z.object({
      ...prompt,
      after: z.object({ request: wholeSchema, messages: wholeSchema, tools: z.literal(true).optional() }).optional(),
      messages: z.array(briefMessage),
    }),
  ],
  ["content", z.object({ ref: string, message: message.optional() })],
]);
const unknownKind = z.object({ ...stamp, type: string, task: string.optional() });

/** Schema of the pieces of text that are streamed before they form an event. */
export const textStepSchema = z.union([
  z.object({ type: z.literal("text"), ...text }),
  z.object({ type: z.literal("thinking"), ...thought }),
]);

/** Returns the event unchanged. Throws TypeError with the expected and the actual value if it is invalid. */
export function fittingEvent(value: unknown): Event {
  mustBeShallow(value);
  return fitting(events, value) as Event;
}

/**
 * Checks an event before it is written. Throws `Problem`, which indicates a bug of the program or of a user's suite or strategy.
 */
export function writableEvent(value: object): Event {
  try {
    return fittingEvent(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Problem("bug", `Could not write an event into the log: ${error.message}`);
  }
}

/** Parses a line. Throws SyntaxError if it is not JSON, TypeError if no version writes such a line. */
export const fittingLine = (text: string): unknown => fitting(lines, parsedShallow(text));

/** Parses JSON up to the nesting limit of a log. Throws SyntaxError if it is not JSON, TypeError if it is nested more deeply. */
export function parsedShallow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > shortest) mustBeShallow(value);
  return value;
}

function mustBeShallow(value: unknown): void {
  if (nestsDeeper(value, deepestEvent)) throw new TypeError(`Expected at most ${deepestEvent} nested levels, got more`);
}

function fitting(schemas: Schemas, value: unknown): unknown {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return checkedValue(schemas.get(type) ?? unknownKind, value, (misfit) => {
    throw new TypeError(misfitText(misfit));
  });
}
