/** What is said beside the results of a run. */
import { damageText } from "../../log/file/log-damage.ts";
import type { RunStore } from "../../log/run-store.ts";
import { ownName } from "../../session/file-suite.ts";
import { keptText, olderText } from "../../session/older-code.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { Benchmark } from "../../benchmark.ts";
import { dataWarnings, type LoadedSuite } from "../../loaded-suite.ts";
import type { DataKind } from "../../types.ts";

/** All of it: what is wrong with its log, and what it started with or its models' replies have given reason for since. */
export function warningsNow(
  planned: PlannedRun,
  suite: Benchmark,
  { damage, presence, table }: Pick<RunStore, "damage" | "presence" | "table">,
): readonly string[] {
  const broken = damageText(damage);
  const { gone } = presence;
  const own = [
    ...(gone === undefined ? [] : [`${gone}: results are kept until the notebook is closed, r executes it anew`]),
    ...(broken === undefined ? [] : [broken]),
    ...(planned.kept === undefined ? [] : [keptText(planned.kept, planned.spec)]),
    ...(planned.older === undefined ? [] : [olderText(planned.older)]),
    ...unscoredWarning(planned, suite),
  ];
  return [...new Set([...own, ...table.warnings])];
}

/** Why none of its tasks can be scored, where that is so. Answers made elsewhere are for their own scorer. */
function unscoredWarning({ spec, predictions }: PlannedRun, suite: Benchmark): readonly string[] {
  const why = predictions === undefined ? suite.unscored?.(spec) : undefined;
  return why === undefined ? [] : [why];
}

/** What is said from its start, whatever its models reply. `keyReaders` are its models that read the answer key. */
export function startWarnings(
  planned: PlannedRun,
  loaded: LoadedSuite,
  keyReaders: readonly string[],
): readonly string[] {
  const { suite } = loaded;
  const oracle = keyReaders.map((name) => `${name} reads the answer key`);
  const data = unpublishedText(planned.spec.data, suite);
  const tasks = [...(data === undefined ? [] : [data]), ...dataWarnings(loaded, planned.spec)];
  return [...unscoredWarning(planned, suite), ...oracle, ...tasks];
}

/** What tasks are that no publisher has published; undefined for those of the publisher. */
function unpublishedText(data: DataKind, { sampleFolder }: Benchmark): string | undefined {
  if (data === "published") return undefined;
  if (data === "own") return "Your own data";
  if (data !== "sample") return `Your own data \`${ownName(data)}\`, not the published benchmark`;
  return sampleFolder === undefined
    ? "Sample tasks written for Planwright, not the published benchmark"
    : "Sample tasks, not the whole benchmark";
}
