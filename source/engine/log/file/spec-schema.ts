/** The settings of a run as its log says them, made of the table of settings. */
import { z } from "zod";
import { anyJson, recordOf } from "../../text/checked-record.ts";
import { valueSettings } from "../../run-settings.ts";
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

/** Always there are those that a run must have, and those whose default is not left out. */
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

export const specSchema = z.object({
  ...settings,
  dataset: z.string().optional(),
  code: texts,
  filter: recordOf(z.array(values)),
  options: recordOf(values),
  budget: z.object({ task: limits, run: limits }),
  toolServers: texts,
  agent: z.string().optional(),
  set: z.array(z.string()).optional(),
  fork: z.object({ run: z.string(), task: z.string(), request: z.number(), message: z.string().optional() }).optional(),
  suiteRevision: z.number(),
  strategyRevision: z.number(),
});
