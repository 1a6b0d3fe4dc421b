/**
 * Schemas of events and log lines. Unknown fields and kinds are accepted, because a later version may have written them. Values
 * are checked only as far as the code that reads them requires.
 */
import { z } from "zod";
import { anyJson, checkedValue, misfitText, recordOf } from "../../text/checked-record.ts";
import { nestsDeeper } from "../../text/json-record.ts";
import { Problem } from "../../problem.ts";
import type { Event, FailureKind, Role, RunEvent, TaskEvent } from "../../types.ts";
import { roleKeys } from "../../run-settings.ts";
import { settingNamed, valueSettings } from "../../run-settings.ts";
import type { Setting } from "../../run-settings-rows.ts";

const settingKinds: Readonly<Record<Setting["kind"], z.ZodType>> = {
  name: z.string(),
  text: z.string(),
  model: z.string(),
  whole: z.number(),
  number: z.number(),
  texts: z.array(z.string()),
  fields: recordOf(anyJson),
  facets: z.never(),
  limits: z.never(),
  fork: z.never(),
};

/** Required settings are those that every run has and those whose default is written too. */
const settings = Object.fromEntries(
  valueSettings.map(({ name, kind, default: standard, quiet }): [string, z.ZodType] => {
    const isGiven = quiet !== true && (kind === "name" || standard !== undefined);
    return [name, isGiven ? settingKinds[kind] : settingKinds[kind].optional()];
  }),
);

const limits = z
  .object({
    steps: z.number().optional(),
    tokens: z.number().optional(),
    seconds: z.number().optional(),
    cost: z.number().optional(),
  })
  .optional();
const values = z.union([z.string(), z.number()]);
const texts = recordOf(z.string()).optional();

const roleSettings = z.object(
  Object.fromEntries(roleKeys.map((name) => [name, settingKinds[settingNamed(name)!.kind].optional()])),
);

export const specSchema = z.object({
  ...settings,
  dataset: z.string().optional(),
  code: texts,
  filter: recordOf(z.array(values)),
  options: recordOf(values),
  budget: z.object({ task: limits, run: limits }),
  toolServers: texts,
  agent: z.string().optional(),
  roles: recordOf(roleSettings).optional(),
  judging: roleSettings.optional(),
  set: z.array(z.string()).optional(),
  fork: z.object({ run: z.string(), task: z.string(), request: z.number(), message: z.string().optional() }).optional(),
  suiteRevision: z.number(),
  strategyRevision: z.number(),
});

/** Deeper nesting is rejected, because it would overflow the stack of recursive code. */
const deepest = 1000;
/** Shorter lines cannot nest deeper than that. */
const shortest = 2 * deepest;
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
export const facetsSchema = recordOf(z.union([z.string(), z.number(), z.boolean(), z.null()]));
const json = anyJson.optional();
const roles = { model: true, actor: true, responder: true, judge: true } satisfies Record<Role, true>;
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

export const failureSchema = z.object({ kind: z.enum(Object.keys(failureKinds)), message: z.string() });

const toolCall = z.object({ id: z.string(), name: z.string(), text: z.string(), arguments: json, extra: json });
const thinking = z.object({ text: z.string(), field: z.string().optional(), items: z.array(anyJson).optional() });
const message = z.union([
  z.object({ role: z.enum(["system", "user"]), content: z.string() }),
  z.object({
    role: z.literal("assistant"),
    content: z.string(),
    calls: z.array(toolCall).optional(),
    thinking: thinking.optional(),
  }),
  z.object({ role: z.literal("tool"), callId: z.string(), content: z.string() }),
]);

/** A message in a line: in full, or as a reference to an earlier one. */
const briefMessage = z.union([
  message,
  z.object({ ref: z.string() }),
  z.object({ role: z.enum(["assistant", "user", "system"]), reply: wholeSchema, thinking: z.literal(true).optional() }),
  z.object({ role: z.literal("tool"), result: z.string() }),
  z.object({ role: z.enum(["user", "system"]), more: z.string() }),
]);

const tokens = {
  input: amount,
  output: amount,
  estimated: z.boolean(),
  cached: amount.optional(),
  reasoning: amount.optional(),
  cost: amount.optional(),
};

const stamp = { seq: wholeSchema, at: timeSchema };
const ofTask = { ...stamp, task: z.string() };
const ofRequest = { ...ofTask, request: wholeSchema };

const text = { request: wholeSchema, text: z.string() };
const thought = {
  ...text,
  field: z.string().optional(),
  textBefore: z.literal(true).optional(),
  item: json,
};

const prompt = {
  ...ofRequest,
  role: z.enum(Object.keys(roles)),
  model: z.string(),
  stage: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: json })).optional(),
  saved: z.union([amount, z.literal("cache")]).optional(),
};

/** JSON writes NaN, which a scorer may return, as null; readers omit it from counts. */
const figure = z.custom<number | null>((value) => value === null || typeof value === "number", "a number");

