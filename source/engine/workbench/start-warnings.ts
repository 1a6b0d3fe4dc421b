/** What is said beside the results of a run from its start, whatever its models reply. */
import type { PlannedRun } from "../session/run-cell.ts";
import type { Benchmark } from "../benchmark.ts";

/** Why none of its tasks can be scored, where that is so. Answers made elsewhere are for their own scorer. */
export function unscoredWarning({ spec, predictions }: PlannedRun, suite: Benchmark): readonly string[] {
  const why = predictions === undefined ? suite.unscored?.(spec) : undefined;
  return why === undefined ? [] : [why];
}

/** `keyReaders` are its models that read the answer key, `ofData` what the suite says of its data. */
export function startWarnings(
  planned: PlannedRun,
  suite: Benchmark,
  { keyReaders, ofData }: { readonly keyReaders: readonly string[]; readonly ofData: readonly string[] },
): readonly string[] {
  const sample =
    planned.spec.data === "sample" ? ["Sample tasks written for Planwright, not the published benchmark"] : [];
  const oracle = keyReaders.map((name) => `${name} reads the answer key`);
  return [...unscoredWarning(planned, suite), ...oracle, ...sample, ...ofData];
}
