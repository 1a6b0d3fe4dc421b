/** Scoring trajectories of tau2, from file to table. PLANWRIGHT_TAU2 names its wheel, or its data are installed. */
import { join } from "node:path";
import { readPredictions } from "../source/engine/workbench/runs/prediction-run.ts";
import { tau2 } from "../suites/tau2/index.ts";
import type { Bench } from "./measurement.ts";
import { conformanceFiles, publishedData } from "./published.ts";

/** Trajectories of each domain. */
const most = 1_000;

export const bench: Bench = async function* () {
  const files = conformanceFiles("tau2");
  const folder = process.env["PLANWRIGHT_TAU2"] ?? (await publishedData("tau2", "domains/airline/tasks.json"));
  if (files === undefined || folder === undefined) {
    yield { of: "scoring tau2's trajectories", leftOut: "no published tau2 data" };
    return;
  }
  for (const domain of ["airline", "retail", "telecom"]) {
    const split = `trajectories-${domain}`;
    const from = performance.now();
    const lines = (await readPredictions(join(files, `${split}.jsonl.gz`))).slice(0, most);
    const request = {
      lines,
      folder,
      data: "published",
      split,
      flags: {},
      signal: new AbortController().signal,
    } as const;
    const { records } = await tau2.predictions!.score(request);
    const seconds = (performance.now() - from) / 1000;
    yield { what: `${records.length} trajectories of ${domain} scored, file to table`, ours: seconds, unit: "s" };
  }
};
