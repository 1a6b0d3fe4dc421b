/** Schemas of the lines in a row file. A checksum detects damage to a line; it does not authenticate the writer. */
import { z } from "zod";
import { causeNames } from "../../types.ts";
import { facetsSchema, failureSchema, scoreSchema, timeSchema, wholeSchema, specSchema } from "../file/event-schema.ts";
import { recordOf } from "../../text/checked-record.ts";

const tokens = z.object({
  input: z.number(),
  output: z.number(),
  estimated: z.boolean(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
  failed: z.object({ input: z.number(), output: z.number() }).optional(),
});
const usage = {
  calls: z.number(),
  toolCalls: z.number(),
  retries: z.number(),
  tokens,
  cost: z.number().optional(),
  seconds: z.number(),
};

const times = z.number();
const noteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("note"), kind: z.string(), times }),
  z.object({ type: z.literal("stage"), stage: z.string(), times }),
  z.object({ type: z.literal("unset"), setting: z.string(), times }),
  z.object({ type: z.literal("without"), field: z.string(), model: z.string(), times }),
  z.object({ type: z.literal("adjusted"), adjustment: z.string(), model: z.string(), times }),
  z.object({ type: z.literal("answered"), model: z.string(), by: z.string(), times }),
  z.object({
    type: z.literal("answer-from"),
    run: z.string(),
    judge: z.string().optional(),
    scoring: z.string().optional(),
    times,
  }),
  z.object({ type: z.literal("reply"), how: z.enum(["cut", "filtered", "refused", "empty", "cached"]), times }),
]);

export const rowSchema = z.object({
  run: z.string(),
  task: z.string(),
  question: z.string(),
  facets: facetsSchema,
  state: z.enum(["running", "scored", "failed"]),
  score: scoreSchema.optional(),
  failure: failureSchema.optional(),
  cause: z
    .object({
      cause: z.enum(causeNames),
      request: wholeSchema.optional(),
      from: wholeSchema.optional(),
      to: wholeSchema.optional(),
      detail: z.string().optional(),
    })
    .optional(),
  counted: z.object(usage),
  judging: z.object(usage).optional(),
  spent: z.object(usage),
  notes: z.array(noteSchema),
  from: timeSchema,
  to: timeSchema,
});

/** Increased when the fields of rows change; `former-rows.ts` defines which older files are readable. */
export const rowsVersion = 7;

/** The first line. */
export const rowsHeadSchema = z.object({
  version: z.literal(rowsVersion),
  end: z.object({ bytes: wholeSchema, torn: z.boolean(), lastSeq: z.union([z.literal(-1), wholeSchema]) }),
  prices: z.string(),
  damage: z.object({
    unreadable: z.number(),
    doubled: z.number(),
    missing: z.number(),
    crossed: z.number(),
    mark: z.boolean(),
    changed: z.number(),
    cut: z.number(),
    index: z.boolean(),
  }),
  count: wholeSchema,
  summary: z.object({
    spec: specSchema,
    run: z.string(),
    total: z.number(),
    warnings: z.array(z.string()),
    ended: z
      .object({
        reason: z.enum(["done", "stopped", "failed"]),
        message: z.string().optional(),
        rule: z.string().optional(),
      })
      .optional(),
    used: z.object({ steps: z.number(), tokens: z.number(), seconds: z.number(), cost: z.number() }),
    sums: z.object({
      tally: recordOf(z.number()),
      unread: recordOf(z.number()).optional(),
      failed: z.object({ task: z.string(), failure: failureSchema }).optional(),
    }),
    notes: z.object({
      notes: z.array(noteSchema),
      sent: z.array(z.tuple([z.string(), z.number()])),
      calls: z.number(),
    }),
    refused: z.number().optional(),
  }),
});