export const scoreSchema = z.object({
  value: figure.optional(),
  rightFrom: z.number().optional(),
  metrics: recordOf(figure),
  checks: z.array(z.object({ name: z.string(), kept: z.boolean().optional(), message: z.string().optional() })),
  errors: z.array(
    z.object({
      kind: z.string(),
      step: z.number().optional(),
      key: z.string().optional(),
      expected: z.string().optional(),
      got: z.string().optional(),
      note: z.string().optional(),
      override: z.object({ was: z.string(), source: z.string(), reason: z.string() }).optional(),
    }),
  ),
  override: z
    .object({ was: z.number().optional(), metrics: recordOf(figure), source: z.string(), reason: z.string() })
    .optional(),
  labels: facetsSchema.optional(),
});

const taskEvents = {
  started: z.object({
    ...ofTask,
    facets: facetsSchema,
    question: z.string(),
    unset: z.array(z.string()).optional(),
    worker: z.object({ name: z.string(), attempt: z.string() }).optional(),
  }),
  prompt: z.object({ ...prompt, messages: z.array(message) }),
  text: z.object({ ...ofTask, ...text }),
  thinking: z.object({ ...ofTask, ...thought }),
  call: z.object({ ...ofRequest, call: toolCall }),
  usage: z.object({ ...ofRequest, ...tokens }),
  retry: z.object({
    ...ofRequest,
    attempt: amount,
    status: z.number().optional(),
    error: z.string(),
    wait: amount,
    usage: z.object(tokens).optional(),
  }),
  finish: z.object({
    ...ofRequest,
    reason: z.string(),
    model: z.string().optional(),
    fingerprint: z.string().optional(),
    adjusted: z.array(z.string()).optional(),
    without: z.array(z.string()).optional(),
  }),
  result: z.object({
    ...ofTask,
    callId: z.string(),
    name: z.string(),
    result: z.object({
      ok: z.boolean(),
      observation: z.string(),
      status: z.union([z.string(), z.number()]),
      value: json,
      end: z.object({ reason: z.string(), answer: json }).optional(),
    }),
    asked: wholeSchema.optional(),
    saved: amount.optional(),
  }),
  node: z.object({
    ...ofTask,
    id: z.string(),
    parent: z.string().optional(),
    needs: z.array(z.string()).optional(),
    kind: z.string(),
    label: z.string(),
    state: z.enum(["open", "done", "failed", "pruned"]),
    detail: json,
  }),
  note: z.object({ ...ofTask, kind: z.string(), text: z.string(), data: json }),
  answer: z.object({ ...ofTask, answer: json }),
  scored: z.object({ ...ofTask, score: scoreSchema, suiteRevision: z.number(), by: z.string().optional() }),
  failed: z.object({ ...ofTask, failure: failureSchema, refused: z.literal(true).optional() }),
} satisfies Record<TaskEvent["type"], z.ZodType>;
export const taskEventTypes = Object.keys(taskEvents);

const runEvents = {
  "run-started": z.object({
    ...stamp,
    run: z.string(),
    spec: specSchema,
    total: amount,
    // Logs of other programs may lack them.
    warnings: z.array(z.string()).optional(),
  }),
  "run-ended": z.object({
    ...stamp,
    reason: z.enum(["done", "stopped", "failed"]),
    message: z.string().optional(),
    rule: z.string().optional(),
  }),
  "shipment-refused": z.object({
    ...stamp,
    message: z.string(),
    of: z
      .object({ task: z.string().optional(), attempt: z.string().optional(), worker: z.string().optional() })
      .optional(),
  }),
} satisfies Record<RunEvent["type"], z.ZodType>;

type Schemas = ReadonlyMap<unknown, z.ZodType>;
const events: Schemas = new Map<unknown, z.ZodType>(Object.entries({ ...taskEvents, ...runEvents }));
/** Kinds whose lines differ from their events, or that are not events. */
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
  ["content", z.object({ ref: z.string(), message: message.optional() })],
]);
const unknownKind = z.object({ ...stamp, type: z.string(), task: z.string().optional() });

/** Pieces of text that are streamed before they form an event. */
export const textStepSchema = z.union([
  z.object({ type: z.literal("text"), ...text }),
  z.object({ type: z.literal("thinking"), ...thought }),
]);

/** Returns the event unchanged. Throws TypeError with the expected and the actual value if it is invalid. */
export function fittingEvent(value: unknown): Event {
  mustBeShallow(value);
  return fitting(events, value) as Event;
}

/** Checks an event before it is written. Throws `Problem`, which indicates a bug of ours or of a user's suite or strategy. */
export function writableEvent(value: object): Event {
  try {
    return fittingEvent(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Problem("bug", `${error.message}: it cannot be written into the log`);
  }
}

/** Parses a line. Throws SyntaxError if it is not JSON, TypeError if no version has written such a line. */
export const fittingLine = (text: string): unknown => fitting(lines, parsedShallow(text));

/** Parses JSON up to the nesting limit of a log. Throws SyntaxError if it is not JSON, TypeError if it nests deeper. */
export function parsedShallow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > shortest) mustBeShallow(value);
  return value;
}

function mustBeShallow(value: unknown): void {
  if (nestsDeeper(value, deepest)) throw new TypeError(`Expected at most ${deepest} nested levels, got more`);
}

function fitting(schemas: Schemas, value: unknown): unknown {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return checkedValue(schemas.get(type) ?? unknownKind, value, (misfit) => {
    throw new TypeError(misfitText(misfit));
  });
}
