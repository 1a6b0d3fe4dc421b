/**
 * Scoring the 6,000 published English predictions that are in the public files (3 tasks x 2 models), from file to table.
 *
 * What dominates, measured with a profile of about 0.95 s from start to table: starting Node and loading modules takes over a
 * quarter, garbage collection a fifth, unzipping and parsing files a tenth. The scorer itself is the remaining two fifths:
 * reading answers as Python literals and listing their mistakes come first, edit distances are a hundredth.
 */
import { join } from "node:path";
import { readPredictions } from "../source/engine/workbench/runs/prediction-run.ts";
import { ultratool } from "../suites/ultratool/index.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { publishedData } from "./published.ts";

const files = [
  ["planning", "planning_judge"],
  ["tool_usage_awareness", "tool_usage_awareness"],
  ["tool_usage", "tool_usage"],
] as const;
const models = ["gpt-4", "gpt-3.5"];

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const folder = await publishedData("ultratool", join("predictions", "en"));
  if (folder === undefined) return [{ of: "scoring published predictions", leftOut: "no published UltraTool data" }];
  const measurements: Measurement[] = [];
  const from = performance.now();
  let scored = 0;
  for (const [task, file] of files) {
    const start = performance.now();
    for (const model of models) scored += await scoreFile(folder, task, `predictions/en/${model}/${file}.jsonl.gz`);
    measurements.push({ what: `${task}, both models`, ours: (performance.now() - start) / 1000, unit: "s" });
  }
  measurements.push({
    what: `${scored} predictions, files to tables`,
    ours: (performance.now() - from) / 1000,
    unit: "s",
  });
  return measurements;
}

async function scoreFile(folder: string, task: string, file: string): Promise<number> {
  const lines = await readPredictions(join(folder, file));
  const { signal } = new AbortController();
  const request = { lines, folder, data: "published", split: `en/${task}`, flags: { parser: "gpt" }, signal } as const;
  const { figures } = await ultratool.predictions!.score(request);
  if (figures.length === 0) throw new Error(`Expected a table for ${task}, got none`);
  return lines.length;
}
