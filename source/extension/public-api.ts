/**
 * Users' files see these types instead of the engine's. Their rows also have the field names of version 0.1.0, and measures of
 * every kind have `of`.
 */
import type { Analysis as EngineAnalysis, RunRows as EngineRunRows } from "../engine/analysis.ts";
import type { CustomMeasure, Measure as EngineMeasure } from "../engine/benchmark.ts";
import { type PublicRow as Row, publicRow } from "../engine/log/rows/row-notes.ts";
import * as measures from "../engine/measures/measure.ts";
import type { Suite } from "../engine/suite.ts";
import type { Row as EngineRow } from "../engine/types.ts";
import { factOf } from "../engine/work/fact.ts";

export type { Row };
export type Measure = CustomMeasure<Row>;
export type RunRows = Omit<EngineRunRows, "rows" | "suite"> & {
  readonly rows: readonly Row[];
  readonly suite: Omit<Suite, "measures"> & { readonly measures: readonly Measure[] };
};
export type Analysis = EngineAnalysis<RunRows>;

/** See the engine's `meanMeasure`. */
export const meanMeasure = (...given: Parameters<typeof measures.meanMeasure>): Measure =>
  publicMeasure(measures.meanMeasure(...given));

/** See the engine's `ratioMeasure`. */
export const ratioMeasure = (...given: Parameters<typeof measures.ratioMeasure>): Measure =>
  publicMeasure(measures.ratioMeasure(...given));

function publicMeasure(measure: EngineMeasure): Measure {
  if ("of" in measure) return measure;
  const { kind: _, ...described } = measure;
  const of = (rows: readonly EngineRow[]) => measures.evaluate(measure, rows);
  return { ...described, of, has: (row) => measures.hasParts(measure, row) } as Measure;
}

/** Converts a measure of a user's file, so that its functions get rows in the form that they expect. */
function ownMeasure(measure: EngineMeasure): EngineMeasure {
  if (!("of" in measure)) return measure;
  const { each, has, applies, ceiling } = measure;
  return {
    ...measure,
    kind: "custom",
    of: (rows) => measure.of(rows.map(publicRow)),
    ...(each && { each: (row: EngineRow) => each.call(measure, publicRow(row)) }),
    ...(has && { has: (row: EngineRow) => has.call(measure, publicRow(row)) }),
    ...(applies && { applies: (row: EngineRow) => applies.call(measure, publicRow(row)) }),
    ...(ceiling && { ceiling: (rows: readonly EngineRow[]) => ceiling.call(measure, rows.map(publicRow)) }),
  };
}

/** Converts a suite of a user's file. */
export const ownSuite = (suite: Suite): Suite =>
  suiteWith(suite, ({ measures: own, beside }) => ({
    measures: own.map(ownMeasure),
    ...(beside && { beside: beside.map(ownMeasure) }),
  }));

/** Returns the suite with `change` applied, also to the suites it makes of files. Getters stay getters. */
export function suiteWith(suite: Suite, change: (suite: Suite) => Partial<Suite>): Suite {
  const { ofFile } = suite;
  return partWith(suite, {
    ...change(suite),
    ...(ofFile && { ofFile: (...named: Parameters<typeof ofFile>) => suiteWith(ofFile.apply(suite, named), change) }),
  });
}

const partWith = <Part extends object>(part: Part, changed: Partial<Part>): Part =>
  Object.create(Object.getPrototypeOf(part) as object, {
    ...Object.getOwnPropertyDescriptors(part),
    ...Object.getOwnPropertyDescriptors(changed),
  }) as Part;

/** Converts an analysis of a user's file, so that it gets the runs it expects. */
export function ownAnalysis(analysis: Analysis): EngineAnalysis {
  const { lists, missing } = analysis;
  return partWith(analysis as EngineAnalysis, {
    choices: (runs) => analysis.choices(runs.map(publicRun)),
    compute: (runs, ...chosen) => analysis.compute(runs.map(publicRun), ...chosen),
    ...(lists && { lists: (runs: readonly EngineRunRows[]) => lists.call(analysis, runs.map(publicRun)) }),
    ...(missing && { missing: (runs: readonly EngineRunRows[]) => missing.call(analysis, runs.map(publicRun)) }),
  });
}

const publicRows = factOf((rows: readonly EngineRow[]) => rows.map(publicRow));
const publicSuite = factOf((suite: Suite) =>
  suiteWith(suite, ({ measures: own }) => ({ measures: own.map(publicMeasure) })),
);

const publicRun = (run: EngineRunRows): RunRows => ({
  ...run,
  suite: publicSuite(run.suite) as RunRows["suite"],
  // Copied on access, because there may be many rows.
  get rows() {
    return publicRows(run.rows);
  },
});
