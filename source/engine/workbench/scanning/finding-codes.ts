/** Turns the findings of a scan into codes by `model:NAME`, at the quoted or predicted step. */
import type { CodeLine, LabelledLine } from "../../session/codes/code-line.ts";
import type { Row, RunSpec } from "../../types.ts";
import type { SessionCodes } from "../../session/codes/session-codes.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";
import type { RunControl } from "../runs/run-control.ts";
import type { Finding } from "./rubric.ts";
import { kindsToMerge, mergedKinds, type MergedKind, proposalOf } from "./merged-kinds.ts";
import { openCodes, type ProposedKind } from "./open-codes.ts";
import { findingsLabel, kindsLabel, mergedLabel, predictionLabels, scannedRun } from "./scan-suite.ts";
import { annotationLabels, type ScannedTask } from "./scanned-task.ts";

/** Appends the codes of scanned trajectories that now have a result, each once. */
export async function keepFindings(
  controls: readonly RunControl[],
  loadedSuites: LoadedSuites,
  codes: SessionCodes,
): Promise<void> {
  for (const { spec, store } of controls) {
    if (scannedRun(spec.suite) === undefined) continue;
    const tasks = new Map((await loadedSuites.tasks(spec.suite, spec.data, spec.split)).map((task) => [task.id, task]));
    const lines = store.table.rows().flatMap((row) => {
      const task = tasks.get(row.task) as ScannedTask | undefined;
      return task === undefined ? [] : linesOf(row, task, spec);
    });
    codes.add(modelName(spec), lines);
  }
}

/**
 * Returns a kinds cell of the kinds that these runs proposed; undefined while one of the runs is unfinished, or if they proposed
 * none.
 */
export function proposedKinds(controls: readonly RunControl[]): string | undefined {
  const named = namedBy(controls.filter(({ spec }) => spec.strategy === openCodes.name));
  const merging = controls.filter(({ spec }) => spec.strategy === mergedKinds.name);
  // A model that cannot be reached, or whose reply cannot be read, leaves what the rule has merged.
  const isOpen = merging.some(({ store }) => !["done", "failed"].includes(store.table.ended?.reason ?? ""));
  if (named === undefined || isOpen) return undefined;
  const [merged] = labelled<readonly MergedKind[]>(merging, mergedLabel);
  return proposalOf(named, merged) || undefined;
}

/**
 * Returns the kinds that these runs named, for a model to merge; undefined while one of the runs is unfinished, or if there are
 * fewer than two kinds.
 */
export function unmergedKinds(controls: readonly RunControl[]): string | undefined {
  const named = namedBy(controls);
  return named && kindsToMerge(named);
}

function namedBy(runs: readonly RunControl[]): readonly (readonly ProposedKind[])[] | undefined {
  const isWhole = runs.every(({ store }) => store.hasRows && store.table.ended?.reason === "done");
  return runs.length > 0 && isWhole ? labelled<readonly ProposedKind[]>(runs, kindsLabel) : undefined;
}

const labelled = <Kinds>(runs: readonly RunControl[], label: string): readonly Kinds[] =>
  runs.flatMap(({ store }) =>
    store.table.rows().flatMap(({ score }) => {
      const kinds = score?.labels?.[label];
      return kinds === undefined ? [] : [JSON.parse(kinds) as Kinds];
    }),
  );

const modelName = ({ model }: RunSpec): string => `model:${model}`;

type Found = Finding & { readonly remark?: string };

function linesOf(row: Row, { input }: ScannedTask, spec: RunSpec): readonly (CodeLine | LabelledLine)[] {
  const found = foundIn(row, spec);
  if (found === undefined) return [];
  const id = (what: string | number) => `${row.run} ${row.task.slice(0, 40)} ${row.from} ${what}`;
  const { run, task, attempt } = input;
  const of = { by: modelName(spec), at: new Date(row.to).toISOString(), run, task, attempt };
  const lines = found.map(({ label, step, quote, remark }, index): CodeLine => {
    const place = step === undefined ? undefined : input.steps[step]?.place;
    return {
      type: "code",
      id: id(index),
      ...of,
      kind: label,
      ...(place !== undefined && { place: { ...place, ...(quote !== undefined && { quote: quote.slice(0, 500) }) } }),
      ...(remark !== undefined && { remark }),
    };
  });
  return [...lines, { type: "labelled", id: id("labelled"), ...of }];
}

/** Returns the labels found; undefined without a result, empty if none was found. */
function foundIn({ score }: Row, { strategy }: RunSpec): readonly Found[] | undefined {
  if (score === undefined) return undefined;
  const { labels = {} } = score;
  if (labels[kindsLabel] !== undefined || strategy === mergedKinds.name) return undefined;
  if (labels["steps"] === undefined)
    return labels[findingsLabel] === undefined ? undefined : (JSON.parse(labels[findingsLabel]) as readonly Found[]);
  const [agent, step] = [labels[predictionLabels.agent], labels[predictionLabels.step]];
  return [
    ...(agent === undefined ? [] : [{ label: annotationLabels.agent, remark: `${agent} (${strategy})` }]),
    ...(step === undefined ? [] : [{ label: annotationLabels.step, step: Number(step), remark: strategy }]),
  ];
}
