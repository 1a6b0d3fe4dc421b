/**
 * Scoring the 6,000 published English predictions that are in the public files (3 tasks x 2 models), from file to table.
 *
 * What dominates, measured with a profile of about 0.95 s from start to table: starting Node and loading modules takes over a
 * quarter, garbage collection a fifth, unzipping and parsing files a tenth. The scorer itself is the remaining two fifths:
 * reading answers as Python literals and listing their mistakes come first, edit distances are a hundredth.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sampleFolder } from "../source/engine/settings/package-folder.ts";
import { readPredictions } from "../source/engine/workbench/prediction-run.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import { ultratool } from "../suites/ultratool/index.ts";
import type { Measurement } from "./measurement.ts";

const files = [
  ["planning", "planning_judge"],
  ["tool_usage_awareness", "tool_usage_awareness"],
  ["tool_usage", "tool_usage"],
] as const;
const models = ["gpt-4", "gpt-3.5"];

/** The published data where it is installed, else in PLANWRIGHT_SHARED; undefined where it is in neither. */
async function publishedFolder(): Promise<string | undefined> {
  const shared = process.env["PLANWRIGHT_SHARED"];
  const installed = (await openSettings()).read().data["ultratool"];
  const folders = [installed, shared === undefined ? undefined : join(shared, "data", "ultratool")];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, "predictions", "en")));
}

export async function bench(): Promise<readonly Measurement[]> {
  const folder = await publishedFolder();
  if (folder === undefined) return [await sampleOnly()];
  const measurements: Measurement[] = [];
  const from = performance.now();
  let scored = 0;
  for (const [task, file] of files) {
    const start = performance.now();
    for (const model of models) scored += await scoreFile(folder, task, `predictions/en/${model}/${file}.jsonl.gz`);
    measurements.push({ name: `${task}, both models`, value: (performance.now() - start) / 1000, unit: "s" });
  }
  measurements.push({
    name: `${scored} predictions, files to tables`,
    value: (performance.now() - from) / 1000,
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

/** Without the published files: as many answers to the sample's tasks, so that the number can still be watched. */
async function sampleOnly(): Promise<Measurement> {
  const folder = sampleFolder("ultratool");
  const lines = Array.from({ length: 6000 }, (_, index) => ({
    number: index + 1,
    value: { id: index % 8, output: "[{'step': '1.1 a', 'tool': '1'}, {'step': '1.2 b', 'tool': '0'}]" },
  }));
  const from = performance.now();
  const { signal } = new AbortController();
  const split = "en/tool_usage_awareness";
  await ultratool.predictions!.score({ lines, folder, data: "sample", split, flags: { parser: "gpt" }, signal });
  const value = (performance.now() - from) / 1000;
  return { name: "6000 short answers to the sample (the published predictions are not installed)", value, unit: "s" };
}
