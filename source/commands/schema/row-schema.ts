/** A line of `rows.jsonl` as JSON schema (draft 7). Fields may be added but never change; readers ignore unknown fields. */
import { causeNames } from "../../engine/types.ts";
import { mapped, ofTypes, type Schema } from "./json-schema.ts";

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const amount: Schema = { type: "number", minimum: 0 };
const fraction: Schema = { type: "number", minimum: 0, maximum: 1 };
const date: Schema = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" };
const numbers: Schema = { type: "object", additionalProperties: { type: "number" } };

const about = (description: string, schema: Schema): Schema => ({ description, ...schema });

const usage: Schema = {
  type: "object",
  properties: {
    ...mapped(["calls", "toolCalls", "retries"], () => count),
    tokens: {
      type: "object",
      properties: {
        ...mapped(["input", "output", "cached", "reasoning"], () => count),
        estimated: { type: "boolean" },
        failed: { type: "object", properties: mapped(["input", "output"], () => count) },
      },
      required: ["input", "output", "estimated"],
    },
    cost: about("In the endpoints' currency; absent if a model has no price", amount),
    seconds: amount,
  },
  required: ["calls", "toolCalls", "retries", "tokens", "seconds"],
};

const mistake: Schema = {
  type: "object",
  properties: {
    ...mapped(["kind", "key", "expected", "got", "note"], () => text),
    step: count,
    override: { type: "object" },
  },
  required: ["kind"],
};

/** Fields of every run. */
const settings = ["suite", "split", "data", "strategy", "model", "options", "filter", "budget"];

export const rowSchema: Schema = {
  type: "object",
  properties: {
    format: about("Format number of this line; 1 if absent", count),
    run: about("Id of the run", { type: "string", pattern: "^[0-9a-f]{16}$" }),
    scoring: about("Id of the scoring: check, rubric, judge and settings of the judge", {
      type: "string",
      pattern: "^[0-9a-f]{16}$",
    }),
    cell: about("Name of the run cell", text),
    label: about("Distinguishes the run from other runs of the cell", text),
    readsAnswerKey: about("True if a model of the run reads the answer key", { type: "boolean" }),
    settings: about("All settings that determine the run", {
      type: "object",
      properties: mapped(settings, () => ({})),
      required: settings,
    }),
    task: text,
    question: text,
    reference: about("The right answer as text; absent if the data are not installed", text),
    facets: { type: "object", additionalProperties: ofTypes("string", "number") },
    state: { enum: ["scored", "failed", "running"] },
    verdict: about("Absent if the task has no score", { enum: ["right", "wrong", "unscored"] }),
    cause: about("How the answer ended, or why it could not be read; absent without a reply", {
      enum: causeNames,
    }),
    causeAt: about("The request, the characters of its reply that show the cause, and a detail", {
      type: "object",
      properties: { ...mapped(["request", "from", "to"], () => count), detail: text },
    }),
    answer: about("The answer of the strategy, as any JSON value", {}),
    score: {
      type: "object",
      properties: {
        value: about("A fraction from 0 to 1; absent if the score could not be computed", fraction),
        rightFrom: about("The lowest score that counts as right, a fraction from 0 to 1", fraction),
        metrics: about("Shares as fractions from 0 to 1; other values unchanged", numbers),
        checks: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: text,
              kept: about("Absent if the check does not apply", { type: "boolean" }),
              message: text,
            },
            required: ["name"],
          },
        },
        errors: { type: "array", items: mistake },
        labels: { type: "object", additionalProperties: text },
        override: about("A correction by a person", { type: "object" }),
      },
      required: ["metrics", "checks", "errors"],
    },
    failure: { type: "object", properties: mapped(["kind", "message"], () => text), required: ["kind", "message"] },
    codes: about("Codebook kinds that the task has, joined by |; absent if the session has no codebook", text),
    code: about("For each kind: true if the task has this kind or a kind below it", {
      type: "object",
      additionalProperties: { type: "boolean" },
    }),
    counted: about("The attempt that was scored", usage),
    spent: about("All attempts", usage),
    startedAt: date,
    endedAt: date,
  },
  required: [
    "run",
    "cell",
    "label",
    "readsAnswerKey",
    "settings",
    "task",
    "question",
    "facets",
    "state",
    "counted",
    "spent",
    "startedAt",
    "endedAt",
  ],
};
