/** Schemas of the lines in a row file. A checksum detects damage to a line; it does not authenticate the writer. */
import { z } from "zod";
import { causeNames } from "../../types.ts";
import { facetsSchema, failureSchema, scoreSchema, timeSchema, wholeSchema, specSchema } from "../file/event-schema.ts";
import { recordOf } from "../../text/checked-record.ts";

const [string, number, boolean] = [z.string(), z.number(), z.boolean()];
const tokens = z.object({
  input: number,
  output: number,
  estimated: boolean,
  cached: number.optional(),
  reasoning: number.optional(),
  failed: z.object({ input: number, output: number }).optional(),
});
const usage = { calls: number, toolCalls: number, retries: number, tokens, cost: number.optional(), seconds: number };

const times = number;
const noteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("note"), kind: string, times }),
  z.object({ type: z.literal("stage"), stage: string, times }),
  z.object({ type: z.literal("unset"), setting: string, times }),
  z.object({ type: z.literal("without"), field: string, model: string, times }),
  z.object({ type: z.literal("adjusted"), adjustment: string, model: string, times }),
  z.object({ type: z.literal("answered"), model: string, by: string, times }),
  z.object({
    type: z.literal("answer-from"),
    run: string,
    judge: string.optional(),
    scoring: string.optional(),
    times,
  }),
  z.object({ type: z.literal("reply"), how: z.enum(["cut", "filtered", "refused", "empty", "cached"]), times }),
]);

export const rowSchema = z.object({
  run: string,
  task: string,
  question: string,
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
      detail: string.optional(),
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

const ending = z.object({
  reason: z.enum(["done", "stopped", "failed"]),
  message: z.string().optional(),
  rule: z.string().optional(),
});

/** The first line. */
export const rowsHeadSchema = z.object({
  version: z.literal(rowsVersion),
  end: z.object({ bytes: wholeSchema, torn: boolean, lastSeq: z.union([z.literal(-1), wholeSchema]) }),
  prices: string,
  damage: z.object({
    unreadable: number,
    doubled: number,
    missing: number,
    crossed: number,
    mark: boolean,
    changed: number,
    cut: number,
    index: boolean,
  }),
  count: wholeSchema,
  blocks: z.array(z.tuple([wholeSchema, wholeSchema, wholeSchema, wholeSchema])).optional(),
  summary: z.object({
    spec: specSchema,
    run: string,
    total: number,
    warnings: z.array(string),
    ended: ending.optional(),
    choices: z
      .array(
        z.tuple([string, z.object({ tasks: z.array(string).optional(), total: number, ended: ending.optional() })]),
      )
      .optional(),
    used: z.object({ steps: number, tokens: number, seconds: number, cost: number }),
    sums: z.object({
      tally: recordOf(number),
      unread: recordOf(number).optional(),
      failed: z.object({ task: string, failure: failureSchema }).optional(),
    }),
    notes: z.object({ notes: z.array(noteSchema), sent: z.array(z.tuple([string, number])), calls: number }),
    refused: number.optional(),
  }),
});
