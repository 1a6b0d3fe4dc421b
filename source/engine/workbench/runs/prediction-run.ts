/** Saves answers of another program as a run: each line is scored and becomes a task with an answer and a score. */
import { text as textOf } from "node:stream/consumers";
import { pathInside } from "../../files/inside.ts";
import type { RunContext } from "./run-context.ts";
import { DataProblem, parseJsonLines, readText } from "../../text/json-lines.ts";
import { counted } from "../../text/counted.ts";
import { nestsDeeper } from "../../text/json-record.ts";
import { deepestEvent } from "../../log/file/event-schema.ts";
import { overridden, withUnscored } from "../../log/corrections/overridden.ts";
import type { Override } from "../../log/corrections/overrides.ts";
import type { PredictionRequest, Predictions } from "../../prediction.ts";
import { Problem } from "../../problem.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { Suite } from "../../suite.ts";
import type { Facets, Json, RunSpec, Score } from "../../types.ts";

/**
 * Reads JSON Lines, one JSON array, or one JSON object over several lines (as publishers write labels), plain or `.gz`; `-` is
 * standard input. Throws `DataProblem` with the file and line, also for values that are nested too deeply for a log.
 */
export async function readPredictions(path: string): Promise<PredictionRequest["lines"]> {
  const lines = linesIn(path === "-" ? await textOf(process.stdin) : await readText(path), path);
  const deep = lines.find(({ value }) => nestsDeeper(value, deepestEvent));
  if (deep === undefined) return lines;
  throw new DataProblem(
    `Expected line ${deep.number} of ${path} to have at most ${deepestEvent} nested levels, got more`,
  );
}

function linesIn(raw: string, path: string): PredictionRequest["lines"] {
  // Some editors write a byte order mark, which is not JSON.
  const text = raw.startsWith("\uFEFF") ? raw.slice(1) : raw;
  if (/^\s*\{[^\S\n]*\n/.test(text)) return [{ number: 1, value: objectOf(text, path), text }];
  if (!text.trimStart().startsWith("[")) return parseJsonLines(text, path);
  try {
    const all = JSON.parse(text) as readonly Json[];
    return all.map((value, index) => ({ number: index + 1, value }));
  } catch (error) {
    if (text.trimStart().includes("\n[")) return parseJsonLines(text, path);
    throw new DataProblem(`Expected ${path} to be a JSON array or JSON Lines: ${(error as Error).message}`);
  }
}

function objectOf(text: string, path: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be a JSON object or JSON Lines: ${(error as Error).message}`);
  }
}

/**
 * Scores a file in a run cell and writes the results and the label corrections into the run's log. A file that was scored before
 * is scored again only if `again` is set. Resolves to a report of overrides that do not match. Rejects with the signal's reason
 * if it is aborted; the answers then stay unchanged.
 */
export async function scorePredictions(
  planned: PlannedRun,
  store: RunStore,
  context: Pick<RunContext, "loadedSuites" | "folder" | "reading">,
  { again, signal }: { readonly again: boolean; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (store.table.ended?.reason === "done" && !again) return undefined;
  const { spec } = planned;
  const suite = context.loadedSuites.suite(spec.suite);
  const folder = context.loadedSuites.folder(spec.suite, spec.data);
  // Publishers' predictions are installed with their data.
  const places = [
    [context.folder.path, "the session's folder"],
    [folder, `the data of \`${spec.suite}\``],
  ] as const;
  const path = pathInside(planned.predictions!, new Map(places));
  const { recordingAt } = await import("../recordings/recording-file.ts");
  const recording = await recordingAt(path, context.reading);
  if (recording !== undefined) {
    const { keepRecording } = await import("./recorded-run.ts");
    return keepRecording(recording, path, planned, store, context.loadedSuites, signal);
  }
  const { readOverrides } = await import("../../log/corrections/overrides.ts");
  const overrides = await readOverrides(store.folder, suite);
  const lines = await readPredictions(path);
  if (suite.predictions === undefined) throw new Problem("tool", `Suite \`${suite.name}\` cannot score predictions`);
  const predictions = await suite.predictions.score({
    lines,
    folder,
    data: spec.data,
    split: spec.split,
    flags: flagsOf(suite, spec),
    signal,
  });
  signal.throwIfAborted();
  // The file may have changed, so answers it no longer contains are removed.
  store.clear();
  return keepPredictions(predictions, planned, store, suite, overrides);
}

function flagsOf(suite: Suite, spec: RunSpec): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const [name, values] of Object.entries(suite.predictions?.flags ?? {}))
    flags[name] = String(spec.options[name] ?? values[0]);
  return flags;
}

/**
 * Writes scored predictions into a run's log. Several answers to one task are named `task`, `task (2)` ... If an override does
 * not match, the answer keeps the scorer's kinds and the problem is returned.
 */
export function keepPredictions(
  predictions: Predictions,
  planned: Pick<PlannedRun, "run" | "spec">,
  store: RunStore,
  suite: Suite,
  overrides: ReadonlyMap<string, readonly Override[]> = new Map(),
): string | undefined {
  const log = store.open();
  const warnings = ["Answers made elsewhere, scored here"];
  const { entries } = predictions;
  log.append({ type: "run-started", run: planned.run, spec: planned.spec, total: entries.length, warnings });
  const seen = new Map<string, number>();
  const problems: string[] = [];
  const settled = (score: Score, id: string, facets: Facets): Score => {
    try {
      return overridden(score, overrides.get(id) ?? [], suite, facets);
    } catch (thrown) {
      problems.push((thrown as Error).message);
      return score;
    }
  };
  for (const { task, answer, score } of entries) {
    const times = (seen.get(task.id) ?? 0) + 1;
    seen.set(task.id, times);
    const id = times === 1 ? task.id : `${task.id} (${times})`;
    log.append({ task: id, type: "started", facets: task.facets, question: task.question });
    log.append({ task: id, type: "answer", answer });
    log.append({ task: id, type: "scored", score: settled(score, id, task.facets), suiteRevision: suite.revision });
  }
  log.append({ type: "run-ended", reason: "done" });
  log.flush();
  const unfit =
    problems.length === 0
      ? undefined
      : `Corrections of ${counted(problems.length, "task")} could not be applied (${problems[0]})`;
  return withUnscored(unfit, overrides, store);
}
