/**
 * What a person says an error was, where rules and judges are mistaken: `overrides.json` in the folder of the run, read
 * whenever the run is scored again. The scorer's own kind, who changed it and why stay with the error.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "./json-lines.ts";
import { Problem } from "./problem.ts";
import type { Suite } from "./suite.ts";
import type { Mistake, Score } from "./types.ts";

const word = z.string().trim().min(1);
const override = z.strictObject({
  task: word,
  /** Where it was made, as the error has it; absent for an error of the task as a whole. */
  step: z.int().min(0).optional(),
  /** The kind the scorer gives, needed where a step has errors of several kinds. */
  was: word.optional(),
  kind: word,
  /** Who says so, and why. */
  source: word,
  reason: word,
});

export type Override = z.infer<typeof override>;

/**
 * The overrides of a run by task; none where there is no file. Throws `Problem` for a file that is not a list of
 * overrides, or names a kind the suite does not have.
 */
export async function readOverrides(folder: string, suite: Suite): Promise<ReadonlyMap<string, readonly Override[]>> {
  const path = join(folder, "overrides.json");
  if (!existsSync(path)) return new Map();
  const { data, error } = z.array(override).safeParse(await readJson(path));
  if (error !== undefined) {
    const [issue] = error.issues;
    throw new Problem(
      "parse",
      `Expected ${path} to be a list of overrides: ${issue!.path.join(".")}: ${issue!.message}`,
    );
  }
  const kinds = suite.errorKinds.map(({ name }) => name);
  const unknown = data.find(({ kind }) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw new Problem(
      "parse",
      `Expected \`kind\` in ${path} to be one of ${kinds.join(", ")}, got \`${unknown.kind}\``,
    );
  return Map.groupBy(data, ({ task }) => task);
}

/**
 * The score with the errors named as these overrides say; where several are about one error the last one counts. The number
 * of errors changed is `errors.overridden` among the metrics. Throws `Problem` for an override that fits no error of
 * the task, or several: it would otherwise be lost in silence.
 */
export function overridden(score: Score, overrides: readonly Override[]): Score {
  if (overrides.length === 0) return score;
  const errors = [...score.errors];
  for (const { task, step, was, kind, source, reason } of overrides) {
    const fitting = [...score.errors.keys()].filter((at) => {
      const error = score.errors[at]!;
      return error.step === step && (was === undefined || error.kind === was);
    });
    const [at, ...more] = fitting;
    if (at === undefined || more.length > 0) {
      const where = `${task}${step === undefined ? "" : `, step ${step}`}${was === undefined ? "" : `, ${was}`}`;
      throw new Problem("parse", `Expected the override of ${where} to fit one error, it fits ${fitting.length}`);
    }
    errors[at] = { ...score.errors[at]!, kind, override: { was: score.errors[at]!.kind, source, reason } };
  }
  const count = errors.filter((error: Mistake) => error.override !== undefined).length;
  return { ...score, errors, metrics: { ...score.metrics, "errors.overridden": count } };
}
