/**
 * Corrections of errors and scores, where rules and judges are mistaken: `overrides.json` in the folder of the run, read
 * whenever the run is scored again. What the scorer had, the author and the reason stay with the score. The file is written by hand, or
 * from the trajectory screen (`correct-task.ts`).
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
const task = nonEmpty.describe("of this run");
const source = nonEmpty.describe("who says so");
const reason = nonEmpty.describe("why");
const override = z.strictObject({
  task,
  step: z
    .int()
    .min(0)
    .optional()
    .describe("where the error was made, as it says; not given: an error of the task as a whole"),
  was: nonEmpty.optional().describe("the kind the scorer gives, where a step has errors of several kinds"),
  key: z.string().optional().describe("its argument or field, where a step has several errors of that kind"),
  number: z.int().min(1).optional().describe("which of those that still fit, from 1 in the order of the scorer"),
  kind: nonEmpty.describe(`the right kind, or \`${noMistake}\``),
  source,
  reason,
});

/** A score that a person puts in the place of the scorer's. */
const scoreOverride = z.strictObject({
  task,
  value: z.number().min(0).max(1).describe("the score in place of the scorer's: 1 is right, 0 wrong"),
  source,
  reason,
});

/** What may stand in the list of an `overrides.json` as JSON schema (draft 7): a correction of an error, or of a score. */
export const overrideSchemas = (): readonly object[] =>
  [override, scoreOverride].map((each) => z.toJSONSchema(each, { target: "draft-7", io: "input" }));

export type ErrorOverride = z.infer<typeof override>;
export type ScoreOverride = z.infer<typeof scoreOverride>;
export type Override = ErrorOverride | ScoreOverride;

export const isOfScore = (each: Override): each is ScoreOverride => "value" in each;
export const isOfError = (each: Override): each is ErrorOverride => !isOfScore(each);

const fileOf = (folder: string) => join(folder, "overrides.json");

/**
 * The overrides of a run in the order of the file; none where there is no file. Throws `Problem` for a file that is not a
 * list of overrides, or names a kind the suite does not have, and `DataProblem` for one that is no JSON.
 */
export async function listOverrides(folder: string, suite: Benchmark): Promise<readonly Override[]> {
  const path = fileOf(folder);
  return existsSync(path) ? checkOverrides(await readJson(path), path, suite) : [];
}

/** The same by task. */
export async function readOverrides(
  folder: string,
  suite: Benchmark,
): Promise<ReadonlyMap<string, readonly Override[]>> {
  return Map.groupBy(await listOverrides(folder, suite), ({ task }) => task);
}

/** Throws `Problem` for what is no list of overrides, or names a kind the suite does not have; `path` says where it stands. */
export function checkOverrides(value: unknown, path: string, suite: Benchmark): readonly Override[] {
  const refused = ([issue]: readonly z.core.$ZodIssue[], before: readonly number[] = []) =>
    new Problem(
      "parse",
      `Expected ${path} to be a list of overrides: ${[...before, ...issue!.path].join(".")}: ${issue!.message}`,
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
 * Replaces the file, one override to a line; with none the file is removed. Throws `Problem` for what could not be read back, and
 * where it cannot be written; the old file then stays.
 */
export function writeOverrides(folder: string, overrides: readonly Override[], suite: Benchmark): void {
  const path = fileOf(folder);
  checkOverrides(overrides, path, suite);
  if (overrides.length === 0) return rmSync(path, { force: true });
  replaceFile(path, `[\n${overrides.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}\n]\n`);
}
