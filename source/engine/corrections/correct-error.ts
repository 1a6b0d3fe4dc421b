/**
 * A person's word on one error, said where they look at it: kept in `overrides.json`, which scoring again reads, and counted
 * at once, as the task alone is scored again.
 */
import { addressOf, fitting, overridden, placeOf } from "./overridden.ts";
import { listOverrides, type Override, writeOverrides } from "./overrides.ts";
import { Problem } from "../problem.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Benchmark } from "../benchmark.ts";
import type { Mistake, Score } from "../types.ts";

export type LabelCorrection = {
  readonly task: string;
  /** As the task's score has it now. */
  readonly error: Mistake;
  /** undefined takes an earlier word back. */
  readonly kind: string | undefined;
  readonly reason: string;
};

/**
 * Resolves to what else became of the file, where there is something to tell. `score` gives the scorer's own score of the
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
  const at = placeIn(scored.errors, shown, error);
  const back = kind === undefined || kind === scored.errors[at]!.kind;
  if (!back && reason.trim() === "") throw new Problem("parse", "Expected a reason, got none");
  const others: Override[] = [];
  const lapsed: Override[] = [];
  for (const each of all) {
    const fits = each.task === task ? fitting(scored.errors, each) : undefined;
    if (fits?.length === 0) lapsed.push(each);
    else if (fits?.length !== 1 || fits[0] !== at) others.push(each);
  }
  const said = { source: source.trim(), reason: reason.trim() };
  const next = back ? others : [...others, { task, ...addressOf(scored.errors, at), kind, ...said }];
  const counted = overridden(
    scored,
    next.filter((each) => each.task === task),
  );
  // First: where the log cannot be opened, the file stays as it is.
  const log = store.open();
  writeOverrides(store.folder, next, suite);
  log.append({ task, type: "scored", score: counted, suiteRevision: suite.revision });
  if (lapsed.length === 0) return undefined;
  const words = lapsed.map((each) => `${placeOf(each)}: ${each.kind}, by ${each.source}: ${each.reason}`);
  return `Gone from overrides.json, no such error now: ${words.join("; ")}`;
}

/** Where the scorer now has an error of a score that is shown. Equal ones are told apart by their order. */
function placeIn(scored: readonly Mistake[], shown: readonly Mistake[], error: Mistake): number {
  const at = shown.findIndex((each) => sameError(each, error) && sameWord(each, error));
  const before = shown.slice(0, Math.max(0, at)).filter((each) => sameError(each, error)).length;
  const found = [...scored.keys()].filter((index) => sameError(scored[index]!, error))[before];
  if (at >= 0 && found !== undefined) return found;
  throw new Problem(
    "parse",
    at < 0
      ? "This error is gone: the task was played or scored again meanwhile"
      : "The scorer does not find this error any more: score the run again first",
  );
}

/** The scorer's own words; what a person said of the kind is left out. */
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

function sameWord({ kind, override: one }: Mistake, { kind: otherKind, override: other }: Mistake): boolean {
  return kind === otherKind && one?.source === other?.source && one?.reason === other?.reason;
}

/** The score as the scorer gave it, where it cannot be asked again: answers made elsewhere. */
export function withoutOverrides(score: Score): Score {
  const { "errors.overridden": _, ...metrics } = score.metrics;
  const errors = score.errors.map(({ override, ...error }) => ({ ...error, kind: override?.was ?? error.kind }));
  return { ...score, errors, metrics };
}
