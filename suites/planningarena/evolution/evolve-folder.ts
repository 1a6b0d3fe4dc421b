/** Command evolution from one data folder into another. */
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../source/engine/make-folder.ts";
import { randomFrom, shuffled } from "../../../source/engine/random.ts";
import type { EvolveRequest } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { readExamples, readGenerated, generatedFolder } from "../task-files.ts";
import { evolve } from "./evolve.ts";
import { standInAuthor } from "./stand-in.ts";

/**
 * Writes a data folder: accepted tasks in `tasks.jsonl`, `rejected.jsonl` with reasons, every request and reply in
 * `calls.jsonl`, and the catalogue and profiles of the seeds. Without a model the built-in stand-in writes.
 */
export async function evolvePlanningArena(request: EvolveRequest): Promise<void> {
  const { out, count, rounds, seed, split, signal, report } = request;
  const folder = split === "examples" ? request.folder : generatedFolder(request.folder);
  const tasks = split === "examples" ? await readExamples(folder) : await readGenerated(folder);
  const seeds = shuffled(tasks, randomFrom(`evolve ${seed}`)).slice(0, count);
  const standIn = standInAuthor();
  const calls: string[] = [];
  const firstId = 1 + tasks.reduce((most, { input }) => Math.max(most, input.head.id), 0);
  const { accepted, rejected } = await evolve({
    seeds,
    rounds,
    firstId,
    signal,
    spec: authorSpec(split, seed),
    model: (stage) => request.model?.(stage) ?? standIn,
    log(call) {
      calls.push(`${JSON.stringify(call)}\n`);
      if (call.stage === "suggest") report(`task ${call.seed}, round ${call.round}`);
    },
  });
  makeFolder(out);
  for (const name of ["apps.json", "apis.json", "profiles.json"]) await copyFile(join(folder, name), join(out, name));
  const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const kept = accepted.map(({ task, ...how }) => ({ ...task, evolution: how }));
  await writeFile(join(out, "tasks.jsonl"), lines(kept));
  await writeFile(join(out, "rejected.jsonl"), lines(rejected));
  await writeFile(join(out, "calls.jsonl"), calls.join(""));
  report(`${accepted.length} accepted, ${rejected.length} rejected, ${calls.length} calls, in ${out}`);
}

/** Servers are asked as in a run: temperature 0. */
function authorSpec(split: string, seed: number): RunSpec {
  return {
    suite: "planningarena",
    split,
    data: "published",
    filter: {},
    limit: 0,
    strategy: "evolve",
    shots: 0,
    options: {},
    model: "author",
    temperature: 0,
    seed,
    trial: 1,
    budget: {},
    suiteRevision: 1,
    strategyRevision: 1,
  };
}
