/**
 * Manual corrections of errors and scores: `overrides.json` in the folder of the run, read whenever the run is scored again. The
 * score keeps the scorer's result, the author and the reason. The file is written by hand or from the trajectory screen
 * (`correct-task.ts`).
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../files/replace-file.ts";
import { readJson } from "../../text/json-lines.ts";
import { Problem } from "../../problem.ts";
import type { Benchmark } from "../../benchmark.ts";
import { noMistake } from "../rows/verdict.ts";

const nonEmpty = z.string().trim().min(1);
const task = nonEmpty.describe("id of a task of this run");
const source = nonEmpty.describe("who made the correction");
const reason = nonEmpty.describe("the reason");
const override = z.strictObject({
  task,
  step: z.int().min(0).optional().describe("the step that the error names; absent for an error of the task as a whole"),
  was: nonEmpty.optional().describe("the scorer's kind, if a step has errors of several kinds"),
  key: z.string().optional().describe("the argument or field of the error, if a step has several errors of that kind"),
  number: z
    .int()
    .min(1)
    .optional()
    .describe("the error's number among several matching errors, from 1 in the order of the scorer"),
  kind: nonEmpty.describe(`the right kind, or \`${noMistake}\``),
  source,
  reason,
});

/** A person's score, which replaces the scorer's. */
const scoreOverride = z.strictObject({
  task,
  value: z.number().min(0).max(1).describe("the score that replaces the scorer's: 1 for right, 0 for wrong"),
  source,
  reason,
});

/** Returns JSON schemas (draft 7) of the entries of `overrides.json`: a correction of an error, or of a score. */
export const overrideSchemas = (): readonly object[] =>
  [override, scoreOverride].map((each) => z.toJSONSchema(each, { target: "draft-7", io: "input" }));

export type ErrorOverride = z.infer<typeof override>;
export type ScoreOverride = z.infer<typeof scoreOverride>;
export type Override = ErrorOverride | ScoreOverride;

export const isOfScore = (each: Override): each is ScoreOverride => "value" in each;
export const isOfError = (each: Override): each is ErrorOverride => !isOfScore(each);

const fileOf = (folder: string) => join(folder, "overrides.json");

/**
 * Returns the overrides of a run in file order; empty without a file. Throws `Problem` if the file is not a list of overrides or
 * contains a kind that the suite lacks, and `DataProblem` if it is not JSON.
 */
export async function listOverrides(folder: string, suite: Benchmark): Promise<readonly Override[]> {
  const path = fileOf(folder);
  return existsSync(path) ? checkOverrides(await readJson(path), path, suite) : [];
}

/** Returns the overrides of a run by task. */
export const readOverrides = async (folder: string, suite: Benchmark) =>
  Map.groupBy(await listOverrides(folder, suite), ({ task }) => task);

/** Throws `Problem` if the value is not a list of overrides or contains a kind that the suite lacks; `path` is its source. */
export function checkOverrides(value: unknown, path: string, suite: Benchmark): readonly Override[] {
  const refused = ([issue]: readonly z.core.$ZodIssue[], before: readonly number[] = []) =>
    new Problem(
      "parse",
      `Expected ${path} to be a list of overrides, got a mistake in ${[...before, ...issue!.path].join(".")}: ${issue!.message}`,
    );
  const { data: all, error } = z.array(z.unknown()).safeParse(value);
  if (error !== undefined) throw refused(error.issues);
  const data = all.map((each, index): Override => {
    const ofScore = each !== null && typeof each === "object" && "value" in each;
    const checked = (ofScore ? scoreOverride : override).safeParse(each);
    if (checked.error !== undefined) throw refused(checked.error.issues, [index]);
    return checked.data;
  });
  const kinds = [...suite.errorKinds.map(({ name }) => name), noMistake];
  const unknown = data.filter(isOfError).find(({ kind }) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw new Problem(
      "parse",
      `Expected \`kind\` in ${path} to be one of ${kinds.join(", ")}, got \`${unknown.kind}\``,
    );
  return data;
}

/**
 * Replaces the file, one override per line; an empty list removes it. Throws `Problem`, and leaves the old file unchanged, if the
 * overrides could not be read again or the file cannot be written.
 */
export function writeOverrides(folder: string, overrides: readonly Override[], suite: Benchmark): void {
  const path = fileOf(folder);
  checkOverrides(overrides, path, suite);
  if (overrides.length === 0) return rmSync(path, { force: true });
  replaceFile(path, `[\n${overrides.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}\n]\n`);
}
