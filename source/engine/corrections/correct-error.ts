/**
 * Label correction of one error: saved in `overrides.json`, which scoring again reads, and counted at once, as the task alone
 * is scored again.
 */
import { addressOf, fitting, overridden, addressText } from "./overridden.ts";
import { listOverrides, type Override, writeOverrides } from "./overrides.ts";
import { Problem } from "../problem.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Benchmark } from "../benchmark.ts";
import type { Mistake, Score } from "../types.ts";

export type LabelCorrection = {
  readonly task: string;
  /** As the task's score has it now. */
  readonly error: Mistake;
  /** undefined withdraws an earlier correction. */
  readonly kind: string | undefined;
  readonly reason: string;
};

/**
 * Resolves to a message on other overrides that were removed from the file, if any. `score` gives the scorer's own score of the
 * task as it is saved. Throws `Problem` or `DataProblem`, and then nothing was changed: for an error that is not there, a
 * kind the suite does not have, a reason that is missing, a file that is broken or cannot be written.
 */
export async function correctError(
  store: RunStore,
  suite: Benchmark,
  score: () => Promise<Score>,
  { task, error, kind, source, reason }: LabelCorrection & { readonly source: string },
): Promise<string | undefined> {
  const all = await listOverrides(store.folder, suite);
  const shown = store.table.row(task)?.score?.errors ?? [];
  const scored = await score();
  const at = indexIn(scored.errors, shown, error);
  const back = kind === undefined || kind === scored.errors[at]!.kind;
  if (!back && reason.trim() === "") throw new Problem("parse", "Expected a reason, got none");
  const others: Override[] = [];
  const outdated: Override[] = [];
  for (const each of all) {
    const fits = each.task === task ? fitting(scored.errors, each) : undefined;
    if (fits?.length === 0) outdated.push(each);
    else if (fits?.length !== 1 || fits[0] !== at) others.push(each);
  }
  const annotation = { source: source.trim(), reason: reason.trim() };
  const next = back ? others : [...others, { task, ...addressOf(scored.errors, at), kind, ...annotation }];
  const counted = overridden(
    scored,
    next.filter((each) => each.task === task),
  );
  // First: where the log cannot be opened, the file stays as it is.
  const log = store.open();
  writeOverrides(store.folder, next, suite);
  log.append({ task, type: "scored", score: counted, suiteRevision: suite.revision });
  if (outdated.length === 0) return undefined;
  const removed = outdated.map((each) => `${addressText(each)}: ${each.kind}, by ${each.source}: ${each.reason}`);
  return `Removed from overrides.json, no such error now: ${removed.join("; ")}`;
}

/** Where the scorer now has an error of a score that is shown. Equal ones are distinguished by their order. */
function indexIn(scored: readonly Mistake[], shown: readonly Mistake[], error: Mistake): number {
  const at = shown.findIndex((each) => sameError(each, error) && sameOverride(each, error));
  const before = shown.slice(0, Math.max(0, at)).filter((each) => sameError(each, error)).length;
  const found = [...scored.keys()].filter((index) => sameError(scored[index]!, error))[before];
  if (at >= 0 && found !== undefined) return found;
  throw new Problem(
    "parse",
    at < 0
      ? "This error is gone: the task was run or scored again in the meantime"
      : "The scorer does not find this error any more: score the run again first",
  );
}

/** Compares what the scorer reported; corrections of the kind are left out. */
function sameError(one: Mistake, other: Mistake): boolean {
  const kindOf = ({ kind, override }: Mistake) => override?.was ?? kind;
  return (
    kindOf(one) === kindOf(other) &&
    one.step === other.step &&
    one.key === other.key &&
    one.expected === other.expected &&
    one.got === other.got
  );
}

function sameOverride({ kind, override: one }: Mistake, { kind: otherKind, override: other }: Mistake): boolean {
  return kind === otherKind && one?.source === other?.source && one?.reason === other?.reason;
}

/** The score as the scorer gave it, where it cannot be asked again: answers made elsewhere. */
export function withoutOverrides(score: Score): Score {
  const { "errors.overridden": _, ...metrics } = score.metrics;
  const errors = score.errors.map(({ override, ...error }) => ({ ...error, kind: override?.was ?? error.kind }));
  return { ...score, errors, metrics };
}
