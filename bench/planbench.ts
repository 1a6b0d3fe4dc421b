/** Validating the published plans of PlanBench, from file to table. */
import { join } from "node:path";
import { readPredictions } from "../source/engine/workbench/runs/prediction-run.ts";
import { planbench } from "../suites/planbench/index.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { conformanceFiles, publishedData } from "./published.ts";

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const [plans, folder] = [conformanceFiles("planbench"), await publishedData("planbench", "instances")];
  if (plans === undefined || folder === undefined)
    return [{ of: "validating published plans", leftOut: "no published PlanBench data" }];
  const from = performance.now();
  const lines = await readPredictions(join(plans, "verdicts.jsonl.gz"));
  const { signal } = new AbortController();
  const request = { lines, folder, data: "published", split: "verdicts", flags: {}, signal } as const;
  const { records } = await planbench.predictions!.score(request);
  const seconds = (performance.now() - from) / 1000;
  return [{ what: `${records.length} plans validated, file to table`, ours: seconds, unit: "s" }];
}
