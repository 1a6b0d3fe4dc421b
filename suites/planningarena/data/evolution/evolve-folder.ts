/** Evolves commands from one data folder into another. */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../../source/engine/files/make-folder.ts";
import { manifestFile } from "../../../../source/engine/files/manifest.ts";
import { namingFile, replaceFile } from "../../../../source/engine/files/replace-file.ts";
import { randomFrom, shuffled } from "../../../../source/engine/statistics/random.ts";
import type { EvolveRequest } from "../../../../source/engine/suite.ts";
import type { RunSpec } from "../../../../source/engine/types.ts";
import { generatedFolder, refuseOtherFiles } from "../generated-folder.ts";
import { readExamples, readGenerated } from "../task-files.ts";
import { evolve } from "./evolve.ts";
import { standInAuthor } from "./stand-in.ts";

/**
 * Writes a data folder: accepted tasks in `tasks.jsonl`, rejected tasks with reasons in `rejected.jsonl`, every request and reply
 * in `calls.jsonl`, and the catalogue and profiles of the seeds. Without a model, the built-in author writes the tasks. Files are
 * appended immediately, so that a failure or an interruption loses no earlier results.
 */
export async function evolvePlanningArena(request: EvolveRequest): Promise<void> {
  const { out, count, prompts, rounds, seed, split, signal, report } = request;
  const folder = split === "examples" ? request.folder : generatedFolder(request.folder);
  const tasks = split === "examples" ? await readExamples(folder) : await readGenerated(folder);
  const seeds = shuffled(tasks, randomFrom(`evolve ${seed}`)).slice(0, count);
  const standIn = standInAuthor();
  const firstId = 1 + tasks.reduce((most, { input }) => Math.max(most, input.head.id), 0);
  const counted = { accepted: 0, rejected: 0, calls: 0 };
  const append = (name: string, value: object) =>
    namingFile(join(out, name), (path) => appendFileSync(path, `${JSON.stringify(value)}\n`));
  const summary = () => `${counted.accepted} accepted, ${counted.rejected} rejected, ${counted.calls} calls, in ${out}`;
  try {
    await evolve({
      seeds,
      rounds,
      firstId,
      signal,
      spec: { ...authorSpec(split, seed), ...(prompts && { prompts }) },
      model: (stage) => request.model?.(stage) ?? standIn,
      log(call) {
        // Older tasks are replaced only after a model has answered.
        if (counted.calls === 0) emptyFolder(folder, out);
        counted.calls += 1;
        append("calls.jsonl", call);
        if (call.stage === "suggest") report(`task ${call.seed}, round ${call.round}`);
      },
      decided(one) {
        if ("reasons" in one) {
          counted.rejected += 1;
          append("rejected.jsonl", one);
          return;
        }
        counted.accepted += 1;
        const { task, ...how } = one;
        append("tasks.jsonl", { ...task, evolution: how });
      },
    });
  } catch (thrown) {
    if (counted.calls > 0) report(`stopped: ${summary()}`);
    throw thrown;
  }
  report(summary());
}

/** Prepares a folder with the catalogue and profiles of the seeds and no tasks. */
function emptyFolder(from: string, out: string): void {
  refuseOtherFiles(out);
  makeFolder(out);
  // The manifest would describe tasks generated here earlier.
  rmSync(join(out, manifestFile), { force: true });
  for (const name of ["apps.json", "apis.json", "profiles.json"])
    replaceFile(join(out, name), readFileSync(join(from, name)));
  for (const name of ["tasks.jsonl", "rejected.jsonl", "calls.jsonl"]) replaceFile(join(out, name), "");
}

/** Temperature 0, as in a run. */
const authorSpec = (split: string, seed: number): RunSpec => ({
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
});
