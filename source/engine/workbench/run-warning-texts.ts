/** The warnings of a cell's runs as they are shown, on the screen and without one. */
import type { RunState } from "./workbench.ts";

/** Each once, with the labels of the runs it applies to where these are not all. */
export function runWarningTexts(runs: readonly RunState[]): readonly string[] {
  const mentioned = runs.some(({ warnings }) => warnings.some((warning) => warning.includes("answer key")));
  // A run that is not loaded yet has no warnings, whatever it will have.
  const known = runs.filter(({ status, warnings }) => status !== "ready" || warnings.length > 0);
  const holders = new Map<string, RunState[]>();
  for (const run of runs) {
    const own = run.readsAnswerKey && !mentioned ? ["reads the answer key", ...run.warnings] : run.warnings;
    for (const warning of new Set(own)) holders.set(warning, [...(holders.get(warning) ?? []), run]);
  }
  return [...holders].map(([warning, own]) =>
    own.length >= known.length ? warning : `${own.map(({ label }) => label).join(", ")}: ${warning}`,
  );
}
